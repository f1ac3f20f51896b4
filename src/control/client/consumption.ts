import type { Delivery } from '../../broker/entities.js'
import type { BrokerEvent } from '../../broker/events.js'
import { ownText } from '../../broker/storing.js'
import type { Reply, Request } from '../../http/exchange.js'
import { preferredWait } from '../../http/prefer.js'
import { fromUtf8 } from '../../platform/bytes.js'
import { isDuplicate } from '../faults/duplicate-delivery.js'
import { type Asked, ENOUGH_TRIES, type Find, isDecided, keep, knew } from './asked.js'

/** How many leases are remembered, how many deliveries in all, and how many ids that were given to anybody. */
const MOST_LEASES = 5000
const MOST_HANDS = 20_000
const MOST_IDS = 50_000

/** So many empty readings in a row, so fast on an average, are too many: number, and milliseconds between two. */
const EMPTY_READINGS = 25
const FAST = 10

/** From so many messages on, in so many readings that showed new ones, a client that never acknowledges is told of. */
const NEVER = 3

/** A delivery, and what its consumer knows and did. */
interface Hand {
  readonly id: string
  readonly message: string
  /** Its place among all deliveries. */
  readonly ordinal: number
  readonly isCopy: boolean
  /** Whether an answer showed it: `head` where the answer broke off, so that it may have been in what came. */
  shown: Asked['known']
  /** Requests that acknowledge it; of many the first. */
  readonly acks: Asked[]
  /** The broker took its acknowledgement. */
  acknowledged: boolean
}

/** A subscription, as its client knows it. */
interface Lease {
  readonly id: string
  /** The request that made it; undefined where its answer was lost. */
  made: Asked | undefined
  /** Whose it is, see {@link Asked.party}. */
  party: string
  /** How it ended: by its client, by its own time, or by somebody else's hand. */
  ended: 'client' | 'time' | 'outside' | undefined
  /** By the server's clock. */
  endedAt: number
  /** How long it was, in milliseconds. */
  timeout: number
  readonly hands: Map<string, Hand>
  /** The answer that said that it has ended. */
  told: Asked | undefined
  readonly askedAfter: Asked[]
  /** Requests that delete it; of many the first. */
  readonly deletions: Asked[]
  /** Whether acknowledgements came as lists in a POST, of which those that were lost are not known. */
  posts: boolean
  /** Whether something went wrong with a request to it. */
  disturbed: boolean
  empty: { readonly count: number; readonly since: number; readonly last: number }
  isHot: boolean
}

/** What one client did with all its leases. */
interface Consumer {
  readonly shown: Set<string>
  readings: number
  acks: number
  last: Asked | undefined
  /** Leases in a row that gave back more than was worked on. */
  wasteful: Asked[]
}

/** What clients do when they consume: see the rules on subscriptions and acknowledgements. */
export class Consumption {
  readonly #find: Find
  readonly #isManual: boolean
  readonly #leases = new Map<string, Lease>()
  readonly #consumers = new Map<string, Consumer>()
  #hands = 0
  #delivered = 0
  /** Every id that the server gave to anybody, before a reset too: who uses one has not built it. */
  readonly #issued = new Set<string>()
  /** Whether an id or a lease was forgotten, so that one that is not known may have been given. */
  #forgot = false
  /** Whether the owner of the server ends leases just now. */
  #byOwner = false

  /** @param isManual whether time passes only when the owner of the server says so, which no client can know */
  constructor(find: Find, isManual: boolean) {
    this.#find = find
    this.#isManual = isManual
  }

  /** Leases that end in the course of this end by nobody's fault. */
  byOwner<T>(act: () => T): T {
    this.#byOwner = true
    try {
      return act()
    } finally {
      this.#byOwner = false
    }
  }

  /** What happens in the broker. */
  happened(event: BrokerEvent): void {
    switch (event.kind) {
      case 'address-issued':
        this.#issue(event.address)
        return
      case 'sent':
        this.#issue(event.message.id)
        return
      case 'lease-begun':
        if (event.lease.kind === 'subscription') this.#begin(event.lease.id)
        return
      case 'delivered':
        this.#deliver(event.delivery)
        return
      case 'acknowledged': {
        const hand = this.#handOf(event.delivery)
        if (hand !== undefined) hand.acknowledged = true
        return
      }
      case 'lease-ended': {
        const lease = this.#leases.get(event.lease.id)
        if (lease === undefined) return
        const byTime = this.#isManual || this.#byOwner ? 'outside' : 'time'
        lease.ended = event.reason === 'deleted' ? 'client' : byTime
        lease.endedAt = event.time
        lease.timeout = event.lease.timeout
      }
    }
  }

