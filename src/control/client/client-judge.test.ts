import { createHash } from 'node:crypto'
import { Agent, request } from 'node:http'
import t from 'tap'
import { ROLES } from '../../auth/principal.js'
import type { Clock } from '../../clock/clock.js'
import { ManualClock } from '../../clock/manual.js'
import { createHandler } from '../../handler.js'
import type { Request } from '../../http/exchange.js'
import { type Mock, mock, turn } from '../mock.test.helper.js'
import { askedBy } from './asked.js'
import { ClientJudge } from './client-judge.js'
import { CLIENT_RULES, type ClientRule, clientReportText } from './rules.js'

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

/** A client's ways to speak to a mock broker. */
interface Spoken extends Mock {
  /** The same, where a fault may cut the answer off. */
  lose(line: string, body?: string, headers?: Record<string, string>): Promise<void>
  subscription(more?: string): Promise<string>
  address(): Promise<string>
}

type Act = (spoken: Spoken) => Promise<unknown>

/** The rules that a client broke, by what it did. */
async function broken(
  t: Parameters<typeof mock>[0],
  act: Act,
  clock: 'manual' | Clock = 'manual',
): Promise<ClientRule[]> {
  const mocked = await mock(t, { queues: ['orders'], basePath: '/mq', clock })
  await act(spoken(mocked))
  return mocked.mq.judgeClient().violations.map(({ rule }) => rule)
}

function spoken(mocked: Mock): Spoken {
  const base = new URL(mocked.mq.url).pathname
  const ask: Mock['ask'] = (line, body, headers) => {
    const [method, path = ''] = line.split(' ')
    return mocked.ask(`${method} ${path.startsWith('/mq/') ? path : base + path}`, body, headers)
  }
  const located = async (line: string, body?: string, headers?: Record<string, string>) =>
    (await ask(line, body, headers)).headers.get('location') as string
  return {
    ...mocked,
    ask,
    lose: async (...asked) => {
      await ask(...asked).catch(() => undefined)
    },
    subscription: (more = '') => located('POST /subscriptions', `destination=orders${more}`, FORM),
    address: () => located('POST /queues/orders'),
    feed: async (subscription) => {
      const { text } = await ask(`GET ${subscription}`)
      return [...text.matchAll(/<link rel="edit" [^>]*href="([^"]+)"/g)].map(([, uri]) => uri as string)
    },
  }
}

t.test('a client that does everything right breaks no rule', async (t) => {
  const rules = await broken(t, async ({ mq, ask, lose, address, subscription, feed }) => {
    const at = await address()
    mq.faults.add({ fault: 'reset-after-commit', method: 'POST', times: 2 })
    for (let n = 0; n < 2; n++) await lose(`POST ${at}`, 'one')
    await ask(`POST ${at}`, 'one')
    mq.faults.add({ fault: 'truncate', method: 'POST', times: 1 })
    await lose('POST /queues/orders?guid=two', 'two')
    await ask('POST /queues/orders?guid=two', 'two')
    await ask('POST /queues/orders?guid=three', 'two')
    await ask('POST /queues/nowhere?guid=four', 'x')
    await ask('GET /queues/orders?limit=%zz')
    const lease = await subscription()
    for (const message of await feed(lease)) {
      await ask(`GET ${message}`)
      await ask(`GET ${message}/content`)
      await ask(`DELETE ${message}`)
    }
    await ask(`DELETE ${lease}`)
    await mq.send('orders', 'mine')
    t.match(mq.judgeClient(), { conformant: true, exchanges: 21, clients: ['node'] })
    mq.expectConformantClient()
    t.equal(clientReportText(mq.judgeClient()), 'The client kept every rule in 21 exchanges.\n')
    t.match((await ask('POST /_control/client')).status, 200)
  })
  t.same(rules, [])
})

/** Sends messages on behalf of the owner, and gives them to a new subscription. */
async function given({ mq, subscription, feed }: Spoken, count: number, more = '') {
  const lease = await subscription(more)
  for (let n = 0; n < count; n++) await mq.send('orders', `${n}`)
  return { lease, messages: await feed(lease) }
}

