import t from 'tap'
import type { Reply, Request } from '../../http/exchange.js'
import { Problem } from '../../http/problems.js'
import { EventBus } from '../event-bus.js'
import type { WaitOptions } from '../input/waits.js'
import { DEFAULT_JOURNAL_LIMITS, Journal, type JournalLimits } from './journal.js'
import type { JournalPattern } from './journal-pattern.js'

// Waits do not keep a process alive by themselves; the port of a server does.
const alive = setInterval(() => {}, 60_000)
t.teardown(() => clearInterval(alive))

const requestOf = (line: string, body: string | Buffer = '', headers = {}): Request => {
  const [method = '', target = ''] = line.split(' ')
  const [path = '', query = ''] = target.split('?')
  return {
    method,
    path,
    segments: path.slice(1).split('/'),
    query: new URLSearchParams(query),
    headers,
    body: Buffer.from(body),
    whenGone: () => () => {},
  } as Request
}

function journalWith(limits: boolean | Partial<JournalLimits> = true) {
  const journal = new Journal(limits, new EventBus())
  const see = (
    line: string,
    reply: Reply | undefined = { status: 200 },
    body?: string | Buffer,
    headers = {},
  ) => journal.record({ at: 1, duration: 2, request: requestOf(line, body, headers), reply, faults: [] })
  const waitFor = async (pattern: JournalPattern, options: WaitOptions = {}) =>
    journal.waiting(pattern, options).found
  const expectNone = async (pattern: JournalPattern, options: WaitOptions = {}) =>
    journal.absence(pattern, options).found
  return { journal, see, waitFor, expectNone }
}

t.test('an exchange as it is told', async (t) => {
  const { journal, see } = journalWith()
  see(
    'POST /queues/a?guid=1&x=%20',
    { status: 200, headers: { 'Idempotent-Replayed': 'true' }, body: 'é' },
    'hello',
    {
      'content-type': 'text/plain',
      authorization: 'Bearer secret',
      cookie: 'secret',
    },
  )
  t.same(journal.entries(), [
    {
      number: 1,
      at: 1,
      duration: 2,
      method: 'POST',
      path: '/queues/a',
      query: 'guid=1&x=+',
      request: {
        headers: { 'content-type': 'text/plain', authorization: '***', cookie: '***' },
        body: 'hello',
        bytes: 5,
      },
      response: { status: 200, headers: { 'Idempotent-Replayed': 'true' }, body: 'é', bytes: 2 },
      faults: [],
    },
  ])
  t.notMatch(JSON.stringify(journal.entries()), /secret/)
})

t.test('bodies: text as text, the rest as base64, and only so much of either', async (t) => {
  const { journal, see } = journalWith({ body: 4 })
  see('POST /a', { status: 200, body: Buffer.from([1, 2, 3]) }, Buffer.from([0xff, 0xfe]))
  see('POST /a', { status: 200, body: 'ééé' }, 'abcé')
  see('POST /a', { status: 200, body: Buffer.from('tab\t') }, Buffer.from([0x61, 0xc3]))
  const bodies = journal.entries().map(({ request, response }) => [request, response])
  t.match(bodies[0], [
    { bodyBase64: '//4=', bytes: 2 },
    { bodyBase64: 'AQID', bytes: 3 },
  ])
  t.match(
    bodies[1],
    [
      { body: 'abc', bytes: 5 },
      { body: 'éé', bytes: 6 },
    ],
    'no half characters',
  )
  t.match(bodies[2], [
    { bodyBase64: 'YcM=', bytes: 2 },
    { body: 'tab\t', bytes: 4 },
  ])
})

t.test('a request that was never handled has no response; a query that cannot be read is none', async (t) => {
  const { journal } = journalWith()
  const request = {
    ...requestOf('GET /a'),
    get query(): URLSearchParams {
      throw new Problem('bad-percent-encoding', 'no')
    },
  }
  journal.record({
    at: 0,
    duration: 0,
    request,
    reply: undefined,
    faults: [{ id: 'f1', fault: 'reset-before' }],
  })
  const [entry] = journal.entries()
  t.notOk(entry && 'response' in entry)
  t.match(entry, { query: '', faults: [{ fault: 'reset-before' }] })
})

