import t, { type Test } from 'tap'
import { type Answer, form, links, list, type Spoken, spoken } from './speak.test.helper.js'

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

t.test('what could not be handed back is refused at the send, whatever sends it', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  const properties = (count: number, value: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`Property-p${index}`, value]))
  const latin1 = '\xe9'.repeat(4000)
  for (const path of ['/queue/a', '/queues/a?guid=1', '/addresses/X']) {
    const at = path.replace('/addresses/X', (await mq.speak('POST', '/queues/a')).location)
    for (const [name, headers] of Object.entries({
      'a long one': { 'Property-a': 'a'.repeat(8190) },
      'Latin-1 that is twice as long in UTF-8': { 'Property-a': latin1, 'Property-b': 'b'.repeat(400) },
      'long in all': properties(10, 'a'.repeat(900)),
      'very many': properties(65, ''),
      'one byte too long': { 'Property-a': 'a'.repeat(8179) },
      'a long type': { 'Content-Type': `text/plain; a="${'a'.repeat(8190)}"` },
      'a long language': { 'Content-Language': 'a'.repeat(8193) },
    })) {
      const answer = await mq.speak('POST', at, { headers })
      t.strictSame([answer.status, answer.problem], [431, 'header-too-large'], `${path}: ${name}`)
    }
  }
  t.equal(mq.broker.queue('a').pending, 0)
  for (const headers of [{ 'Property-a': 'a'.repeat(8178) }, { 'Property-a': latin1 }, properties(64, 'a')]) {
    await mq.speak('POST', '/queue/a', { headers })
    const { status, headers: back } = await mq.speak('GET', '/queue/a')
    t.equal(status, 200)
    for (const [name, value] of Object.entries(headers)) {
      t.equal(Buffer.from(back.get(name) ?? '', 'latin1').toString(), value, name)
    }
  }
})

t.test('a value is what its bytes meant: UTF-8, or else Latin-1', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  const bytes = (text: string) => Buffer.from(text).toString('latin1')
  for (const [sent, meant] of [
    [bytes('né'), 'né'],
    [bytes('\ufffd'), '\ufffd'],
    [bytes('\ufeffa'), '\ufeffa'],
    ['n\xe9', 'né'],
    ['\xc3', 'Ã'],
    [bytes('\u{1f375}'), '\u{1f375}'],
  ] as const) {
    const message = await mq.speak('POST', '/queue/a', { headers: { 'Property-a': sent } })
    t.equal(message.status, 200)
    const [item] = mq.broker.browse('a', { limit: 1 }).items
    t.equal(item?.content.properties.get('a'), meant)
    t.equal((await mq.speak('GET', '/queue/a')).headers.get('property-a'), bytes(meant))
  }
})

t.test('a type that is none is the default everywhere', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  for (const type of ['nonsense', 'a/b c', 'text/plain;', 'text/plain; a', '/']) {
    await mq.speak('POST', '/queue/a', { body: 'x', headers: { 'Content-Type': type } })
    const known = type === 'text/plain;'
    const shown = known ? type : 'application/octet-stream'
    const feed = (await mq.speak('GET', '/queues/a')).text
    t.match(feed, `<link rel="enclosure" type="${shown}"`, type)
    const raw = links(feed, 'enclosure')[0] ?? ''
    t.equal((await mq.speak('GET', raw)).headers.get('content-type'), shown)
    t.equal((await mq.speak('GET', '/queue/a')).headers.get('content-type'), shown)
  }
})

t.test('links are whole on request, at the host that is asked for', async (t) => {
  const mq = await spoken(t, { queues: ['a'], absoluteLinks: true, basePath: '/mq' })
  const { host, port } = new URL(mq.url)
  for (const name of [host, `localhost:${port}`]) {
    const base = `http://${name}/mq`
    const ask = async (method: string, path: string, said = {}) => {
      const response = await fetch(`http://${name}/mq${path}`, { method, ...said })
      return { location: response.headers.get('location'), text: await response.text() }
    }
    t.match((await ask('POST', '/queues/a')).location, `${base}/addresses/`)
    const made = await ask('POST', '/subscriptions', { body: new URLSearchParams({ destination: 'a' }) })
    t.match(made.location, `${base}/subscriptions/`)
    t.equal(links((await ask('GET', '/queues')).text, 'self')[0], `${base}/queues`)
    t.equal(links((await ask('GET', '/queues/a')).text, 'self')[0], `${base}/queues/a`)
    for (const body of ['x', 'y']) await ask('POST', '/queue/a', { body })
    t.match(
      (await ask('GET', made.location!.slice(base.length))).text,
      `rel="edit" type="application/atom+xml;type=entry" href="${base}/`,
    )
    await ask('DELETE', made.location!.slice(base.length))
    await ask('POST', '/subscribe/c/a')
    t.match((await ask('POST', '/nextMessageForMe/c')).location, `${base}/ack/c/`)
    const locked = (await ask('POST', '/lockNextMessage/c?max=1')).text
    t.match((await ask('GET', '/')).text, `href="${base}/queues"`)
    t.match(locked, `${base}/message/c/`)
    await ask('POST', '/unsubscribe/c/a')
  }
})

t.test('a feed of very much is several pages, which lose nothing', async (t) => {
  const mq = await spoken(t, {
    queues: ['a', ...Array.from({ length: 40 }, (_, index) => `q${index}`)],
    limits: { maxPageBytes: 20_000 },
  })
  for (let index = 0; index < 20; index++) {
    const headers = { 'Property-p': '&'.repeat(7000), 'Content-Type': 'text/plain' }
    await mq.speak('POST', '/queue/a', { body: `&`.repeat(4000), headers })
  }
  const { location } = await mq.speak('POST', '/subscriptions', form(['destination', 'a'], ['prefetch', 20]))
  for (const [start, count] of [
    ['/queues', 41],
    ['/queues/a', 20],
    [location, 20],
  ] as const) {
    for (const accept of ['application/atom+xml', 'text/html']) {
      const seen: string[] = []
      for (let path: string | undefined = start; path !== undefined; ) {
        const { text } = await mq.speak('GET', path, { headers: { Accept: accept } })
        t.ok(text.length < 90_000, `${path}: ${text.length}`)
        const found =
          accept === 'text/html'
            ? [...text.matchAll(/<tr><td>(.*?)<\/td>/g)].map((match) => match[1]!)
            : [...text.matchAll(/<entry>\s*<id>(.*?)<\/id>/g)].map((match) => match[1]!)
        t.ok(
          found.length > 0 && (accept === 'text/html' || found.length < count),
          `${found.length} of ${count}`,
        )
        seen.push(...found)
        path =
          accept === 'text/html'
            ? /rel="next" href="([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&')
            : links(text, 'next')[0]
      }
      t.equal(new Set(seen).size, count, `${start} as ${accept}`)
      t.equal(seen.length, count)
    }
  }
})

t.test('a list of acknowledgements has a bound', async (t) => {
  const mq = await spoken(t, { queues: ['a'], limits: { maxAcks: 3 } })
  const { location } = await mq.speak('POST', '/subscriptions', form(['destination', 'a']))
  t.equal((await mq.speak('POST', location, list('#', '#', '#'))).status, 200)
  t.equal((await mq.speak('POST', location, list('#', '#', '#', '#'))).problem, 'body-too-large')
})
