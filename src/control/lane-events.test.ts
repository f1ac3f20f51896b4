import t from 'tap'
import { makeBroker, text } from '../broker/harness.test.kit.js'
import { type LaneEvent, laneEventOf } from './lane-events.js'

const queue = { kind: 'queue', name: 'q' }
const A = { kind: 'consumer', name: 'A' }

/** A broker, and what a picture of lanes is told of it. */
function watched(producer?: string) {
  const { broker, clock } = makeBroker()
  const events: LaneEvent[] = []
  const names = {
    queue: ({ name }: { name: string }) => name,
    consumer: () => 'A',
    message: () => 'm1',
    ...(producer === undefined ? {} : { producer: () => producer }),
  }
  broker.on((event) => {
    const shown = laneEventOf(event, names)
    if (shown !== undefined) events.push(shown)
  })
  return { broker, clock, events }
}

t.test('a message is sent, held, given back and acknowledged', (t) => {
  const { broker, clock, events } = watched('P')
  broker.createQueue('q')
  broker.send('q', text('m'))
  broker.subscribe({ destinations: ['q'], timeout: 1000 })
  clock.advance(1000)
  const { id } = broker.subscribe({ destinations: ['q'] })
  broker.consume(id)
  const [delivery] = broker.consume(id).deliveries
  broker.acknowledge(id, delivery!.id)
  broker.unsubscribe(id)
  const moved = (to: unknown) => ({ is: 'moved', name: 'm1', by: 'P', to })
  t.match(events, [
    { is: 'begun', lane: queue },
    moved(queue),
    { is: 'begun', lane: A },
    moved(A),
    { is: 'ended', lane: A, how: 'expired' },
    moved(queue),
    { is: 'begun', lane: A },
    moved(A),
    moved('acknowledged'),
    { is: 'ended', lane: A, how: 'deleted' },
  ])
  t.equal(new Set(events.map((event) => 'message' in event && event.message).filter(Boolean)).size, 1)
  t.end()
})

t.test('a message is taken, and a queue goes; what moves nothing is not shown', (t) => {
  const { broker, events } = watched()
  broker.createQueue('q')
  broker.newAddress('q')
  broker.send('q', text('m'))
  broker.take('q')
  broker.deleteQueue('q')
  t.match(events.slice(1), [
    { is: 'moved', to: queue },
    { is: 'moved', to: 'acknowledged' },
    { is: 'ended', lane: queue, how: 'deleted' },
  ])
  t.notOk('by' in events[1]!)
  broker.createQueue('q')
  broker.send('q', text('m'))
  broker.subscribe({ destinations: ['q'] })
  const before = events.length
  broker.deleteQueue('q')
  t.match(
    events.slice(before),
    [{ is: 'moved', to: 'gone' }, { is: 'ended' }],
    'what was held goes with its queue',
  )
  t.end()
})