t.test('it is bounded, and forgets the oldest first', async (t) => {
  const few = journalWith({ entries: 3 })
  for (let count = 1; count <= 5; count++) few.see(`GET /${count}`)
  t.same(
    few.journal.entries().map(({ number, path }) => [number, path]),
    [
      [3, '/3'],
      [4, '/4'],
      [5, '/5'],
    ],
  )
  t.equal(few.journal.forgotten, 2)
  const small = journalWith({ bytes: 10_000 })
  small.see('POST /large', { status: 200 }, 'x'.repeat(20_000))
  t.same(small.journal.entries(), [], 'one that is larger than all of it is not kept')
  for (let count = 0; count < 5; count++) small.see('POST /a', { status: 200 }, 'x'.repeat(3000))
  t.equal(small.journal.entries().length, 2)
  small.see('POST /a', { status: 200, headers: { a: 'b'.repeat(4000) } })
  t.equal(small.journal.entries().length, 1, 'header fields count too')
})

t.test('where there is little room it takes no more, unless it is told to', (t) => {
  const kept = (options: boolean | Partial<JournalLimits>) => {
    const journal = new Journal(options, new EventBus(), 10_000)
    for (let count = 0; count < 9; count++)
      journal.record({
        at: 1,
        duration: 2,
        request: requestOf('POST /a', 'x'.repeat(3000)),
        reply: undefined,
        faults: [],
      })
    return journal.entries().length
  }
  t.same([kept(true), kept({ entries: 8 }), kept({ bytes: 20_000 })], [2, 2, 5])
  t.end()
})

t.test('a limit that is undefined is the default', async (t) => {
  const { journal, see } = journalWith({ entries: undefined, body: 1 } as never)
  for (let count = 0; count <= DEFAULT_JOURNAL_LIMITS.entries; count++) see('GET /a')
  t.equal(journal.entries().length, DEFAULT_JOURNAL_LIMITS.entries)
})

t.test('patterns', async (t) => {
  const { journal, see } = journalWith()
  see('POST /queues/a', { status: 201 })
  see('POST /queues/a/b', { status: 404 })
  see('GET /queues')
  journal.record({
    at: 0,
    duration: 0,
    request: requestOf('GET /x'),
    reply: { status: 200 },
    faults: [{ id: 'f1', fault: 'delay' }],
  })
  const numbers = (pattern?: JournalPattern, after?: number) =>
    journal.entries(pattern, after).map(({ number }) => number)
  t.same(numbers(), [1, 2, 3, 4])
  t.same(numbers({}, 2), [3, 4])
  t.same(numbers({ method: 'POST' }), [1, 2])
  t.same(numbers({ path: '/queues/**' }), [1, 2])
  t.same(numbers({ method: '*', path: '/queues/*', status: 201 }), [1])
  t.same(numbers({ fault: 'delay' }), [4])
  for (const pattern of [
    { verb: 'GET' },
    { status: 1 },
    { fault: 'x' },
    { path: 'x' },
    { method: 'HEAD' },
    1,
  ]) {
    t.throws(
      () => journal.entries(pattern as JournalPattern),
      { message: /pattern/ },
      JSON.stringify(pattern),
    )
  }
})

t.test('waitFor: at once for what is there, otherwise when it comes', async (t) => {
  const { see, waitFor } = journalWith()
  see('GET /a')
  t.match(await waitFor({ path: '/a' }, { timeout: 0 }), { number: 1 })
  const waits = [waitFor({ path: '/b' }), waitFor({ method: 'GET' }, { count: 3 })]
  see('POST /c')
  see('GET /b')
  see('GET /d')
  see('GET /e')
  t.match(await Promise.all(waits), [
    { number: 3, path: '/b' },
    { number: 4, path: '/d' },
  ])
})

