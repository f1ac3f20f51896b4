import t from 'tap'
import type { Request } from './model.js'
import { entriesOf, LEASE, Story } from './story.test.helper.js'

t.test('the alternative mappings', (t) => {
  const taking = new Story().queue('a').send('a', 'm1').send('a', 'm2')
  const take = (body?: string, session?: string) =>
    [
      { do: 'takeBySinglePath', queue: 'a', session, lease: LEASE },
      { entries: body === undefined ? [] : [{ body, uri: `take ${Math.random()}` }] },
    ] as const
  t.equal(taking.fork().tell(...take()), 'single-path.consume')
  t.equal(
    taking
      .fork()
      .go(...take('m1', 's'))
      .go(...take(undefined, 't'))
      .tell(...take(undefined, 's')),
    'single-path.consume',
    'what no other session was given this one has kept',
  )
  t.equal(
    taking
      .fork()
      .go(...take('m1'))
      .tell(...take('m1')),
    'single-path.another',
  )
  t.equal(
    taking
      .fork()
      .go(...take('m1', 's'))
      .tell(...take('m1', 't')),
    'consume.exactly-one',
  )
  t.equal(
    taking
      .fork()
      .go(...take('m1', 's'))
      .go(...take('m2', 't'))
      .tell(...take()),
    undefined,
  )
  t.equal(
    taking
      .fork()
      .go(take()[0], { status: 0 })
      .tell(...take()),
    undefined,
    'one without an answer may take any',
  )
  const put: Request = { do: 'sendBySinglePath', queue: 'a', body: 'm3', colour: 'red' }
  t.equal(taking.fork().tell(put, { status: 500 }), undefined)
  t.equal(taking.fork().tell(put, { status: 404 }), 'single-path.send')

  const join = (consumer: string): Request => ({
    do: 'join',
    consumer,
    queue: 'a',
    prefetch: 9,
    lease: LEASE,
  })
  const next = (consumer: string): Request => ({ do: 'nextMessage', consumer })
  const joined = taking.fork().go(join('X')).go(join('Y'))
  t.equal(taking.fork().tell(join('X'), { status: 404 }), 'one-at-a-time.subscribe')
  t.equal(taking.fork().tell(next('Z'), { entries: entriesOf('Z', ['m1']) }), 'subscribe.destinations.only')
  t.equal(joined.fork().tell(next('X'), { status: 204, entries: [] }), undefined, 'Y may have both')
  const has = joined.fork().go(next('X'), { entries: entriesOf('X', ['m1']) })
  t.equal(has.fork().tell(next('X'), { entries: entriesOf('X', ['m2']) }), undefined, 'left open')
  t.equal(has.fork().tell(next('Y'), { entries: entriesOf('Y', ['m1']) }), 'consume.exactly-one')
  t.equal(has.fork().tell({ do: 'acknowledgeForConsumer', uri: 'X m1' }, { status: 404 }), 'batch.ack')
  const byAck = joined.fork().go(next('X'), { entries: [{ body: 'm1', uri: '/ack/X/m1' }] })
  t.equal(
    byAck.tell({ do: 'acknowledgeForConsumer', uri: '/ack/X/m1' }, { status: 404 }),
    'one-at-a-time.ack',
  )
  const leave: Request = { do: 'leave', consumer: 'X', queue: 'a' }
  t.equal(has.fork().tell(leave, { status: 404 }), 'one-at-a-time.unsubscribe')
  const left = has.fork().go(leave)
  t.equal(
    left.tell(next('Y'), { entries: entriesOf('Y', ['m1']) }),
    undefined,
    'what it held may go to another',
  )
  // Given back and given again, it has another URI, and the first may be refused.
  const again = has.fork().go({ do: 'leave', consumer: 'X', queue: 'a' }).go(join('X'))
  again.go(next('X'), { entries: [{ body: 'm1', uri: 'X m1 again' }] })
  t.equal(again.fork().tell({ do: 'acknowledgeForConsumer', uri: 'X m1' }, { status: 404 }), undefined)
  t.equal(again.fork().tell({ do: 'fetchLocked', uri: 'X m1' }, { status: 404 }), undefined)
  t.equal(
    again.fork().tell({ do: 'acknowledgeForConsumer', uri: 'X m1 again' }, { status: 404 }),
    'batch.ack',
  )
  has.go({ do: 'acknowledgeForConsumer', uri: 'X m1' }, { status: 204 })
  t.equal(has.fork().tell(next('X'), { entries: entriesOf('X', ['m2']) }), undefined)
  t.equal(
    has.go({ do: 'leave', consumer: 'Y', queue: 'a' }).tell(next('X'), { entries: [] }),
    'one-at-a-time.next',
  )
  const cut = taking.fork().go(join('X'))
  t.equal(cut.fork().tell(next('X'), { entries: [] }), 'one-at-a-time.next')
  cut.go({ do: 'leave', consumer: 'X', queue: 'a' }, { status: 0 })
  t.equal(cut.tell(next('X'), { entries: [] }), undefined, 'it may have left')

  const lock = (max: number): Request => ({ do: 'lockNextMessages', consumer: 'X', max })
  const alone = taking.fork().go(join('X'))
  t.equal(alone.fork().tell(lock(1), { entries: entriesOf('X', ['m1', 'm2']) }), 'batch.max')
  t.equal(alone.fork().tell(lock(1), { entries: [] }), 'batch.lock')
  const unread = alone.fork().go(lock(1), { status: 0 })
  t.equal(unread.fork().tell(lock(1), { entries: [] }), undefined, 'what it gave is not given again')
  t.equal(unread.fork().tell(lock(1), { entries: entriesOf('X', ['m1']) }), undefined, 'or it gave nothing')
  t.equal(alone.fork().tell(lock(2), { entries: entriesOf('X', ['m2', 'm1']) }), undefined)
  const locked = alone.fork().go(lock(1), { entries: entriesOf('X', ['m1']) })
  const fetch: Request = { do: 'fetchLocked', uri: 'X m1' }
  t.same([locked.fork().tell(fetch), locked.fork().tell(fetch, { status: 410 })], [undefined, 'batch.fetch'])
  locked.go({ do: 'acknowledgeForConsumer', uri: 'X m1' })
  t.equal(locked.tell(fetch, { status: 410 }), undefined, 'it need not be there when it is acknowledged')

  const posting = taking.fork().subscribe('A', 'a', 1).shows('A', 'm1')
  const acks: Request = { do: 'acknowledgeInPost', consumer: 'A', uris: ['A m1'] }
  t.equal(posting.fork().tell(acks, { status: 404 }), undefined, 'it may take them elsewhere')
  const posted = posting.fork().go(acks)
  t.equal(posted.fork().shows('A', 'm1').browse('a', 'm1', 'm2'), undefined, 'or take no notice')
  t.equal(posted.fork().shows('A', 'm2').browse('a', 'm1', 'm2'), 'browse.pending.acknowledged')
  const both = taking.fork().subscribe('A', 'a', 2).shows('A', 'm1', 'm2')
  both.go({ do: 'acknowledgeInPost', consumer: 'A', uris: ['A m1', 'A m2'] })
  t.equal(both.browse('a', 'm1'), 'browse.pending.acknowledged', 'all of them, or none')

  const locking = taking
    .fork()
    .go(join('X'))
    .go(lock(1), { entries: entriesOf('X', ['m1']) })
  const further: Request = { do: 'acknowledgeInPost', consumer: 'X', uris: ['X m1'], max: 1 }
  t.equal(locking.fork().tell(further, { entries: entriesOf('X', ['m2', 'm1']) }), 'batch.max')
  locking.go(further, { entries: entriesOf('X', ['m2']) })
  t.equal(locking.browse('a', 'm2'), undefined)
  t.equal(
    posting
      .fork()
      .go(acks, { entries: entriesOf('A', ['m2']) })
      .browse('a', 'm2'),
    undefined,
  )
  t.end()
})

