import fc from 'fast-check'
import t from 'tap'
import { pathGlob, wordGlob } from './glob.js'

const fits = (pattern: string, path: string) => pathGlob(pattern)(path.slice(1).split('/'))

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
      return pathGlob(`/${parts.join('/')}`)(segments) === expected
    }),
    { numRuns: 2000 },
  )
})

t.test('no pattern takes long', async (t) => {
  const began = performance.now()
  t.notOk(fits(`/${'*a'.repeat(500)}b`, `/${'a'.repeat(4000)}`))
  t.notOk(fits(`/${'**/a/'.repeat(200)}b`, '/a'.repeat(2000)))
  t.ok(performance.now() - began < 1000)
})