/** For each rule: clients that break it and no other, and clients that come near and do not. */
const CASES: Readonly<
  Record<
    Exclude<ClientRule, 'poll-gently'>,
    { readonly wrong: readonly Act[]; readonly right: readonly Act[] }
  >
> = {
  'repeat-send': {
    wrong: [
      async ({ mq, lose }) => {
        mq.faults.add({ fault: 'reset-after-commit', times: 1 })
        await lose('POST /queues/orders?guid=one', 'x')
      },
      async ({ mq, ask }) => {
        mq.faults.add({ fault: 'status', code: 503, times: 1 })
        await ask('POST /queues/orders')
      },
    ],
    right: [
      async ({ mq, lose }) => {
        mq.faults.add({ fault: 'truncate', times: 1 })
        await lose('POST /queues/orders?guid=one', 'x')
      },
      async ({ mq, lose }) => {
        mq.faults.add({ scenario: 'away' })
        for (let n = 0; n < 5; n++) await lose('POST /queues/orders?guid=one', 'x')
      },
      async ({ mq, lose, address }) => {
        mq.faults.add({ fault: 'reset-after-commit', times: 1 })
        await lose('POST /queues/orders')
        await address()
      },
      async ({ mq, lose }) => {
        mq.faults.add({ fault: 'truncate', times: 4 })
        for (let n = 0; n < 4; n++) await lose('POST /queues/orders')
        mq.faults.add({ scenario: 'away' })
        await lose('POST /queues/orders')
      },
      async ({ mq, lose, address }) => {
        // Its first try was under way, or broke off, when all was reset.
        const at = await address()
        mq.faults.add({ fault: 'truncate', times: 1 })
        await lose(`POST ${at}`, 'x')
        for (const line of ['POST /queues/orders', 'POST /queues/orders?guid=one', `POST ${at}`]) {
          mq.faults.add({ fault: 'delay', ms: 1000, times: 1 })
          const waiting = lose(line, 'x')
          while (mq.faults.list().at(-1)?.fired === 0) await turn()
          await mq.reset({ seed: true })
          await waiting
        }
        mq.faults.add({ scenario: 'away' })
        for (const line of ['POST /queues/orders', 'POST /queues/orders?guid=one', `POST ${at}`]) {
          for (let n = 0; n < 3; n++) await lose(line, 'x')
        }
      },
      async ({ mq, lose }) => {
        // How often it was tried before is forgotten.
        for (const again of [true, false]) {
          mq.faults.add({ scenario: 'away' })
          for (let n = 0; n < 4; n++) await lose('POST /queues/orders')
          for (let n = 0; n < 4; n++) await lose('POST /queues/orders?guid=one', 'x')
          if (again) await mq.reset({ seed: true })
        }
      },
    ],
  },
  'same-address': {
    wrong: [
      async ({ mq, ask, address }) => {
        for (let n = 0; n < 2; n++) {
          const at = await address()
          mq.faults.add({ fault: 'status', code: 503, times: 1, after: n })
          await ask(`POST ${at}`, 'x')
        }
      },
    ],
    right: [
      async ({ ask, address }) => {
        for (let n = 0; n < 2; n++) await ask(`POST ${await address()}`, 'x')
      },
    ],
  },
  'same-body': {
    wrong: [
      async ({ mq, ask, lose, address }) => {
        const at = await address()
        mq.faults.add({ fault: 'reset-after-commit', times: 1 })
        await lose(`POST ${at}`, 'x')
        await ask(`POST ${at}`, 'y')
      },
    ],
    right: [
      async ({ mq, ask, lose, address }) => {
        const at = await address()
        mq.faults.add({ fault: 'reset-after-commit', times: 1 })
        await lose(`POST ${at}`, 'x')
        await ask(`POST ${at.replace('addresses', '%61ddresses')}`, 'x')
      },
    ],
  },
  'same-guid': {
    wrong: [
      async ({ mq, lose }) => {
        mq.faults.add({ fault: 'reset-after-commit', times: 1 })
        for (const guid of ['one', 'two']) await lose(`POST /queues/orders?guid=${guid}`, 'x')
      },
    ],
    right: [
      async ({ ask }) => {
        for (const guid of ['one', 'two']) await ask(`POST /queues/orders?guid=${guid}`, 'x')
      },
    ],
  },
  'unique-guid': {
    wrong: [
      async ({ ask }) => {
        for (const body of ['x', 'y']) await ask('POST /queues/orders?guid=one', body)
      },
    ],
    right: [
      async ({ ask }) => {
        for (const guid of ['x', 'y']) await ask(`POST /queues/orders?guid=${guid}`, guid)
      },
    ],
  },
  'send-once': {
    wrong: [
      async ({ ask, address }) => {
        const at = await address()
        for (let n = 0; n < 2; n++) await ask(`POST ${at}`, 'x')
      },
    ],
    right: [
      async ({ mq, ask, lose, address }) => {
        const at = await address()
        mq.faults.add({ fault: 'truncate', times: 1 })
        await lose(`POST ${at}`, 'x')
        await ask(`POST ${at}`, 'x')
      },
    ],
  },
  'accept-refusal': {
    wrong: [
      async ({ ask }) => {
        for (let n = 0; n < 5; n++) await ask('POST /queues/nowhere?guid=one', 'x')
      },
      async ({ ask }) => {
        for (let n = 0; n < 5; n++) await ask('POST /queues/nowhere')
      },
    ],
    right: [
      async ({ ask }) => {
        for (let n = 0; n < 2; n++) await ask('POST /queues/later?guid=one', 'x')
        await ask('POST /queues', 'later', { 'Content-Type': 'text/plain' })
        await ask('POST /queues/later?guid=one', 'x')
        for (let n = 0; n < 3; n++) await ask('POST /queues/nowhere')
      },
      async ({ mq, ask }) => {
        mq.faults.add({ fault: 'status', code: 429, times: 4 })
        for (let n = 0; n < 5; n++) await ask('POST /queues/orders?guid=one', 'x')
      },
    ],
  },
  'retry-after': {
    wrong: [
      async ({ mq, ask }) => {
        mq.faults.add({ fault: 'status', code: 503, times: 1, answer: { headers: { 'retry-after': '5' } } })
        for (let n = 0; n < 2; n++) await ask('POST /queues/orders?guid=one', 'x')
      },
      async ({ mq, ask }) => {
        const date = new Date(mq.clock.now() + 5000).toUTCString()
        mq.faults.add({ fault: 'status', code: 429, times: 1, answer: { headers: { 'Retry-After': date } } })
        for (let n = 0; n < 2; n++) await ask('POST /queues/orders?guid=one', 'x')
      },
    ],
    right: [
      async ({ mq, ask }) => {
        mq.faults.add({ fault: 'status', code: 503, times: 1, answer: { headers: { 'Retry-After': '5' } } })
        await ask('POST /queues/orders?guid=one', 'x')
        await mq.clock.advance(5000)
        await ask('POST /queues/orders?guid=one', 'x')
      },
      async ({ mq, ask }) => {
        mq.faults.add({ fault: 'status', code: 503, times: 1, answer: { headers: { 'Retry-After': '0' } } })
        for (let n = 0; n < 2; n++) await ask('POST /queues/orders?guid=one', 'x')
      },
    ],
  },
  'follow-links': {
    wrong: [
      async ({ ask }) => ask('GET /subscriptions/0123456789abcdef0123456789abcdef'),
      async ({ ask }) => ask('GET /messages/1'),
      async ({ mq, ask }) => {
        await mq.send('orders', 'a hat')
        const [id = ''] = mq.messages().map(({ id }) => id)
        await ask(`GET /messages/${id.replace(/1$/, '2')}`)
      },
      async ({ mq, ask }) => {
        await mq.send('orders', 'a hat')
        const [id = ''] = mq.messages().map(({ id }) => id)
        await ask(`GET /messages/${id.slice(0, -2)}`)
      },
    ],
    right: [
      async ({ mq, ask }) => {
        mq.broker.createQueue('other')
        for (const queue of ['orders', 'orders', 'other']) await mq.send(queue, 'a hat')
        const ids = mq.messages().map(({ id }) => id)
        for (const id of ids) await ask(`GET /messages/${id}`)
        await mq.reset({ seed: true })
        for (const id of ids) await ask(`GET /messages/${id}`)
      },
      async ({ mq, ask, subscription }) => {
        const lease = await subscription()
        await mq.reset({ seed: true })
        await ask(`GET ${lease}`)
      },
      async ({ ask, subscription }) => {
        const lease = await subscription()
        await ask(`GET ${lease.replace(/.$/, (last) => `%${last.charCodeAt(0).toString(16)}`)}`)
        await ask(`DELETE ${lease}`)
      },
    ],
  },
  'delete-subscription': {
    wrong: [async ({ subscription }) => subscription()],
    right: [
      async ({ mq, subscription }) => {
        await subscription()
        mq.endLease('A')
      },
      async ({ mq, subscription }) => {
        await subscription()
        await mq.clock.advance(30_000)
      },
      async ({ mq, lose }) => {
        mq.faults.add({ fault: 'reset-after-commit', times: 1 })
        await lose('POST /subscriptions', 'destination=orders', FORM)
      },
    ],
  },
  'leave-ended': {
    wrong: [
      async ({ mq, ask, subscription }) => {
        const lease = await subscription()
        mq.endLease('A')
        for (let n = 0; n < 4; n++) await ask(`GET ${lease}`)
      },
    ],
    right: [
      async ({ mq, ask, subscription }) => {
        const lease = await subscription()
        mq.endLease('A')
        for (let n = 0; n < 2; n++) await ask(`GET ${lease}`)
      },
      async ({ mq, ask, lose, subscription }) => {
        // It read when it deleted, and reads on until there is an answer.
        const lease = await subscription()
        await ask(`DELETE ${lease}`)
        for (const fault of ['reset-before', 'reset-after-commit'] as const) {
          mq.faults.add({ fault, times: 2 })
          for (let n = 0; n < 2; n++) await lose(`GET ${lease}`)
        }
        mq.faults.add({ fault: 'status', code: 503, times: 2 })
        for (let n = 0; n < 3; n++) await ask(`GET ${lease}`)
      },
      async ({ mq, lose, subscription }) => {
        const lease = await subscription()
        mq.endLease('A')
        mq.faults.add({ fault: 'truncate', times: 3 })
        for (let n = 0; n < 4; n++) await lose(`GET ${lease}`)
      },
    ],
  },
  'own-subscription': {
    wrong: [
      async (mocked) => {
        const { lease, messages } = await given(mocked, 1)
        await mocked.ask(`DELETE ${messages[0]}`, undefined, { 'User-Agent': 'another' })
        await mocked.ask(`DELETE ${lease}`)
      },
      async (mocked) => {
        const { lease, messages } = await given(mocked, 1)
        for (const agent of ['node', 'another']) {
          await mocked.ask(`DELETE ${messages[0]}`, undefined, { 'User-Agent': agent })
        }
        await mocked.ask(`DELETE ${lease}`)
      },
    ],
    right: [
      async (mocked) => {
        const { lease, messages } = await given(mocked, 1)
        await mocked.ask(`GET ${lease}`, undefined, { 'User-Agent': 'a person who looks' })
        await mocked.ask(`DELETE ${messages[0]}`)
        await mocked.ask(`DELETE ${lease}`)
      },
    ],
  },
  'modest-prefetch': {
    wrong: [
      async (mocked) => {
        await mocked.mq.send('orders', 'more')
        for (let n = 0; n < 2; n++) {
          const { lease, messages } = await given(mocked, 3)
          await mocked.ask(`DELETE ${messages[0]}`)
          await mocked.ask(`DELETE ${lease}`)
        }
      },
    ],
    right: [
      async (mocked) => {
        await mocked.mq.send('orders', 'more')
        const { lease, messages } = await given(mocked, 3)
        await mocked.ask(`DELETE ${messages[0]}`)
        for (let n = 0; n < 2; n++) await mocked.ask(`DELETE ${lease}`)
      },
      async (mocked) => {
        for (let n = 0; n < 2; n++) {
          const { lease } = await given(mocked, 3)
          await mocked.ask(`DELETE ${lease}`)
        }
        const { lease, messages } = await given(mocked, 3)
        await mocked.ask(`DELETE ${messages[0]}`)
        await mocked.ask(`DELETE ${lease}`)
      },
    ],
  },
  'acknowledge-processed': {
    wrong: [
      async (mocked) => {
        const { mq, feed, ask } = mocked
        const { lease } = await given(mocked, 1)
        for (let n = 0; n < 2; n++) {
          await mq.send('orders', 'x')
          await feed(lease)
        }
        await ask(`DELETE ${lease}`)
      },
    ],
    right: [
      async (mocked) => {
        const { lease } = await given(mocked, 5)
        for (let n = 0; n < 3; n++) await mocked.ask(`GET ${lease}`)
        await mocked.ask(`DELETE ${lease}`)
      },
      async (mocked) => {
        const { lease } = await given(mocked, 1)
        for (let n = 0; n < 3; n++) {
          await mocked.mq.send('orders', 'x')
          await mocked.ask(`POST ${lease}`, (await mocked.feed(lease)).join('\n'), {
            'Content-Type': 'text/uri-list',
          })
        }
        await mocked.ask(`DELETE ${lease}`)
      },
    ],
  },
  'acknowledge-given': {
    wrong: [
      async ({ mq, ask, subscription }) => {
        const lease = await subscription()
        await mq.send('orders', 'x')
        const [hold] = mq.subscriptions()[0]?.holds ?? []
        await ask(`DELETE ${lease}/messages/${hold?.id}`)
        await ask(`DELETE ${lease}`)
      },
      async ({ mq, ask, lose, subscription }) => {
        const lease = await subscription()
        await mq.send('orders', 'x')
        mq.faults.add({ fault: 'reset-after-commit', times: 1 })
        await lose(`GET ${lease}`)
        await ask(`DELETE ${lease}/messages/${mq.subscriptions()[0]?.holds[0]?.id}`)
        await ask(`DELETE ${lease}`)
      },
      async ({ ask }) => ask('DELETE /subscriptions/x/messages/y'),
    ],
    right: [
      async ({ mq, ask, lose, subscription }) => {
        const lease = await subscription()
        await mq.send('orders', 'x')
        mq.faults.add({ fault: 'truncate', times: 1 })
        await lose(`GET ${lease}`)
        await ask(`DELETE ${lease}/messages/${mq.subscriptions()[0]?.holds[0]?.id}`)
        await ask(`DELETE ${lease}`)
      },
      async (mocked) => {
        const { lease, messages } = await given(mocked, 1)
        await mocked.ask(`DELETE ${messages[0]?.replace('/messages/', '/%6dessages/')}`)
        await mocked.ask(`DELETE ${lease}`)
      },
    ],
  },
  'acknowledge-message': {
    wrong: [
      async (mocked) => {
        const { lease, messages } = await given(mocked, 1)
        await mocked.ask(`DELETE ${messages[0]}/content`)
        await mocked.ask(`DELETE ${lease}`)
      },
    ],
    right: [
      async (mocked) => {
        const { lease, messages } = await given(mocked, 1)
        await mocked.ask(`GET ${messages[0]}/content`)
        await mocked.ask(`DELETE ${messages[0]}`)
        await mocked.ask(`DELETE ${lease}`)
      },
    ],
  },
  'acknowledge-in-time': {
    wrong: [
      async (mocked) => {
        const { lease, messages } = await given(mocked, 1)
        await mocked.ask(`DELETE ${lease}`)
        await mocked.ask(`DELETE ${messages[0]}`)
      },
    ],
    right: [
      async (mocked) => {
        const { messages } = await given(mocked, 1)
        mocked.mq.endLease('A')
        await mocked.ask(`DELETE ${messages[0]}`)
      },
      async (mocked) => {
        const { messages } = await given(mocked, 1)
        await mocked.mq.clock.advance(30_000)
        await mocked.ask(`DELETE ${messages[0]}`)
      },
      async (mocked) => {
        const { messages } = await given(mocked, 1)
        await mocked.mq.reset({ seed: true })
        await mocked.ask(`DELETE ${messages[0]}`)
      },
    ],
  },
  'acknowledge-once': {
    wrong: [
      async (mocked) => {
        const { lease, messages } = await given(mocked, 1)
        for (let n = 0; n < 2; n++) await mocked.ask(`DELETE ${messages[0]}`)
        await mocked.ask(`DELETE ${lease}`)
      },
    ],
    right: (['truncate', 'reset-before', 'reset-after-commit'] as const).map(
      (fault) => async (mocked: Spoken) => {
        const { lease, messages } = await given(mocked, 1)
        mocked.mq.faults.add({ fault, times: 1 })
        for (let n = 0; n < 2; n++) await mocked.lose(`DELETE ${messages[0]}`)
        await mocked.ask(`DELETE ${lease}`)
      },
    ),
  },
  'acknowledge-again': {
    wrong: [
      async (mocked) => {
        const { lease, messages, second } = await doubled(mocked)
        await mocked.ask(`DELETE ${messages[0]}`)
        await mocked.mq.send('orders', 'y', { properties: { last: 'yes' } })
        await mocked.mq.send('orders', 'z', { properties: { last: 'yes' } })
        const [, ...later] = [...(await mocked.feed(second))]
        for (const message of later) await mocked.ask(`DELETE ${message}`)
        for (const each of [lease, second]) await mocked.ask(`DELETE ${each}`)
      },
    ],
    right: [
      async (mocked) => {
        const { lease, messages, second } = await doubled(mocked)
        await mocked.ask(`DELETE ${messages[0]}`)
        for (const message of await mocked.feed(second)) await mocked.ask(`DELETE ${message}`)
        for (const each of [lease, second]) await mocked.ask(`DELETE ${each}`)
      },
      async (mocked) => {
        const { lease, messages, second } = await doubled(mocked)
        await mocked.ask(`DELETE ${messages[0]}`)
        for (const each of [lease, second]) await mocked.ask(`DELETE ${each}`)
      },
    ],
  },
  'repeat-acknowledgement': {
    wrong: [
      async (mocked) => {
        const { lease, messages } = await given(mocked, 1)
        mocked.mq.faults.add({ fault: 'reset-after-commit', times: 1 })
        await mocked.lose(`DELETE ${messages[0]}`)
        await mocked.ask(`DELETE ${lease}`)
      },
    ],
    right: [
      async (mocked) => {
        const { messages } = await given(mocked, 1)
        mocked.mq.faults.add({ fault: 'reset-before', times: 1 })
        await mocked.lose(`DELETE ${messages[0]}`)
        mocked.mq.endLease('A')
      },
    ],
  },
}

