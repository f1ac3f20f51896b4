import { deepStrictEqual, ok } from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { Mistake, parse } from './parse.js'
import { print, printInline } from './print.js'
import { AT, COLOURS, DIFFERENCES, ENDS, ORDERS, PARTIES, type Step, WAYS, WHERE } from './step.js'
import {
  listed,
  ordinal,
  ordinalOf,
  quoted,
  RESERVED,
  range,
  ranged,
  size,
  sizeOf,
  time,
  timeOf,
} from './words.js'

const letters = (first: string) => fc.stringMatching(new RegExp(`^[${first}][a-z0-9-]{0,4}$`))
const plain = fc.array(letters('a-z'), { minLength: 1, maxLength: 3 }).map((segments) => segments.join('/'))
/** Any text, as it stands in quotation marks; with characters that mean something without them. */
const text = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[a-c ;,"#|?/{}*!-]{0,8}$/))
const queue = fc.oneof({ weight: 4, arbitrary: plain }, { weight: 1, arbitrary: text.filter(Boolean) })
const message = letters('a-z').filter((name) => !RESERVED.has(name))
const consumer = letters('A-Z')
const count = fc.integer({ min: 1, max: 9999 })
const some = <T>(value: fc.Arbitrary<T>) => fc.array(value, { minLength: 1, maxLength: 4 })
const numbered = fc
  .tuple(letters('a-z'), fc.nat(30), fc.integer({ min: 1, max: 40 }))
  .map(([stem, from, length]) => Array.from({ length }, (_, index) => `${stem}${from + index}`))
const messages = fc.oneof(some(message), numbered)
const place = fc.oneof(message, count.map(ordinalOf), fc.constant('last'))
const sized = {
  size: fc.oneof(
    count,
    count.map((each) => each * 1024),
  ),
  empty: fc.constant(true),
}
const made = {
  colour: fc.constantFrom(...COLOURS),
  headers: some(fc.tuple(fc.constantFrom('Content-Type', 'X-Kit'), text)),
  like: message,
  body: text,
  bytes: text,
  every: fc.constant(true),
  ...sized,
}
const guid = fc.oneof(
  fc.constant('long'),
  fc.record({ unlike: message, in: fc.constantFrom(...DIFFERENCES) }, { noNullPrototype: true }),
)
const address = fc.oneof(
  queue.map((name) => ({ queue: name })),
  consumer.map((name) => ({ consumer: name })),
  fc.tuple(consumer, place).map(([name, held]) => ({ consumer: name, message: held })),
  message.map((name) => ({ address: name })),
)
const own = <D extends Step['do']>(...verbs: readonly D[]) => ({ do: fc.constantFrom(...verbs) })
const record = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }, ...requiredKeys: (keyof T)[]) =>
  fc.record(model, { requiredKeys: ['do' as keyof T, ...requiredKeys], noNullPrototype: true })

