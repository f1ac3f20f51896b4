import fc from 'fast-check'
import t from 'tap'
import type { Delivery } from './entities.js'
import { bodyOf, kindOf, makeBroker, pending, snapshot, text } from './harness.test.kit.js'
import { violations } from './invariants.test.kit.js'

t.test('whatever kinds of consumers share a queue, no message is lost, doubled or in two hands', (t) => {
  const who = fc.constantFrom('x', 'y')
  const where = fc.constantFrom('a', 'a/b')
  const destination = fc.constantFrom('a', 'a/*', '>', '*')
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('send' as const), where }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('subscribe' as const), who, destination }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('unsubscribe' as const), who, destination }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('next' as const), who }) },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant('lock' as const), who, max: fc.integer({ min: 1, max: 3 }) }),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('ack' as const), who, which: fc.nat() }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), who }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), which: fc.nat() }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('session' as const), who, where }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('take' as const), where }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('lease' as const), destination, by: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), where }) },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('advance' as const), by: fc.constantFrom(1, 40, 100) }),
    },
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80, size: 'max' }), (steps) => {
      const { broker, clock } = makeBroker({ autoCreate: true, limits: { defaultTimeout: 100 } })
      const cancels: (() => void)[] = []
      const expected = new Set<string>()
      let sent = 0
      const acknowledged = (message: Delivery['message'] | undefined) => {
        if (message !== undefined) expected.delete(bodyOf(message))
      }
      for (const step of steps) {
        const before = step.do === 'session' || step.do === 'advance' ? '' : JSON.stringify(snapshot(broker))
        const kind = kindOf(() => {
          switch (step.do) {
            case 'send': {
              const body = `${step.where} ${++sent}`
              broker.send(step.where, text(body))
              expected.add(body)
              break
            }
            case 'subscribe':
              broker.subscribeConsumer(step.who, step.destination)
              break
            case 'unsubscribe':
              broker.unsubscribeConsumer(step.who, step.destination)
              break
            case 'next':
              broker.next(step.who)
              break
            case 'lock':
              broker.lock(step.who, step.max)
              break
            case 'ack': {
              const held = [...broker.consumer(step.who).held.values()]
              const delivery = held[step.which % held.length]
              broker.acknowledgeConsumer(step.who, delivery?.id ?? 'x')
              acknowledged(delivery?.message)
              break
            }
            case 'wait':
              cancels.push(broker.whenConsumerChanges(step.who, () => {}))
              break
            case 'cancel':
              cancels[step.which % cancels.length]?.()
              break
            case 'session': {
              const held = [...(broker.parts.subscriptions.find(step.who, 'session')?.held.values() ?? [])]
              broker.takeFor(step.who, step.where)
              for (const { message } of held) acknowledged(message)
              break
            }
            case 'take':
              acknowledged(broker.take(step.where))
              break
            case 'lease':
              broker.subscribe({ destinations: [step.destination], prefetch: 2, timeout: 60 })
              break
            case 'delete':
              broker.deleteQueue(step.where)
              for (const body of expected) if (body.startsWith(`${step.where} `)) expected.delete(body)
              break
            case 'advance':
              clock.advance(step.by)
          }
        })
        if (kind !== 'done' && before !== '' && JSON.stringify(snapshot(broker)) !== before) {
          throw new Error(`${step.do} was refused and changed something`)
        }
        const there = [...broker.parts.queues].flatMap(({ name }) => pending(broker, name))
        if (there.length !== expected.size || there.some((body) => !expected.has(body))) {
          throw new Error(`${there} are pending instead of ${[...expected]}`)
        }
        const wrong = violations(broker)
        if (wrong.length > 0) throw new Error(wrong.join('\n'))
      }
    }),
    { numRuns: 500 },
  )
  t.end()
})
