import fc from 'fast-check'
import t from 'tap'
import { PageBuffer } from './bytes.js'

const ENCODINGS = ['utf8', 'latin1', 'base64'] as const
const bytes = fc.uint8Array({ maxLength: 40 })

t.test('bytes in a page are as Node has them', (t) => {
  fc.assert(
    fc.property(bytes, bytes, fc.nat(5), fc.boolean(), (one, other, from, isPart) => {
      const part = Buffer.from(isPart ? one.subarray(from, from + 3) : other)
      const [node, page] = [Buffer.from(one), PageBuffer.from(one)]
      const whole = PageBuffer.concat([page, other])
      t.strictSame(
        {
          texts: ENCODINGS.map((encoding) => page.toString(encoding)),
          text: String(page),
          found: [page.indexOf(part, from), page.includes(part), page.includes(65), page.includes('A')],
          equal: [page.equals(part), page.equals(Buffer.from(one))],
          whole: [...whole],
          part: (page.subarray(from) as PageBuffer).toString('latin1'),
        },
        {
          texts: ENCODINGS.map((encoding) => node.toString(encoding)),
          text: String(node),
          found: [node.indexOf(part, from), node.includes(part), node.includes(65), node.includes('A')],
          equal: [node.equals(part), true],
          whole: [...Buffer.concat([node, other])],
          part: node.subarray(from).toString('latin1'),
        },
      )
    }),
  )
  t.end()
})

t.test('texts in a page become bytes as Node has them', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), bytes, (text, some) => {
      t.strictSame([...PageBuffer.from(text)], [...Buffer.from(text)])
      t.equal(PageBuffer.byteLength(text), Buffer.byteLength(text))
      const latin = Buffer.from(some).toString('latin1')
      t.strictSame([...PageBuffer.from(latin, 'latin1')], [...some])
      t.strictSame([...PageBuffer.from(Buffer.from(some).toString('base64'), 'base64')], [...some])
    }),
  )
  t.equal(PageBuffer.byteLength(PageBuffer.alloc(3)), 3)
  const long = Buffer.alloc(20_000, 'longer than one call takes')
  t.equal(PageBuffer.from(long).toString('latin1'), long.toString('latin1'))
  t.strictSame([...PageBuffer.from(new Uint8Array([1, 2]).buffer)], [1, 2])
  t.end()
})
