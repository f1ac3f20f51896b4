import { GENERATOR } from '../atom/names.js'
import { chaosCommand } from './chaos.js'
import { runCommand } from './run-command.js'
import { serve } from './serve.js'
import type { Terminal } from './terminal.js'
import { UsageError } from './usage-error.js'

const HELP = `atom-mq <command> [options]

The reference server of the HTTP interface to message queues, in memory.

  atom-mq serve       serves until it is stopped; --help lists its options
  atom-mq run -- COMMAND
                      runs a command with a mock broker beside it, and judges
  atom-mq chaos -- COMMAND
                      runs it again and again, each time with other faults
  atom-mq --version   prints the version
  atom-mq --help      prints this text
`

const COMMANDS = new Map([
  ['serve', serve],
  ['run', runCommand],
  ['chaos', chaosCommand],
])

/**
 * Runs one command line.
 *
 * @param args without the program's own name
 * @returns the exit code: 0; 1 when the command failed; 2 for wrong usage; 3 when a client broke a rule, with `--judge-client`,
 * or when `chaos` has found something; of `run` that of the command
 */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = args
  const [topic, given] = name === 'help' ? [rest[0], ['--help']] : [name, rest]
  const command = COMMANDS.get(topic ?? '')
  try {
    if (command !== undefined) return await command(given, terminal)
    switch (name) {
      case '--version':
        terminal.print(`${GENERATOR.version}\n`)
        return 0
      case 'help':
      case '--help':
        terminal.print(HELP)
        return 0
      case undefined:
        throw new UsageError('what shall it do? Try atom-mq serve, or atom-mq --help.')
      default:
        throw new UsageError(`there is no command ${JSON.stringify(name)}; see atom-mq --help.`)
    }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    terminal.complain(`atom-mq: ${error.message}\n`)
    return 2
  }
}
