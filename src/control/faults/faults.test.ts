import fc from 'fast-check'
import t from 'tap'
import { Problem } from '../../http/problems.js'
import type { Target, Targeted } from '../input/target.js'
import { mock } from '../mock.test.helper.js'
import { FAULT_KINDS, type FaultSpec, readFault } from './fault.js'
import { Faults } from './faults.js'

/** A request as a fault looks at it. */
const request = (method: string, uri: string, more: Partial<Targeted> = {}): Targeted => {
  const { pathname, searchParams: query } = new URL(uri, 'http://localhost')
  return { method, path: pathname, query, headers: {}, body: Buffer.of(), principalName: undefined, ...more }
}
const POST = request('POST', '/queues/a')

t.test('what is no fault is refused, and the message says where and what would be right', async (t) => {
  const cases: [spec: unknown, message: RegExp][] = [
    [undefined, /^What is given must be an object/],
    [[], /^What is given must be an object/],
    [{}, /^fault must be one of delay, status/],
    [{ fault: 'explode' }, /^fault must be one of/],
    [{ fault: 'truncate', often: 1 }, /^There is no member "often"; what can be given is fault, scenario/],
    [{ fault: 'truncate', method: 1 }, /^method must be a text/],
    [{ fault: 'truncate', method: 'GET POST' }, /^method must be a method such as POST/],
    [{ fault: 'truncate', method: 'head' }, /^method must be GET to mean HEAD too/],
    [{ fault: 'truncate', path: 'queues' }, /^path must be a path that begins with "\/"/],
    [{ fault: 'truncate', path: '/queues?guid=1' }, /^path must be a path/],
    [{ fault: 'truncate', times: 0 }, /^times must be a whole number from 1/],
    [{ fault: 'truncate', times: 1.5 }, /^times must be a whole number/],
    [{ fault: 'truncate', probability: 1.1 }, /^probability must be a number from 0 to 1/],
    [{ fault: 'truncate', probability: '1' }, /^probability must be/],
    [{ fault: 'truncate', seed: -1 }, /^seed must be a whole number from 0/],
    [{ fault: 'truncate', ms: 1 }, /^ms must be absent: only the fault delay has it/],
    [{ fault: 'delay' }, /^ms must be a whole number/],
    [{ fault: 'delay', ms: -1 }, /^ms must be a whole number/],
    [{ fault: 'delay', ms: 1, code: 500 }, /^code must be absent: only the fault status has it/],
    [
      { fault: 'truncate', path: `/*${'a'.repeat(128)}*` },
      /^path must be a path with at most 128 characters from/,
    ],
    [
      { fault: 'truncate', body: { matches: '\\P{L}', flags: 'u' } },
      /^body\.matches must be .* without \\p\{…\}/,
    ],
    [
      { fault: 'truncate', body: { matches: '[(](?:((a)+b)?[)+)+]\\))*' } },
      /^body\.matches must be .* repeated groups stand at most 2 deep/,
    ],
    [
      { fault: 'truncate', header: Object.fromEntries(Array.from({ length: 65 }, (_, n) => [n, true])) },
      /^header must be an object of at most 64 members/,
    ],
    [{ fault: 'status' }, /^code must be a whole number from 200 to 599/],
    [{ fault: 'status', code: 100 }, /^code must be/],
    [{ fault: 'status', code: 500, answer: { body: {} } }, /^answer\.body must be a text/],
    [{ fault: 'status', code: 500, answer: { headers: [] } }, /^answer\.headers must be an object/],
    [{ fault: 'status', code: 500, answer: { headers: 'x' } }, /^answer\.headers must be an object/],
    [
      { fault: 'status', code: 500, answer: { headers: { 'a b': 'c' } } },
      /^answer\.headers\.a b must be absent/,
    ],
    [
      { fault: 'status', code: 500, answer: { headers: { 'Content-Length': '3' } } },
      /^answer\.headers\.Content-Length must be absent/,
    ],
    [
      { fault: 'status', code: 500, answer: { headers: { Trailer: 'a' } } },
      /^answer\.headers\.Trailer must be absent/,
    ],
    [
      { fault: 'status', code: 500, answer: { headers: { Date: 'today' } } },
      /^answer\.headers\.Date must be absent: this field cannot be set/,
    ],
    [
      { fault: 'status', code: 500, answer: { headers: { 'x-content-type-options': 'sniff' } } },
      /^answer\.headers\.x-content-type-options must be absent: this field cannot be set/,
    ],
    ...[204, 205, 304].map((code): [unknown, RegExp] => [
      { fault: 'status', code, answer: { body: 'a hat' } },
      new RegExp(`^answer\\.body must be absent: HTTP has no body with ${code}`),
    ]),
    [
      { fault: 'status', code: 500, answer: { headers: { a: 'x\r\ny: z' } } },
      /^answer\.headers\.a must be a text of printable/,
    ],
    [{ fault: 'status', code: 500, answer: { headers: { a: 1 } } }, /^answer\.headers\.a must be a text/],
    [
      { fault: 'status', code: 500, answer: JSON.parse('{"headers":{"__proto__":"a"}}') },
      /^answer\.headers\.__proto__ must be absent/,
    ],
    [{ fault: 'truncate', query: 'guid=1' }, /^query must be an object/],
    [{ fault: 'truncate', query: { guid: 1 } }, /^query\.guid must be a text, or an object/],
    [
      { fault: 'truncate', header: { a: { matches: '(' } } },
      /^header\.a\.matches must be a regular expression/,
    ],
    [{ fault: 'truncate', body: { matches: 'a', flags: 'g' } }, /^body\.flags must be any of i, m, s, u/],
    [
      { fault: 'truncate', body: { matches: 'a'.repeat(1001) } },
      /^body\.matches must be a regular expression of at most/,
    ],
    [{ fault: 'truncate', body: null }, /^body must be a text/],
    [{ fault: 'truncate', principal: 1 }, /^principal must be a text/],
    [{ fault: 'truncate', nth: 0 }, /^nth must be a whole number from 1/],
    [{ fault: 'truncate', nth: 2, times: 1 }, /^times must be absent beside nth/],
    [{ fault: 'truncate', nth: 2, after: 1 }, /^after must be absent beside nth/],
    [{ fault: 'truncate', for: 0 }, /^for must be a whole number from 1/],
    [{ scenario: 'mayhem' }, /^scenario must be one of away, slow, losing-answers/],
    [{ scenario: 'away', fault: 'truncate' }, /^fault must be absent beside a scenario/],
    [{ scenario: 'away', ms: 1 }, /^ms must be absent: only the fault delay has it/],
  ]
  for (const [spec, message] of cases) {
    t.throws(() => new Faults().add(spec as FaultSpec), { name: 'Problem', message }, JSON.stringify(spec))
  }
})

