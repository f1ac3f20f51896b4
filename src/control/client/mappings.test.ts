import { createConnection, type Socket } from 'node:net'
import t from 'tap'
import type { Clock } from '../../clock/clock.js'
import { ManualClock } from '../../clock/manual.js'
import { createHandler } from '../../handler.js'
import { type Mock, mock, turn } from '../mock.test.helper.js'
import { ClientJudge } from './client-judge.js'
import type { ClientRule } from './rules.js'

const LIST = { 'Content-Type': 'text/uri-list' }

/** A client of an alternative mapping, by the name of anna. */
interface Spoken extends Mock {
  /** The same, where a fault may cut the answer off. */
  lose(line: string, body?: string, headers?: Record<string, string>): Promise<void>
  join(): Promise<unknown>
  /** The next message: the address that acknowledges it; undefined where there is none. */
  next(): Promise<string | undefined>
  /** Addresses of so many messages, when those of the list are acknowledged. */
  lock(max: number, acknowledged?: readonly string[]): Promise<string[]>
}

type Act = (spoken: Spoken) => Promise<unknown>

function spoken(mocked: Mock): Spoken {
  const { ask } = mocked
  return {
    ...mocked,
    lose: async (...asked) => {
      await ask(...asked).catch(() => undefined)
    },
    join: () => ask('POST /subscribe/anna/orders'),
    next: async () => (await ask('POST /nextMessageForMe/anna')).headers.get('location') ?? undefined,
    lock: async (max, acknowledged) => {
      const body = acknowledged?.join('\r\n')
      const { text } = await ask(
        `POST /lockNextMessage/anna?max=${max}`,
        body,
        body === undefined ? {} : LIST,
      )
      return text.split('\r\n').filter((line) => line !== '')
    },
  }
}

/** `/anna/messages/ID`, by which a locked message is acknowledged. */
const ackOf = (address = '') => address.replace('/message/anna/', '/anna/messages/')

const sent = async ({ mq }: Mock, count: number) => {
  for (let n = 0; n < count; n++) await mq.send('orders', `${n}`)
}

/** A consumer that joined, and so many messages for it. */
const joined = async (client: Spoken, count: number) => {
  await client.join()
  await sent(client, count)
}

/** The address of the first of so many messages that such a consumer is handed, one at a time. */
const handed = async (client: Spoken, count = 1) => {
  await joined(client, count)
  return client.next()
}

/** What comes near a fault and is none, by rule; and what is one, and no other. */
const CASES: Readonly<
  Partial<Record<ClientRule | 'none', { wrong: readonly Act[]; right: readonly Act[] }>>
