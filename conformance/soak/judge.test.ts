import fc from 'fast-check'
import t from 'tap'
import { Random } from '../explore/random.js'
import type { Event } from './history.js'
import {
  acknowledge,
  acknowledgeInPost,
  acknowledgeLocked,
  address,
  at,
  browse,
  create,
  end,
  history,
  join,
  judgeHistory,
  lock,
  type Made,
  type More,
  post,
  read,
  refused,
  remove,
  send,
  subscribe,
  TERMS,
  unanswered,
} from './history.test.helper.js'
import { Judge } from './judge.js'

const lasting = (length: number) => ({ lease: { ...TERMS.lease, length } })

t.test('right histories', (t) => {
  const held = [send(1), subscribe(1), read(1, [1])]
  const cases: Record<string, Made[]> = {
    'nothing at all': [],
    'a message that is sent, read and acknowledged': [...held, acknowledge(1, 1), read(1, [])],
    'a message that is acknowledged in a POST': [...held, acknowledgeInPost(1, [1]), read(1, [])],
    'a message that is posted to its address, twice': [
      ...[address('/new/1'), post(1, '/new/1'), post(1, '/new/1'), subscribe(1), read(1, [1]), browse([1])],
      acknowledge(1, 1),
    ],
    'a send without an answer that never came': [send(1, unanswered), browse([])],
    'a send without an answer that came': [
      send(1, unanswered),
      subscribe(1),
      read(1, [1]),
      acknowledge(1, 1),
    ],
    'a repeat long after the acknowledgement': [...held, acknowledge(1, 1), send(1), read(1, [])],
    'a message that goes to another when its consumer deletes its subscription': [
      ...[send(1), subscribe(1), subscribe(2), read(1, [1]), end(1), read(2, [1]), acknowledge(2, 1)],
    ],
    'a message that goes to another when the lease may be over': [
      ...[send(1), subscribe(1, lasting(20)), subscribe(2), read(1, [1]), read(2, [1], at(300))],
      acknowledge(2, 1, at(320)),
    ],
    'a lease that ends early by real time, since the clock of the target was behind when it was renewed': [
      ...[send(1), subscribe(1, lasting(300)), subscribe(2)],
      read(1, [1], { ...at(40), answer: { from: 15 } }),
      ...[read(2, [1], at(320)), acknowledge(2, 1, at(330))],
    ],
    'a lease that ends late by real time, since the clock of the target stood still': [
      ...[subscribe(1, lasting(20)), read(1, [], { ...at(3000), answer: { from: 900 } })],
    ],
    'an acknowledgement without an answer, after which nobody knows': [
      ...[send(1), subscribe(1), subscribe(2), read(1, [1]), acknowledge(1, 1, unanswered), read(1, [])],
    ],
    'a late acknowledgement that is refused': [
      ...[...held, end(1), acknowledge(1, 1, refused), subscribe(2), read(2, [1]), acknowledge(2, 1)],
    ],
    'of two acknowledgements at once, and of two deletions, the first to begin is refused': [
      ...[...held, acknowledge(1, 1, at(42, 50)), acknowledge(1, 1, { ...refused, ...at(40, 60) })],
      ...[end(1, at(72, 80)), end(1, { ...refused, ...at(70, 90) })],
    ],
    'a deletion without an answer, after which the feed may be there or not': [
      ...[subscribe(1), end(1, unanswered), read(1, []), read(1, [], refused)],
    ],
    'a reading that began before the acknowledgement was answered': [
      ...[...held, acknowledge(1, 1, at(40, 60)), read(1, [1], at(55, 70))],
    ],
    'many readings at once, of which one is of before and one of after': [
      ...[...held, acknowledge(1, 1, at(40, 90)), read(1, [], at(45, 95)), read(1, [1], at(50, 85))],
      ...[read(1, [], at(41, 99)), read(1, [1], at(44, 60))],
    ],
    'what another holder may have when both readings overlap and the first may be over': [
      ...[send(1), subscribe(1), subscribe(2), read(1, [1], at(40, 50)), end(1, at(52, 70))],
      ...[read(2, [1], at(60, 80)), acknowledge(2, 1, at(90))],
    ],
    'a message that is listed while it is sent': [
      send(1, at(10, 50)),
      browse([1], at(20)),
      browse([1], at(60)),
      subscribe(1, {}, at(70)),
      read(1, [1], at(80)),
      acknowledge(1, 1, at(90)),
    ],
    'queues that come and go': [
      create('c'),
      send(1, { queue: 'c' }),
      remove('c'),
      browse([], { queue: 'c', ...refused }),
      create('c'),
    ],
    'a queue that goes with what is held of it': [
      ...held,
      remove('a'),
      read(1, []),
      acknowledge(1, 1, refused),
    ],
    'a queue whose deletion is refused for its messages': [
      ...held,
      remove('a', { answer: { status: 409 } }),
      read(1, [1]),
      acknowledge(1, 1),
    ],
    'a queue whose deletion has no answer': [send(1), remove('a', unanswered), browse([])],
    'a queue above another may be refused': [create('c/d'), create('c', refused)],
    'addresses, each of its own': [address('/1'), address('/2'), address(undefined, unanswered)],
    'what is locked, some at a time': [
      ...[
        send(1),
        send(2),
        join(1),
        lock(1, [1]),
        lock(1, [2]),
        acknowledgeLocked(1, 1),
        acknowledgeLocked(1, 2),
      ],
    ],
    'a consumer of section 4.2 that was away for longer than a lease': [
      ...[send(1), join(1), lock(1, [1])],
      acknowledgeLocked(1, 1, { ...refused, ...at(1_100_000) }),
    ],
    'what may be locked by a call without an answer': [
      send(1),
      join(1),
      lock(1, [], unanswered),
      browse([1]),
    ],
  }
  for (const [name, made] of Object.entries(cases)) {
    const violation = judgeHistory(history(...made))
    t.equal(violation && `${violation.clause}: ${violation.seen}`, undefined, name)
  }
  t.end()
})