t.test('a fault is kept as it was given, with its number and how often it has fired', async (t) => {
  const faults = new Faults()
  t.same(faults.add({ fault: 'truncate' }), { id: 'f1', fault: 'truncate', seed: 1, fired: 0 })
  t.same(
    faults.add({
      fault: 'status',
      code: 503,
      answer: { body: 'x', headers: { 'Retry-After': '1' } },
      method: 'post',
    }),
    {
      id: 'f2',
      fault: 'status',
      code: 503,
      answer: { body: 'x', headers: { 'Retry-After': '1' } },
      method: 'POST',
      seed: 2,
      fired: 0,
    },
  )
  faults.fire(POST)
  t.same(
    faults.list().map(({ id, fired }) => [id, fired]),
    [
      ['f1', 1],
      ['f2', 0],
    ],
    'the first that fits fires',
  )
  t.equal(faults.remove('f1'), true)
  t.equal(faults.remove('f1'), false)
  faults.fire(POST)
  t.equal(faults.list()[0]?.fired, 1)
  faults.clear()
  t.same(faults.list(), [])
  t.equal(faults.add({ fault: 'truncate' }).id, 'f3', 'ids are not used twice')
  faults.reset()
  t.equal(faults.add({ fault: 'truncate' }).id, 'f1', 'but for a reset, after which all is as at the start')
})

t.test('method, path and count decide', async (t) => {
  const faults = new Faults()
  faults.add({ fault: 'reset-before', method: 'POST', path: '/queues/*', times: 2 })
  t.same(faults.fire(request('GET', '/queues/a')), {})
  t.same(faults.fire(request('POST', '/queues')), {})
  t.match(faults.fire(POST), { fault: { id: 'f1', fired: 1 } })
  t.match(faults.fire(POST), { fault: { id: 'f1', fired: 2 } })
  t.same(faults.fire(POST), {}, 'it is spent')
  t.equal(faults.list()[0]?.fired, 2, 'and stays in the list')
})

t.test('a delay goes together with one other fault; what comes later in the list has to wait', async (t) => {
  const faults = new Faults()
  faults.add({ fault: 'truncate', times: 1 })
  faults.add({ fault: 'delay', ms: 5, times: 1 })
  faults.add({ fault: 'delay', ms: 6 })
  faults.add({ fault: 'reset-before' })
  t.match(faults.fire(POST), { delay: { ms: 5 }, fault: { fault: 'truncate' } })
  t.match(faults.fire(POST), { delay: { ms: 6 }, fault: { fault: 'reset-before' } })
  t.same(
    faults.list().map(({ fired }) => fired),
    [1, 1, 1, 1],
  )
})

