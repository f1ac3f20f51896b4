import t from 'tap'
import { parseDestination } from './destination.js'
import { refusalOf } from './harness.test.kit.js'

t.test('a name is a destination, and so are names with wildcards, dotted or with slashes', (t) => {
  t.same(parseDestination('uk.products'), {
    text: 'uk.products',
    segments: ['uk', 'products'],
    wild: false,
  })
  for (const text of ['*', '>', 'a.*', 'a/>', '*.b.*', '*/*/>']) {
    t.same(parseDestination(text), { text, segments: text.split(/[./]/), wild: true })
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
