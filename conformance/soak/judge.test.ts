import fc from 'fast-check'
import t from 'tap'
import type { Exchange } from '../client/exchange.js'
import { Random } from '../explore/random.js'
import type { Event } from './history.js'
import {
  acknowledge,
  again,
  browse,
  end,
  history,
  type Made,
  read,
  send,
  subscribe,
  TERMS,
} from './history.test.helper.js'
import { Judge, judgeHistory } from './judge.js'

const twice = { sending: { ...again.sending, by: 'two-step' } } as const
const answered = (status: number, method = 'POST') => ({ exchange: { status, method } as Exchange })

t.test('a success of another status than the document shows', (t) => {
  const start = [send(1, answered(200)), subscribe(1), read(1, [1], answered(200, 'GET'))]
  const cases: readonly (readonly [string | undefined, ...Made[]])[] = [
    ['send.step-2.status', send(1, answered(201))],
    ['send.two-step.repeat.status', send(1), send(1, { ...twice, ...answered(204) })],
    ['dedup.status', send(1, { sending: { ...again.sending, isRepeat: false }, ...answered(202) })],
    ['dedup.repeat.status', send(1), send(1, { ...again, ...answered(203) })],
    ['send.step-1.status', { do: 'address', queue: 'a', address: 'x', ...answered(200) }],
    ['subscribe.status', { ...subscribe(1), ...answered(200) }],
    ['consume.status', subscribe(1), read(1, [], answered(204, 'GET'))],
    ['ack.status', ...start, acknowledge(1, 1, answered(204, 'DELETE'))],
    ['subscribe.delete.status', ...start, end(1, answered(204, 'DELETE'))],
    ['browse.queue.status', { ...browse(), queue: 'a', ...answered(206, 'GET') }],
    ['queues.create.status', { do: 'create', queue: 'c', ...answered(200) }],
    ['queues.delete.status', { do: 'create', queue: 'c' }, { do: 'delete', queue: 'c', ...answered(204) }],
    // Once more, late, after an end, or in a way that the document shows no status for.
    [undefined, ...start, acknowledge(1, 1), acknowledge(1, 1, answered(204, 'DELETE'))],
    [undefined, ...start, acknowledge(1, 1, answered(204))],
    [undefined, subscribe(1), end(1), end(1, answered(204, 'DELETE'))],
    [undefined, { ...subscribe(1, { mapping: 'batch' }), ...answered(200) }],
    [undefined, subscribe(1, { mapping: 'batch' }), read(1, [], answered(204))],
    [undefined, { do: 'create', queue: 'c' }, { do: 'create', queue: 'c', ...answered(200) }],
    [undefined, { do: 'delete', queue: 'c', ...answered(204) }],
    [undefined, { do: 'create', queue: 'c' }, { ...browse(), queue: 'c', ...answered(204, 'GET') }],
  ]
  for (const [clause, ...made] of cases)
    t.equal(judgeHistory(history(...made))?.clause, clause, JSON.stringify(made.at(-1)))
  t.end()
})

