import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import t from 'tap'
import { GENERATOR } from '../atom/names.js'
import { checkNodeVersion } from './node-version.js'
import { run } from './run.js'

/** A terminal of the test's own; `stop` is its Ctrl-C. */
function terminal(environment: Record<string, string> = {}) {
  let stop = () => {}
  const printed: string[] = []
  const complaints: string[] = []
  let onPrint = () => {}
  const firstLine = new Promise<void>((resolve) => {
    onPrint = resolve
  })
  return {
    environment,
    printed,
    complaints,
    firstLine,
    stop: () => stop(),
    print(text: string) {
      printed.push(text)
      onPrint()
    },
    complain: (text: string) => void complaints.push(text),
    stopSignal: new Promise<void>((resolve) => {
      stop = resolve
    }),
  }
}

t.test('words that are no command', async (t) => {
  for (const [args, code, sentence] of [
    [[], 2, 'atom-mq: what shall it do? Try atom-mq serve, or atom-mq --help.\n'],
    [['dance'], 2, 'atom-mq: there is no command "dance"; see atom-mq --help.\n'],
    [['serve', '--port', 'x'], 2, 'atom-mq: --port takes 0 to 65535, not "x".\n'],
  ] as const) {
    const own = terminal()
    t.equal(await run(args, own), code)
    t.same([own.printed, own.complaints], [[], [sentence]])
  }
})

t.test('help and version', async (t) => {
  for (const [args, output] of [
    [['--help'], /^atom-mq <command> \[options\]/],
    [['help'], /^atom-mq <command> \[options\]/],
    [['--version'], new RegExp(`^${GENERATOR.version}\n$`)],
    [['help', 'serve'], /^atom-mq serve \[options\]/],
    [['serve', '--help'], /^atom-mq serve \[options\]/],
  ] as const) {
    const own = terminal()
    t.equal(await run(args, own), 0)
    t.match(own.printed.join(''), output)
    t.same(own.complaints, [])
  }
})

t.test('serve prints the URL first, serves, and stops in order', async (t) => {
  const own = terminal({ ATOM_MQ_BASE_PATH: '/mq' })
  const code = run(['serve', '--port', '0', '--queue', 'a/b'], own)
  await own.firstLine
  const url = own.printed.join('').trim()
  t.match(url, /^http:\/\/127\.0\.0\.1:\d+\/mq$/)
  t.equal((await fetch(`${url}/queues/a/b`)).status, 200)
  t.match(own.complaints, [/in memory/])
  own.stop()
  t.equal(await code, 0)
  await t.rejects(fetch(url), 'nothing answers any more')
})

t.test('quiet', async (t) => {
  const own = terminal()
  const code = run(['serve', '--port', '0', '--quiet'], own)
  await own.firstLine
  t.same(own.complaints, [])
  own.stop()
  await code
})

t.test('a server that cannot start says why in one sentence', async (t) => {
  const other = createServer().listen(0, '127.0.0.1')
  t.teardown(() => other.close())
  await new Promise((resolve) => other.once('listening', resolve))
  const { port } = other.address() as AddressInfo
  for (const [args, sentence] of [
    [
      ['--port', String(port)],
      `port ${port} of 127.0.0.1 is taken; choose another with --port, or a free one with --port 0.`,
    ],
    [
      ['--port', '0', '--host', '192.0.2.1'],
      '192.0.2.1 is not an address of this machine; choose one with --host.',
    ],
    [
      ['--port', '0', '--queue', 'a//b'],
      'a queue cannot be created: The queue name "a//b" has an empty segment.',
    ],
    [['--port', '0', '--base-path', 'x y'], 'The base path "x y" is not a path; write it like "/mq".'],
    [
      ['--port', '0', '--public-url', 'ftp://x'],
      /^The public URL "ftp:\/\/x" is not a plain http or https URL/,
    ],
  ] as const) {
    const own = terminal()
    t.equal(await run(['serve', ...args], own), 1)
    t.match(
      own.complaints.join(''),
      typeof sentence === 'string' ? `atom-mq: ${sentence}\n` : /^atom-mq: The public URL/,
    )
    t.same(own.printed, [])
  }
})

t.test('the oldest Node', async (t) => {
  for (const good of ['20.19.0', '20.20.2', '22.0.0', '26.10.0'])
    t.equal(checkNodeVersion(good), undefined, good)
  for (const bad of ['18.20.0', '20.18.3']) {
    t.equal(checkNodeVersion(bad), `atom-mq needs Node 20.19 or later, and this is Node ${bad}.`)
  }
})
