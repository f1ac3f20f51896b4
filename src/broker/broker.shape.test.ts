import t from 'tap'
import { hand, makeBroker, text } from './harness.test.kit.js'

/** Counts every look at a field of an object. */
function counted(target: object, field: string, count: () => void): void {
  let value = (target as Record<string, unknown>)[field]
  Object.defineProperty(target, field, {
    configurable: true,
    get: () => {
      count()
      return value
    },
    set: (next) => {
      value = next
    },
  })
}

/**
 * How often, for each command, one looks at a message, a binding or a subscription, when so many consumers hold one
 * message each and as many messages wait.
 */
function looksPerCommand(
  consumers: number,
  order: 'oldest first' | 'newest first',
  act: 'unsubscribe' | 'settle',
) {
  const { broker } = makeBroker({ limits: { maxSubscriptions: consumers } })
  const { queue } = broker.createQueue('q')
  const ids = Array.from(
    { length: consumers },
    () => broker.subscribe({ destinations: ['q'], prefetch: 1 }).id,
  )
  for (let sent = 0; sent < 2 * consumers; sent++) broker.send('q', text('m'))
  let looks = 0
  const count = () => void looks++
  for (const message of queue.order.from(0)) {
    for (const field of ['ready', 'holder', 'gone', 'sequence']) counted(message, field, count)
  }
  for (const binding of queue.bindings) {
    counted(binding, 'scanFrom', count)
    counted(binding, 'list', count)
    counted(binding.subscription, 'held', count)
  }
  if (order === 'newest first') ids.reverse()
  for (const id of ids) {
    if (act === 'unsubscribe') broker.unsubscribe(id)
    else broker.acknowledgeAll(id, [...broker.subscription(id).held.keys()])
    broker.send('q', text('more'))
  }
  return looks / consumers
}

t.test('what a command costs does not grow with consumers and messages', (t) => {
  for (const act of ['unsubscribe', 'settle'] as const) {
    for (const order of ['oldest first', 'newest first'] as const) {
      const [few, many] = [looksPerCommand(50, order, act), looksPerCommand(2000, order, act)]
      t.ok(many < 2 * few, `${act}, ${order}: ${few} looks with 50 consumers, ${many} with 2000`)
    }
  }
  t.end()
})

t.test('a renewal, a send to the full and a look cost nothing by the number of others', (t) => {
  const { broker } = makeBroker()
  broker.createQueue('q')
  const ids = Array.from({ length: 500 }, () => broker.subscribe({ destinations: ['q'], prefetch: 1 }).id)
  for (let sent = 0; sent < 500; sent++) broker.send('q', text('m'))
  let asked = 0
  for (const subscription of broker.parts.subscriptions) {
    counted(subscription, 'terms', () => void asked++)
  }
  broker.send('q', text('m'))
  t.ok(asked >= 500, 'the first that finds nobody with room sees that')
  asked = 0
  for (let sent = 0; sent < 100; sent++) broker.send('q', text('m'))
  t.equal(asked, 0, 'and nobody is asked again')
  t.same(hand(broker, ids[0] as string), ['m'])
  t.end()
})

t.test('every change is made by a command', (t) => {
  const { broker, clock } = makeBroker()
  const { commands } = broker.parts.context
  const run = commands.run.bind(commands)
  let depth = 0
  commands.run = (command) => {
    depth++
    try {
      return run(command)
    } finally {
      depth--
    }
  }
  const outside: string[] = []
  const { memory } = broker.parts
  for (const change of ['take', 'free'] as const) {
    const act = memory[change].bind(memory)
    memory[change] = (bytes) => {
      if (depth === 0) outside.push(change)
      act(bytes)
    }
  }
  broker.createQueue('q')
  for (const body of ['1', '2', '3', '4']) broker.send('q', text(body))
  broker.take('q')
  broker.takeFor('s', 'q')
  broker.sendOnce('q', 'guid', text('5'))
  broker.post(broker.newAddress('q'), text('6'))
  broker.subscribeConsumer('c', 'q')
  broker.acknowledgeConsumer('c', broker.next('c')!.id)
  const { id } = broker.subscribe({ destinations: ['>'] })
  broker.acknowledge(id, broker.consume(id).deliveries[0]!.id)
  broker.unsubscribe(id)
  broker.deleteQueue('q')
  // Its lease is over, and the first who looks finds it out.
  const over = broker.subscribe({ destinations: ['q'], timeout: 1000 })
  over.cancelTimer()
  clock.advance(1000)
  t.equal(broker.ownerOf('subscription', over.id), undefined)
  t.equal(over.ended, true)
  t.same(outside, [])
  t.end()
})