t.test('waitFor: when the time is up, the error says what came instead', async (t) => {
  const { journal, see, waitFor } = journalWith()
  await t.rejects(waitFor({ method: 'DELETE', path: '/subscriptions/**', status: 200 }, { timeout: 1 }), {
    ...{ expected: { method: 'DELETE', path: '/subscriptions/**', status: 200 }, actual: {} },
    message: 'No exchange like DELETE /subscriptions/**, status 200 came within 1 ms. Nothing came at all.',
  })
  for (let count = 1; count <= 12; count++) see(`GET /${count}`, { status: 404 })
  journal.record({
    at: 0,
    duration: 0,
    request: requestOf('GET /x'),
    reply: undefined,
    faults: [{ id: 'f1', fault: 'reset-before' }],
  })
  const error = await waitFor({ fault: 'delay' }, { timeout: 0 }).catch((error) => error)
  t.match(
    error.message,
    /^No exchange like \* \/\*\*, fault delay came within 0 ms\. What came last: #4 GET \/4 404; /,
  )
  t.match(error.message, /; #13 GET \/x was never handled, reset-before\.$/)
  t.equal(error.facts.came.length, 10)
  await t.rejects(waitFor({ path: '/1' }, { count: 2, timeout: 1 }), {
    message: /^Only 1 of 2 exchanges like \* \/1 came within 1 ms/,
  })
})

t.test('expectNone', async (t) => {
  const { see, expectNone } = journalWith()
  see('GET /a')
  await expectNone({ path: '/b' })
  await expectNone({ path: '/b' }, { timeout: 1 })
  const unwanted = { name: 'AssertionError', message: 'Nothing like * /a was to come: #1 GET /a 200.' }
  await t.rejects(expectNone({ path: '/a' }), unwanted)
  const expected = expectNone({ path: '/c' }, { timeout: 5000 })
  see('GET /c')
  await t.rejects(expected, { message: /#2 GET \/c 200/ })
})

t.test('waits end with the server, and options are checked', async (t) => {
  const { journal, waitFor, expectNone } = journalWith()
  const waits: Promise<unknown>[] = [waitFor({}), expectNone({}, { timeout: 5000 })]
  journal.waits.fail(new Problem('shutting-down', 'over'))
  for (const wait of waits) await t.rejects(() => wait, { message: 'over' })
  journal.waits.fail(new Problem('shutting-down', 'again'))
  for (const options of [{ timeout: -1 }, { timeout: 1e9 }, { count: 0 }, { forever: true }]) {
    await t.rejects(waitFor({}, options as object), {
      name: 'Problem',
      message: /timeout|count|forever/,
    })
  }
})

t.test('of what is told one by one, what is forgotten meanwhile is left out', (t) => {
  const toldWhere = (forget: (journal: Journal) => void) => {
    const { journal, see } = journalWith({ entries: 4 })
    for (const path of ['/a', '/b', '/c', '/d']) see(`GET ${path}`)
    const told: string[] = []
    for (const { number, path } of journal.each({ path: '/*' })) {
      told.push(`${number} ${path}`)
      if (number > 1) continue
      forget(journal)
      for (const path of ['/e', '/f']) see(`GET ${path}`)
    }
    return told
  }
  t.strictSame(
    {
      none: toldWhere(() => {}),
      all: toldWhere((journal) => journal.clear()),
      'all, and numbers begin anew': toldWhere((journal) => journal.reset()),
    },
    {
      none: ['1 /a', '3 /c', '4 /d'],
      all: ['1 /a'],
      'all, and numbers begin anew': ['1 /a'],
    },
  )
  t.end()
})

t.test('those who wait may look for two mebibytes together', async (t) => {
  const { journal, waitFor } = journalWith()
  const long = { body: 'a'.repeat(100_000) }
  const waits = [journal.waiting(long, { timeout: 5000 }), journal.waiting(long, { timeout: 5000 })]
  await t.rejects(waitFor(long), {
    kind: 'too-many-requests',
    message: 'Those who wait look for 2097152 bytes already; end one of them first.',
  })
  waits[0]?.cancel()
  waits[0]?.cancel()
  waits.push(journal.waiting(long, { timeout: 5000 }))
  // What ended twice makes room once.
  await t.rejects(waitFor(long), { message: /^Those who wait look for/ })
  for (const { cancel } of waits) cancel()
})

t.test('a thousand may wait; the next is refused until one of them has ended', async (t) => {
  const { journal, waitFor } = journalWith()
  const waits = Array.from({ length: 1000 }, () => journal.waiting({}, { timeout: 5000 }))
  await t.rejects(waitFor({}), { message: '1000 wait already; end one of them first.' })
  waits[0]?.cancel()
  const one = journal.waiting({}, { timeout: 5000 })
  for (const { cancel } of [...waits, one]) cancel()
})

t.test('a wait can be given up', async (t) => {
  const { journal, see } = journalWith()
  const { found, cancel } = journal.waiting({}, { timeout: 5000 })
  cancel()
  cancel()
  see('GET /a')
  journal.waits.fail(new Problem('shutting-down', 'over'))
  const outcome = await Promise.race([found.then(() => 'found'), Promise.resolve('nothing')])
  t.equal(outcome, 'nothing')
})

t.test('clear empties it, the numbers go on; reset begins anew', async (t) => {
  const { journal, see, waitFor } = journalWith()
  const wait = waitFor({ path: '/b' })
  see('GET /a')
  journal.clear()
  t.same(journal.entries(), [])
  t.equal(journal.last, 1)
  see('GET /b')
  t.match(await wait, { number: 2 })
  journal.reset()
  t.equal(journal.last, 0)
  see('GET /c')
  t.match(journal.entries(), [{ number: 1 }])
})

t.test('without recording there is a clear error', async (t) => {
  const { journal, waitFor, expectNone } = journalWith(false)
  const error = { message: /keeps no journal; start it with control: true, or with journal: true/ }
  t.throws(() => journal.entries(), error)
  await t.rejects(waitFor({}), error)
  await t.rejects(expectNone({}), error)
})

t.test('who watches is told; nobody watching costs nothing', async (t) => {
  const events = new EventBus()
  const journal = new Journal(true, events)
  const told: unknown[] = []
  const stop = events.watch((...event) => told.push(event))
  journal.record({ at: 0, duration: 0, request: requestOf('GET /a'), reply: { status: 200 }, faults: [] })
  journal.clear()
  stop()
  journal.clear()
  t.match(told, [
    ['exchange', { number: 1, path: '/a' }, 1],
    ['clear', {}],
  ])
})

t.test('after the end nothing is waited for; what is there is still found', async (t) => {
  const { journal, see, waitFor, expectNone } = journalWith()
  see('GET /a')
  journal.waits.close(new Problem('shutting-down', 'over'))
  t.match(await waitFor({ path: '/a' }), { number: 1 })
  await t.rejects(waitFor({ path: '/b' }, { timeout: 60_000 }), { message: 'over' })
  await t.resolves(expectNone({ path: '/b' }))
})

t.test('what is no number of an exchange is refused', async (t) => {
  const { journal } = journalWith()
  for (const after of [-1, 0.5, Number.NaN, '1']) {
    t.throws(() => journal.entries({}, after as number), { message: /^after must be a whole number/ })
  }
})

t.test('expectNone with a timeout of undefined looks at what is there, and does not wait', async (t) => {
  const { expectNone } = journalWith()
  let resolved = false
  expectNone({}, { timeout: undefined }).then(() => {
    resolved = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  t.ok(resolved)
})

t.test('whatever lets somebody in is blanked, in header fields and in the query', async (t) => {
  const { journal, see } = journalWith()
  const secret = [
    'authorization',
    'proxy-authorization',
    'cookie',
    'set-cookie',
    'x-api-key',
    'api_key',
    'x-auth-token',
    'access_token',
    'x-amz-security-token',
    'x-csrf-token',
    'token',
    'client_secret',
    'password',
    'sig',
    'x-amz-signature',
    'key',
    'sessionid',
    'x-session-id',
  ]
  const open = [
    'content-type',
    'property-routing-key',
    'guid',
    'author',
    'x-request-id',
    'if-match',
    'monkey',
    'design',
  ]
  const fields = Object.fromEntries([...secret, ...open].map((name) => [name, `value of ${name}`]))
  see(`GET /q?${new URLSearchParams(fields)}`, { status: 200, headers: fields }, '', fields)
  const [entry] = journal.entries()
  const shownOf = (shown: Readonly<Record<string, string>>) =>
    Object.entries(shown).flatMap(([name, value]) => (value === '***' ? [] : [name]))
  t.same(shownOf(entry?.request.headers ?? {}), open)
  t.same(shownOf(entry?.response?.headers ?? {}), open)
  t.same(shownOf(Object.fromEntries(new URLSearchParams(entry?.query))), open)
})

t.test(
  'who asks with an expression that would not come to an end is refused, and nobody else is',
  async (t) => {
    const { see, waitFor } = journalWith()
    const found = waitFor({ body: { matches: '(a+)+$' } })
    const other = waitFor({ body: '!' })
    see('POST /queues/a', { status: 200 }, `${'a'.repeat(1000)}!`)
    await t.rejects(found, { message: /takes too long/ })
    t.equal((await other).number, 1)
  },
)