/** Every step of the language that a request comes of. */
const asking = fc.oneof(
  record({ ...own('create', 'delete', 'browse'), queue }, 'queue'),
  record({ ...own('list'), path: queue }),
  record({ ...own('send'), messages, queue, by: fc.constantFrom(...WAYS), ...made }, 'messages', 'queue'),
  record(
    { ...own('send'), messages, queue, by: fc.constant('guid'), guid, ...made },
    'messages',
    'queue',
    'by',
    'guid',
  ),
  record({ ...own('address'), message, queue }, 'message', 'queue'),
  record({ ...own('post'), message, ...made }, 'message'),
  record({ ...own('repeat'), message, retyped: fc.constant(true), queue }, 'message'),
  record(
    { ...own('repeat'), message, changed: fc.constant(true), retyped: fc.constant(true), queue, ...sized },
    'message',
    'changed',
  ),
  record({ ...own('visit'), message }, 'message'),
  record(
    {
      ...own('subscribe'),
      consumer,
      to: some(
        fc.oneof(
          queue,
          plain.map((path) => `${path}/*`),
        ),
      ),
      prefetch: count,
      selector: fc.constant('red'),
      timeout: fc.oneof(
        count,
        count.map((each) => each * 500),
      ),
    },
    'consumer',
    'to',
  ),
  record(
    { ...own('subscribe'), consumer, to: some(queue), prefetch: count, atMost: fc.constant(true) },
    'consumer',
    'to',
    'prefetch',
    'atMost',
  ),
  record({ ...own('end'), consumer, by: fc.constantFrom(...ENDS) }, 'consumer'),
  record({ ...own('read', 'head', 'next'), consumer }, 'consumer'),
  record(
    { ...own('ack'), consumer, messages: some(place), reads: fc.constant(true) },
    'consumer',
    'messages',
  ),
  record({ ...own('ack'), consumer, messages: some(place), locks: count }, 'consumer', 'messages', 'locks'),
  record(
    {
      ...own('ack'),
      consumer,
      messages: fc.constant(['each']),
      order: fc.constantFrom(...ORDERS),
      reads: fc.constant(true),
    },
    'consumer',
    'messages',
  ),
  record({ ...own('look', 'fetch', 'done'), consumer, message: place }, 'consumer', 'message'),
  record({ ...own('done'), consumer, message: fc.constant('each') }, 'consumer', 'message'),
  record({ ...own('take'), queue, consumer }, 'queue'),
  record({ ...own('join', 'leave'), consumer, queue }, 'consumer', 'queue'),
  record({ ...own('lock'), consumer, max: count }, 'consumer', 'max'),
  record(
    {
      ...own('request'),
      method: fc.constantFrom('GET', 'M-SEARCH'),
      to: fc.oneof(
        text.map((each) => ({ path: `/${each}` })),
        fc.tuple(address, fc.boolean()).map(([to, beside]) => (beside ? { ...to, beside } : to)),
      ),
      query: text.map((each) => `?${each}`),
      headers: some(fc.tuple(fc.constantFrom('Accept', 'X-Kit'), text)),
      body: text,
      form: some(fc.tuple(fc.constantFrom('prefetch', 'x-y'), text)),
    },
    'method',
    'to',
  ),
) as fc.Arbitrary<Step>

const manner = fc.record(
  { cut: fc.constantFrom(...WHERE), as: fc.constantFrom(...PARTIES) },
  { requiredKeys: [] },
)
const OF_A_QUEUE = ['create', 'delete', 'browse', 'send', 'address', 'subscribe']
const acted = fc.tuple(asking, manner, fc.option(fc.constantFrom(...AT))).map(([step, how, at]): Step => {
  return { ...step, ...how, ...(at !== null && OF_A_QUEUE.includes(step.do) ? { at } : {}) }
})
const step = fc.oneof(
  acted,
  record({ ...own('wait'), until: fc.constantFrom('part', 'end'), consumer }, 'until') as fc.Arbitrary<Step>,
  fc.constant<Step>({ do: 'wait', until: 'late' }),
  record({ ...own('advance'), time: count }, 'time') as fc.Arbitrary<Step>,
  record({ ...own('together'), steps: some(acted) }, 'steps') as fc.Arbitrary<Step>,
)
const scenario = fc
  .tuple(fc.array(step, { maxLength: 12 }), fc.nat(30))
  .map(([steps, at]) => steps.map((each, index): Step => (index === at ? { ...each, own: true } : each)))

t.test('what is printed is parsed as the same steps', (t) => {
  fc.assert(
    fc.property(scenario, (steps) => {
      deepStrictEqual(parse(print(steps)), steps)
      deepStrictEqual(parse(printInline(steps)), steps)
      ok(!/[\p{C}\p{Z}]/u.test(printInline(steps).replaceAll(' ', '')), 'all of it is seen')
    }),
    { numRuns: 1000 },
  )
  t.equal(quoted('\u{e0001}\0'), '"\\udb40\\udc01\\u0000"')
  t.end()
})

