import t from 'tap'
import { parse } from './parse.js'
import { printInline } from './print.js'
import { subscribingApart } from './subscribing-apart.js'

t.test('no two consumers subscribe to the same', async (t) => {
  const apart = (text: string) => printInline(subscribingApart(parse(text)))
  t.equal(
    apart(
      'create a; create b; subscribe A to a,b prefetch 2; end A; ! subscribe B to b,a; subscribe C to a; read B',
    ),
    'create a; create b; subscribe A to a,b prefetch 2; end A; create own-1; ! subscribe B to b,a,own-1; subscribe C to a; read B',
  )
  t.equal(
    apart('create a; together: subscribe A to a | subscribe B to a | subscribe C to a'),
    'create a; create own-1; create own-2; together: subscribe A to a | subscribe B to a,own-1 | subscribe C to a,own-2',
  )
})
