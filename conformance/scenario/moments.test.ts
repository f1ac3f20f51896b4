import t from 'tap'
import type { Exchange } from '../client/exchange.js'
import type { LaneEvent } from '../lanes/picture.js'
import type { Whereabouts } from '../model/whereabouts.js'
import type { Action } from './conversation.js'
import { momentsOf } from './moments.js'
import { parse } from './parse.js'
import type { Told } from './walk.js'

const NOTHING: Whereabouts = { queues: [], consumers: [], messages: [] }
const message = (place: Whereabouts['messages'][0]['place']) => ({ message: '0 m1', body: 'm1', place })

/** A step as it went, with what is known after it. */
function told(text: string, after: Whereabouts, statuses: readonly number[] = [200]): Told {
  const [step] = parse(text)
  const actions = statuses.map(
    (status) => ({ request: { do: 'browseQueue', queue: 'a' }, exchange: { status } as Exchange }) as Action,
  )
  return {
    ...{ step: step!, came: '', passedOver: 'no', actions, answered: undefined },
    ...{ exchanged: 1, time: 5, worlds: 1, expects: () => '', stands: () => [] },
    ...{ whereabouts: () => after, nameOf: (key) => key.slice(1) },
  }
}

const events = (all: readonly Told[]) => momentsOf({ told: all, broken: [] }).map((moment) => moment.events)
const queue = { kind: 'queue', name: 'a' }
const A = { kind: 'consumer', name: 'A' }

t.test('what became otherwise from step to step is what the answers tell', (t) => {
  const waits: Whereabouts = { queues: ['a'], consumers: [], messages: [message({ queue: 'a' })] }
  const held: Whereabouts = { queues: ['a'], consumers: ['/A'], messages: [message({ consumer: '/A' })] }
  const done: Whereabouts = { queues: ['a'], consumers: [], messages: [message('acknowledged')] }
  const all = events([
    told('send m1 to a', waits),
    told('subscribe A to a', held),
    told('list', held),
    told('ack A m1', done),
    told('delete a', NOTHING),
  ])
  t.match(all, [
    [
      { is: 'begun', lane: queue },
      { is: 'moved', name: 'm1', to: queue },
    ],
    [
      { is: 'begun', lane: A },
      { is: 'moved', to: A },
    ],
    [],
    [
      { is: 'moved', to: 'acknowledged' },
      { is: 'ended', lane: A },
    ],
    [{ is: 'ended', lane: queue }],
  ])
  t.end()
})

t.test('requests that look, are refused or get no answer are marked in the lane of who makes them', (t) => {
  const marks = (text: string, ...statuses: number[]) => events([told(text, NOTHING, statuses)])[0]
  t.match(marks('read A', 200), [{ is: 'asked', lane: A, what: 'read', answer: 'done' }])
  t.match(marks('read A', 410), [{ lane: A, what: '410', answer: 'refused' }])
  t.match(marks('browse a', 503), [{ lane: queue, what: '503', answer: 'refused' }])
  t.match(marks('send m1 to a', 201, 0), [{ lane: { kind: 'producer' }, what: 'no answer', answer: 'lost' }])
  t.same(marks('ack A m1', 200), [])
  t.match(marks('together: browse a | browse a', 200, 404), [{ lane: queue, what: '404' }])
  t.end()
})

t.test('who has seen what happened tells it; a step that breaks a clause is marked', (t) => {
  const seen: LaneEvent = { is: 'moved', message: '1', to: 'gone' }
  const all = [told('list', NOTHING), told('list', NOTHING)]
  const broken = [{ step: 1, clause: 'ack.status', expected: '', seen: '', isOwn: true }] as never
  t.match(
    momentsOf({ told: all, broken }, () => [seen]),
    [{ label: 'list', time: 5, events: [seen], isBroken: false }, { isBroken: true }],
  )
  t.end()
})