> = {
  none: {
    wrong: [],
    right: [
      async (client) => {
        await joined(client, 3)
        for (let uri = await client.next(); uri !== undefined; uri = await client.next()) {
          t.equal((await client.ask(`POST ${uri}`)).status, 200)
        }
        await client.ask('POST /unsubscribe/anna/orders')
      },
      async (client) => {
        await joined(client, 5)
        for (const address of await client.lock(3)) {
          await client.ask(`GET ${address}`)
          t.equal((await client.ask(`DELETE ${ackOf(address)}`)).status, 200)
        }
        const rest = await client.lock(3)
        await client.lock(3, rest)
      },
      async (client) => {
        // What it held before a reset it may still acknowledge.
        const uri = await handed(client)
        await client.mq.reset({ seed: true })
        await client.ask(`POST ${uri}`)
        await client.join()
        await client.ask(`POST ${uri}`)
      },
    ],
  },
  'acknowledge-processed': {
    wrong: [
      async (client) => {
        await joined(client, 1)
        for (let n = 0; n < 10; n++) await client.next()
      },
      async (client) => {
        await joined(client, 3)
        for (let n = 0; n < 3; n++) await client.lock(1)
      },
    ],
    right: [
      async (client) => {
        // A handler that fails asks for the same again, but not for ever.
        await joined(client, 2)
        for (let n = 0; n < 9; n++) await client.next()
      },
      async (client) => {
        await joined(client, 2)
        for (let n = 0; n < 12; n++) await client.next()
        await client.ask(`POST ${await client.next()}`)
      },
      async (client) => {
        await joined(client, 4)
        let before = await client.lock(1)
        for (let n = 0; n < 4; n++) before = await client.lock(1, before)
      },
    ],
  },
  'acknowledge-once': {
    wrong: [
      async (client) => {
        const uri = await handed(client)
        for (let n = 0; n < 2; n++) await client.ask(`POST ${uri}`)
      },
      async (client) => {
        await joined(client, 2)
        const [first, second] = await client.lock(2)
        await client.lock(1, [first as string])
        await client.lock(1, [first as string, second as string])
      },
      async (client) => {
        const lease = await client.subscribe('orders')
        await sent(client, 1)
        const list = (await client.feed(lease)).join('\n')
        for (let n = 0; n < 2; n++) await client.ask(`POST ${lease}`, list, LIST)
        await client.ask(`DELETE ${lease}`)
      },
    ],
    right: (['truncate', 'reset-before', 'reset-after-commit'] as const).flatMap((fault): Act[] => [
      async (client) => {
        const uri = await handed(client)
        client.mq.faults.add({ fault, times: 1 })
        await client.lose(`POST ${uri}`)
        await client.ask(`POST ${uri}`)
      },
      async (client) => {
        await joined(client, 2)
        const list = (await client.lock(2)).join('\n')
        client.mq.faults.add({ fault, times: 1 })
        await client.lose('POST /lockNextMessage/anna', list, LIST)
        await client.ask('POST /lockNextMessage/anna', list, LIST)
      },
      async (client) => {
        const lease = await client.subscribe('orders')
        await sent(client, 2)
        const list = (await client.feed(lease)).join('\n')
        client.mq.faults.add({ fault, times: 1 })
        await client.lose(`POST ${lease}`, list, LIST)
        await client.ask(`POST ${lease}`, list, LIST)
        await client.ask(`DELETE ${lease}`)
      },
    ]),
  },
  'repeat-acknowledgement': {
    wrong: [
      async (client) => {
        const uri = await handed(client)
        client.mq.faults.add({ fault: 'reset-before', times: 1 })
        await client.lose(`POST ${uri}`)
        await client.next()
      },
      async (client) => {
        await joined(client, 1)
        const [address] = await client.lock(1)
        client.mq.faults.add({ fault: 'reset-after-commit', times: 1 })
        await client.lose(`DELETE ${ackOf(address)}`)
        await client.lock(1)
      },
      async (client) => {
        const lease = await client.subscribe('orders')
        await sent(client, 1)
        const list = (await client.feed(lease)).join('\n')
        client.mq.faults.add({ fault: 'reset-before', times: 1 })
        await client.lose(`POST ${lease}`, list, LIST)
        await client.ask(`DELETE ${lease}`)
      },
    ],
    right: [
      async (client) => {
        // The next one tells that it was acknowledged.
        const uri = await handed(client, 2)
        client.mq.faults.add({ fault: 'reset-after-commit', times: 1 })
        await client.lose(`POST ${uri}`)
        await client.ask(`POST ${await client.next()}`)
      },
      async (client) => {
        // So does a feed without it, where acknowledgements are lists.
        const lease = await client.subscribe('orders')
        await sent(client, 1)
        const list = (await client.feed(lease)).join('\n')
        client.mq.faults.add({ fault: 'reset-after-commit', times: 1 })
        await client.lose(`POST ${lease}`, list, LIST)
        await client.feed(lease)
        await client.ask(`DELETE ${lease}`)
      },
      async (client) => {
        const uri = await handed(client)
        client.mq.faults.add({ fault: 'reset-before', times: 1 })
        await client.lose(`POST ${uri}`)
        client.mq.endLease('anna')
      },
      async (client) => {
        const uri = await handed(client)
        client.mq.faults.add({ fault: 'reset-before', times: 5 })
        for (let n = 0; n < 5; n++) await client.lose(`POST ${uri}`)
      },
    ],
  },
  'acknowledge-given': {
    wrong: [
      async (client) => {
        await client.join()
        await client.ask('POST /ack/anna/0123456789abcdef0123456789abcdef')
      },
      async (client) => client.ask('DELETE /anna/messages/0123456789abcdef0123456789abcdef'),
      async (client) => {
        await joined(client, 1)
        client.mq.faults.add({ fault: 'reset-after-commit', times: 1 })
        await client.lose('POST /lockNextMessage/anna')
        await client.ask(`POST /ack/anna/${client.mq.subscriptions()[0]?.holds[0]?.id}`)
      },
    ],
    right: [],
  },
  'follow-links': {
    wrong: [async (client) => client.ask('GET /message/anna/0123456789abcdef0123456789abcdef')],
    right: [],
  },
  'leave-ended': {
    wrong: [
      async (client) => {
        await client.join()
        client.mq.endLease('anna')
        for (let n = 0; n < 3; n++) await client.next()
      },
      async (client) => {
        await client.join()
        client.mq.endLease('anna')
        for (let n = 0; n < 3; n++) await client.ask('POST /lockNextMessage/anna')
      },
    ],
    right: [
      async (client) => {
        await client.join()
        for (let n = 0; n < 3; n++) {
          client.mq.endLease('anna')
          await client.next()
          await client.join()
          await client.next()
        }
      },
      async (client) => {
        // Its subscribing fails, and is tried again each time.
        await client.join()
        client.mq.endLease('anna')
        client.mq.faults.add({ fault: 'status', code: 503, path: '/subscribe/**', times: 4 })
        for (let n = 0; n < 5; n++) {
          await client.next()
          await client.join()
        }
      },
    ],
  },
  'acknowledge-in-time': {
    wrong: [
      async (client) => {
        const uri = await handed(client)
        await client.ask('POST /unsubscribe/anna/orders')
        await client.ask(`POST ${uri}`)
      },
    ],
    right: [
      async (client) => {
        const uri = await handed(client)
        client.mq.endLease('anna')
        await client.ask(`POST ${uri}`)
      },
      async (client) => {
        const uri = await handed(client)
        await client.ask('DELETE /queues/orders')
        await client.ask(`POST ${uri}`)
      },
    ],
  },
  'own-subscription': {
    wrong: [
      async (client) => {
        const uri = await handed(client)
        for (const agent of ['one', 'two'])
          await client.ask(`POST ${uri}`, undefined, { 'User-Agent': agent })
      },
    ],
    right: [
      async (client) => {
        // Who has subscribed it need not be who works by its name.
        await client.ask('POST /subscribe/anna/orders', undefined, { 'User-Agent': 'a script' })
        await sent(client, 1)
        await client.ask(`POST ${await client.next()}`)
      },
    ],
  },
  'accept-refusal': {
    wrong: [
      async (client) => {
        for (let n = 0; n < 4; n++) await client.next()
      },
    ],
    right: [],
  },
}

