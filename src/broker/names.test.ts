import t from 'tap'
import { refusalOf } from './harness.test.kit.js'
import { formatName, isLonger, parseDestination, parseQueueName } from './names.js'

t.test('dots and slashes both separate segments, and the canonical name has slashes', (t) => {
  t.same(parseQueueName('uk.products/books'), ['uk', 'products', 'books'])
  t.same(parseQueueName('a'), ['a'])
  t.equal(formatName(parseQueueName('uk.products.books')), 'uk/products/books')
  t.end()
})

t.test('case, spaces and letters of every script count', (t) => {
  t.notSame(parseQueueName('A'), parseQueueName('a'))
  t.same(parseQueueName(' a b '), [' a b '])
  t.same(parseQueueName('заказы/новые.😀'), ['заказы', 'новые', '😀'])
  t.same(parseQueueName('__proto__/constructor'), ['__proto__', 'constructor'])
  t.end()
})

t.test('what is no name is refused, each with a sentence that says why', (t) => {
  const cases: [string, RegExp][] = [
    ['', /empty segment/],
    ['/', /empty segment/],
    ['.', /empty segment/],
    ['a/', /empty segment/],
    ['/a', /empty segment/],
    ['a..b', /empty segment/],
    ['a./b', /empty segment/],
    ['a*', /wildcards/],
    ['*', /wildcards/],
    ['a/>', /wildcards/],
    ['a\u0000', /control characters/],
    ['a\nb', /control characters/],
    ['\u007f', /control characters/],
    ['\u0085', /control characters/],
    ['\ud800', /surrogates/],
    ['a\udc00', /surrogates/],
  ]
  for (const [name, sentence] of cases) {
    const refusal = refusalOf(() => parseQueueName(name))
    t.equal(refusal?.kind, 'bad-queue-name', JSON.stringify(name))
    t.match(refusal?.message, sentence)
  }
  t.end()
})

t.test('a segment has at most 255 bytes, a name at most 1024', (t) => {
  t.same(parseQueueName('a'.repeat(255)), ['a'.repeat(255)])
  t.match(
    refusalOf(() => parseQueueName('a'.repeat(256))),
    { facts: { limit: 255 } },
  )
  t.same(parseQueueName(`${'é'.repeat(127)}a`).length, 1, 'bytes are counted, not characters')
  t.match(
    refusalOf(() => parseQueueName('é'.repeat(128))),
    { facts: { limit: 255 } },
  )
  const long = `${'a'.repeat(255)}/${'b'.repeat(255)}/${'c'.repeat(255)}/${'d'.repeat(255)}`
  t.same(parseQueueName(`${long}/`.slice(0, 1023)).length, 4)
  t.same(parseQueueName(`${long.slice(0, -1)}.e`).length, 5, '1024 are just enough')
  t.match(
    refusalOf(() => parseQueueName(`${long}.e`)),
    { facts: { limit: 1024 } },
  )
  t.end()
})

t.test('no sentence repeats a text without end', (t) => {
  t.ok((refusalOf(() => parseQueueName('.'.repeat(1_000_000)))?.message.length ?? 1e9) < 2000)
  t.end()
})

t.test('bytes are counted as UTF-8 takes them', (t) => {
  for (const text of ['', 'a', '\u007f\u0080', '\u07ff\u0800', '\ud7ff\ue000\uffff', '😀a', '\udc00é']) {
    const bytes = Buffer.byteLength(text)
    t.same([isLonger(text, bytes - 1), isLonger(text, bytes)], [true, false], JSON.stringify(text))
  }
  t.end()
})

t.test('a name is a destination, and so are names with wildcards, dotted or with slashes', (t) => {
  t.same(parseDestination('uk.products'), {
    text: 'uk.products',
    segments: ['uk', 'products'],
  })
  for (const text of ['*', '>', 'a.*', 'a/>', '*.b.*', '*/*/>']) {
    t.same(parseDestination(text), { text, segments: text.split(/[./]/) })
  }
  t.end()
})

t.test('what is neither name nor wildcard is refused as a destination', (t) => {
  for (const text of ['', 'a/', '..', '>/a', 'a.>.b', 'a*', '*a', 'a>', '>>', '**', 'a\n', '*.\ud800']) {
    t.equal(refusalOf(() => parseDestination(text))?.kind, 'bad-destination', JSON.stringify(text))
  }
  t.match(
    refusalOf(() => parseDestination('>.>')),
    { message: /last segment/ },
  )
  t.match(
    refusalOf(() => parseDestination(`*/${'a'.repeat(256)}`)),
    { facts: { limit: 255 } },
  )
  t.match(
    refusalOf(() => parseDestination('*.'.repeat(512).concat('*'))),
    { facts: { limit: 1024 } },
  )
  t.end()
})