t.test('wrong histories, each for its clause', (t) => {
  const held = [send(1), subscribe(1), subscribe(2), read(1, [1])]
  const done = [...held, acknowledge(1, 1)]
  const posted = [address('/new/1'), post(1, '/new/1')]
  const as = (status: number): More => ({ answer: { status } })
  const cases: [clause: string, name: string, made: Made[]][] = [
    ['ack.final.same', 'it comes back to who acknowledged it', [...done, read(1, [1])]],
    ['ack.final.other', 'it comes to another after its acknowledgement', [...done, read(2, [1])]],
    [
      'ack.final.same',
      'it comes back after a POST that acknowledged it',
      [...held, acknowledgeInPost(1, [1]), read(1, [1])],
    ],
    ['browse.pending.acknowledged', 'it is listed after its acknowledgement', [...done, browse([1])]],
    ['consume.exactly-one', 'two have it', [...held, read(2, [1])]],
    ['consume.entries', 'one delivery is shown twice', [send(1), subscribe(1), read(1, [1, 1])]],
    ['dedup.one-message', 'one sent by guid is listed twice', [send(1), browse([1, 1])]],
    [
      'send.step-2.one-message',
      'one posted twice is listed twice',
      [...posted, post(1, '/new/1'), browse([1, 1])],
    ],
    ['consume.repeat', 'it is not shown again', [...held, read(1, [])]],
    ['prefetch.cap', 'three are shown', [send(1), send(2), send(3), subscribe(1), read(1, [1, 2, 3])]],
    ['send.body.text', 'a body that nobody sent', [subscribe(1), read(1, [-1])]],
    ['consume.delivered', 'it never comes', [send(1), subscribe(1), read(1, [])]],
    ['browse.queue.entries', 'it is not listed', [send(1), browse([])]],
    ['browse.pending.held', 'what is held is not listed', [...held, browse([])]],
    [
      'lease.delete.hands-over',
      'it does not come back from a consumer that went',
      [...held, end(1), read(2, [])],
    ],
    [
      'lease.expiry.hands-over',
      'it does not come back from one whose lease ended',
      [send(1), subscribe(1, lasting(20)), read(1, [1]), subscribe(2, {}, at(3000)), read(2, [], at(3010))],
    ],
    ['dedup.status', 'a send is refused', [send(1, refused)]],
    ['dedup.repeat.status', 'a repeat is refused', [send(1), send(1, refused)]],
    ['send.step-2.status', 'a post is refused', [address('/new/1'), post(1, '/new/1', refused)]],
    [
      'send.two-step.repeat.status',
      'a post is refused that was done',
      [...posted, post(1, '/new/1', refused)],
    ],
    ['send.step-1.status', 'no address is given', [address(undefined, refused)]],
    ['send.address.own', 'an address is given twice', [address('/1'), address('/1')]],
    ['ack.status', 'its holder may not acknowledge it', [...held, acknowledge(1, 1, refused)]],
    [
      'batch.ack',
      'nor what it has locked',
      [send(1), join(1), lock(1, [1]), acknowledgeLocked(1, 1, refused)],
    ],
    [
      'batch.max',
      'more are locked than were asked for',
      [1, 2, 3, 4, 5].map((each) => send(each)).concat(join(1), lock(1, [1, 2, 3, 4, 5])),
    ],
    ['consume.status', 'a feed is refused within the lease', [subscribe(1), read(1, [], refused)]],
    ['subscribe.status', 'a subscription is refused', [subscribe(1, {}, refused)]],
    ['subscribe.own-address', 'two subscriptions have one address', [subscribe(1), subscribe(1)]],
    ['subscribe.delete.status', 'a deletion is refused', [subscribe(1), end(1, refused)]],
    ['subscribe.delete.unreadable', 'a deleted subscription is read', [subscribe(1), end(1), read(1, [])]],
    [
      'lease.expiry.unreadable',
      'a subscription is read long after its lease',
      [subscribe(1, lasting(20)), read(1, [], at(3000))],
    ],
    [
      'subscribe.destinations.only',
      'a message of another queue',
      [send(1), subscribe(1, { destinations: [{ queue: 'b' }, { below: 'c' }] }), read(1, [1])],
    ],
    [
      'subscribe.selector.only',
      'a message of another colour',
      [send(1, { colour: 'blue' }), subscribe(1, { selector: 'red' }), read(1, [1])],
    ],
    [
      'browse.queue.own',
      'a message of another queue is listed',
      [create('b'), send(1), browse([1], { queue: 'b' })],
    ],
    ['queues.create.status', 'a queue is refused', [create('b', refused)]],
    [
      'queues.create.again.location',
      'a queue has another address later',
      [create('a', { answer: { location: '/queues/x' } })],
    ],
    [
      'queues.delete.status',
      'a deletion is refused of a queue with nothing in it',
      [...done, remove('a', refused)],
    ],
    ['queues.delete.unreadable', 'a queue is read that is gone', [remove('a'), browse([1])]],
    // A success of another status than the document shows.
    ['dedup.status', 'a send', [send(1, as(202))]],
    ['send.step-2.status', 'a post', [address('/new/1'), post(1, '/new/1', as(201))]],
    ['send.step-1.status', 'an address', [address('/1', as(200))]],
    ['subscribe.status', 'a subscription', [subscribe(1, {}, as(200))]],
    ['consume.status', 'a reading', [subscribe(1), read(1, [], as(204))]],
    ['ack.status', 'an acknowledgement', [...held, acknowledge(1, 1, as(204))]],
    ['subscribe.delete.status', 'the end of a subscription', [subscribe(1), end(1, as(204))]],
    ['browse.queue.status', 'a listing', [browse([], as(206))]],
    ['queues.create.status', 'a creation', [create('b', as(200))]],
    ['queues.delete.status', 'the deletion of a queue', [remove('a', as(204))]],
  ]
  for (const [clause, name, made] of cases) {
    const violation = judgeHistory(history(...made))
    t.equal(violation?.clause, clause, `${clause}: ${name}`)
    t.ok((violation?.events.length ?? 0) > 0 && violation?.expected !== '', 'it tells by which requests')
  }
  t.end()
})

