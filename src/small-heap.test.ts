import { spawnSync } from 'node:child_process'
import t from 'tap'

const fill = (options: string) => `
  import { startServer } from '#src/index.js'
  const server = await startServer({ queues: ['q'] ${options} })
  const { maxMemory } = server.broker.limits
  const content = { body: new Uint8Array(256), properties: new Map() }
  let said
  for (let sent = 0; sent < 1e6 && said === undefined; sent++) {
    try { server.broker.send('q', content) } catch (error) { said = error.kind }
  }
  await server.stop()
  console.log(JSON.stringify({ maxMemory, said }))
`

/** One server is asked for several things in turn that each took it all of its memory or time. */
const ASK = `
  import { startServer } from '#src/index.js'
  const mq = await startServer({ control: true, queues: ['words', 'big', 'state', 'waited'] })
  let longest = 0
  let before = process.cpuUsage()
  const look = setInterval(() => {
    const { user, system } = process.cpuUsage(before)
    before = process.cpuUsage()
    longest = Math.max(longest, (user + system) / 1000)
  })
  const ask = async (method, path, headers, body) => {
    // A connection that was idle on a busy machine may be closed just now.
    const answer = await fetch(mq.url + path, { method, headers: { ...headers, Connection: 'close' }, body })
    return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
  }
  const text = { 'Content-Type': 'text/plain' }
  const said = {}

  const word = new Map([['p', 'a'.repeat(2000)]])
  for (let n = 0; n < 1000; n++) mq.broker.send('words', { body: new Uint8Array(1), properties: word })
  const choose = async (selector) =>
    (await ask('POST', '/subscriptions', {}, new URLSearchParams({ destination: 'words', selector }))).status
  said.selectors = [
    await choose("p LIKE '" + '%_'.repeat(500_000) + "b'"),
    await choose("p LIKE '" + '%_'.repeat(2500) + "b'"),
    await choose("p LIKE '" + '%_'.repeat(30) + "b'"),
    await choose(Array.from({ length: 400 }, (_, n) => 'p=' + n).join(' OR ')),
  ]

  for (let n = 0; n < 40; n++)
    mq.broker.send('big', { body: Buffer.alloc(60_000, '&'), contentType: 'text/plain', properties: new Map() })
  const pages = await Promise.all(Array.from({ length: 3 }, () => ask('GET', '/queues/big?limit=1000')))
  said.pages = [...new Set(pages.map(({ status, bytes }) =>
    [status, bytes.length <= 2.1 * 1024 * 1024, bytes.includes('rel="next"')].join(' ')))]

  const waits = Array.from({ length: 100 }, () => ask('GET', '/queue/waited', { Prefer: 'wait=20' }))
  const parked = () => mq.state().queues.reduce((sum, { waiting }) => sum + waiting, 0)
  while (parked() < 100) await new Promise((resolve) => setTimeout(resolve, 20))
  for (let n = 0; n < 100; n++) mq.broker.send('waited', { body: Buffer.from('' + n), properties: new Map() })
  said.waits = new Set((await Promise.all(waits)).map(({ bytes }) => bytes.toString())).size

  for (let n = 0; n < 1500; n++) mq.broker.send('state', { body: Buffer.alloc(4000, '&'), properties: new Map() })
  const state = await ask('GET', '/_control/state?messages=1000000')
  said.state = [state.status, state.bytes.includes('"pending":1500'), state.bytes.length > 4e6]

  const elsewhere = { ...text, Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }
  said.elsewhere = [
    await ask('POST', '/queues', elsewhere, 'made'),
    await ask('POST', '/queue/big', elsewhere, 'sent'),
    await ask('GET', '/queue/big', elsewhere),
  ].map(({ status }) => status)
  said.left = mq.broker.queue('big').pending

  clearInterval(look)
  await mq.stop()
  console.log(JSON.stringify({ ...said, longest }))
`

function atSmallHeap(program: string): Record<string, unknown> {
  const options = ['--max-old-space-size=64', '--input-type=module', '--eval', program]
  const { status, stdout, stderr } = spawnSync(process.execPath, options, {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  t.equal(status, 0, stderr.slice(-500))
  return JSON.parse(stdout || '{}') as Record<string, unknown>
}

t.test('what a server keeps unless it is told fits the heap that it has', (t) => {
  t.strictSame(
    ['', ', control: true', ', journal: true', ', strict: { messages: false }'].map((options) =>
      atSmallHeap(fill(options)),
    ),
    [24, 12, 12, 12].map((megabytes) => ({ maxMemory: megabytes * 1024 * 1024, said: 'out-of-memory' })),
  )
  t.end()
})

t.test('selectors, pages, the state, many who wait, and another site do not end a server', (t) => {
  const { longest, ...said } = atSmallHeap(ASK)
  t.strictSame(said, {
    selectors: [413, 400, 201, 201],
    pages: ['200 true true'],
    state: [200, true, true],
    waits: 100,
    elsewhere: [403, 403, 403],
    left: 40,
  })
  t.ok(Number(longest) < 1000, `the longest turn took ${longest} ms of processor`)
  t.end()
})
