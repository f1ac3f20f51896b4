import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import t from 'tap'
import { withoutCodings } from './content-coding.js'

const TEXT = 'as it was sent, '.repeat(50)
const MOST = 10_000

t.test('each coding is taken off, and what told of it', (t) => {
  const coded: Readonly<Record<string, Buffer>> = {
    gzip: gzipSync(TEXT),
    'X-GZip': gzipSync(TEXT),
    deflate: deflateSync(TEXT),
    br: brotliCompressSync(TEXT),
    'identity, gzip': gzipSync(TEXT),
    'deflate , br': brotliCompressSync(deflateSync(TEXT)),
  }
  for (const [coding, body] of Object.entries(coded)) {
    const headers = { 'content-encoding': coding, 'content-length': String(body.length), etag: '"1"' }
    const plain = withoutCodings({ headers, body }, MOST)
    t.equal(plain.body.toString(), TEXT, coding)
    t.strictSame(plain.headers, { etag: '"1"' })
  }
  const bare = withoutCodings(
    { headers: { 'content-encoding': 'deflate' }, body: deflateRawSync(TEXT) },
    MOST,
  )
  t.equal(bare.body.toString(), TEXT, 'deflate without its frame')
  const head = withoutCodings({ headers: { 'content-encoding': 'gzip' }, body: Buffer.alloc(0) }, MOST)
  t.strictSame(head, { headers: {}, body: Buffer.alloc(0) }, 'an answer to HEAD tells as much')
  t.end()
})

t.test('what is in no coding, in one that nobody reads, or not in that of its header stays as it is', (t) => {
  const body = Buffer.from(TEXT)
  for (const headers of [
    {},
    { 'content-encoding': 'x-kit' },
    { 'content-encoding': 'gzip, x-kit' },
    { 'content-encoding': 'gzip' },
  ])
    t.strictSame(withoutCodings({ headers, body }, MOST), { headers, body })
  t.end()
})

t.test('what would be longer than it may be is not written out', (t) => {
  const body = gzipSync(Buffer.alloc(1_000_000))
  t.throws(() => withoutCodings({ headers: { 'content-encoding': 'gzip' }, body }, MOST), RangeError)
  t.end()
})