/** A message in two hands: the second consumer has seen it too. */
async function doubled(mocked: Spoken) {
  const { mq, subscription, feed } = mocked
  const lease = await subscription()
  const second = await subscription()
  mq.faults.add({ fault: 'duplicate-delivery', times: 1 })
  await mq.send('orders', 'x')
  const messages = await feed(lease)
  await feed(second)
  return { lease, messages, second }
}

for (const [rule, { wrong, right }] of Object.entries(CASES)) {
  for (const [index, act] of wrong.entries()) {
    t.test(`broken: ${rule}, ${index + 1}`, async (t) => {
      t.same(await broken(t, act), [rule])
    })
  }
  for (const [index, act] of right.entries()) {
    t.test(`kept: ${rule}, ${index + 1}`, async (t) => {
      t.same(await broken(t, act), [])
    })
  }
}

for (const [pause, rules] of [
  [1, ['poll-gently']],
  [20, []],
] as const) {
  t.test(`an empty feed is read each ${pause} ms`, async (t) => {
    const { broker } = createHandler()
    const judge = new ClientJudge(false)
    broker.on(judge.happened)
    const path = `/subscriptions/${broker.subscribe({ destinations: ['orders'] }).id}`
    const request = {
      method: 'GET',
      path,
      segments: path.slice(1).split('/'),
      query: new URLSearchParams(),
      headers: {},
      body: new Uint8Array(),
      whenGone: () => () => {},
    }
    for (let n = 0; n < 60; n++) {
      judge.see(n + 1, {
        at: 0,
        duration: 0,
        request,
        reply: { status: 200 },
        faults: [],
        came: n * pause,
        after: n,
      })
    }
    t.same(
      judge.report().violations.map(({ rule }) => rule),
      rules,
    )
  })
}