  see(asked: Asked, request: Request, reply: Reply | undefined, location: string | undefined): void {
    const { method, segments } = asked
    const [first, second, third, fourth] = segments
    if (first === 'subscriptions' && segments.length === 1) this.#seeMaking(asked, location)
    if (second === undefined || second === '') return
    if (first === 'addresses' || first === 'messages') this.#checkIssued(asked, second)
    if (first !== 'subscriptions') return
    const lease = this.#leases.get(second)
    if (third === 'messages' && method === 'DELETE' && segments.length > 4) {
      this.#find('acknowledge-message', 'It deleted the body of a message, which acknowledges nothing.', [
        asked,
      ])
    }
    if (lease === undefined) {
      this.#checkIssued(asked, second)
      return
    }
    if (asked.known !== 'all' || asked.faulty || (asked.status ?? 500) >= 500) lease.disturbed = true
    if (third === 'messages') this.#seeMessage(asked, lease, fourth ?? '')
    else this.#seeLease(asked, lease, request, reply)
    if (lease.told === undefined && asked.known === 'all' && (asked.status === 410 || asked.status === 404)) {
      if (third === undefined) lease.told = asked
    }
  }

  /** Tells of what was left undone. */
  report(find: Find): void {
    for (const lease of this.#leases.values()) {
      this.#reportLease(lease, find)
      for (const hand of lease.hands.values()) this.#reportHand(lease, hand, find)
    }
    this.#reportSkipped(find)
    for (const { shown, readings, acks, last } of this.#consumers.values()) {
      if (acks > 0 || shown.size < NEVER || readings < NEVER) continue
      find('acknowledge-processed', `It was given ${shown.size} messages, and acknowledged none of them.`, [
        ...(last === undefined ? [] : [last]),
      ])
    }
  }

  /** As at the start; but ids from before have not been built. */
  reset(): void {
    this.#leases.clear()
    this.#consumers.clear()
    this.#hands = 0
    this.#delivered = 0
  }

  // clause: subscribe.location
  #seeMaking(asked: Asked, location: string | undefined): void {
    if (asked.method !== 'POST' || asked.status !== 201) return
    const lease = this.#leases.get(location?.split('/').at(-1) ?? '')
    if (lease === undefined) return
    lease.party = asked.party
    // Of an answer that broke off the address may have come, or not.
    if (asked.known === 'all') lease.made = asked
  }

  // clause: consume.client-way
  #seeLease(asked: Asked, lease: Lease, request: Request, reply: Reply | undefined): void {
    const { method } = asked
    if (method === 'DELETE') {
      this.#seeDeletion(asked, lease)
      return
    }
    if (method === 'POST' && request.body.length > 0) {
      lease.posts = true
      this.#consumer(asked.party).acks++
    }
    if (lease.told !== undefined && knew(asked, lease.told)) {
      // What gets no answer is repeated: it may have begun before its client was told.
      if (asked.known === 'all' && isDecided(asked) && lease.askedAfter.push(asked) === 2) {
        this.#find('leave-ended', 'It was told that its subscription has ended, and went on asking it.', [
          lease.told,
          ...lease.askedAfter,
        ])
      }
      return
    }
    if (asked.known === 'nothing' || asked.status !== 200) return
    let fresh = 0
    let held = 0
    const consumer = this.#consumer(asked.party)
    const isIn = idsIn(request, reply)
    for (const hand of lease.hands.values()) {
      if (hand.acknowledged) continue
      held++
      // A feed may have pages, and a client need not have read them all.
      if (hand.shown === 'all' || !isIn.has(hand.id)) continue
      if (hand.shown === 'nothing') fresh++
      hand.shown = asked.known
      if (asked.known === 'all' && consumer.shown.size < MOST_LEASES) consumer.shown.add(hand.message)
    }
    if (fresh > 0) {
      consumer.readings++
      consumer.last = asked
    }
    this.#seeReading(asked, lease, held > 0 || waits(request))
  }

  #seeReading(asked: Asked, lease: Lease, isCalm: boolean): void {
    const { count, since, last } = lease.empty
    const goesOn = !isCalm && count > 0 && asked.came - last < 5 * FAST
    lease.empty = goesOn
      ? { count: count + 1, since, last: asked.came }
      : { count: isCalm ? 0 : 1, since: asked.came, last: asked.came }
    if (lease.isHot || !goesOn || count + 1 < EMPTY_READINGS || asked.came - since > count * FAST) return
    lease.isHot = true
    const ms = Math.round(asked.came - since)
    this.#find('poll-gently', `It read an empty feed ${count + 1} times in ${ms} ms.`, [asked])
  }

  // clause: prefetch.asked
  #seeDeletion(asked: Asked, lease: Lease): void {
    const isRepeat = lease.deletions.length > 0
    if (lease.deletions.length < ENOUGH_TRIES) lease.deletions.push(asked)
    if (asked.known === 'all' && asked.status === 200) lease.told ??= asked
    if (isRepeat) return
    const consumer = this.#consumer(asked.party)
    let worked = 0
    let left = 0
    for (const { shown, acknowledged, acks } of lease.hands.values()) {
      if (acknowledged || acks.length > 0) worked++
      else if (shown === 'all') left++
    }
    if (lease.disturbed || worked === 0 || left <= worked) {
      if (!lease.disturbed) consumer.wasteful = []
      return
    }
    consumer.wasteful.push(asked)
    if (consumer.wasteful.length !== 2) return
    this.#find(
      'modest-prefetch',
      `Two subscriptions in a row were given more than was worked on; the last one ${left + worked}, of which it acknowledged ${worked}.`,
      consumer.wasteful,
    )
  }

  // clause: ack.delete
  #seeMessage(asked: Asked, lease: Lease, id: string): void {
    const hand = lease.hands.get(id)
    if (asked.method !== 'DELETE') {
      if (hand === undefined) this.#checkIssued(asked, id)
      return
    }
    if (hand === undefined || hand.shown === 'nothing') {
      if (hand === undefined && this.#forgot) return
      this.#find('acknowledge-given', `It acknowledged ${asked.target}, which no feed has shown it.`, [asked])
      return
    }
    if (asked.segments.length > 4) return
    this.#consumer(asked.party).acks++
    const answered = hand.acks.find(({ known, status }) => known === 'all' && status === 200)
    if (answered !== undefined) {
      const [rule, what] =
        answered.party !== asked.party
          ? (['own-subscription', 'Two clients acknowledged one message of one subscription.'] as const)
          : (['acknowledge-once', `It acknowledged ${asked.target} again after its 200.`] as const)
      this.#find(rule, what, [answered, asked])
    } else if (lease.party !== asked.party && lease.made !== undefined) {
      this.#find(
        'own-subscription',
        `It acknowledged a message of a subscription that ${lease.made.client} has made.`,
        [lease.made, asked],
      )
    }
    if (asked.status === 410 && this.#isLate(asked, lease, hand)) {
      this.#find('acknowledge-in-time', `It acknowledged ${asked.target} when it was no longer its own.`, [
        asked,
      ])
    }
    if (hand.acks.length < ENOUGH_TRIES) hand.acks.push(asked)
  }

  // clause: ack.late ack.late.deleted
  #isLate(asked: Asked, { ended, endedAt, timeout, told }: Lease, { acks }: Hand): boolean {
    // It was in time, and its answer, or itself, was lost or held back.
    if (asked.faulty || acks.length > 0) return false
    if (ended === 'client') return told !== undefined && knew(asked, told)
    // A busy machine is late too: only what is late by a whole lease is surely the client's own doing.
    return ended === 'time' && asked.at > endedAt + timeout
  }

  // clause: subscribe.client-deletes
  #reportLease({ made, ended, told, deletions, id }: Lease, find: Find): void {
    if (made === undefined || made.known === 'nothing' || told !== undefined) return
    if (ended === 'outside' || deletions.some(isDecided) || deletions.length >= ENOUGH_TRIES) return
    if (deletions.length > 0) {
      if (ended === undefined) {
        find('delete-subscription', `The deletion of ${id} got no answer, and was not repeated.`, deletions)
      }
      return
    }
    find('delete-subscription', `The subscription ${id} was made, and never deleted.`, [made])
  }

  // clause: ack.repeat
  #reportHand(lease: Lease, { acks, acknowledged }: Hand, find: Find): void {
    if (acks.length === 0 || acks.length >= ENOUGH_TRIES || acks.some(isDecided)) return
    if (lease.ended === 'outside' || lease.ended === 'time') return
    // A list in a POST may have repeated it.
    if (acknowledged && lease.posts) return
    find('repeat-acknowledgement', 'An acknowledgement got no answer, and was not repeated.', acks)
  }

  /** Messages that came to a second consumer too, which left them alone and went on to later ones. */
  // clause: consume.client-way
  #reportSkipped(find: Find): void {
    const doubled = new Map<string, { readonly lease: Lease; readonly hand: Hand }[]>()
    for (const lease of this.#leases.values()) {
      for (const hand of lease.hands.values()) {
        const all = doubled.get(hand.message) ?? []
        doubled.set(hand.message, [...all, { lease, hand }])
      }
    }
    for (const hands of doubled.values()) {
      if (!hands.some(({ hand }) => hand.isCopy) || !hands.some(({ hand }) => hand.acknowledged)) continue
      for (const { lease, hand } of hands) {
        if (hand.acks.length > 0 || hand.acknowledged || hand.shown !== 'all' || lease.posts) continue
        const later = [...lease.hands.values()].find(
          ({ ordinal, acks, shown }) => ordinal > hand.ordinal && acks.length > 0 && shown === 'all',
        )
        if (later === undefined) continue
        find(
          'acknowledge-again',
          'A message came to a second consumer too, which did not acknowledge it, and went on to later ones.',
          later.acks,
        )
      }
    }
  }

  // clause: subscribe.location
  #checkIssued(asked: Asked, id: string): void {
    if (this.#forgot || this.#issued.has(id)) return
    const acknowledges = asked.method === 'DELETE' && asked.segments[2] === 'messages'
    this.#find(
      acknowledges ? 'acknowledge-given' : 'follow-links',
      acknowledges
        ? `It acknowledged ${asked.target}, which no feed has shown it.`
        : `It asked for ${asked.target}, an address that no answer gave it.`,
      [asked],
    )
  }

  #begin(given: string): void {
    const id = ownText(given)
    this.#issue(id)
    const lease: Lease = {
      id,
      made: undefined,
      party: '',
      ended: undefined,
      endedAt: 0,
      timeout: 0,
      hands: new Map(),
      told: undefined,
      askedAfter: [],
      deletions: [],
      posts: false,
      disturbed: false,
      empty: { count: 0, since: 0, last: 0 },
      isHot: false,
    }
    if (keep(this.#leases, id, lease, MOST_LEASES)) this.#forgot = true
  }

  #deliver(delivery: Delivery): void {
    const { id, message, subscription } = delivery
    const lease = this.#leases.get(subscription.id)
    if (lease === undefined || subscription.kind !== 'subscription') return
    this.#issue(id)
    lease.hands.set(id, {
      id: ownText(id),
      message: message.id,
      ordinal: this.#delivered++,
      isCopy: isDuplicate(delivery),
      shown: 'nothing',
      acks: [],
      acknowledged: false,
    })
    this.#hands++
    for (const oldest of this.#leases.values()) {
      if (this.#hands <= MOST_HANDS) return
      this.#forgot = true
      this.#hands -= oldest.hands.size
      oldest.hands.clear()
      if (oldest.ended !== undefined) this.#leases.delete(oldest.id)
    }
  }

  #handOf({ id, subscription }: Delivery): Hand | undefined {
    return this.#leases.get(subscription.id)?.hands.get(id)
  }

  #issue(id: string): void {
    this.#issued.add(ownText(id))
    if (this.#issued.size <= MOST_IDS) return
    this.#forgot = true
    this.#issued.delete(this.#issued.values().next().value as string)
  }

  #consumer(party: string): Consumer {
    const known = this.#consumers.get(party)
    if (known !== undefined) return known
    const consumer: Consumer = { shown: new Set(), readings: 0, acks: 0, last: undefined, wasteful: [] }
    keep(this.#consumers, party, consumer, MOST_LEASES)
    return consumer
  }
}

/** The ids that stand in an answer, those of messages among them. */
function idsIn({ headOnly }: Request, { body = '' }: Pick<Reply, 'body'> = {}): Set<string> {
  if (headOnly) return new Set()
  const text = typeof body === 'string' ? body : fromUtf8(body)
  return new Set(text.match(/[\da-f]{32}/g))
}

/** Whether a reading may be held until something comes. */
function waits({ headers }: Request): boolean {
  return (preferredWait(headers.prefer) ?? 0) > 0
}