t.test('what was seen and what was expected is told of the message alone', (t) => {
  const made = history(send(1), send(2), subscribe(7), subscribe(8), read(7, [1]), read(8, [2, 1]))
  t.match(judgeHistory(made), {
    clause: 'consume.exactly-one',
    ...{ expected: "nothing in subscription 8's feed", seen: "m1 in subscription 8's feed" },
  })
  t.same(
    judgeHistory(made)?.events.map(({ request, subscription }) =>
      `${request.do} ${subscription ?? ''}`.trim(),
    ),
    ['sendOnce', 'subscribe 7', 'subscribe 8', 'consume 7', 'consume 8'],
    'by its own requests',
  )
  t.end()
})

t.test(
  'where effects take their time, what was acknowledged or deleted may be shown for a moment as it was',
  (t) => {
    const held = [send(1), subscribe(1), subscribe(2), read(1, [1])]
    const cases: Record<string, readonly [string, Made[]]> = {
      'to who had it': ['ack.final.same', [...held, acknowledge(1, 1), read(1, [1])]],
      'in its queue': ['browse.pending.acknowledged', [...held, acknowledge(1, 1), browse([1])]],
      'by its feed': [
        'subscribe.delete.unreadable',
        [...held, end(1), read(2, [1]), read(1, [1]), acknowledge(2, 1)],
      ],
      'by the feed of its queue': ['queues.delete.unreadable', [send(1), remove('a'), browse([1])]],
      'a listing without what was just sent': [
        'browse.queue.entries',
        [send(1), browse([]), subscribe(1, {}, at(300)), read(1, [1], at(310)), acknowledge(1, 1, at(320))],
      ],
    }
    for (const [name, [clause, made]] of Object.entries(cases)) {
      t.equal(judgeHistory(history(...made), { settle: 100 })?.clause, undefined, name)
      t.equal(judgeHistory(history(...made), { settle: 1 })?.clause, clause, name)
    }
    const other = history(...held, acknowledge(1, 1), read(2, [1]))
    t.equal(judgeHistory(other, { settle: 100 })?.clause, 'ack.final.other', 'and to nobody else')
    t.end()
  },
)