t.test('a GET that waits may break off and be repeated at once, and end with its subscription', async (t) => {
  const rules = await broken(t, async ({ mq, ask, lose, parked, subscription }) => {
    const lease = await subscription()
    const headers = { Prefer: 'respond-async, wait = 1' }
    for (let n = 0; n < 30; n++) {
      const leaving = new AbortController()
      const waiting = fetch(new URL(lease, mq.url), { headers, signal: leaving.signal })
      await parked(1)
      leaving.abort()
      await t.rejects(waiting)
      while (mq.state().subscriptions[0]?.waiting !== 0) await turn()
    }
    for (const fault of ['truncate', 'reset-after-commit'] as const) {
      mq.faults.add({ fault, method: 'GET', times: 30 })
      for (let n = 0; n < 30; n++) {
        const waiting = lose(`GET ${lease}`, undefined, headers)
        await parked(1)
        await mq.clock.advance(1000)
        await waiting
      }
    }
    mq.faults.add({ fault: 'reset-before', method: 'GET', times: 30 })
    for (let n = 0; n < 30; n++) await lose(`GET ${lease}`, undefined, headers)
    const waiting = ask(`GET ${lease}`, undefined, headers)
    await parked(1)
    await ask(`DELETE ${lease}`)
    t.equal((await waiting).status, 410)
  })
  t.same(rules, [])
})

