import { BaseUrlError } from '../run/base-url.js'
import { Unreachable } from '../run/contact.js'
import { ProfileError } from '../target/profile-fields.js'
import { KIT, VERSION } from '../version.js'
import { compare } from './compare.js'
import { explain } from './explain.js'
import { HELP } from './help.js'
import { list } from './list.js'
import { probe } from './probe.js'
import { run } from './run.js'
import { UsageError } from './usage-error.js'

/** Carries out a command line, without the program's own name. @returns the exit code */
export async function dispatch(args: readonly string[]): Promise<number> {
  try {
    return await command(args)
  } catch (error) {
    if (!isForPeople(error)) throw error
    process.stderr.write(`${KIT}: ${error.message}\n`)
    return 2
  }
}

function command(args: readonly string[]): Promise<number> | number {
  const [first, ...rest] = args
  switch (first) {
    case undefined:
      throw new UsageError('give the base URL of a target, or --help.')
    case '-h':
    case '--help':
      process.stdout.write(HELP)
      return 0
    case '-v':
    case '--version':
      process.stdout.write(`${VERSION}\n`)
      return 0
    case 'list':
      return list(rest)
    case 'explain':
      return explain(rest)
    case 'probe':
      return probe(rest)
    case 'compare':
      return compare(rest)
    case 'run':
      return run(rest)
    default:
      return run(args)
  }
}

function isForPeople(error: unknown): error is Error {
  if (error instanceof UsageError || error instanceof ProfileError) return true
  if (error instanceof BaseUrlError || error instanceof Unreachable) return true
  // What node:util's parseArgs says of options it does not know is fit to be read.
  return (
    error instanceof TypeError && String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS_')
  )
}
