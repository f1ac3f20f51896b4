import { parseArgs } from 'node:util'
import { Refusal } from '../broker/refusals.js'
import { CannotStart } from '../chaos/attempt.js'
import { type ChaosOptions, LARGEST, search } from '../chaos/chaos.js'
import { RULES } from '../control/client/rules.js'
import { DIALECT_NAMES } from '../control/dialects/dialects.js'
import { commandTest } from './command-test.js'
import { reasonOf } from './serve.js'
import { readOneOf } from './serve-options.js'
import type { Terminal } from './terminal.js'
import { UsageError, usageErrorOf } from './usage-error.js'

const HELP = `atom-mq chaos [options] -- COMMAND [ARGUMENT…]

Runs a test of your application, in whatever language, again and again. Each time it starts a broker of its own, whose URL is in
ATOM_MQ_URL, and lets other things go wrong: lost answers, broken connections, 503, slow answers, leases that end, messages
that come twice, feeds in another dialect. It judges by the command's exit code, by the rules for clients, and by what became of the messages; the first
plan that shows something is made as small as possible, and told.

  --runs N          how many plans (100)
  --seed N          which plans: the same seed means the same ones (1)
  --concurrency N   how many at the same time (8)
  --timeout MS      how long one run may take (10000)
  --slow MS         how long a slow answer is held back (300)
  --dialect NAME    how feeds are written: plain, say; unless given, in every dialect
  --queue NAME      a queue to begin with; repeatable
  --ignore RULE     a rule for clients that is not looked at; repeatable
  --help            this text

Exit codes: 0 nothing was found; 1 the command or the broker cannot be started; 2 wrong usage; 3 something was found.
`

const NUMBERS = { runs: 100, seed: 1, concurrency: 8, timeout: 10_000, slow: 300 } as const

/**
 * `atom-mq chaos`: a command under plans of faults.
 *
 * @returns the exit code
 * @throws UsageError
 */
export async function chaosCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const { options, command, help } = readArguments(args)
  if (help) {
    terminal.print(HELP)
    return 0
  }
  try {
    const { report, finding } = await search(
      commandTest(command, terminal.environment, terminal.stopSignal),
      options,
    )
    if (finding !== undefined) {
      terminal.print(`${finding.story}\n`)
      return 3
    }
    terminal.print(
      `Nothing was found by ${report.runs} plans of seed ${report.seed}, in which ${report.faults} faults fired.\n`,
    )
    return 0
  } catch (error) {
    if (!(error instanceof CannotStart || error instanceof Refusal)) throw error
    terminal.complain(`atom-mq: ${reasonOf(error, {})}\n`)
    return 1
  }
}

function readArguments(args: readonly string[]): {
  readonly options: ChaosOptions
  readonly command: readonly string[]
  readonly help: boolean
} {
  const end = args.indexOf('--')
  const own = end < 0 ? args : args.slice(0, end)
  const command = end < 0 ? [] : args.slice(end + 1)
  const { queue = [], dialect, ignore = [], help = false, ...numbers } = parsed(own)
  if (command.length === 0 && !help) {
    throw new UsageError('chaos needs a command behind "--": atom-mq chaos -- npm test.')
  }
  const given = Object.fromEntries(
    Object.entries(NUMBERS).map(([name, usual]) => [
      name,
      readNumber(name, numbers[name as keyof typeof NUMBERS] ?? String(usual)),
    ]),
  )
  const told = dialect === undefined ? {} : { dialect: readOneOf('--dialect', dialect, DIALECT_NAMES) }
  return {
    options: {
      ...given,
      server: { control: true, queues: queue, ...told },
      ignore: ignore.map((rule) => readOneOf('--ignore', rule, RULES)),
    },
    command,
    help,
  }
}

function parsed(args: readonly string[]) {
  const text = { type: 'string' } as const
  const list = { type: 'string', multiple: true } as const
  const options = {
    runs: text,
    seed: text,
    concurrency: text,
    timeout: text,
    slow: text,
    dialect: text,
    queue: list,
    ignore: list,
    help: { type: 'boolean' },
  } as const
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values
  } catch (error) {
    throw usageErrorOf(error, 'chaos')
  }
}

function readNumber(name: string, text: string): number {
  if (/^\d{1,7}$/.test(text) && Number(text) >= 1 && Number(text) <= LARGEST) return Number(text)
  throw new UsageError(`--${name} takes a number from 1 to ${LARGEST}, not ${JSON.stringify(text)}.`)
}
