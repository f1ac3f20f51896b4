import t from 'tap'
import { type Mock, mock } from '../mock.test.helper.js'
import { CLIENT_RULES, type ClientRule, clientReportText } from './rules.js'

const XML = /<link rel="edit" [^>]*href="([^"]+)"/g

/** The rules that a client broke, by what it did. */
async function broken(
  t: Parameters<typeof mock>[0],
  act: (mocked: Mock) => Promise<unknown>,
): Promise<ClientRule[]> {
  const mocked = await mock(t, { queues: ['orders'], basePath: '/mq' })
  const at = mocked.mq.url
  const ask: Mock['ask'] = (line, body, headers) => {
    const [method, path = ''] = line.split(' ')
    return mocked.ask(
      `${method} ${path.startsWith('/mq') ? path : new URL(at).pathname + path}`,
      body,
      headers,
    )
  }
  await act({ ...mocked, ask })
  return mocked.mq.judgeClient().violations.map(({ rule }) => rule)
}

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

async function subscribe(ask: Mock['ask'], more = ''): Promise<string> {
  return (await ask('POST /subscriptions', `destination=orders${more}`, FORM)).headers.get(
    'location',
  ) as string
}

async function read(ask: Mock['ask'], subscription: string): Promise<string[]> {
  const { text } = await ask(`GET ${subscription}`)
  return [...text.matchAll(XML)].map(([, uri]) => uri as string)
}

t.test('a client that does everything right breaks no rule', async (t) => {
  const rules = await broken(t, async ({ mq, ask }) => {
    const { headers } = await ask('POST /queues/orders')
    const address = headers.get('location')
    mq.faults.add({ fault: 'reset-after-commit', method: 'POST', times: 2 })
    for (let n = 0; n < 2; n++) await ask(`POST ${address}`, 'one').catch(() => undefined)
    await ask(`POST ${address}`, 'one')
    mq.faults.add({ fault: 'truncate', method: 'POST', times: 1 })
    await ask('POST /queues/orders?guid=two', 'two').catch(() => undefined)
    await ask('POST /queues/orders?guid=two', 'two')
    await ask('POST /queues/orders?guid=three', 'two')
    await ask('POST /queues/nowhere?guid=four', 'x')
    await ask('GET /queues/orders?limit=%zz')
    const subscription = await subscribe(ask)
    for (const message of await read(ask, subscription)) {
      await ask(`GET ${message}`)
      await ask(`GET ${message}/content`)
      await ask(`DELETE ${message}`)
    }
    await ask(`DELETE ${subscription}`)
    await mq.send('orders', 'mine')
    t.match(mq.judgeClient(), { conformant: true, exchanges: 21 })
    mq.expectConformantClient()
    t.equal(clientReportText(mq.judgeClient()), 'The client kept every rule in 21 exchanges.\n')
    t.match((await ask('POST /_control/client')).status, 200)
  })
  t.same(rules, [])
})

const CASES: Readonly<Record<ClientRule, (mocked: Mock) => Promise<unknown>>> = {
  'repeat-send': async ({ mq, ask }) => {
    mq.faults.add({ fault: 'reset-after-commit', times: 1 })
    await ask('POST /queues/orders?guid=one', 'x').catch(() => undefined)
  },
  'same-address': async ({ mq, ask }) => {
    for (let n = 0; n < 2; n++) {
      const { headers } = await ask('POST /queues/orders')
      mq.faults.add({ fault: 'status', code: 503, times: n === 0 ? 1 : 1, after: n })
      await ask(`POST ${headers.get('location')}`, 'x')
    }
  },
  'same-guid': async ({ mq, ask }) => {
    mq.faults.add({ fault: 'reset-after-commit', times: 1 })
    for (const guid of ['one', 'two'])
      await ask(`POST /queues/orders?guid=${guid}`, 'x').catch(() => undefined)
  },
  'unique-guid': async ({ ask }) => {
    for (const body of ['x', 'y']) await ask('POST /queues/orders?guid=one', body)
  },
  'follow-links': async ({ ask }) => ask('GET /subscriptions/0123456789abcdef0123456789abcdef'),
  'delete-subscription': async ({ ask }) => subscribe(ask),
  'acknowledge-given': async ({ mq, ask }) => {
    const subscription = await subscribe(ask)
    await mq.send('orders', 'x')
    const [hold] = mq.subscriptions()[0]?.holds ?? []
    await ask(`DELETE ${subscription}/messages/${hold?.id}`)
    await ask(`DELETE ${subscription}`)
  },
  'acknowledge-in-time': async ({ mq, ask }) => {
    const subscription = await subscribe(ask)
    await mq.send('orders', 'x')
    const [message] = await read(ask, subscription)
    await mq.clock.advance(30_000)
    await ask(`DELETE ${message}`)
    await ask(`DELETE ${subscription}`)
  },
  'acknowledge-again': async ({ mq, ask }) => {
    const subscriptions = [await subscribe(ask), await subscribe(ask)]
    mq.faults.add({ fault: 'duplicate-delivery', times: 1 })
    await mq.send('orders', 'x')
    const messages = [await read(ask, subscriptions[0]!), await read(ask, subscriptions[1]!)].flat()
    await ask(`DELETE ${messages[0]}`)
    for (const subscription of subscriptions) await ask(`DELETE ${subscription}`)
  },
}

