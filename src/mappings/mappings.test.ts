import t, { type Test } from 'tap'
import { type Answer, form, links, type Spoken, spoken } from './speak.test.helper.js'

/** A message as a consumer got it, with the address that it acknowledges it by, if it has one. */
interface Received {
  readonly bytes: Buffer
  readonly type: string | null
  readonly handle: string
}

interface Consumer {
  receive(): Promise<Received | undefined>
  /** Says that the message is processed. */
  ack(received: Received): Promise<void>
}

/** One way to speak to the broker, as the stories below need it. */
interface Way {
  readonly name: string
  send(mq: Spoken, queue: string, body: Uint8Array, type: string): Promise<void>
  consumer(mq: Spoken, name: string, queue: string): Promise<Consumer>
  /** Stories that cannot be told of this way, with the reason. */
  readonly exceptions?: Readonly<Record<string, string>>
}

const primary: Way = {
  name: 'primary',
  async send(mq, queue, body, type) {
    const { location } = await mq.speak('POST', `/queues/${queue}`)
    await mq.speak('POST', location, { body, headers: { 'Content-Type': type } })
  },
  async consumer(mq, _, queue) {
    const { location } = await mq.speak(
      'POST',
      '/subscriptions',
      form(['destination', queue], ['prefetch', 1]),
    )
    return {
      async receive() {
        const feed = await mq.speak('GET', location)
        const [handle] = links(feed.text, 'edit')
        const [raw] = links(feed.text, 'enclosure')
        return handle && raw ? received(await mq.speak('GET', raw), handle) : undefined
      },
      ack: async ({ handle }) => void (await mq.speak('DELETE', handle)),
    }
  },
}

const oneAtATime: Way = {
  name: 'one at a time',
  send: post,
  async consumer(mq, name, queue) {
    await mq.speak('POST', `/subscribe/${name}/${queue}`)
    return {
      async receive() {
        const answer = await mq.speak('POST', `/nextMessageForMe/${name}`)
        return answer.status === 204 ? undefined : received(answer, answer.location)
      },
      ack: async ({ handle }) => void (await mq.speak('POST', handle)),
    }
  },
}

const batch: Way = {
  name: 'batch',
  send: post,
  async consumer(mq, name, queue) {
    await mq.speak('POST', `/subscribe/${name}/${queue}`)
    return {
      async receive() {
        const [address] = (await mq.speak('POST', `/lockNextMessage/${name}`)).text.split('\r\n')
        if (address === undefined || address === '') return undefined
        const id = address.slice(address.lastIndexOf('/'))
        return received(await mq.speak('GET', address), `/${name}/messages${id}`)
      },
      ack: async ({ handle }) => void (await mq.speak('DELETE', handle)),
    }
  },
}

const singlePath: Way = {
  name: 'single path',
  send: post,
  async consumer(mq, _, queue) {
    return {
      async receive() {
        const answer = await mq.speak('GET', `/queue/${queue}`)
        return answer.status === 200 ? received(answer, '') : undefined
      },
      async ack() {},
    }
  },
  exceptions: {
    'what is not acknowledged goes to another after the lease':
      'a message is gone with the answer to its GET',
    'what a consumer has, no other gets, and it keeps it': 'a message is gone with the answer to its GET',
  },
}

const session: Way = {
  name: 'single path with a session',
  send: post,
  async consumer(mq, name, queue) {
    // To ask for the next message is to acknowledge the one before: what that brought is received later.
    let ahead: Received | undefined
    const ask = async () => {
      const answer = await mq.speak('GET', `/queue/${queue}?jsessionId=${name}`)
      return answer.status === 200 ? received(answer, '') : undefined
    }
    return {
      async receive() {
        const found = ahead ?? (await ask())
        ahead = undefined
        return found
      },
      async ack() {
        ahead = await ask()
      },
    }
  },
  exceptions: {
    'what a consumer has, no other gets, and it keeps it':
      'a session that asks again has processed what it had',
  },
}

const WAYS = [primary, oneAtATime, batch, singlePath, session]

function post(mq: Spoken, queue: string, body: Uint8Array, type: string): Promise<void> {
  return mq.speak('POST', `/queue/${queue}`, { body, headers: { 'Content-Type': type } }).then(() => {})
}

function received({ bytes, headers }: Answer, handle: string): Received {
  return { bytes, type: headers.get('content-type'), handle }
}

const BODIES = [
  { kind: 'text', body: Buffer.from('grüße & <co>\r\n'), type: 'text/plain;charset=utf-8' },
  {
    kind: 'binary',
    body: Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)),
    type: 'image/x-bytes',
  },
  { kind: 'empty', body: Buffer.alloc(0), type: 'text/plain' },
]