t.test(
  'whatever is parsed is printed as what means the same, and anything else is a mistake with its place',
  (t) => {
    const words = [
      'read',
      'A',
      'ack',
      'm1',
      '1st',
      'each',
      'and',
      'send',
      'to',
      'a',
      ';',
      '|',
      '!',
      'together:',
      'cut',
      'by',
      'guid',
      'request',
      'GET',
      'with',
      'X:',
      '"b c"',
    ]
    const written = fc.oneof(
      fc
        .array(fc.constantFrom(...words, 'after:', '\n', '#', 'a/*', 'm1..m3'), { maxLength: 12 })
        .map((all) => all.join(' ')),
      fc.string(),
    )
    fc.assert(
      fc.property(written, (text) => {
        try {
          const steps = parse(text)
          deepStrictEqual(parse(print(steps)), steps)
        } catch (error) {
          if (!(error instanceof Mistake)) throw error
          const { line, column } = error
          const written = text.split(/\r?\n/)[line - 1]
          ok(written !== undefined && column >= 1 && column <= written.length + 1, `${line}:${column}`)
        }
      }),
      { numRuns: 3000 },
    )
    t.end()
  },
)

t.test('lines, semicolons, comments and white space', (t) => {
  const text = '\ufeff# all of it\r\n  create a;read A ;; # more ; read B\n\n\tbrowse a'.slice(1)
  t.same(parse(text), [
    { do: 'create', queue: 'a' },
    { do: 'read', consumer: 'A' },
    { do: 'browse', queue: 'a' },
  ])
  t.same(parse(' \n# nothing'), [])
  t.equal(
    print(parse('send m1 m2 m3 m5 to a; ack A m1..m3 last')),
    'send m1..m3 m5 to a\nack A m1..m3 last\n',
  )
  t.end()
})

t.test('of several scenarios each may have a step at stake', (t) => {
  const text = 'create a; ! browse a; or; create b; ! browse b'
  t.equal(printInline(parse(text)), text)
  t.throws(() => parse('or; create a'), { message: 'line 1, column 1: no step stands before or.' })
  t.throws(() => parse('create a; or; or'), { message: 'line 1, column 15: no step stands before or.' })
  t.end()
})