t.test('a lease that ran out by itself was its client’s to renew', async (t) => {
  const manual = new ManualClock()
  // To the server it is a clock like that of the system.
  const clock: Clock = { now: () => manual.now(), at: (time, call) => manual.at(time, call) }
  const late =
    (milliseconds: number): Act =>
    async (mocked) => {
      const { lease, messages } = await given(mocked, 1)
      manual.advance(milliseconds)
      await mocked.ask(`DELETE ${messages[0]}`)
      await mocked.ask(`DELETE ${lease}`)
    }
  t.same(await broken(t, late(60_001), clock), ['acknowledge-in-time'])
  t.same(await broken(t, late(60_000), clock), [], 'a machine may be busy for as long again')
})

t.test('a violation is told with its clause and its exchanges, from code and over HTTP', async (t) => {
  const { mq, ask } = await mock(t)
  for (const body of ['x', 'y']) await ask('POST /queues/orders/new?guid=one', body)
  t.throws(() => mq.expectConformantClient(), {
    message:
      'The client broke a rule of the interface once in 2 exchanges.\n' +
      '  unique-guid: A client gives each message a guid of its own. (dedup.client-unique)\n' +
      '    The guid "one" was given to two different messages.\n' +
      '      #1 POST /queues/orders/new?guid=one → 200\n' +
      '      #2 POST /queues/orders/new?guid=one → 200\n',
  })
  const { violations, clients } = mq.judgeClient()
  t.match(violations, [{ client: 'node' }])
  t.same((await ask('GET /_control/client')).json, { conformant: false, exchanges: 2, clients, violations })
  t.match(await ask('POST /_control/client'), { status: 409, json: { violations } })
  await ask('GET /messages/x', undefined, { 'User-Agent': 'another' })
  t.match(
    clientReportText(mq.judgeClient()),
    /^The client broke a rule of the interface 2 times in 3 exchanges.*another: It asked for \/messages\/x/s,
  )
  mq.faults.add({ fault: 'reset-before', times: 1 })
  await t.rejects(ask('GET /messages/y'))
  t.match(clientReportText(mq.judgeClient()), /#4 GET \/messages\/y → no answer/)
  await mq.reset()
  t.match(mq.judgeClient(), { conformant: true, exchanges: 0, clients: [] })
  const { mq: quiet } = await mock(t, { journal: false })
  t.throws(() => quiet.judgeClient(), { message: /keeps no journal/ })
})

t.test('who says no name is told by its connection, and is not taken for two clients', async (t) => {
  const { mq } = await mock(t, { queues: ['orders'] })
  const agent = () => new Agent({ keepAlive: true, maxSockets: 1 })
  const asks = (connection: Agent) => (method: string, path: string, body?: string, type?: string) =>
    new Promise<{ location: string; text: string }>((resolve, reject) => {
      const headers = type === undefined ? {} : { 'Content-Type': type }
      const asked = request(new URL(path, mq.url), { method, agent: connection, headers }, async (answer) => {
        let text = ''
        for await (const piece of answer) text += piece
        resolve({ location: answer.headers.location ?? '', text })
      })
      asked.on('error', reject)
      asked.end(body)
    })
  const [one, other] = [agent(), agent()]
  const [ask, askElsewhere] = [asks(one), asks(other)]
  const { location } = await ask('POST', '/subscriptions', 'destination=orders', FORM['Content-Type'])
  await mq.send('orders', 'a hat')
  const { text } = await ask('GET', location)
  const uri = /rel="edit" [^>]*href="([^"]+)"/.exec(text)?.[1] as string
  await askElsewhere('DELETE', uri)
  mq.faults.add({ fault: 'reset-before', times: 1 })
  await ask('POST', '/queues/orders').catch(() => undefined)
  await askElsewhere('POST', '/queues/orders')
  await askElsewhere('DELETE', location)
  t.same(mq.judgeClient().violations, [], 'one client may have several connections')
  await askElsewhere('GET', '/messages/x')
  const { clients, violations } = mq.judgeClient()
  t.match(violations, [{ rule: 'follow-links', client: /^connection \d+$/ }])
  t.equal(clients.length, 2)
  t.equal(violations[0]?.client, clients[1])
  for (const connection of [one, other]) connection.destroy()
})