const STORIES: Readonly<Record<string, (t: Test, mq: Spoken, way: Way) => Promise<void>>> = {
  'a message comes through byte by byte, whoever sent it': async (t, mq, way) => {
    const consumer = await way.consumer(mq, 'anna', 'a')
    for (const sender of WAYS) {
      for (const { kind, body, type } of BODIES) {
        await sender.send(mq, 'a', body, type)
        const got = await consumer.receive()
        t.strictSame(got?.bytes, body, `${kind}, sent by ${sender.name}`)
        t.equal(got?.type, type)
        await consumer.ack(got!)
      }
    }
  },

  'messages come oldest first, each once': async (t, mq, way) => {
    for (const text of ['1', '2', '3']) await way.send(mq, 'a', Buffer.from(text), 'text/plain')
    const consumer = await way.consumer(mq, 'anna', 'a')
    t.strictSame(await drain(consumer), ['1', '2', '3'])
    t.equal(mq.broker.queue('a').pending, 0)
  },

  'an acknowledged message comes to nobody again, not even after every lease': async (t, mq, way) => {
    await way.send(mq, 'a', Buffer.from('once'), 'text/plain')
    const consumer = await way.consumer(mq, 'anna', 'a')
    await consumer.ack((await consumer.receive())!)
    mq.clock.advance(60_000)
    for (const other of WAYS) {
      t.equal(await (await other.consumer(mq, 'ben', 'a')).receive(), undefined, other.name)
      mq.clock.advance(60_000)
    }
  },

  'what a consumer has, no other gets, and it keeps it': async (t, mq, way) => {
    await way.send(mq, 'a', Buffer.from('mine'), 'text/plain')
    const consumer = await way.consumer(mq, 'anna', 'a')
    const mine = (await consumer.receive())!
    for (const other of WAYS) {
      t.equal(await (await other.consumer(mq, 'ben', 'a')).receive(), undefined, other.name)
    }
    await consumer.ack(mine)
    t.equal(mq.broker.queue('a').pending, 0)
  },

  'what is not acknowledged goes to another after the lease': async (t, mq, way) => {
    await way.send(mq, 'a', Buffer.from('again'), 'text/plain')
    const gone = await way.consumer(mq, 'anna', 'a')
    const first = (await gone.receive())!
    mq.clock.advance(29_999)
    const other = await way.consumer(mq, 'ben', 'a')
    t.equal(await other.receive(), undefined, 'not before its end')
    mq.clock.advance(1)
    const second = (await other.receive())!
    t.equal(second.bytes.toString(), 'again')
    await gone.ack(first)
    t.equal(mq.broker.queue('a').pending, 1, 'the late acknowledgement takes nothing from its new consumer')
    await other.ack(second)
    t.equal(mq.broker.queue('a').pending, 0)
  },

  'two consumers share no message': async (t, mq, way) => {
    const consumers = [await way.consumer(mq, 'anna', 'a'), await way.consumer(mq, 'ben', 'a')]
    for (let n = 0; n < 10; n++) await way.send(mq, 'a', Buffer.from(String(n)), 'text/plain')
    const got = await Promise.all(consumers.map(drain))
    t.strictSame(got.flat().toSorted(), ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
  },

  'a deleted queue gives nothing, and takes back what it gave': async (t, mq, way) => {
    await way.send(mq, 'a', Buffer.from('lost'), 'text/plain')
    const consumer = await way.consumer(mq, 'anna', 'a')
    const had = (await consumer.receive())!
    await mq.speak('DELETE', '/queues/a')
    await consumer.ack(had)
    t.equal(await consumer.receive(), undefined)
    await mq.speak('POST', '/queues', { headers: { Slug: 'a' } })
    t.equal(await consumer.receive(), undefined, 'a queue made anew is empty')
    await way.send(mq, 'a', Buffer.from('new'), 'text/plain')
    t.equal((await consumer.receive())?.bytes.toString(), 'new')
  },
}

for (const way of WAYS) {
  for (const [story, tell] of Object.entries(STORIES)) {
    const exception = way.exceptions?.[story]
    if (exception !== undefined) {
      t.pass(`${way.name}: not "${story}", since ${exception}`)
      continue
    }
    t.test(`${way.name}: ${story}`, async (t) => tell(t, await spoken(t, { queues: ['a'] }), way))
  }
}

t.test('consumers of all mappings at one queue get every message once', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  const consumers = await Promise.all(WAYS.map((way, index) => way.consumer(mq, `consumer${index}`, 'a')))
  const sent = Array.from({ length: 40 }, (_, n) => String(n))
  for (const [n, text] of sent.entries()) {
    await WAYS[n % WAYS.length]!.send(mq, 'a', Buffer.from(text), 'text/plain')
  }
  const got = await Promise.all(consumers.map(drain))
  t.strictSame(got.flat().toSorted(), sent.toSorted())
  t.equal(mq.broker.queue('a').pending, 0)
})

async function drain(consumer: Consumer): Promise<string[]> {
  const got: string[] = []
  for (let next = await consumer.receive(); next !== undefined; next = await consumer.receive()) {
    got.push(next.bytes.toString())
    await consumer.ack(next)
  }
  return got
}