t.test('a send may be refused while another of the same message is under way, and not after', (t) => {
  const came = [subscribe(1, {}, at(200)), read(1, [1], at(210)), acknowledge(1, 1, at(220))]
  const twins = [send(1, at(10, 50)), send(1, { ...refused, ...at(20, 60) })]
  const late = [send(1, { ...unanswered, ...at(10) }), send(1, { ...refused, ...at(40, 60) })]
  for (const sends of [twins, twins.toReversed(), late])
    t.equal(judgeHistory(history(...sends, ...came), { late: 100 })?.seen, undefined)
  t.equal(judgeHistory(history(...late), { late: 10 })?.clause, 'dedup.repeat.status')
  const after = [send(1, at(10, 50)), send(1, { ...refused, ...at(51) })]
  t.equal(judgeHistory(history(...after), { late: 100 })?.clause, 'dedup.repeat.status')
  t.end()
})

t.test('what is left is lost only where a last consumer could consume from its queue', (t) => {
  const left = history(send(1), subscribe(7), read(7, []), end(7))
  t.equal(judgeHistory(left, { consumed: [] }), undefined)
  t.equal(judgeHistory(left, { consumed: [['b', '/s/7']] }), undefined)
  t.equal(judgeHistory(left, { consumed: [['a', '/s/7']] })?.clause, 'consume.delivered')
  t.end()
})

