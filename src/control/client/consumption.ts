import type { Delivery, Subscription } from '../../broker/entities.js'
import type { BrokerEvent } from '../../broker/events.js'
import { ownText } from '../../broker/storing.js'
import type { Reply, Request } from '../../http/exchange.js'
import { preferredWait } from '../../http/field-values.js'
import { textOf } from '../../platform/bytes.js'
import { isDuplicate } from '../faults/duplicate-delivery.js'
import { idOfLease } from '../leases/lease-name.js'
import { type Act, actOf } from './acts.js'
import { type Asked, ENOUGH_TRIES, type Find, isDecided, isUnread, keep, knew } from './asked.js'
import { Polling } from './polling.js'

/** How many leases are remembered, how many deliveries in all, how many ids that were given to anybody, and how many queues. */
const MOST_LEASES = 5000
const MOST_HANDS = 20_000
const MOST_IDS = 50_000
const MOST_QUEUES = 20_000

/** From so many messages on, in so many readings that showed new ones, a client that never acknowledges is told of. */
const NEVER = 3

/** The same, where a client is given the same one again until it acknowledges that: so often. */
const NEVER_ONE = 10

/** A delivery, and what its consumer knows and did. */
class Hand {
  readonly id: string
  readonly message: string
  readonly isCopy: boolean
  /** Whether an answer showed it: `head` where the answer broke off, so that it may have been in what came. */
  shown: Asked['known'] = 'nothing'
  /** Requests that acknowledge it; of many the first. */
  readonly acks: Asked[] = []
  /** How often it was shown whole. */
  times = 0
  /** The broker took its acknowledgement. */
  acknowledged = false
  /** Whether its client was told so in another way: where one message comes at a time, by the next. */
  confirmed = false
  /** How its consumer came to have it no more, without an acknowledgement or behind it. */
  over: Ending | undefined

  constructor(delivery: Delivery) {
    this.id = ownText(delivery.id)
    this.message = delivery.message.id
    this.isCopy = isDuplicate(delivery)
  }
}

/** By a client's own hand, by the time of a lease, or by somebody else's hand; when, by the server's clock. */
interface Ending {
  readonly by: 'client' | 'time' | 'outside'
  readonly at: number
  /** How long the lease was, in milliseconds. */
  readonly timeout: number
}

/** A subscription, or a consumer by an id that its client chose, as that client knows it. */
class Lease {
  /** The request that made it; undefined where its answer was lost. */
  made: Asked | undefined
  /** Whose it is, see {@link Asked.party}. */
  party = ''
  ended: Ending | undefined
  /** In the order of their deliveries. */
  readonly hands = new Map<string, Hand>()
  /** Those of them that it still holds. */
  readonly held = new Set<Hand>()
  /** Those that were acknowledged, as far as its client may not know. */
  readonly unsure = new Set<Hand>()
  /** The answer that said that it has ended. */
  told: Asked | undefined
  readonly askedAfter: Asked[] = []
  /** Requests that delete it; of many the first. */
  readonly deletions: Asked[] = []
  /** The answer by which its client knows that it has given back what it held. */
  left: Asked | undefined
  /** Whether something went wrong with a request to it. */
  disturbed = false

  constructor(
    readonly id: string,
    readonly kind: 'subscription' | 'consumer',
  ) {}
}

/** What one client did with all its leases. */
class Consumer {
  readonly shown = new Set<string>()
  readings = 0
  /** How often one message was shown to it again, at the most. */
  times = 0
  acks = 0
  last: Asked | undefined
  /** Leases in a row that gave back more than was worked on. */
  wasteful: Asked[] = []
}