t.test('right histories', (t) => {
  const cases: Record<string, Made[]> = {
    'nothing at all': [],
    'a message that is sent, read and acknowledged': [
      send(1),
      subscribe(1),
      read(1, [1]),
      acknowledge(1, 1),
      read(1, []),
    ],
    'a send without an answer that never came': [send(1, { outcome: 'unknown' }), browse()],
    'a send without an answer that came': [
      send(1, { outcome: 'unknown' }),
      subscribe(1),
      read(1, [1]),
      acknowledge(1, 1),
    ],
    'a repeat long after the acknowledgement': [
      send(1),
      subscribe(1),
      read(1, [1]),
      acknowledge(1, 1),
      send(1, again),
    ],
    'a message that goes to another when its consumer deletes its subscription': [
      ...[send(1), subscribe(1), subscribe(2), read(1, [1]), end(1), read(2, [1]), acknowledge(2, 1)],
    ],
    'a message that goes to another when the lease may be over': [
      ...[
        send(1),
        subscribe(1, { lease: 20 }),
        subscribe(2),
        read(1, [1]),
        { ...read(2, [1]), from: 300, to: 310 },
      ],
      { ...acknowledge(2, 1), from: 320, to: 330 },
    ],
    'a lease that ends early by real time, since the clock of the target was behind when it was renewed': [
      ...[send(1), subscribe(1, { lease: 300 }), subscribe(2)],
      ...[
        { ...read(1, [1]), from: 40, to: 42, since: 15 },
        { ...read(2, [1]), from: 320, to: 325, since: 320 },
        { ...acknowledge(2, 1), from: 330, to: 332 },
      ],
    ],
    'a lease that ends late by real time, since the clock of the target stood still': [
      ...[subscribe(1, { lease: 20 }), { ...read(1, []), from: 3000, to: 3010, since: 900 }],
    ],
    'an acknowledgement without an answer, after which nobody knows': [
      ...[
        send(1),
        subscribe(1),
        subscribe(2),
        read(1, [1]),
        acknowledge(1, 1, { outcome: 'unknown' }),
        read(1, []),
      ],
    ],
    'a late acknowledgement that is refused': [
      ...[
        send(1),
        subscribe(1),
        read(1, [1]),
        end(1),
        acknowledge(1, 1, { outcome: 'no' }),
        subscribe(2),
        read(2, [1]),
      ],
      acknowledge(2, 1),
    ],
    'of two acknowledgements at once, and of two deletions, the first to begin is refused': [
      ...[send(1), subscribe(1), read(1, [1])],
      { ...acknowledge(1, 1), from: 42, to: 50 },
      { ...acknowledge(1, 1, { outcome: 'no' }), from: 40, to: 60 },
      { ...end(1), from: 72, to: 80 },
      { ...end(1, { outcome: 'no' }), from: 70, to: 90 },
    ],
    'a reading that began before the acknowledgement was answered': [
      ...[
        send(1),
        subscribe(1),
        read(1, [1]),
        { ...acknowledge(1, 1), from: 40, to: 60 },
        { ...read(1, [1]), from: 55, to: 70 },
      ],
    ],
    'what another holder may have when both readings overlap and the first may be over': [
      ...[
        send(1),
        subscribe(1),
        subscribe(2),
        { ...read(1, [1]), from: 40, to: 50 },
        { ...end(1), from: 52, to: 70 },
      ],
      ...[
        { ...read(2, [1]), from: 60, to: 80 },
        { ...acknowledge(2, 1), from: 90, to: 92 },
      ],
    ],
  }
  for (const [name, made] of Object.entries(cases)) t.equal(judgeHistory(history(...made)), undefined, name)
  t.end()
})

t.test('wrong histories, each for its clause', (t) => {
  const held = [send(1), subscribe(1), subscribe(2), read(1, [1])]
  const done = [...held, acknowledge(1, 1)]
  const cases: [clause: string, name: string, made: Made[]][] = [
    ['ack.final.same', 'it comes back to who acknowledged it', [...done, read(1, [1])]],
    ['ack.final.other', 'it comes to another after its acknowledgement', [...done, read(2, [1])]],
    ['browse.pending.acknowledged', 'it is listed after its acknowledgement', [...done, browse(1)]],
    ['consume.exactly-one', 'two have it', [...held, read(2, [1])]],
    ['consume.entries', 'it is shown twice', [send(1), subscribe(1), read(1, [1, 1])]],
    ['consume.repeat', 'it is not shown again', [...held, read(1, [])]],
    ['prefetch.cap', 'three are shown', [send(1), send(2), send(3), subscribe(1), read(1, [1, 2, 3])]],
    ['send.body.text', 'a body that nobody sent', [subscribe(1), read(1, [-1])]],
    ['consume.all', 'it never comes', [send(1), subscribe(1), read(1, []), browse()]],
    ['consume.all', 'it is listed, but never comes', [send(1), subscribe(1), read(1, []), browse(1)]],
    [
      'lease.reassign',
      'it does not come back from a consumer that went',
      [...held, end(1), read(2, []), browse()],
    ],
    ['send.step-2.status', 'a send is refused', [send(1, { outcome: 'no' })]],
    ['dedup.repeat.status', 'a repeat is refused', [send(1, again), send(1, { ...again, outcome: 'no' })]],
    ['ack.status', 'its holder may not acknowledge it', [...held, acknowledge(1, 1, { outcome: 'no' })]],
    ['lease.active', 'a feed is refused within the lease', [subscribe(1), read(1, [], { outcome: 'no' })]],
    ['subscribe.delete.status', 'a deletion is refused', [subscribe(1), end(1, { outcome: 'no' })]],
    ['subscribe.delete.unreadable', 'a deleted subscription is read', [subscribe(1), end(1), read(1, [])]],
    [
      'lease.expiry.unreadable',
      'a subscription is read long after its lease',
      [subscribe(1, { lease: 20 }), { ...read(1, []), from: 3000, to: 3010 }],
    ],
    [
      'subscribe.destinations.only',
      'a message of another queue',
      [send(1), subscribe(1, { queues: ['b', 'c'] }), read(1, [1])],
    ],
    [
      'subscribe.selector.only',
      'a message of another colour',
      [
        send(1, { sending: { queue: 'a', colour: 'blue', by: 'guid', isRepeat: false } }),
        ...[subscribe(1, { selector: 'red' }), read(1, [1])],
      ],
    ],
  ]
  for (const [clause, name, made] of cases) {
    const violation = judgeHistory(history(...made))
    t.equal(violation?.clause, clause, `${clause}: ${name}`)
    t.ok((violation?.events.length ?? 0) > 0, 'it tells by which requests')
  }
  t.end()
})