t.test('the firing of a fault that found nothing to do is taken back', async (t) => {
  const faults = new Faults()
  faults.add({ fault: 'duplicate-delivery', times: 1 })
  const { fault } = faults.fire(POST)
  faults.missed(fault!)
  t.match(faults.fire(POST), { fault: { id: 'f1', fired: 1 } })
  faults.clear()
  faults.missed(fault!)
  t.same(faults.list(), [])
})

t.test('probability: a share of the requests, the same ones for the same seed', async (t) => {
  const row = (seed?: number) => {
    const faults = new Faults()
    faults.add({ fault: 'truncate', probability: 0.3, ...(seed !== undefined && { seed }) })
    return Array.from({ length: 1000 }, () => faults.fire(POST).fault !== undefined)
  }
  const share = row().filter(Boolean).length
  t.ok(share > 250 && share < 350, `${share} of 1000`)
  t.same(row(), row())
  t.same(row(1), row(), 'the seed is its number')
  t.notSame(row(7), row(8))
  const faults = new Faults()
  faults.add({ fault: 'truncate', probability: 0, times: 1 })
  faults.add({ fault: 'truncate', probability: 1 })
  for (let count = 0; count < 100; count++) t.equal(faults.fire(POST).fault?.id, 'f2')
})

t.test('the list is bounded', async (t) => {
  const faults = new Faults()
  for (let count = 0; count < 100; count++) faults.add({ fault: 'truncate' })
  t.throws(() => faults.add({ fault: 'truncate' }), { message: /holds 100 faults; clear it/ })
  faults.clear()
  const long = { fault: 'status', code: 503, answer: { body: 'x'.repeat(600_000) } } as const
  const { id } = faults.add(long)
  t.throws(() => faults.add(long), { message: /more than 1048576 bytes of faults as JSON; clear it/ })
  faults.remove(id)
  t.doesNotThrow(() => faults.add(long))
  faults.reset()
  t.doesNotThrow(() => faults.add(long))
})

t.test('delays end when their fault goes', async (t) => {
  const faults = new Faults()
  const [one, two] = [faults.add({ fault: 'delay', ms: 1 }), faults.add({ fault: 'delay', ms: 2 })]
  const woken: string[] = []
  const cancel = faults.park(one, () => woken.push('cancelled'))
  faults.park(one, (refusal) => woken.push(`one ${refusal}`))
  faults.park(two, (refusal) => woken.push(`two ${refusal}`))
  cancel()
  faults.remove('f1')
  t.same(woken, ['one undefined'])
  faults.clear()
  t.same(woken, ['one undefined', 'two undefined'])
  faults.release()
  t.equal(woken.length, 2)
})

t.test('what was read once reads the same again', async () => {
  const spec = fc.record(
    {
      fault: fc.constantFrom(...FAULT_KINDS.filter((kind) => kind !== 'delay' && kind !== 'status')),
      method: fc.constantFrom('GET', 'P*', '*'),
      path: fc.constantFrom('/**', '/queues/*', '/a/b'),
      times: fc.integer({ min: 1, max: 1e9 }),
      probability: fc.double({ min: 0, max: 1, noNaN: true }),
      seed: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
    },
    { requiredKeys: ['fault'] },
  )
  fc.assert(
    fc.property(spec, (given) => {
      t.strictSame({ ...readFault(given) }, { ...given })
      t.strictSame(readFault(JSON.parse(JSON.stringify(readFault(given)))), readFault(given))
    }),
    { numRuns: 50 },
  )
})

t.test('whoever watches is told when the list becomes another', async (t) => {
  let told = 0
  const faults = new Faults(
    () => 0,
    () => told++,
  )
  faults.add({ fault: 'truncate' })
  t.equal(told, 1)
  faults.fire(POST)
  t.notOk(faults.remove('f2'))
  t.equal(told, 1)
  t.ok(faults.remove('f1'))
  t.equal(told, 2)
  faults.clear()
  t.equal(told, 3)
})

t.test('after the end nothing is held back', async (t) => {
  const faults = new Faults()
  const delay = faults.add({ fault: 'delay', ms: 1 })
  const why = new Problem('shutting-down', 'over')
  const told: unknown[] = []
  faults.park(delay, (refusal) => told.push(refusal))
  faults.close(why)
  faults.park(delay, (refusal) => told.push(refusal))()
  t.same(told, [why, why])
})

