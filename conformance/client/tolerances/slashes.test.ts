import t from 'tap'
import { answering, outgoing } from './sending.test.helper.js'
import { withOtherSlash } from './slashes.js'

t.test('a redirect to the other slash is followed once, with the same method', async (t) => {
  for (const [method, status, location, leads] of [
    ['GET', 301, '/a/', true],
    ['HEAD', 302, 'http://one.test/a/', true],
    ['POST', 307, '/a/', true],
    ['DELETE', 308, '/a/', true],
    ['POST', 301, '/a/', false],
    ['GET', 303, '/a/', false],
    ['GET', 307, '/b', false],
    ['GET', 307, '/a/?b', false],
    ['GET', 307, 'http://other.test/a/', false],
    ['GET', 307, undefined, false],
  ] as const) {
    const { asked, send } = answering(() => ({ status, headers: location === undefined ? {} : { location } }))
    const exchange = await withOtherSlash(send)(outgoing(method, 'http://one.test/a'))
    const other = leads ? [`${method} http://one.test/a/`] : []
    t.strictSame(asked, [`${method} http://one.test/a`, ...other], `${method} ${status} ${location}`)
    t.equal(exchange.status, status)
  }
})
