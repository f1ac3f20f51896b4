import t from 'tap'
import { mock } from './mock.test.helper.js'
import { normalise } from './normalise.js'

t.test('ids are named in the order of their appearance, and the same id the same everywhere', async (t) => {
  const a = '0123456789abcdef0123456789abcdef'
  const b = 'fedcba9876543210fedcba9876543210'
  const uuid = '12345678-1234-4234-8234-123456789abc'
  t.same(normalise({ first: `/subscriptions/${b}`, list: [a, b, `urn:uuid:${uuid}`], [a]: uuid }), {
    first: '/subscriptions/<id-1>',
    list: ['<id-2>', '<id-1>', 'urn:uuid:<uuid-1>'],
    '<id-2>': '<uuid-1>',
  })
  t.equal(normalise(`${a}0`), `${a}0`, 'longer hexadecimal text is no id')
})

t.test('times and ports are blanked, other numbers stay', async (t) => {
  t.same(
    normalise({
      at: 1,
      duration: 2,
      now: 3,
      createdAt: 4,
      leaseEndsAt: 5,
      pending: 6,
      publishedAt: null,
      text: '<updated>2000-01-01T00:00:00.000Z</updated> 2024-05-06T07:08:09Z',
      date: 'Sat, 01 Jan 2000 00:00:00 GMT',
      host: '127.0.0.1:54321',
      url: 'http://localhost:8080/x and [::1]:99',
      ratio: '1:99',
    }),
    {
      at: '<time>',
      duration: '<time>',
      now: '<time>',
      createdAt: '<time>',
      leaseEndsAt: '<time>',
      pending: 6,
      publishedAt: null,
      text: '<updated><time></updated> <time>',
      date: '<time>',
      host: '127.0.0.1:<port>',
      url: 'http://localhost:<port>/x and [::1]:<port>',
      ratio: '1:99',
    },
  )
})

t.test('two runs of the same story look the same, and the data given are not changed', async (t) => {
  const story = async () => {
    const { mq, ask, subscribe, feed } = await mock(t)
    const subscription = await subscribe('orders.>')
    await ask('POST /queues/orders/new?guid=1', 'hello')
    await feed(subscription)
    const told = { state: mq.state(), journal: mq.journal.entries() }
    const before = JSON.stringify(told)
    const stable = normalise(told)
    t.equal(JSON.stringify(told), before)
    return stable
  }
  t.same(await story(), await story())
})