/** What clients do when they consume: see the rules on subscriptions and acknowledgements. */
export class Consumption {
  readonly #leases = new Map<string, Lease>()
  readonly #consumers = new Map<string, Consumer>()
  #polling: Polling
  #hands = 0
  /** Every id that the server gave to anybody, before a reset too: who uses one has not built it. */
  readonly #issued = new Map<string, true>()
  /** The same of messages: the last one that each queue had, by what their ids begin with. */
  readonly #sent = new Map<string, string>()
  /** Whether an id or a lease was forgotten, so that one that is not known may have been given. */
  #forgot = false
  /** Whether the owner of the server ends leases just now. */
  #byOwner = false

  /** @param isManual whether time passes only when the owner of the server says so, which no client can know */
  constructor(
    private readonly find: Find,
    private readonly isManual: boolean,
  ) {
    this.#polling = new Polling(find)
  }

  byOwner<T>(act: () => T): T {
    this.#byOwner = true
    try {
      return act()
    } finally {
      this.#byOwner = false
    }
  }

  happened(event: BrokerEvent): void {
    switch (event.kind) {
      case 'address-issued':
        this.#issue(event.address)
        return
      case 'sent': {
        const { id, queue } = event.message
        if (keep(this.#sent, queue.messageIdPrefix, id, MOST_QUEUES)) this.#forgot = true
        return
      }
      case 'lease-begun':
        this.#begin(event.lease)
        return
      case 'delivered':
        this.#deliver(event.delivery)
        return
      case 'acknowledged':
        this.#letGo(event.delivery, undefined)
        return
      case 'released': {
        const { timeout } = event.delivery.subscription
        const by = event.reason === 'unsubscribed' ? 'client' : 'outside'
        this.#letGo(event.delivery, { by, at: event.time, timeout })
        return
      }
      case 'lease-ended': {
        const lease = this.#leases.get(idOfLease(event.lease))
        if (lease === undefined) return
        const byTime = this.isManual || this.#byOwner ? 'outside' : 'time'
        const by = event.reason === 'deleted' ? 'client' : byTime
        lease.ended = { by, at: event.time, timeout: event.lease.timeout }
        for (const hand of [...lease.held, ...lease.unsure]) hand.over ??= lease.ended
        lease.held.clear()
      }
    }
  }

  see(asked: Asked, request: Request, reply: Reply | undefined, location: string | undefined): void {
    const { method, segments } = asked
    const [first, second = ''] = segments
    if (first === 'subscriptions' && segments.length === 1) this.#seeMaking(asked, location)
    if (second === '') return
    if (first === 'addresses' || first === 'messages') this.#checkIssued(asked, second)
    if (first === 'queue' && method === 'GET' && asked.known === 'all') {
      this.#polling.see(asked, asked.target, asked.status !== 204 || waits(request))
    }
    const act = actOf(asked, request)
    if (act === undefined) return
    if (act.does === 'spare') {
      const what = 'It deleted the body of a message, which acknowledges nothing.'
      this.find('acknowledge-message', what, [asked])
    }
    const lease = this.#leases.get(act.lease)
    if (lease === undefined) {
      this.#seeUnknown(asked, act)
      return
    }
    if (asked.known !== 'all' || asked.faulty || (asked.status ?? 500) >= 500) lease.disturbed = true
    for (const id of act.deliveries) this.#seeMessage(asked, lease, act, id)
    if (act.does === 'join') lease.askedAfter.length = 0
    if (act.does === 'leave') this.#seeLeaving(asked, lease)
    if (act.does === 'read') this.#seeReading(asked, lease, act, request, reply)
    if (act.does !== 'read' && act.does !== 'leave') return
    if (asked.known === 'all' && (asked.status === 410 || asked.status === 404)) lease.told ??= asked
  }

  /** Tells of what was left undone. */
  report(find: Find): void {
    for (const lease of this.#leases.values()) {
      this.#reportLease(lease, find)
      for (const hand of lease.hands.values()) this.#reportHand(hand, find)
    }
    this.#reportSkipped(find)
    for (const { shown, readings, times, acks, last } of this.#consumers.values()) {
      if (acks > 0 || last === undefined) continue
      const rule = 'acknowledge-processed'
      if (times >= NEVER_ONE) {
        find(rule, `It was given one message ${times} times, and never acknowledged it.`, [last])
      } else if (shown.size >= NEVER && readings >= NEVER) {
        find(rule, `It was given ${shown.size} messages, and acknowledged none of them.`, [last])
      }
    }
  }

  /** As at the start; but ids from before have not been built. */
  reset(): void {
    this.#leases.clear()
    this.#consumers.clear()
    this.#polling = new Polling(this.find)
    this.#hands = 0
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
  #seeReading(asked: Asked, lease: Lease, act: Act, request: Request, reply: Reply | undefined): void {
    if (lease.told !== undefined && isUnread(lease.told, asked)) {
      lease.told = undefined
      lease.askedAfter.length = 0
    }
    if (lease.told !== undefined && knew(asked, lease.told)) {
      // What gets no answer is repeated: it may have begun before its client was told.
      if (asked.known === 'all' && isDecided(asked) && lease.askedAfter.push(asked) === 2) {
        const what = 'It was told that its subscription has ended, and went on asking it.'
        this.find('leave-ended', what, [lease.told, ...lease.askedAfter], lease.told)
      }
      return
    }
    if (asked.known === 'nothing' || asked.status === null || !READ.has(asked.status)) return
    let fresh = 0
    const consumer = this.#consumer(asked.party)
    const isIn = idsIn(request, reply)
    for (const hand of lease.held) {
      // A feed may have pages, and a client need not have read them all.
      if (!isIn.has(hand.id)) continue
      if (hand.shown === 'nothing') fresh++
      if (hand.shown !== 'all') hand.shown = asked.known
      if (asked.known !== 'all') continue
      if (consumer.shown.size < MOST_LEASES) consumer.shown.add(hand.message)
      if (act.one) consumer.times = Math.max(consumer.times, ++hand.times)
    }
    for (const hand of asked.known === 'all' ? lease.unsure : []) {
      if (hand.acknowledged && !isIn.has(hand.id) && (act.one || hand.acks.every(isList)))
        hand.confirmed = true
    }
    if (fresh > 0) consumer.readings++
    if (fresh > 0 || act.one) consumer.last = asked
    // Who locks a batch is given further ones only, whatever it holds.
    const isCalm = (lease.kind === 'subscription' ? lease.held.size : isIn.size) > 0 || waits(request)
    this.#polling.see(asked, lease.id, isCalm)
  }

  // clause: prefetch.asked
  #seeLeaving(asked: Asked, lease: Lease): void {
    if (asked.known === 'all' && asked.status === 200) lease.left ??= asked
    if (lease.kind === 'consumer') return
    const isRepeat = lease.deletions.length > 0
    if (lease.deletions.length < ENOUGH_TRIES) lease.deletions.push(asked)
    lease.told ??= lease.left
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
    if (consumer.wasteful.push(asked) !== 2) return
    const what = `Two subscriptions in a row were given more than was worked on; the last one ${left + worked}, of which it acknowledged ${worked}.`
    this.find('modest-prefetch', what, consumer.wasteful)
  }

  // clause: ack.delete
  #seeMessage(asked: Asked, lease: Lease, { does }: Act, id: string): void {
    const hand = lease.hands.get(id)
    if (does === 'look') {
      if (hand === undefined) this.#checkIssued(asked, id)
      return
    }
    if (hand === undefined || hand.shown === 'nothing') {
      // What a consumer by the same id held before a reset it may still take for its own.
      const isOld = hand === undefined && lease.kind === 'consumer' && this.#isIssued(id)
      if (!isOld && !(hand === undefined && this.#forgot)) this.#findNotGiven(asked)
      return
    }
    if (does === 'spare') return
    this.#consumer(asked.party).acks++
    const answered = hand.acks.find(({ known, status }) => known === 'all' && status === 200)
    if (answered !== undefined && answered.party !== asked.party) {
      const what = 'Two clients acknowledged one message of one subscription.'
      this.find('own-subscription', what, [answered, asked])
    } else if (answered !== undefined && knew(asked, answered)) {
      const what = `It acknowledged ${asked.target} again after its 200.`
      this.find('acknowledge-once', what, [answered, asked], answered)
    } else if (lease.party !== asked.party && lease.made !== undefined) {
      const what = `It acknowledged a message of a subscription that ${lease.made.client} has made.`
      this.find('own-subscription', what, [lease.made, asked])
    }
    const isRefused = asked.status === 410 || asked.status === 409
    if (isRefused && !hand.acknowledged && this.#isLate(asked, lease, hand)) {
      const what = `It acknowledged ${asked.target} when it was no longer its own.`
      this.find('acknowledge-in-time', what, [asked], hand.over?.by === 'client' ? lease.left : undefined)
    }
    if (hand.acks.length < ENOUGH_TRIES) hand.acks.push(asked)
    if (isDecided(asked)) {
      lease.unsure.delete(hand)
      return
    }
    lease.unsure.add(hand)
    hand.over ??= lease.ended
  }

  // clause: ack.late ack.late.deleted
  #isLate(asked: Asked, { left }: Lease, { acks, over }: Hand): boolean {
    // It was in time, and its answer, or itself, was lost or held back.
    if (asked.faulty || acks.length > 0 || over === undefined) return false
    if (over.by === 'client') return left !== undefined && knew(asked, left)
    // A busy machine is late too: only what is late by a whole lease is surely the client's own doing.
    return over.by === 'time' && asked.at > over.at + over.timeout
  }

  // clause: subscribe.client-deletes
  #reportLease({ made, ended, told, deletions, id }: Lease, find: Find): void {
    if (made === undefined || made.known === 'nothing' || told !== undefined) return
    if (ended?.by === 'outside' || deletions.some(isDecided) || deletions.length >= ENOUGH_TRIES) return
    if (deletions.length > 0) {
      if (ended === undefined) {
        find('delete-subscription', `The deletion of ${id} got no answer, and was not repeated.`, deletions)
      }
      return
    }
    find('delete-subscription', `The subscription ${id} was made, and never deleted.`, [made])
  }

