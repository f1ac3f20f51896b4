import t from 'tap'
import { Buffer } from './bytes.js'
import type { Exchange } from './exchange.js'
import { limitIn } from './limits.js'
import { LONGEST_ADDRESS } from './url.js'

const LONG = `/${'y'.repeat(LONGEST_ADDRESS)}`

function answer(url: string, href: string): Exchange {
  const body = Buffer.from(`<feed><link href="${href}"/></feed>`)
  return { method: 'GET', url: `http://127.0.0.1${url}`, status: 200, headers: {}, body } as Exchange
}

t.test(
  'a longer address than the kit reads is told, with as much of what was asked as is read',
  async (t) => {
    t.match(
      limitIn([answer('/a', '/b'), answer('/c', LONG)]),
      /^GET http:\/\/127\.0\.0\.1\/c gave more .* an address of/,
    )
    t.equal(limitIn([answer('/a', '/b')]), undefined)
    const told = limitIn([answer(`/${'z'.repeat(500)}`, LONG)])
    t.match(told, /zz… gave more/)
    t.ok(told!.length < 400)
  },
)

t.test('an answer that names the long address that was asked gives no more than it was asked', async (t) => {
  t.equal(limitIn([answer(LONG, LONG)]), undefined)
})

t.test('a document with entities of its own is not read, and is none that is wrong', async (t) => {
  const feed = (text: string, declaration = '<!DOCTYPE feed [<!ENTITY nbsp "&#160;">]>') => ({
    ...answer('/a', '/b'),
    body: Buffer.from(`${declaration}<feed><title>${text}</title></feed>`),
  })
  t.match(limitIn([feed('a&nbsp;b')]), /&nbsp;, an entity of its own, which the kit does not expand/)
  t.equal(
    limitIn([feed('a&#160;b &amp; <![CDATA[&nbsp;]]><!-- &nbsp; -->')]),
    undefined,
    'one that it does not use',
  )
  t.equal(limitIn([feed('a&nbsp;b', '')]), undefined, 'one that nobody declares')
})
