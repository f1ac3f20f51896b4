import t from 'tap'
import { leavingAcks } from './leaving-acks.js'
import { parse } from './parse.js'
import { printInline } from './print.js'

const left = (text: string, hangsOnAcks = true) => printInline(leavingAcks(parse(text), hangsOnAcks))

t.test('what a scenario ends with is left out, where it acknowledges and looks', async (t) => {
  t.equal(
    left('create a; send m1 to a; subscribe A to a; ! read A; ack A each; read A; browse a'),
    'create a; send m1 to a; subscribe A to a; ! read A',
  )
})

t.test('a scenario stays whole that goes on after it, or asks it', async (t) => {
  for (const text of [
    'create a; send m1 m2 to a; subscribe A to a prefetch 1; ! read A; ack A m1; read A; ack A m2',
    'create a; send m1 to a; subscribe A to a; read A; ! ack A m1; browse a',
    'create a; send m1 to a; subscribe A to a; read A; ack A m1; ! browse a',
    'create a; send m1 to a; subscribe A to a; ! read A',
    'create a; send m1 to a; subscribe A to a; ! read A; look A m1',
  ])
    t.equal(left(text), text)
})

t.test('where a row is not about acknowledging, it ends before it, and begins without it', async (t) => {
  for (const [text, rest] of [
    [
      'create a; send m1 m2 to a; subscribe A to a prefetch 1; ! read A; ack A m1; read A; ack A m2',
      'create a; send m1 m2 to a; subscribe A to a prefetch 1; ! read A',
    ],
    [
      'create a; send m1 m2 to a; subscribe A to a; read A; ack A m1; end A; subscribe B to a; ! read B',
      'create a; send m1 m2 to a; subscribe A to a; read A; end A; subscribe B to a; ! read B',
    ],
  ] as const)
    t.equal(left(text, false), rest)
  for (const text of [
    'create a; send m1 to a; subscribe A to a; read A; ! ack A m1; browse a',
    'create a; send m1 to a; subscribe A to a; read A; ack A m1; ! read A',
    'create a; send m1 to a; browse a; ! request HEAD a; browse a',
    'create a; send m1 to a; subscribe A to a; ! read A; together: ack A m1 | read A; read A',
  ])
    t.equal(left(text, false), text)
})
