import t from 'tap'
import { mock } from './mock.test.helper.js'

t.test('who sent, who held and until when, and what was refused or lost', async (t) => {
  const { mq, ask, subscribe, feed } = await mock(t)
  const moments = async () => {
    const { moments } = (await ask('GET /_control/lanes')).json as {
      moments: { label: string; time: number; events: Record<string, unknown>[] }[]
    }
    return moments.map(({ label, events }) => ({
      label: label.replaceAll(/[\da-f]{32}/g, 'ID'),
      events: events.map(({ is, to, lane, answer, how, what }) => {
        const where = (to ?? lane) as { name: string } | string
        return [is, typeof where === 'string' ? where : where.name, answer ?? how, what]
          .filter(Boolean)
          .join(' ')
      }),
    }))
  }
  const [subscription] = [await subscribe('orders/new', { prefetch: '1' })]
  mq.faults.add({ fault: 'reset-after-commit', method: 'POST', nth: 1 })
  await ask('POST /queues/orders/new?guid=1', 'a hat').catch(() => {})
  await ask('POST /queues/order?guid=2', 'a hat')
  const [message] = await feed(subscription as string)
  await ask(`DELETE ${message}`)
  await mq.send('orders/new', 'a cap')
  mq.endLease('A')
  await ask(`GET ${subscription}`)
  await ask('GET /queue/orders/new')
  await ask('DELETE /queues/orders/new')
  t.same((await moments()).slice(1, 3), [
    { label: 'POST /subscriptions', events: ['begun A'] },
    {
      label: 'POST /queues/orders/new',
      events: ['moved orders/new', 'moved A', 'asked sends lost reset-after-commit'],
    },
  ])
  t.same((await moments()).slice(3), [
    { label: 'POST /queues/order', events: ['asked sends refused POST 404'] },
    { label: 'DELETE /subscriptions/ID/messages/ID', events: ['moved acknowledged'] },
    { label: 'POST /queues/orders/new', events: ['moved orders/new', 'moved A'] },
    { label: 'without a request', events: ['ended A expired', 'moved orders/new'] },
    { label: 'GET /subscriptions/ID', events: ['asked sends refused GET 410'] },
    { label: 'GET /queue/orders/new', events: ['moved acknowledged'] },
    { label: 'DELETE /queues/orders/new', events: ['ended orders/new deleted'] },
  ])
  await mq.reset({ seed: true })
  for (let sent = 0; sent < 250; sent++) await mq.send('orders/new', 'a hat')
  t.equal((await moments()).length, 200, 'the last of them are kept')
})

t.test('of one moment a bounded number of events is kept', async (t) => {
  const { mq, ask } = await mock(t)
  for (let sent = 0; sent < 120; sent++) await mq.send('orders/new', 'a hat')
  await ask('POST /subscriptions', 'destination=orders/new&prefetch=100', {
    'Content-Type': 'application/x-www-form-urlencoded',
  })
  mq.endLease('A')
  const { moments } = (await ask('GET /_control/lanes')).json as { moments: { events: unknown[] }[] }
  t.ok(moments.every(({ events }) => events.length <= 51))
  t.match(moments.at(-1), { events: { length: /[1-9]/ } })
})
