import fc from 'fast-check'
import t from 'tap'
import { isTooWild, LONGEST_WILD, pathGlob, wordGlob } from './glob.js'

const fits = (pattern: string, path: string) => pathGlob(pattern)(path)

t.test('a path pattern', async (t) => {
  const cases: [pattern: string, path: string, fits: boolean][] = [
    ['/queues', '/queues', true],
    ['/queues', '/queues/', false],
    ['/queues', '/queues/a', false],
    ['/queues/**', '/queues', false],
    ['/queues/**', '/queues/', true],
    ['/queues/**', '/queues/a', true],
    ['/queues/**', '/queues/a/b/c', true],
    ['/**', '/', true],
    ['/**', '/a/b', true],
    ['/queues/*', '/queues/a', true],
    ['/queues/*', '/queues/a/b', false],
    ['/queues/or*', '/queues/orders', true],
    ['/queues/*er*', '/queues/orders', true],
    ['/queues/or*x', '/queues/orders', false],
    ['/subscriptions/*/messages/*', '/subscriptions/s/messages/m', true],
    ['/subscriptions/**/content', '/subscriptions/s/messages/m/content', true],
    ['/subscriptions/**/content', '/subscriptions/content', false],
    ['/subscriptions/**/content', '/subscriptions/s/content/x', false],
    ['/a/**/b/**/c', '/a/1/b/2/b/3/c', true],
    ['/a/**/b/**/c', '/a/1/2/c', false],
    ['/queues/a.b', '/queues/a.b', true],
    ['/queues/a.b', '/queues/axb', false],
    ['/queues/caf%C3%A9', '/queues/café', true],
    ['/queues/café', '/queues/caf%c3%a9', true],
    ['/queues/*', '/queues/a%2Fb', true],
    ['/queues/a/b', '/queues/a%2Fb', false],
    ['/queues/%zz', '/queues/%zz', true],
    ['/Queues', '/queues', false],
  ]
  for (const [pattern, path, expected] of cases) t.equal(fits(pattern, path), expected, `${pattern} ${path}`)
})

t.test('a word pattern does not mind case', async (t) => {
  t.ok(wordGlob('post')('POST'))
  t.ok(wordGlob('*')('DELETE'))
  t.ok(wordGlob('*E*')('GET'))
  t.notOk(wordGlob('P*')('GET'))
  t.notOk(wordGlob('POST')('POSTS'))
})

t.test('patterns mean what the same regular expressions mean', async () => {
  const segment = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 5 })
  const pattern = fc.array(fc.oneof(fc.constant('**'), segment), { minLength: 1, maxLength: 5 })
  const path = fc.array(fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 4 }), {
    minLength: 1,
    maxLength: 6,
  })
  fc.assert(
    fc.property(pattern, path, (parts, segments) => {
      const inner = parts.map((part) => (part === '**' ? '[^/]*(?:/[^/]*)*' : part.replaceAll('*', '[^/]*')))
      const expected = new RegExp(`^${inner.join('/')}$`).test(segments.join('/'))
      return pathGlob(`/${parts.join('/')}`)(`/${segments.join('/')}`) === expected
    }),
    { numRuns: 2000 },
  )
})

t.test('long patterns', async (t) => {
  const stars = '*a'.repeat(LONGEST_WILD / 2)
  t.notOk(isTooWild(`/${stars}*`))
  t.notOk(isTooWild(`/${'a'.repeat(4000)}*${'a'.repeat(4000)}`))
  t.ok(isTooWild(`/${stars}a*`))
  t.ok(fits(`/${stars}*b`, `/${'a'.repeat(4000)}b`))
  t.notOk(fits(`/${stars}b`, `/${'a'.repeat(4000)}`))
  t.ok(fits(`/${'**/a/'.repeat(50)}b`, `${'/a'.repeat(2000)}/b`))
  t.notOk(fits(`/${'**/a/'.repeat(50)}b`, '/a'.repeat(2000)))
  t.ok(wordGlob(`*${'\u{1f600}'.repeat(40)}*`)(`a${'\u{1f600}'.repeat(41)}`))
})
