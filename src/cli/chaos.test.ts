import t from 'tap'
import { run } from './run.js'

/** What a command line prints, and its exit code. */
async function chaos(...args: string[]) {
  return chaosUntil(new Promise(() => {}), ...args)
}

async function chaosUntil(stopSignal: Promise<void>, ...args: string[]) {
  let printed = ''
  let complained = ''
  const code = await run(['chaos', ...args], {
    environment: process.env,
    print: (text) => {
      printed += text
    },
    complain: (text) => {
      complained += text
    },
    stopSignal,
  })
  return { code, printed, complained }
}

/** A program in one line. */
const program = (code: string) => ['--', process.execPath, '--input-type=module', '-e', code]
const SEND =
  "const send = () => fetch(process.env.ATOM_MQ_URL + '/queues/orders?guid=1', { method: 'POST', body: 'x' }).catch(() => ({}))"

t.test('a right command: 0', async (t) => {
  const { code, printed } = await chaos(
    '--queue',
    'orders',
    '--runs=4',
    '--slow=20',
    ...program(
      `${SEND}; for (let n = 0; n < 5; n++) { if ((await send()).status === 200) break; await new Promise((r) => setTimeout(r, 1000)) }`,
    ),
  )
  t.match(printed, /^Nothing was found by 4 plans of seed 1, in which \d+ faults fired\.\n$/)
  t.equal(code, 0)
})

t.test('a wrong one: 3, and its story', async (t) => {
  const { code, printed } = await chaos(
    '--queue=orders',
    '--timeout=20000',
    ...program(
      `${SEND}; const { status } = await send(); console.log('here', status); process.exit(status === 200 ? 0 : 7)`,
    ),
  )
  t.equal(code, 3)
  t.match(printed, /The command ended with exit code 7\.\n {2}here/)
  t.match(printed, /mq\.faults\.add\(/)
})

t.test('one that hangs is ended', async (t) => {
  const { code, printed } = await chaos('--timeout=500', ...program('setInterval(() => {}, 1000)'))
  t.equal(code, 3)
  t.match(printed, /did not end within 500 ms/)
})

t.test('a signal ends it, and all commands', async (t) => {
  const stop = new Promise<void>((resolve) => setTimeout(resolve, 300))
  const { code, complained } = await chaosUntil(stop, ...program('setInterval(() => {}, 1000)'))
  t.equal(code, 1)
  t.equal(complained, 'atom-mq: stopped.\n')
})

t.test('one that cannot be started: 1; wrong usage: 2; help', async (t) => {
  const none = await chaos('--', '/nowhere/at/all')
  t.equal(none.code, 1)
  t.match(none.complained, /^atom-mq: \/nowhere\/at\/all cannot be started: /)
  t.match(await chaos('--queue=a//b', '--', 'true'), {
    code: 1,
    complained: 'atom-mq: a queue cannot be created: The queue name "a//b" has an empty segment.\n',
  })
  for (const [args, complained] of [
    [[], /needs a command behind "--"/],
    [
      ['npm', 'test'],
      /'npm'; the command that chaos is to start stands behind "--": atom-mq chaos -- npm test\.\n$/,
    ],
    [['--queue', '-x', '--', 'x'], /--queue needs a value.*"--queue="; see atom-mq chaos --help/],
    [['--runs=0', '--', 'x'], /--runs takes a number from 1/],
    [['--ignore=x', '--', 'x'], /--ignore takes repeat-send, same-address/],
    [['--dialect=latin', '--', 'x'], /--dialect takes plain, prefixed/],
    [['--what', '--', 'x'], /Unknown option '--what'.*see atom-mq chaos --help/],
  ] as const) {
    const wrong = await chaos(...args)
    t.equal(wrong.code, 2)
    t.match(wrong.complained, complained)
  }
  t.match((await chaos('--help')).printed, /^atom-mq chaos \[options\] -- COMMAND/)
  t.match(await chaos('--ignore=poll-gently', '--dialect=plain', '--help'), { code: 0 })
})
