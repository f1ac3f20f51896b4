import { Socket } from 'node:net'
import t from 'tap'
import { type BodySink, Incoming } from './incoming.js'

function collector() {
  const got: string[] = []
  const sink: BodySink = { take: (chunk) => got.push(String(chunk)), end: () => got.push('end') }
  return { got, sink }
}

/** As `node:http` tells of a message's end. */
function complete(message: Incoming): void {
  message.complete = true
  message.push(null)
}

t.test('a body goes to its sink in the turn in which it comes, and is then over', async (t) => {
  const message = new Incoming(new Socket())
  const { got, sink } = collector()
  message.giveTo(sink)
  message.push(Buffer.from('a'))
  t.notOk(message.readableEnded)
  complete(message)
  t.same(got, ['a', 'end'])
  // Until it says so, node:http keeps it for as long as its connection is open.
  t.ok(message.readableEnded)
})

t.test('what came before somebody asked for it comes first', async (t) => {
  const [whole, part] = [new Incoming(new Socket()), new Incoming(new Socket())]
  whole.push(Buffer.from('a'))
  complete(whole)
  part.push(Buffer.from('b'))
  const { got, sink } = collector()
  whole.giveTo(sink)
  part.giveTo(sink)
  part.push(Buffer.from('c'))
  complete(part)
  t.same(got, ['a', 'end', 'b', 'c', 'end'])
})

t.test('what comes after it was taken back goes through the stream', async (t) => {
  const message = new Incoming(new Socket())
  const { got, sink } = collector()
  message.giveTo({ ...sink, take: () => message.takeBack() })
  message.push(Buffer.from('a'))
  message.push(Buffer.from('b'))
  complete(message)
  t.same(await message.toArray(), [Buffer.from('b')])
  t.same(got, [])
})