t.test('who joined or asked without an answer may be unknown, and may hold a message', (t) => {
  const join: Request = { do: 'join', consumer: 'X', queue: 'a', prefetch: 9, lease: LEASE }
  const lock: Request = { do: 'lockNextMessages', consumer: 'X', max: 4 }
  const story = new Story().queue('a').send('a', 'm1')
  t.equal(story.fork().go(join).tell(lock, { status: 404 }), 'batch.lock')
  t.equal(story.fork().go(join, { status: 0 }).tell(lock, { status: 404 }), undefined)
  const next: Request = { do: 'nextMessage', consumer: 'X' }
  const asked = story.fork().go(join).go(next, { status: 0 })
  t.equal(
    asked.tell(lock, { entries: [] }),
    undefined,
    'what it was given without an answer is not locked anew',
  )
  t.equal(
    story
      .fork()
      .go(join, { status: 0 })
      .tell(lock, { entries: entriesOf('X', ['m1']) }),
    undefined,
  )
  t.end()
})

t.test('what a consumer has locked is not the message that it has in hand', (t) => {
  const joins: Request = { do: 'join', consumer: 'X', queue: 'a', prefetch: 9, lease: LEASE }
  const next: Request = { do: 'nextMessage', consumer: 'X' }
  const story = new Story().queue('a').send('a', 'm1').send('a', 'm2').send('a', 'm3').go(joins)
  story.go({ do: 'lockNextMessages', consumer: 'X', max: 1 }, { entries: entriesOf('X', ['m1']) })
  t.equal(story.fork().tell(next, { entries: [] }), undefined, 'a target may join the two')
  t.equal(story.fork().tell(next, { entries: entriesOf('X', ['m1']) }), undefined)
  story.go(next, { entries: entriesOf('X', ['m2']) })
  t.equal(story.tell(next, { entries: entriesOf('X', ['m3']) }), undefined, 'one at a time is chosen')
  t.end()
})
