import t from 'tap'
import { difference } from './difference.js'

t.test('a difference names the first byte that is another, and shows both sides', (t) => {
  const told = difference(Buffer.from('one\r\ntwo'), Buffer.from('one\ntwo'))
  t.equal(told, '7 of 8 bytes; from byte 3 on "one\\ntwo" stands for "one\\r\\ntwo"')
  t.match(difference(Buffer.from('abc'), Buffer.alloc(0)), 'from byte 0 on nothing stands for "abc"')
  t.match(difference(Buffer.from('ab'), Buffer.from('abc')), 'from byte 2 on "abc"')
  t.end()
})