t.test(
  'a fault is for what a request has in its query, its header and its body, and for who asks',
  async (t) => {
    const cases: [target: Target, fits: Partial<Targeted> | string, other: Partial<Targeted> | string][] = [
      [{ query: { guid: 'order-1' } }, '/q?guid=order-1', '/q?guid=order-10'],
      [{ query: { guid: /^order-/ } }, '/q?limit=1&guid=order-2', '/q?guid=reorder-2'],
      [{ query: { guid: { matches: 'ORDER', flags: 'i' } } }, '/q?guid=order-2', '/q?guid=two'],
      [{ query: { guid: true } }, '/q?guid=', '/q?id=1'],
      [{ query: { guid: false, max: '1' } }, '/q?max=1', '/q?max=1&guid=1'],
      [
        { header: { 'Property-Colour': 'blue' } },
        { headers: { 'property-colour': 'blue' } },
        { headers: {} },
      ],
      [{ header: { accept: false } }, {}, { headers: { accept: '*/*' } }],
      [{ body: 'teapot' }, { body: Buffer.from('two teapots') }, { body: Buffer.from('two tea pots') }],
      [{ body: /^two/ }, { body: Buffer.from('two') }, { body: Buffer.from(' two') }],
      [{ principal: 'shop' }, { principalName: 'shop' }, { principalName: 'till' }],
      [{ method: 'P*T', principal: 'a' }, { principalName: 'a' }, {}],
    ]
    const asked = (one: Partial<Targeted> | string) =>
      typeof one === 'string' ? request('POST', one) : request('POST', '/q', one)
    const wrong = cases.filter(([target, fits, other]) => {
      const faults = new Faults()
      faults.add({ fault: 'truncate', ...target })
      return !faults.fire(asked(fits)).fault || faults.fire(asked(other)).fault
    })
    t.same(wrong, [])
  },
)

t.test('a query that cannot be read has no parameters', async (t) => {
  const faults = new Faults()
  faults.add({ fault: 'truncate', query: { guid: true } })
  const unreadable = request('POST', '/q')
  Object.defineProperty(unreadable, 'query', {
    get: () => {
      throw new Problem('bad-percent-encoding', 'no')
    },
  })
  t.same(faults.fire(unreadable), {})
})

t.test('a fault fires at the nth request, after some, or for a time', async (t) => {
  let now = 0
  const faults = new Faults(() => now)
  const fires = (spec: FaultSpec, requests = 5) => {
    faults.clear()
    faults.add({ ...spec, method: 'POST' } as FaultSpec)
    faults.fire(request('GET', '/'))
    return Array.from({ length: requests }, () => {
      now += 10
      return faults.fire(POST).fault === undefined ? 0 : 1
    })
  }
  t.same(fires({ fault: 'truncate', nth: 3 }), [0, 0, 1, 0, 0])
  t.same(fires({ fault: 'truncate', after: 2 }), [0, 0, 1, 1, 1])
  t.same(fires({ fault: 'truncate', after: 1, times: 2 }), [0, 1, 1, 0, 0])
  t.same(fires({ fault: 'truncate', for: 30 }), [1, 1, 0, 0, 0])
  faults.clear()
  faults.add({ fault: 'truncate' })
  faults.add({ fault: 'reset-before', nth: 2 })
  faults.fire(POST)
  faults.remove('f5')
  t.match(faults.fire(POST).fault, { fault: 'reset-before' }, 'what another fault has met counts too')
})

t.test('an expression that would not come to an end fits nothing, and holds nobody up', async (t) => {
  const faults = new Faults()
  faults.add({ fault: 'reset-before', body: { matches: '(a+)+$' } })
  faults.add({ fault: 'truncate', body: { matches: 'a+!' } })
  const request = { ...POST, body: Buffer.from(`${'a'.repeat(1000)}!`) }
  t.equal(faults.fire(request).fault?.id, 'f2')
})

t.test('the lease that a request is about ends before it', async (t) => {
  const { mq, ask, subscribe, feed } = await mock(t)
  const first = await subscribe('orders/new')
  const second = await subscribe('orders/new')
  await mq.send('orders/new', 'x')
  const [message] = await feed(first)
  mq.faults.add({ fault: 'end-lease', method: 'DELETE', path: '/subscriptions/**' })
  t.equal((await ask(`DELETE ${message}`)).status, 410)
  t.equal((await feed(second)).length, 1)
  // There is none any more.
  t.equal((await ask(`DELETE ${first}`)).status, 410)
  t.match(mq.faults.list(), [{ fired: 1 }])
  t.match(mq.journal.entries({ fault: 'end-lease' }), { length: 1 })
  await ask('POST /subscribe/me/orders.new')
  mq.faults.add({ fault: 'end-lease', method: 'POST', path: '/nextMessageForMe/*' })
  t.equal((await ask('POST /nextMessageForMe/me')).status, 410)
})
