import t from 'tap'
import { parse } from './parse.js'
import { printInline } from './print.js'
import { urging } from './urging.js'

const urged = (text: string) => printInline(urging(parse(text)))

t.test('each send is followed by one of which nobody knows whether it is done', async (t) => {
  t.equal(
    urged('create a; send m1 m2 to a by guid; subscribe A to a; ! send m3 to a with colour red; read A'),
    'create a; send m1 m2 to a by guid; cut unread: send urging1 to a by guid; subscribe A to a; ! send m3 to a with colour red; cut unread: send urging2 to a with colour red; read A',
  )
  t.equal(
    urged('create a; together: send m1 to a | send m2 to a'),
    'create a; together: send m1 to a | send m2 to a; cut unread: send urging1 to a; cut unread: send urging2 to a',
  )
})

t.test('a send of others, or one that is cut, is left alone', async (t) => {
  const text = 'create a; cut within: send m1 to a; as another: send m2 to a'
  t.equal(urged(text), text)
})
