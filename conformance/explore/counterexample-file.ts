import { argument } from '../report/advice/report-context.js'
import { KIT, VERSION } from '../version.js'
import type { Command } from './command.js'
import type { Counterexample, Exploration } from './explore.js'
import { storyOf } from './story.js'

/** The form of the file. */
const FORMAT = 1

/** A counterexample as it is saved, to be replayed. */
export function counterexampleFile(
  { seed }: Exploration,
  { run, clause, commands, told }: Counterexample,
): string {
  const saved = {
    kit: KIT,
    version: VERSION,
    format: FORMAT,
    seed,
    run,
    clause,
    story: storyOf(told),
    commands,
  }
  return `${JSON.stringify(saved, null, 2)}\n`
}

/** The command that asks a saved counterexample again, as this exploration was asked. */
export function replayCommand(url: string, file: string, profile: string | undefined): string {
  const by = profile === undefined ? [] : ['--profile', profile]
  return [KIT, 'explore', url, ...by, '--replay', file].map(argument).join(' ')
}

/** The commands of a saved counterexample; a sentence where it is none. */
export function commandsIn(value: unknown): readonly Command[] | string {
  const { kit, format, commands } = Object(value) as Record<string, unknown>
  if (kit !== KIT || !Array.isArray(commands)) return `is not a counterexample of ${KIT}`
  if (format !== FORMAT) return `is of format ${JSON.stringify(format)}, and only ${FORMAT} is known here`
  if (!commands.every(isCommand)) return 'has commands that this version does not know'
  return commands
}

const KNOWN: ReadonlySet<unknown> = new Set<Command['do']>([
  ...([
    'create',
    'delete',
    'browse',
    'list',
    'send',
    'send many',
    'repeat',
    'subscribe',
    'end',
    'read',
  ] as const),
  ...(['look', 'acknowledge', 'acknowledge again', 'acknowledge in a post', 'wait'] as const),
  ...(['join', 'leave', 'next', 'acknowledge next', 'lock', 'fetch', 'acknowledge locked'] as const),
  ...(['take', 'together'] as const),
])

function isCommand(value: unknown): value is Command {
  return KNOWN.has((Object(value) as { do?: unknown }).do)
}