t.test('a rule can be left out', async (t) => {
  const { mq, ask } = await mock(t)
  await ask('GET /messages/x')
  t.match(mq.judgeClient({ ignore: ['follow-links'] }), { conformant: true, exchanges: 1 })
  mq.expectConformantClient({ ignore: ['unique-guid', 'follow-links'] })
  t.throws(() => mq.expectConformantClient({ ignore: ['unique-guid'] }))
  t.match((await ask('GET /_control/client?ignore=unique-guid,follow-links')).json, { conformant: true })
  t.match(await ask('POST /_control/client', { ignore: ['follow-links'] }), { status: 200 })
  t.equal((await ask('GET /_control/client?ignore=nothing')).status, 400)
  t.throws(() => mq.judgeClient({ ignore: ['nothing' as never] }), {
    message: /^ignore\[0\] must be one of repeat-send/,
  })
})

t.test('clients are told apart by their principals', async (t) => {
  const { mq } = await mock(t, {
    principals: ['shop', 'store'].map((name) => ({
      principal: { name, roles: new Set(ROLES) },
      hash: createHash('sha256').update(name).digest(),
    })),
  })
  for (const token of ['shop', 'store']) {
    await fetch(`${mq.url}/messages/x`, { headers: { Authorization: `Bearer ${token}` } })
  }
  t.match(mq.judgeClient(), {
    clients: ['shop', 'store'],
    violations: [{ client: 'shop' }, { client: 'store' }],
  })
})

