import { defaultOf, LIMIT_FLAGS } from './limit-flags.js'
import { FLAGS } from './serve-options.js'

/** What `atom-mq serve --help` prints. */
export function serveHelp(): string {
  const options = Object.entries(FLAGS).map(([name, flag]) =>
    row('value' in flag ? `--${name} ${flag.value}` : `--${name}`, flag.help),
  )
  const limits = (Object.keys(LIMIT_FLAGS) as (keyof typeof LIMIT_FLAGS)[]).map((limit) => {
    const { flag, unit, help } = LIMIT_FLAGS[limit]
    return row(`--${flag} ${unit === 'count' ? 'N' : unit.toUpperCase()}`, `${help} (${defaultOf(limit)})`)
  })
  return `atom-mq serve [options]

Serves queues over HTTP, in memory, until it is stopped. The first line of the
output is the URL to speak to, printed when the port is open.

  atom-mq serve --port 0                  a free port, on this machine only
  atom-mq serve --queue orders --auto-create
  atom-mq serve --port 0 --control --clock manual --seed queues.json
                                          a mock broker for the tests of an application

Options:
${options.join('\n')}

Limits (a span may have decimals):
${limits.join('\n')}

Each option is an environment variable too: --base-path is ATOM_MQ_BASE_PATH.
SIGINT and SIGTERM stop the server in order, at once, whatever waits.
Exit codes: 0 stopped, 1 the server could not start, 2 wrong usage, 3 a client
broke a rule (with --judge-client).
`
}

function row(left: string, right: string): string {
  return `  ${left.padEnd(30)} ${right}`
}
