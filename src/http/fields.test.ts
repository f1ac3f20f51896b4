import t from 'tap'
import { conditionalReply, hashETag, listsETag, makeETag } from './conditional.js'
import { isMediaType, parseMediaType, preferredWait } from './field-values.js'
import { parseForm } from './form.js'

const parsed = (form: string | Uint8Array) => [...parseForm(form)]

t.test('Content-Type', async (t) => {
  const read = (text: string | undefined) => {
    const media = parseMediaType(text)
    return media && [media.type, Object.fromEntries(media.parameters)]
  }
  t.same(read('Text/Plain'), ['text/plain', {}])
  t.same(read(' text/plain ; Charset=UTF-8;; a="b;\\"c" ; a=d '), [
    'text/plain',
    { charset: 'UTF-8', a: 'b;"c' },
  ])
  for (const bad of [undefined, '', 'text', 'text/', '/plain', 'text/plain; a', 'text/plain; =b', 'a b/c']) {
    t.equal(read(bad), undefined, String(bad))
  }
  for (const bad of ['text/plain; a=', 'text/plain; a="b', 'text/plain; a="b" c', 'text/plain; a="b\\']) {
    t.equal(read(bad), undefined, String(bad))
  }
  t.equal(isMediaType('application/JSON; charset=utf-8', 'application/json'), true)
  t.equal(isMediaType('application/jsonx', 'application/json'), false)
  t.equal(isMediaType(undefined, 'application/json'), false)
})

t.test('Prefer: wait', async (t) => {
  const waits: [string | string[] | undefined, number | undefined][] = [
    [undefined, undefined],
    ['', undefined],
    ['wait=10', 10],
    ['Wait = "10"', 10],
    ['wait=0', 0],
    ['respond-async, wait=10; foo="a,b"', 10],
    ['foo="a, wait=3", wait=4', 4],
    [['respond-async', 'wait=5'], 5],
    ['waiter=3, wait=6, wait=7', 6],
    ['return=minimal', undefined],
    ['wait', undefined],
    ['wait=', undefined],
    ['wait=-1', undefined],
    ['wait=1.5', undefined],
    ['wait=ten, wait=3', undefined],
    ['wait=99999999999', undefined],
    ['wait="1', undefined],
    [';, ;', undefined],
  ]
  for (const [field, seconds] of waits) t.equal(preferredWait(field), seconds, JSON.stringify(field))
})

t.test('entity tags', async (t) => {
  t.equal(makeETag('a "b"', 7), '"a%20%22b%22-7"')
  t.match(hashETag('a'), /^"[\w-]{22}"$/)
  t.equal(hashETag('a'), hashETag('a'))
  t.not(hashETag('a'), hashETag('b'))
  const etag = makeETag('q', 1)
  for (const same of ['"q-1"', 'W/"q-1"', '*', ' * ', '"a,b", "q-1"', '"a",W/"q-1"']) {
    t.equal(listsETag(same, etag), true, same)
  }
  for (const other of [undefined, '', 'q-1', '"q-12"', '"a", "b"', '"*"'])
    t.equal(listsETag(other, etag), false, String(other))
  t.equal(listsETag('"q-1"', `W/${etag}`), true)
})

t.test('a representation that the client has is not made again', async (t) => {
  const headers = { 'Content-Type': 'text/plain', 'Cache-Control': 'no-cache' }
  t.same(
    conditionalReply({ headers: {} }, '"1"', headers, () => 'body'),
    { status: 200, headers: { ...headers, ETag: '"1"' }, body: 'body' },
  )
  t.same(
    conditionalReply({ headers: { 'if-none-match': '"1"' } }, '"1"', headers, () => {
      throw new Error('made')
    }),
    { status: 304, headers: { 'Cache-Control': 'no-cache', ETag: '"1"' } },
  )
})

t.test('forms keep order and repeats, and are read strictly', async (t) => {
  t.same(parsed('b=1&a=2&b=3&&c&d=&=e&f=g=h'), [
    ['b', '1'],
    ['a', '2'],
    ['b', '3'],
    ['c', ''],
    ['d', ''],
    ['', 'e'],
    ['f', 'g=h'],
  ])
  t.same(parsed(Buffer.from('a+b=%2B+%C3%A9é%00')), [['a b', '+ éé\0']])
  t.same(parsed('\ufeffa'), [['\ufeffa', '']])
  t.same(parsed(''), [])
  for (const bad of ['%', 'a=%2', 'a=%zz', '%C3=1', 'a=%ED%A0%80', 'a=%C0%80']) {
    t.throws(() => parsed(bad), { message: /\.$/, kind: 'bad-percent-encoding' }, bad)
    t.throws(() => parsed(Buffer.from(bad)), { message: /\.$/, kind: 'bad-percent-encoding' }, bad)
  }
  t.throws(() => parsed(Buffer.from([0x61, 0xff])), { message: /\.$/, kind: 'bad-percent-encoding' })
})