for (const [rule, act] of Object.entries(CASES)) {
  t.test(`broken: ${rule}`, async (t) => {
    t.same(await broken(t, act), [rule])
  })
}

t.test('a violation is told with its clause and its exchanges, from code and over HTTP', async (t) => {
  const { mq, ask } = await mock(t)
  await CASES['unique-guid']({
    mq,
    ask: (line, body) => ask(line.replace('orders', 'orders/new'), body),
  } as Mock)
  t.throws(() => mq.expectConformantClient(), {
    message:
      'The client broke a rule of the interface once in 2 exchanges.\n' +
      '  unique-guid: A client gives each message a guid of its own. (dedup.client-unique)\n' +
      '    The guid "one" was given to two different messages.\n' +
      '      #1 POST /queues/orders/new?guid=one → 200\n' +
      '      #2 POST /queues/orders/new?guid=one → 200\n',
  })
  const { violations } = mq.judgeClient()
  t.same((await ask('GET /_control/client')).json, { conformant: false, exchanges: 2, violations })
  t.match(await ask('POST /_control/client'), { status: 409, json: { violations } })
  await ask('GET /messages/x')
  t.match(
    clientReportText(mq.judgeClient()),
    /^The client broke a rule of the interface 2 times in 3 exchanges/,
  )
  mq.faults.add({ fault: 'reset-before', times: 1 })
  await t.rejects(ask('GET /messages/y'))
  t.match(clientReportText(mq.judgeClient()), /#4 GET \/messages\/y → no answer/)
  await mq.reset()
  t.match(mq.judgeClient(), { conformant: true, exchanges: 0 })
  const { mq: quiet } = await mock(t, { journal: false })
  t.throws(() => quiet.judgeClient(), { message: /keeps no journal/ })
})

t.test('what is remembered of many long tries is little', async (t) => {
  const { mq, ask } = await mock(t, { queues: ['orders'] })
  mq.faults.add({ fault: 'status', code: 503 })
  const long = 'x'.repeat(7000)
  for (let n = 0; n < 20; n++) await ask(`POST /queues/orders?guid=one&n=${n}${long}`, 'x')
  await ask(`GET /messages/${long}`)
  await ask(`POST /queues/orders?guid=${long}`, 'x')
  const { violations } = mq.judgeClient()
  t.match(violations, [{ rule: 'follow-links' }, { rule: 'repeat-send', exchanges: { length: 10 } }])
  t.ok(JSON.stringify(violations).length < 10_000)
  for (let n = 0; n < 1100; n++) await ask(`GET /messages/${n}`)
  t.equal(mq.judgeClient().violations.length, 1000)
})

t.test('every rule has a text and a clause', async (t) => {
  t.same(
    Object.values(CLIENT_RULES).filter(
      ({ clause, text }) => !/^[a-z]+\.[a-z.-]+$/.test(clause) || !text.startsWith('A client '),
    ),
    [],
  )
})