t.test(
  'where effects take their time, an acknowledged message may be shown for a moment to who had it',
  (t) => {
    const made = history(send(1), subscribe(1), subscribe(2), read(1, [1]), acknowledge(1, 1), read(1, [1]))
    t.equal(judgeHistory(made, { settle: 100 }), undefined)
    t.equal(judgeHistory(made, { settle: 1 })?.clause, 'ack.final.same')
    const other = history(send(1), subscribe(1), subscribe(2), read(1, [1]), acknowledge(1, 1), read(2, [1]))
    t.equal(judgeHistory(other, { settle: 100 })?.clause, 'ack.final.other', 'and to nobody else')
    t.end()
  },
)

t.test('where effects take their time, what was deleted may be read for a moment as it was', (t) => {
  const left = [send(1), subscribe(1), subscribe(2), read(1, [1]), end(1), read(2, [1]), read(1, [1])]
  const rest = [acknowledge(2, 1)]
  const queue = history({ do: 'delete', queue: 'b' }, { do: 'browse', queue: 'b', shown: [1] })
  t.equal(judgeHistory(history(...left, ...rest), { settle: 100 }), undefined)
  t.equal(judgeHistory(queue, { settle: 100 }), undefined)
  t.equal(judgeHistory(history(...left, ...rest), { settle: 1 })?.clause, 'subscribe.delete.unreadable')
  t.equal(judgeHistory(queue, { settle: 1 })?.clause, 'queues.delete.unreadable')
  t.end()
})

t.test('a send may be refused while another of the same message is under way, and not after', (t) => {
  const refused = { outcome: 'no', to: 60 } as const
  const cut = { outcome: 'unknown', from: 10, to: 12 } as const
  const came = [subscribe(1), read(1, [1]), acknowledge(1, 1)].map((each, index) => ({
    ...each,
    ...{ from: 200 + 10 * index, to: 202 + 10 * index },
  }))
  const twins = [send(1, { from: 10, to: 50 }), send(1, { ...again, ...refused, from: 20 })]
  const late = [send(1, cut), send(1, { ...again, ...refused, from: 40 })]
  for (const sends of [twins, twins.toReversed(), late])
    t.equal(judgeHistory(history(...sends, ...came), { late: 100 }), undefined)
  t.equal(judgeHistory(history(...late), { late: 10 })?.clause, 'dedup.repeat.status')
  const after = [send(1, { from: 10, to: 50 }), send(1, { ...again, ...refused, from: 51 })]
  t.equal(judgeHistory(history(...after), { late: 100 })?.clause, 'dedup.repeat.status')
  t.end()
})

t.test('what is left is lost only where a last consumer could consume from its queue', (t) => {
  const browsed = (queue: string, shown: number[], more: Partial<Event> = {}): Made => ({
    ...{ do: 'browse', queue, shown },
    ...more,
  })
  const left = history(send(1), subscribe(7), read(7, []), end(7), browsed('a', []), browsed('b', [2]))
  t.equal(judgeHistory(left, { consumed: new Map() }), undefined)
  t.equal(judgeHistory(left, { consumed: new Map([['b', 7]]) }), undefined)
  const lost = judgeHistory(left, { consumed: new Map([['a', 7]]) })
  t.equal(lost?.clause, 'consume.all')
  t.same(
    lost?.events.map(({ do: what, queue }) => queue ?? what),
    ['send', 'subscribe', 'read', 'a'],
    'its own queue is shown',
  )
  const where = (browse: Made) => judgeHistory(history(send(1), browse))?.seen.replace(/^.*, and /, '')
  t.equal(where(browsed('a', [])), 'it is not there any more')
  t.equal(where(browsed('a', [1])), 'it is listed, but comes to nobody')
  t.equal(where(browsed('a', [-1])), 'it comes to nobody', 'where a feed has no contents')
  t.equal(where(browsed('a', [], { outcome: 'unknown' })), 'it comes to nobody')
  t.end()
})

