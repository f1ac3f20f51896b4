import { BaseUrlError } from '../client/base-url.js'
import { Unreachable } from '../client/contact.js'
import { printableLine } from '../client/printable.js'
import { ProfileError } from '../client/profile-fields.js'
import { KIT_FAULT } from '../report/verdicts.js'
import { nearest } from '../scenario/nearest.js'
import { KIT, VERSION } from '../version.js'
import { HELP } from './help.js'
import { toldOf } from './unexpected.js'
import { UsageError } from './usage-error.js'

/** Carries out a command line, without the program's own name. @returns the exit code */
export async function dispatch(args: readonly string[]): Promise<number> {
  try {
    return await carryOut(args)
  } catch (error) {
    const sentence = sentenceOf(error)
    process.stderr.write(sentence === undefined ? toldOf(error) : `${KIT}: ${printableLine(sentence)}\n`)
    return sentence === undefined ? KIT_FAULT : 2
  }
}

async function carryOut(args: readonly string[]): Promise<number> {
  const [first, ...rest] = args
  // Wherever it stands: no option's value begins with a dash.
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(HELP)
    return 0
  }
  if (first === undefined) throw new UsageError('give the base URL of a target, or --help.')
  if (first === '-v' || first === '--version') {
    process.stdout.write(`${VERSION}\n`)
    return 0
  }
  const command = COMMANDS.get(first)
  if (command !== undefined) return (await command())(rest)
  refuseMisspelled(first, rest)
  return (await import('./run.js')).run(args)
}

/** What each command is done by. One is imported when it is asked for: help and version need nothing of them. */
const COMMANDS = new Map<string, () => Promise<(args: readonly string[]) => number | Promise<number>>>([
  ['run', async () => (await import('./run.js')).run],
  ['list', async () => (await import('./list.js')).list],
  ['explain', async () => (await import('./explain.js')).explain],
  ['probe', async () => (await import('./probe.js')).probe],
  ['explore', async () => (await import('./explore.js')).explore],
  ['scenario', async () => (await import('./scenario.js')).scenario],
  ['soak', async () => (await import('./soak.js')).soak],
  ['replay', async () => (await import('./replay.js')).replay],
  ['compare', async () => (await import('./compare.js')).compare],
])

/** A bare word before a URL is no URL itself, but a command that is not there. */
function refuseMisspelled(first: string, rest: readonly string[]): void {
  if (!/^[a-z]+$/i.test(first) || !rest.some((each) => /^https?:/i.test(each))) return
  throw new UsageError(
    `there is no command "${first}". The nearest is ${nearest(first, COMMANDS.keys())[0]}.`,
  )
}

/** What is wrong with the command or its target; undefined where the error was not made for people. */
function sentenceOf(error: unknown): string | undefined {
  if (error instanceof UsageError || error instanceof ProfileError) return error.message
  if (error instanceof BaseUrlError || error instanceof Unreachable) return error.message
  // What node:util's parseArgs says of options: the first sentence is what is wrong, any others are advice that misleads.
  if (String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS_')) {
    const { message } = error as Error
    const dashed = /^Option '(--[\w-]+)[^']*' argument is ambiguous/.exec(message)?.[1]
    if (dashed !== undefined)
      return `${dashed} needs a value, and one that begins with "-" stands behind "${dashed}="; see --help.`
    return `${message.split(/\.\s/)[0]!.replace(/\.$/, '')}; see --help.`
  }
  return undefined
}