  // clause: ack.repeat
  #reportHand({ acks, over, confirmed }: Hand, find: Find): void {
    if (acks.length === 0 || acks.length >= ENOUGH_TRIES || acks.some(isDecided) || confirmed) return
    if (over !== undefined && over.by !== 'client') return
    find('repeat-acknowledgement', 'An acknowledgement got no answer, and was not repeated.', acks)
  }

  /** Messages that came to a second consumer too, which left them alone and went on to later ones. */
  // clause: consume.client-way
  #reportSkipped(find: Find): void {
    const doubled = new Map<string, { readonly lease: Lease; readonly hand: Hand }[]>()
    for (const lease of this.#leases.values()) {
      for (const hand of lease.hands.values()) {
        doubled.set(hand.message, [...(doubled.get(hand.message) ?? []), { lease, hand }])
      }
    }
    for (const hands of doubled.values()) {
      if (!hands.some(({ hand }) => hand.isCopy) || !hands.some(({ hand }) => hand.acknowledged)) continue
      for (const { lease, hand } of hands) {
        if (hand.acks.length > 0 || hand.acknowledged || hand.shown !== 'all') continue
        const all = [...lease.hands.values()]
        const behind = all.slice(all.indexOf(hand) + 1)
        const later = behind.find(({ acks, shown }) => acks.length > 0 && shown === 'all')
        if (later === undefined) continue
        const what =
          'A message came to a second consumer too, which did not acknowledge it, and went on to later ones.'
        find('acknowledge-again', what, later.acks)
      }
    }
  }

  /** A lease that is forgotten, or was never there; the id of a consumer its client may choose. */
  #seeUnknown(asked: Asked, { does, lease, deliveries }: Act): void {
    const isChosen = asked.segments[0] !== 'subscriptions'
    for (const id of isChosen ? deliveries : [lease]) {
      this.#checkIssued(asked, id, does === 'acknowledge' || (isChosen && does !== 'look'))
    }
  }

  // clause: subscribe.location
  #checkIssued(asked: Asked, id: string, acknowledges = false): void {
    if (this.#forgot || this.#isIssued(id)) return
    if (acknowledges) this.#findNotGiven(asked)
    else
      this.find('follow-links', `It asked for ${asked.target}, an address that no answer gave it.`, [asked])
  }

  #findNotGiven(asked: Asked): void {
    this.find('acknowledge-given', `It acknowledged ${asked.target}, which no answer has shown it.`, [asked])
  }

  #begin({ id: given, kind }: Subscription): void {
    if (kind === 'session') return
    const id = ownText(idOfLease({ id: given, kind }))
    const known = this.#leases.get(id)
    if (known !== undefined) {
      // The consumer of this name begins anew; what it held before it does not hold now.
      known.ended = undefined
      known.told = undefined
      known.left = undefined
      known.askedAfter.length = 0
      return
    }
    if (kind === 'subscription') this.#issue(id)
    if (keep(this.#leases, id, new Lease(id, kind), MOST_LEASES)) this.#forgot = true
  }

  #deliver(delivery: Delivery): void {
    const lease = this.#leases.get(idOfLease(delivery.subscription))
    if (lease === undefined) return
    this.#issue(delivery.id)
    const hand = new Hand(delivery)
    lease.hands.set(hand.id, hand)
    lease.held.add(hand)
    this.#hands++
    for (const oldest of this.#leases.values()) {
      if (this.#hands <= MOST_HANDS) return
      this.#forgot = true
      this.#hands -= oldest.hands.size
      for (const all of [oldest.hands, oldest.held, oldest.unsure]) all.clear()
      if (oldest.ended !== undefined) this.#leases.delete(oldest.id)
    }
  }

  /** Its holder has it no more. @param over how; undefined where it was acknowledged */
  #letGo({ id, subscription }: Delivery, over: Ending | undefined): void {
    const lease = this.#leases.get(idOfLease(subscription))
    const hand = lease?.hands.get(id)
    if (lease === undefined || hand === undefined) return
    if (over === undefined) hand.acknowledged = true
    else hand.over ??= over
    lease.held.delete(hand)
  }

  #isIssued(id: string): boolean {
    const last = this.#sent.get(id.slice(0, id.lastIndexOf('-') + 1))
    // Ids of one queue are as long as each other, and grow with its messages.
    return this.#issued.has(id) || (last?.length === id.length && id <= last)
  }

  #issue(id: string): void {
    if (keep(this.#issued, ownText(id), true, MOST_IDS)) this.#forgot = true
  }

  #consumer(party: string): Consumer {
    const known = this.#consumers.get(party)
    if (known !== undefined) return known
    const consumer = new Consumer()
    keep(this.#consumers, party, consumer, MOST_LEASES)
    return consumer
  }
}

/** Whether a request acknowledges with a list: the answer to the next one shows what is left. */
function isList({ method, segments }: Asked): boolean {
  return method === 'POST' && segments[0] !== 'ack'
}

/** Statuses of answers that say what there is: all of it, that it has not changed, or nothing. */
const READ = new Set([200, 204, 304])

/** The ids that stand in an answer, those of messages among them: in a feed or list, or in the head of one message. */
function idsIn({ headOnly }: Request, { headers = {}, body = '' }: Partial<Reply> = {}): Set<string> {
  if (headOnly) return new Set()
  const text = 'Message-Id' in headers ? headers['Message-Id'] : textOf(body)
  return new Set(text?.match(/[\da-f]{32}/g))
}

/** Whether a reading may be held until something comes. */
function waits({ headers }: Request): boolean {
  return (preferredWait(headers.prefer) ?? 0) > 0
}
