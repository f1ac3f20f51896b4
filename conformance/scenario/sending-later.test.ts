import t from 'tap'
import { parse } from './parse.js'
import { printInline } from './print.js'
import { sendingLater } from './sending-later.js'

const later = (text: string) => printInline(sendingLater(parse(text)))

t.test('what is sent before somebody subscribes is sent when all have who do so next', async (t) => {
  t.equal(
    later('create a; send m1 m2 to a; subscribe A to a; read A'),
    'create a; subscribe A to a; send m1 m2 to a; read A',
  )
  t.equal(
    later(
      'create a; send m1 to a; create b; send n1 to b by guid; subscribe A to a; subscribe B to a,b; ! read A',
    ),
    'create a; create b; subscribe A to a; subscribe B to a,b; send m1 to a; send n1 to b by guid; ! read A',
  )
  t.equal(
    later('create a; send m1 to a; list; ! send m2 to a; subscribe A to a; read A'),
    'create a; list; subscribe A to a; send m1 to a; ! send m2 to a; read A',
  )
  t.equal(
    later('create a/b; send m1 to a/b; subscribe A to a/*'),
    'create a/b; subscribe A to a/*; send m1 to a/b',
  )
})

t.test('what others are given, or what is looked at before, stays where it is', async (t) => {
  for (const text of [
    'create a; subscribe A to a; send m1 to a; subscribe B to a; read B',
    'create a; send m1 to a; ! browse a; subscribe A to a; read A',
    'create a; send m1 to a; take a; join C to a; next C',
    'create a; ! send m1 to a; browse a; subscribe A to a; read A',
    'create a; ! list; send m1 to a; list; subscribe A to a; read A',
    'create a; cut after: send m1 to a; subscribe A to a; read A',
    'create a; send m1 to a; wait part; subscribe A to a; read A',
    'create a; ! browse a; send m1 to a; browse a',
    'create a; ! address m1 at a; send m2 to a; browse a; subscribe A to a; read A',
    'create a; create b; send m1 to a; browse a; subscribe A to b; read A',
  ])
    t.equal(later(text), text)
})

t.test('who looks at a queue, or deletes another, leaves it to be sent later', async (t) => {
  t.equal(
    later('create a; create b; send m1 to a; send n1 to b; delete b; browse a; join C to a; next C'),
    'create a; create b; send n1 to b; delete b; browse a; join C to a; send m1 to a; next C',
  )
})

t.test('sends keep their order, and those after an end begin anew', async (t) => {
  t.equal(
    later(
      'create a; send m1 to a; subscribe A to a; send m2 to a; read A; end A; send m3 to a; subscribe B to a; read B',
    ),
    'create a; subscribe A to a; send m1 to a; send m2 to a; read A; subscribe B to a; end A; send m3 to a; read B',
  )
})

t.test('who takes over from another waits for what that gives back', async (t) => {
  t.equal(
    later('create a; subscribe A to a; send m1 to a; read A; end A; subscribe B to a; ! read B'),
    'create a; subscribe A to a; send m1 to a; read A; subscribe B to a; end A; ! read B',
  )
  for (const text of [
    'create a; subscribe A to a; send m1 to a; read A; ! end A; subscribe B to a; read B',
    'create a; subscribe A to a; send m1 to a; read A; wait end of A; subscribe B to a; ! read B',
    'create a; subscribe A to a; send m1 to a; read A; end A; subscribe A to a; ! read A',
  ])
    t.equal(later(text), text)
})