t.test('a reading of several pages may pass over, or show twice, what shifts meanwhile', (t) => {
  const held = [send(1), send(2), send(3), subscribe(1, { queues: ['a', 'b'], prefetch: 3 }), read(1, [1, 2])]
  const pages = (shown: number[], ...sizes: number[]) => ({
    ...read(1, shown, { sizes }),
    from: 100,
    to: 200,
  })
  const acknowledged = (at: number, more: Partial<Event> = {}) => ({
    ...{ ...acknowledge(1, 1, more), from: at, to: at + 5 },
  })
  const gone = { do: 'delete', queue: 'b', from: 150, to: 300, outcome: 'unknown' } as const
  const clauseOf = (...made: Made[]) => {
    const events = history(...held, ...made).toSorted((one, other) => one.from - other.from)
    return judgeHistory(events, { settle: 10, late: 50, consumed: new Map() })?.clause
  }
  const right: Record<string, Made[]> = {
    'one was acknowledged between two pages': [acknowledged(150), pages([1], 1, 0)],
    'its acknowledgement is not answered yet': [{ ...acknowledged(150), to: 250 }, pages([1], 1, 0)],
    'its acknowledgement may yet come': [acknowledged(60, { outcome: 'unknown' }), pages([1], 1, 0)],
    'its acknowledgement may show late': [acknowledged(90), pages([1], 1, 0)],
    'one came': [pages([1, 3], 1, 1)],
    'one of its queues is being deleted': [gone, pages([1], 1, 0)],
    'one stands on two pages': [pages([1, 2, 2], 2, 1)],
    'the prefetch counts messages': [pages([1, 2, 2, 3], 2, 2)],
  }
  for (const [name, made] of Object.entries(right)) t.equal(clauseOf(...made), undefined, name)
  const wrong: [string, string, Made[]][] = [
    ['nothing came or went', 'consume.repeat', [pages([1], 1, 0)]],
    ['one went long before', 'consume.repeat', [acknowledged(80), pages([], 0, 0)]],
    ['one went after it', 'consume.repeat', [acknowledged(201), pages([1], 1, 0)]],
    ['it is one page', 'consume.repeat', [acknowledged(150), pages([1], 1)]],
    ['one stands twice on a page', 'consume.entries', [pages([1, 2, 2], 1, 2)]],
  ]
  for (const [name, clause, made] of wrong) t.equal(clauseOf(...made), clause, name)
  t.end()
})

t.test('only what may have been in the feed may have left it', (t) => {
  const clauseOf = (queue: string, ...made: Made[]) => {
    const other = { queue, colour: 'red', by: 'guid', isRepeat: false } as const
    const held = [send(1), send(2), send(3, { sending: other }), subscribe(1), read(1, [1, 2])]
    const theirs = [subscribe(2, { queues: [queue], lease: 100 }), read(2, [3])]
    const reading = { ...read(1, [1], { sizes: [1, 0] }), from: 400, to: 500 }
    return judgeHistory(history(...held, ...theirs, ...made, reading), { consumed: new Map() })?.clause
  }
  const late = { ...acknowledge(2, 3), from: 410, to: 420 }
  t.equal(clauseOf('a', late), undefined, 'one acknowledged too late, which may have come here')
  t.equal(clauseOf('b', late), 'consume.repeat', 'one of a queue that the consumer is not for')
  const end2 = { ...acknowledge(2, 3), from: 85, to: 420 }
  t.equal(clauseOf('b', end2, { do: 'delete', queue: 'b', from: 430, to: 440 }), 'consume.repeat')
  t.end()
})

/** What a right server would have shown, at moments one after another; each request takes from before to after its own. */
function rightHistory(seed: number, widen: number): Event[] {
  const random = new Random(seed)
  const events: Event[] = []
  const pending: number[] = []
  const holdings = new Map<number, number[]>()
  let now = 1000
  let numbered = 0
  const tell = (made: Made) => {
    now += 10 + 2 * widen
    const from = now - 1 - random.below(widen + 1)
    events.push({ who: 'somebody', outcome: 'yes', ...made, from, to: now + 1 + random.below(widen + 1) })
  }
  const begin = () => {
    const subscription = holdings.size + 1
    holdings.set(subscription, [])
    tell(subscribe(subscription))
    return subscription
  }
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
      [
        4,
        () => {
          pending.push(++numbered)
          tell(send(numbered))
        },
      ],
      [1, () => numbered > 0 && tell(send(1 + random.below(numbered), again))],
      [4, () => readAll(one)],
      [
        4,
        () => {
          const message = holdings.get(one)!.shift()
          if (message !== undefined) tell(acknowledge(one, message))
        },
      ],
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
  tell(browse())
  return events
}

