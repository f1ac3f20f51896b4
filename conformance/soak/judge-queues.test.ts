import t from 'tap'
import type { Event } from './history.js'
import { acknowledge, browse, history, type Made, read, send, subscribe } from './history.test.helper.js'
import { judgeHistory } from './judge.js'

const create = (queue: string, more: Partial<Event> = {}): Made => ({ do: 'create', queue, ...more })
const remove = (queue: string, more: Partial<Event> = {}): Made => ({ do: 'delete', queue, ...more })
const address = (given?: string, more: Partial<Event> = {}): Made => ({
  ...{ do: 'address', queue: 'a', address: given },
  ...more,
})
const refused = remove('a', { outcome: 'no' })
const byTurns = { mapping: 'batch', prefetch: 1000 } as const

t.test('queues that come and go, addresses, and consumers that are shown a part of what they hold', (t) => {
  const cases: readonly (readonly [Made[], string | undefined])[] = [
    [[create('a'), send(1), remove('a'), { ...browse(), outcome: 'no', queue: 'a' }], undefined],
    [[send(1), subscribe(1), read(1, [1]), remove('a'), read(1, [])], undefined],
    [[send(1), subscribe(1), read(1, [1]), remove('a'), acknowledge(1, 1, { outcome: 'no' })], undefined],
    [[send(1), remove('a'), create('a'), subscribe(1), read(1, [1])], undefined],
    [[send(1), remove('a', { outcome: 'unknown' }), { ...browse(), queue: 'a' }], undefined],
    [[create('a', { outcome: 'no', isNested: true })], undefined],
    [[send(1), refused, subscribe(1), read(1, [1]), acknowledge(1, 1)], undefined],
    [[send(1), subscribe(1), read(1, [1]), acknowledge(1, 1, { outcome: 'unknown' }), refused], undefined],
    [[send(1), refused, browse(1)], 'consume.all'],
    [[send(1), subscribe(1), read(1, [1]), acknowledge(1, 1), refused], 'queues.delete.status'],
    [[send(1), remove('a'), create('a'), refused], 'queues.delete.status'],
    [[address('/1'), address('/2'), address(undefined, { outcome: 'unknown' })], undefined],
    [[address('/1'), address('/1')], 'send.address.own'],
    [[address(undefined, { outcome: 'no' })], 'send.step-1.status'],
    [[create('a', { outcome: 'no' })], 'queues.create.status'],
    [[remove('a', { outcome: 'no' })], 'queues.delete.status'],
    [[remove('a'), { ...browse(1), queue: 'a' }], 'queues.delete.unreadable'],
    [[remove('a'), { ...browse(), queue: 'a' }], undefined],
    [[remove('a'), create('a'), send(1), browse()], 'consume.all'],
    [
      [
        send(1),
        send(2),
        subscribe(1, byTurns),
        read(1, [1]),
        read(1, [2]),
        acknowledge(1, 1),
        acknowledge(1, 2),
      ],
      undefined,
    ],
    [[send(1), subscribe(1, byTurns), read(1, [1]), acknowledge(1, 1, { outcome: 'no' })], 'batch.ack'],
    [[send(1), subscribe(1, byTurns), read(1, [], { outcome: 'unknown' }), browse(1)], undefined],
  ]
  t.same(
    cases.map(([made]) => judgeHistory(history(...made))?.clause),
    cases.map(([, clause]) => clause),
  )
  t.end()
})

t.test('a queue that stays, since its deletion was refused, may be refused again long after', (t) => {
  const made = history(send(1), refused, { do: 'browse', queue: 'b', shown: [] }, refused)
  const later = made.map((event, index) =>
    index < 2 ? event : { ...event, from: event.from + 60_000, to: event.to + 60_000 },
  )
  t.equal(judgeHistory(later)?.clause, 'consume.all', 'and its message is known still')
  t.end()
})