t.test('a reading of several pages may pass over, or show twice, what shifts meanwhile', (t) => {
  const held = [send(1), send(2), send(3), subscribe(1, { prefetch: 3 }), read(1, [1, 2])]
  const pages = { ...at(100, 200), answer: { inPages: true } }
  const clauseOf = (...made: Made[]) => judgeHistory(history(...held, ...made), { consumed: [] })?.clause
  t.equal(clauseOf(read(1, [1], pages)), undefined, 'one may have moved to a page that was read before')
  t.equal(clauseOf(read(1, [1, 2, 2], pages)), undefined, 'one stands on two pages')
  t.equal(clauseOf(read(1, [1, 2, 2, 3], pages)), undefined, 'the prefetch counts messages')
  t.equal(clauseOf(read(1, [1], at(100, 200))), 'consume.repeat', 'one page is of one moment')
  t.equal(
    clauseOf(acknowledge(1, 1, at(90)), read(1, [1, 2], pages)),
    'ack.final.same',
    'what is over is on none',
  )
  t.equal(clauseOf(browse([1, 2], pages)), undefined, 'a queue has pages too')
  t.end()
})

/** What a right server would have shown, at moments one after another; each request takes from before to after its own. */
function rightHistory(seed: number, widen: number): Event[] {
  const random = new Random(seed)
  const events: Made[] = []
  const pending: number[] = []
  const holdings = new Map<number, number[]>()
  let now = 1000
  let numbered = 0
  const tell = (made: Made) => {
    now += 10 + 2 * widen
    events.push({ ...made, from: now - 1 - random.below(widen + 1), to: now + 1 + random.below(widen + 1) })
  }
  const begin = () => {
    const subscription = holdings.size + 1
    holdings.set(subscription, [])
    tell(subscribe(subscription))
    return subscription
  }
  const all = () => [...pending, ...[...holdings.values()].flat()]
  const readAll = (subscription: number) => {
    const holding = holdings.get(subscription)!
    while (holding.length < TERMS.prefetch && pending.length > 0) holding.push(pending.shift()!)
    tell(read(subscription, [...holding]))
    return holding
  }
  const live = new Set([begin()])
  for (let step = 0; step < 60; step++) {
    const one = random.pick([...live])
    random.weighted<() => void>([
      [4, () => tell(send(pending[pending.push(++numbered) - 1]!))],
      [1, () => numbered > 0 && tell(send(1 + random.below(numbered)))],
      [4, () => readAll(one)],
      [
        4,
        () => {
          const message = holdings.get(one)!.shift()
          if (message !== undefined) tell(acknowledge(one, message))
        },
      ],
      [1, () => tell(browse(all()))],
      [1, () => live.add(begin())],
      [
        1,
        () => {
          if (live.size < 2) return
          live.delete(one)
          pending.unshift(...holdings.get(one)!.splice(0))
          tell(end(one))
        },
      ],
    ])()
  }
  for (const one of live) while (readAll(one).length > 0) tell(acknowledge(one, holdings.get(one)!.shift()!))
  tell(browse([]))
  return history(...events)
}

const seed = fc.integer({ min: 1, max: 1_000_000 })

t.test('no right history is condemned, however its requests overlap', (t) => {
  fc.assert(
    fc.property(seed, fc.integer({ min: 0, max: 60 }), (seed, widen) => {
      const violation = judgeHistory(rightHistory(seed, widen))
      if (violation !== undefined) throw new Error(`${violation.clause}: ${violation.seen}`)
    }),
    { numRuns: 200 },
  )
  t.end()
})