const seed = fc.integer({ min: 1, max: 1_000_000 })

t.test('no right history is condemned, however its requests overlap', (t) => {
  fc.assert(
    fc.property(seed, fc.integer({ min: 0, max: 400 }), (seed, widen) => {
      const violation = judgeHistory(rightHistory(seed, widen))
      if (violation !== undefined) throw new Error(`${violation.clause}: ${violation.seen}`)
    }),
    { numRuns: 300 },
  )
  t.end()
})

t.test('one violation planted in a right history is found', (t) => {
  const plants: Record<string, (events: Event[], random: Random) => Event[] | undefined> = {
    'ack.final.other': (events, random) => {
      const acks = events.filter((event) => event.do === 'acknowledge')
      if (acks.length === 0) return undefined
      const { message, to } = random.pick(acks)
      const [begun, shown] = history(subscribe(9999), read(9999, [message!]))
      return [...events, { ...begun!, from: to + 1, to: to + 2 }, { ...shown!, from: to + 3, to: to + 4 }]
    },
    'consume.repeat': (events, random) => {
      const places = events.flatMap((event, index) => {
        const before = events
          .slice(0, index)
          .findLast((each) => each.do === 'read' && each.subscription === event.subscription)
        const acked = events
          .slice(0, index)
          .filter((each) => each.do === 'acknowledge')
          .map(({ message }) => message)
        const kept = (before?.shown ?? []).filter(
          (each) => !acked.includes(each) && event.shown?.includes(each),
        )
        return event.do === 'read' && kept.length > 0 ? [{ index, lost: kept[0]! }] : []
      })
      if (places.length === 0) return undefined
      const { index, lost } = random.pick(places)
      return events.with(index, {
        ...events[index]!,
        shown: events[index]!.shown!.filter((each) => each !== lost),
      })
    },
    'consume.all': (events) => {
      const [lost] = history(send(777_777))
      return [{ ...lost!, from: 1, to: 2 }, ...events]
    },
    'consume.entries': (events, random) => {
      const readings = events.flatMap((event, index) =>
        event.do === 'read' && event.shown!.length > 0 ? [index] : [],
      )
      if (readings.length === 0) return undefined
      const index = random.pick(readings)
      const { shown } = events[index]!
      return events.with(index, { ...events[index]!, shown: [...shown!, shown![0]!] })
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

t.test('what is over for long is forgotten but for its number', (t) => {
  const judge = new Judge()
  const tell = (event: Event) => {
    judge.begin(event)
    return judge.end(event)
  }
  let now = 0
  const at = (made: Made): Event => {
    now += 10
    return { ...history(made)[0]!, from: now, to: now + 1 }
  }
  const found: unknown[] = []
  for (let message = 1; message <= 700; message++) {
    const made = [send(message), subscribe(message), read(message, [message]), acknowledge(message, message)]
    for (const each of [...made, end(message)]) found.push(tell(at(each)))
  }
  t.ok(found.every((each) => each === undefined))
  t.equal(judge.open, 0)
  now += 60_000
  t.equal(tell(at(send(1, again))), undefined, 'a repeat of what is forgotten is a repeat')
  tell(at(subscribe(9000)))
  t.equal(tell(at(acknowledge(9000, 2))), undefined)
  t.equal(tell(at(browse(3)))?.clause, 'browse.pending.acknowledged')
  t.equal(tell(at(read(9000, [1])))?.clause, 'ack.final.other')
  t.end()
})

t.test('what nobody knows to be over is forgotten when it has not been seen for long', (t) => {
  const judge = new Judge()
  let now = 0
  const tell = (made: Made, waited = 10) => {
    now += waited
    const event = { ...history(made)[0]!, from: now, to: now + 1 }
    judge.begin(event)
    return judge.end(event)
  }
  const unknown = { outcome: 'unknown' } as const
  tell(subscribe(1, { prefetch: 9 }))
  for (const message of [1, 2]) tell(send(message))
  tell(read(1, [1, 2]))
  for (const message of [1, 2]) tell(acknowledge(1, message, unknown))
  for (let reading = 0; reading < 4; reading++) t.equal(tell(read(1, [2]), 15_000), undefined)
  t.equal(tell(acknowledge(1, 1)), undefined)
  t.equal(tell(read(1, [1, 2])), undefined, 'the first is forgotten, and says nothing any more')
  t.equal(tell(acknowledge(1, 2)), undefined)
  t.equal(tell(read(1, [2]))?.clause, 'ack.final.same', 'the second is remembered')
  t.end()
})