t.test('what is remembered of many long tries is little', async (t) => {
  const { mq, ask } = await mock(t, { queues: ['orders'] })
  mq.faults.add({ fault: 'status', code: 503 })
  const long = 'x'.repeat(7000)
  for (let n = 0; n < 4; n++) await ask(`POST /queues/orders?guid=one&n=${n}${long}`, 'x')
  await ask(`GET /messages/${long}`)
  await ask(`POST /queues/orders?guid=${long}`, 'x')
  const { violations } = mq.judgeClient()
  t.match(violations, [{ rule: 'follow-links' }, { rule: 'repeat-send', exchanges: { length: 4 } }])
  t.ok(JSON.stringify(violations).length < 10_000)
  for (let n = 0; n < 300; n++) await ask(`GET /messages/${n}`)
  t.equal(mq.judgeClient().violations.length, 201)
})

t.test('of a long path only so much is remembered as tells what it is for', async (t) => {
  const request = {
    method: 'POST',
    path: '/queues',
    segments: ['queues', 'x'.repeat(5000), ...Array(3000).fill('a')],
    query: new URLSearchParams(),
    headers: {},
    whenGone: () => () => {},
  } as unknown as Request
  const { segments } = askedBy(1, {
    request,
    reply: undefined,
    faults: [],
    at: 0,
    after: 0,
    came: 0,
    duration: 0,
  })
  t.equal(segments.length, 5)
  t.ok(segments.join().length < 300)
})

t.test('every rule has a text and a clause', async (t) => {
  t.same(
    Object.values(CLIENT_RULES).filter(
      ({ clause, text }) => !/^[a-z]+\.[a-z.-]+\w*$/.test(clause) || !text.startsWith('A client '),
    ),
    [],
  )
})
