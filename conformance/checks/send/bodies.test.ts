import t from 'tap'
import { difference } from '../../trial/labels.js'
import { SEND_BODIES } from './bodies.js'

t.test('a difference names the first byte that is another, and shows both sides', (t) => {
  const told = difference(Buffer.from('one\r\ntwo'), Buffer.from('one\ntwo'))
  t.match(told, '7 of 8 bytes')
  t.match(told, 'from byte 3 on')
  t.match(told, '"one\\ntwo"')
  t.match(told, '"one\\r\\ntwo"')
  t.match(difference(Buffer.from('abc'), Buffer.alloc(0)), 'from byte 0 on nothing stands for "abc" (616263)')
  t.match(difference(Buffer.from('ab'), Buffer.from('abc')), 'from byte 2 on "abc"')
  t.end()
})

t.test('each kind of body has a check of its own', (t) => {
  t.ok(SEND_BODIES.length >= 15)
  for (const { id } of SEND_BODIES) t.match(id, /^send\.body-/)
  t.end()
})
