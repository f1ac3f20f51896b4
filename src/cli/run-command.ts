import { startServer } from '../server.js'
import { runChild } from './child.js'
import { reasonOf } from './serve.js'
import { serveOptions } from './serve-options.js'
import type { Terminal } from './terminal.js'
import { UsageError } from './usage-error.js'

const HELP = `atom-mq run [options] -- COMMAND [ARGUMENT…]

Runs a command with a mock broker beside it, at a free port of this machine. The
command finds its URL in ATOM_MQ_URL, and everything below /_control is there.

  atom-mq run -- npm test
  atom-mq run --queue orders --clock manual --strict -- pytest -q

  --strict   judges more than the rules for clients: faults that never fired,
             requests that nobody expected to be refused, messages left unhandled
  and the options of atom-mq serve, as --queue, --seed, --clock and --ignore

At each reset, and when the command is over, whoever spoke to the broker is
judged, and what is not right is told on standard error.

Exit codes: the command's own, unless it is 0 and something is not right: 3.
126 the command may not be run, 127 there is no such command, 128 and a signal's
number where one ended it; 1 the broker could not start, 2 wrong usage.
`

/**
 * `atom-mq run`: runs a command with a broker beside it, and judges what it did.
 *
 * @returns the exit code
 * @throws UsageError
 */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const end = args.indexOf('--')
  const own = end < 0 ? args : args.slice(0, end)
  const command = end < 0 ? [] : args.slice(end + 1)
  const {
    server: options,
    ignore,
    help,
  } = serveOptions(
    own.filter((arg) => arg !== '--strict'),
    terminal.environment,
    'run',
  )
  if (help) {
    terminal.print(HELP)
    return 0
  }
  if (command.length === 0) throw new UsageError('what shall it run? Try atom-mq run -- npm test.')
  const only = own.includes('--strict') ? {} : { faults: false, refused: false, messages: false }
  const client = { ignore }
  let wrong = 0
  const report = ({ message }: Error) => {
    wrong++
    terminal.complain(`atom-mq: ${message}\n`)
  }
  let server: Awaited<ReturnType<typeof startServer>>
  try {
    server = await startServer({ ...options, control: true, strict: { ...only, client, report } })
  } catch (error) {
    terminal.complain(`atom-mq: ${reasonOf(error, options)}\n`)
    return 1
  }
  const code = await runChild(command, { ATOM_MQ_URL: server.url }, terminal.stopSignal)
  if (code === 127) terminal.complain(`atom-mq: there is no command ${JSON.stringify(command[0])}.\n`)
  await server.stop()
  return code === 0 && wrong > 0 ? 3 : code
}