t.test('a mistake is told with its place and the nearest word', (t) => {
  const told = (text: string, known = false) => {
    try {
      parse(text, known)
      return ''
    } catch (error) {
      return (error as Error).message
    }
  }
  for (const [text, expected] of [
    ['create a\n  raed A', 'line 2, column 3: "raed" stands where a step is expected. The nearest is read.'],
    [
      'create a; browse',
      'line 1, column 17: the step ends where a queue, which begins with a small letter, as orders or a/b, is expected.',
    ],
    [
      'read a',
      'line 1, column 6: "a" stands where a consumer, which begins with a capital letter, as A, is expected.',
    ],
    [
      'send to to a',
      'line 1, column 6: "to" stands where a message, which begins with a small letter, as m1, is expected.',
    ],
    [
      'send m1 to a by giud',
      'line 1, column 17: "giud" stands where a way to send is expected. The nearest is guid.',
    ],
    [
      'subscribe A to a,B',
      'line 1, column 18: "B" stands where a destination, which is a queue as orders, or all below a path as orders/*, is expected.',
    ],
    [
      "subscribe A to a selector colour = 'blue'",
      `line 1, column 36: "'blue'" stands where "'red'" is expected.`,
    ],
    [
      'cut befor: read A',
      'line 1, column 5: "befor:" stands where the place of a cut is expected. The nearest is before:.',
    ],
    [
      'as somebody: read A',
      'line 1, column 4: "somebody:" stands where a party is expected. The nearest is nobody:.',
    ],
    [
      'together: read A | wait end',
      'line 1, column 20: "wait" stands where a step that is one request is expected. The nearest is list.',
    ],
    [
      'by path: read A',
      'line 1, column 10: "read" stands where a step at a queue is expected. The nearest is send.',
    ],
    ['read A | read B', 'line 1, column 8: "|" stands where the end of the step is expected.'],
    ['request get a', 'line 1, column 9: "get" stands where a method as GET is expected.'],
    ['request GET a Accept: b', 'line 1, column 15: "Accept:" stands where the end of the step is expected.'],
    [
      'request GET a with Accept b',
      'line 1, column 20: "Accept" stands where a header as Accept: is expected.',
    ],
    ['request GET a body', 'line 1, column 19: the step ends where a body is expected.'],
    ['request GET a body "b', 'line 1, column 20: ""b" stands where a body is expected.'],
    ['request POST /b form c', 'line 1, column 22: "c" stands where a field as prefetch=0 is expected.'],
    [
      'browse ""',
      'line 1, column 8: """" stands where a queue, which begins with a small letter, as orders or a/b, is expected.',
    ],
    ['lock X 0', 'line 1, column 8: "0" stands where a number is expected.'],
    ['advance 2h', 'line 1, column 9: "2h" stands where a time as 2s is expected.'],
    [
      'send m1..m0 to a',
      'line 1, column 6: "m1..m0" stands where a message, which begins with a small letter, as m1, is expected.',
    ],
    ['send m1 to a size 1g', 'line 1, column 19: "1g" stands where a size as 64k is expected.'],
    [
      'ack A m1 and raed',
      'line 1, column 14: "raed" stands where read or lock is expected. The nearest is read.',
    ],
  ] as const) {
    t.equal(told(text), expected)
  }
  const named = 'create orders; send m1 to orders; subscribe A to orders,b/*; ack A m1'
  t.equal(told(named, true), '')
  for (const [text, expected] of [
    [`${named}; browse order`, /the queue order\. The nearest is orders/],
    [`${named}; ack A m2`, /the message m2\. The nearest is m1/],
    [`${named}; ack A m1..m3`, /the message m2\. The nearest is m1/],
    [`${named}; subscribe B to order`, /the queue order\. The nearest is orders/],
    [`${named}; by path: browse orders; by path: browse p; browse q`, /the queue q/],
    [`${named}; read B`, /the consumer B\. The nearest is A/],
    [`${named}; request GET A m2`, /the message m2\. The nearest is m1/],
    [
      `${named}; request GET /p/{X}/{q}; read X; browse q; request GET order`,
      /the queue order\. The nearest is orders/,
    ],
    ['create "a b"; browse "a c"', /the queue a c\. The nearest is a b/],
    ['browse orders', /column 8: no step before has the queue orders\.$/],
  ] as const) {
    t.match(told(text, true), expected)
    t.equal(told(text), '')
  }
  t.end()
})

t.test('numbers and names as words', (t) => {
  for (const place of [1, 2, 3, 4, 11, 12, 13, 21, 22, 23, 101, 111, 112])
    t.equal(ordinal(ordinalOf(place)), place)
  t.same(
    ['1th', '2st', '0th', 'm1', '01st'].map(ordinal),
    Array.from({ length: 5 }, () => undefined),
  )
  t.same([1, 2, 3, 11, 21, 112].map(ordinalOf), ['1st', '2nd', '3rd', '11th', '21st', '112th'])
  t.same(range('m9..m11'), ['m9', 'm10', 'm11'])
  for (const word of ['m1..n3', 'm3..m1', 'm1..m1', 'm01..m03', 'm1..m99999', 'm1'])
    t.equal(range(word), undefined, word)
  t.same(ranged(['m1', 'm2', 'm4', 'm5', 'm6', 'x', 'm01', 'm02', 'm03']), [
    'm1',
    'm2',
    'm4..m6',
    'x',
    'm01',
    'm02',
    'm03',
  ])
  t.same(
    [[], ['a'], ['a', 'b'], ['m1', 'm2', 'm3', 'b', 'c']].map((each) => listed(each)),
    ['nothing', 'a', 'a and b', 'm1..m3, b and c'],
  )
  t.same(
    [size('64k'), size('2m'), size('100'), size('1g'), size('0')],
    [65_536, 2_097_152, 100, undefined, undefined],
  )
  t.same(
    [time('2s'), time('1m'), time('500ms'), time('2'), time('constructor')],
    [2000, 60_000, 500, undefined, undefined],
  )
  t.same([sizeOf(65_536), sizeOf(100), timeOf(1500), timeOf(60_000)], ['64k', '100', '1500ms', '1m'])
  t.end()
})