t.test('one violation planted in a right history is found', (t) => {
  const shownIn = ({ answer }: Event) => answer.entries ?? []
  const showing = (event: Event, entries: Event['answer']['entries']) => ({
    ...event,
    answer: { ...event.answer, entries },
  })
  const isRead = ({ request }: Event) => request.do === 'consume'
  const plants: Record<string, (events: Event[], random: Random) => Event[] | undefined> = {
    'ack.final.other': (events, random) => {
      const acks = events.filter(({ request }) => request.do === 'acknowledge')
      if (acks.length === 0) return undefined
      const { messages, to } = random.pick(acks)
      return [...events, ...history(subscribe(9999, {}, at(to + 1)), read(9999, messages!, at(to + 4)))]
    },
    'consume.repeat': (events, random) => {
      const places = events.flatMap((event, index) => {
        const before = events.slice(0, index)
        const last = before.findLast((each) => isRead(each) && each.consumer === event.consumer)
        const acked = before.flatMap(({ request, messages = [] }) =>
          request.do === 'acknowledge' ? messages : [],
        )
        const kept =
          last &&
          shownIn(last).filter(
            ({ body }) =>
              !acked.includes(Number(body.slice(1))) && shownIn(event).some((each) => each.body === body),
          )
        return isRead(event) && kept && kept.length > 0 ? [{ index, lost: kept[0]!.body }] : []
      })
      if (places.length === 0) return undefined
      const { index, lost } = random.pick(places)
      const event = events[index]!
      return events.with(
        index,
        showing(
          event,
          shownIn(event).filter(({ body }) => body !== lost),
        ),
      )
    },
    'browse.queue.entries': (events) => [...history(send(777_777, at(5))), ...events],
    'dedup.one-message': (events, random) => {
      const readings = events.flatMap((event, index) =>
        isRead(event) && shownIn(event).length > 0 ? [index] : [],
      )
      if (readings.length === 0) return undefined
      const index = random.pick(readings)
      const event = events[index]!
      const [first] = shownIn(event)
      return events.with(index, showing(event, [...shownIn(event), { ...first!, uri: 'another' }]))
    },
  }
  for (const [clause, plant] of Object.entries(plants)) {
    let planted = 0
    fc.assert(
      fc.property(seed, (seed) => {
        const wrong = plant(rightHistory(seed, 0), new Random(seed))
        if (wrong === undefined) return
        planted += 1
        const violation = judgeHistory(wrong)
        if (violation?.clause !== clause) throw new Error(`${violation?.clause}: ${violation?.seen}`)
      }),
      { numRuns: 100 },
    )
    t.ok(planted > 50, `${clause} was planted ${planted} times`)
  }
  t.end()
})

/** A judge that is told events one after another, so many milliseconds apart. */
function telling() {
  const judge = new Judge()
  let now = 0
  const tell = (made: Made, waited = 10) => {
    now += waited
    const [event] = history({ ...made, ...at(now, now + 1) })
    judge.begin(event!)
    return judge.end(event!, event!)
  }
  tell(create('a'))
  return { judge, tell }
}

t.test('what is over for long is forgotten but for its number', (t) => {
  const { judge, tell } = telling()
  const found: unknown[] = []
  for (let message = 1; message <= 700; message++) {
    const made = [send(message), subscribe(message), read(message, [message]), acknowledge(message, message)]
    for (const each of [...made, end(message)]) found.push(tell(each))
  }
  t.ok(found.every((each) => each === undefined))
  t.equal(judge.open, 0)
  t.equal(tell(send(1), 60_000), undefined, 'a repeat of what is forgotten is a repeat')
  tell(subscribe(9000))
  t.equal(tell(acknowledge(9000, 2)), undefined)
  t.equal(tell(browse([3]))?.clause, 'browse.pending.acknowledged')
  t.equal(tell(read(9000, [1]))?.clause, 'ack.final.other')
  t.end()
})

t.test('what nobody knows to be over is forgotten when it has not been seen for long', (t) => {
  const { tell } = telling()
  tell(subscribe(1, { prefetch: 9 }))
  for (const message of [1, 2]) tell(send(message))
  tell(read(1, [1, 2]))
  for (const message of [1, 2]) tell(acknowledge(1, message, unanswered))
  for (let reading = 0; reading < 4; reading++) t.equal(tell(read(1, [2]), 15_000), undefined)
  t.equal(tell(acknowledge(1, 1)), undefined)
  t.equal(tell(read(1, [1, 2])), undefined, 'the first is forgotten, and says nothing any more')
  t.equal(tell(acknowledge(1, 2)), undefined)
  t.equal(tell(read(1, [2]))?.clause, 'ack.final.same', 'the second is remembered')
  t.end()
})

t.test('many readings of one message need little memory, and no order of them is forgotten', (t) => {
  const { tell } = telling()
  tell(subscribe(1))
  tell(send(1))
  for (let reading = 0; reading < 250; reading++) t.equal(tell(read(1, [1])), undefined)
  t.equal(tell(read(1, []))?.clause, 'consume.repeat')
  t.end()
})