async function broken(test: Parameters<typeof mock>[0], act: Act): Promise<ClientRule[]> {
  const mocked = await mock(test, { queues: ['orders'] })
  await act(spoken(mocked))
  return mocked.mq.judgeClient().violations.map(({ rule }) => rule)
}

for (const [rule, { wrong, right }] of Object.entries(CASES)) {
  for (const [index, act] of wrong.entries()) {
    t.test(`broken: ${rule}, ${index + 1}`, async (t) => t.same(await broken(t, act), [rule]))
  }
  for (const [index, act] of right.entries()) {
    t.test(`kept: ${rule}, ${index + 1}`, async (t) => t.same(await broken(t, act), []))
  }
}

t.test('a consumer that is late by more than a lease had that in its own hands', async (t) => {
  const manual = new ManualClock()
  // To the server it is a clock like that of the system.
  const clock: Clock = { now: () => manual.now(), at: (time, call) => manual.at(time, call) }
  const { ask, join, next, mq } = spoken(await mock(t, { queues: ['orders'], clock }))
  await join()
  await mq.send('orders', 'x')
  const uri = await next()
  manual.advance(60_001)
  t.equal((await ask(`POST ${uri}`)).status, 410)
  await join()
  t.match(mq.judgeClient().violations, [{ rule: 'acknowledge-in-time' }])
})

for (const line of ['POST /nextMessageForMe/anna', 'POST /lockNextMessage/anna', 'GET /queue/orders']) {
  for (const [pause, rules] of [
    [1, ['poll-gently']],
    [20, []],
  ] as const) {
    t.test(`${line} finds nothing each ${pause} ms`, async (t) => {
      const { broker } = createHandler({ queues: ['orders'] })
      const judge = new ClientJudge(false)
      broker.on(judge.happened)
      broker.subscribeConsumer('anna', 'orders')
      const [method = '', path = ''] = line.split(' ')
      const request = {
        method,
        path,
        segments: path.slice(1).split('/'),
        query: new URLSearchParams(),
        headers: {},
        body: new Uint8Array(),
        whenGone: () => () => {},
      }
      const reply = { status: path.startsWith('/lock') ? 200 : 204 }
      for (let n = 0; n < 60; n++) {
        judge.see(n + 1, { at: 0, duration: 0, request, reply, faults: [], came: n * pause, after: n })
      }
      t.same(
        judge.report().violations.map(({ rule }) => rule),
        rules,
      )
    })
  }
}

/** Asks by a connection of its own. */
function asking(url: string, line: string): Socket {
  const { hostname, port } = new URL(url)
  const socket = createConnection({ host: hostname, port: Number(port) })
  socket.write(
    `${line} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nUser-Agent: impatient\r\nContent-Length: 0\r\n\r\n`,
  )
  return socket
}

t.test('who leaves what it was just told unread does not know it', async (t) => {
  const { mq, subscribe } = await mock(t, { queues: ['orders'] })
  const lease = await subscribe('orders')
  mq.endLease('A')
  for (let n = 0; n < 6; n++) {
    const before = mq.journal.entries().length
    const socket = asking(mq.url, `GET ${lease}`)
    while (mq.journal.entries().length === before) await turn()
    // Nobody has read it yet: the end of the connection says so.
    socket.resetAndDestroy()
    await new Promise((resolve) => socket.once('close', resolve))
  }
  t.same(mq.judgeClient().violations, [])
})

t.test('who asks twice at once has not read the first answer', async (t) => {
  const { mq } = await mock(t, { queues: ['orders'] })
  mq.faults.add({ fault: 'delay', ms: 1000, times: 2 })
  const line = 'POST /queues/orders?guid=one'
  const sockets = [asking(mq.url, line), asking(mq.url, line)]
  const answered = sockets.map((socket) => new Promise((resolve) => socket.once('data', resolve)))
  while (mq.faults.list()[0]?.fired !== 2) await turn()
  await mq.clock.advance(1000)
  await Promise.all(answered)
  t.same(mq.judgeClient().violations, [])
  for (const socket of sockets) socket.destroy()
})
