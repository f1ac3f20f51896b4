import { ownText } from '../../broker/storing.js'
import type { Request } from '../../http/exchange.js'
import { toBase64 } from '../../platform/bytes.js'
import { sha256 } from '../../platform/sha256.js'
import type { Seen } from '../journal/exchange-record.js'
import type { MessageRecord } from '../messages/message-record.js'
import { Addresses } from './addresses.js'
import {
  CLIENT_RULES,
  type ClientExchange,
  type ClientReport,
  type ClientRule,
  type ClientViolation,
} from './rules.js'

/** How much is remembered of one kind; what is older is not judged. */
const MOST = 5000

/** How many exchanges are remembered of sends, for one and for all together. */
const MOST_TRIES_OF_ONE = 10
const MOST_TRIES = 10_000

/** How many violations are reported. */
const MOST_REPORTED = 1000

/** How many characters of a target are told, and how long an id or a path may be for its send to be followed. */
const LONGEST = 256

/** One send at one address or with one guid, tried once or several times. */
interface Send {
  readonly kind: 'address' | 'guid'
  readonly id: string
  /** Of the queue and the body that was tried first. */
  readonly content: string
  readonly tries: ClientExchange[]
  /** Whether a try has its 200, or a refusal that no repeat would change. */
  settled: boolean
}

/**
 * Judges whoever speaks to a server: what the document asks of clients. It looks at what passes by, and keeps no
 * exchange. All clients together are one.
 */
export class ClientJudge {
  readonly #addresses = new Addresses()
  /** By kind and id. */
  readonly #sends = new Map<string, Send>()
  /** Exchanges of all of them. */
  #tries = 0
  /** What stands for the queue of each address for a new message. */
  readonly #queueOf = new Map<string, string>()
  /** Subscriptions that were made and not deleted, by path. */
  readonly #subscriptions = new Map<string, ClientExchange>()
  readonly #found: ClientViolation[] = []
  #exchanges = 0

  /** Looks at an exchange that is over. */
  see(number: number, seen: Seen): void {
    const { request, reply } = seen
    this.#exchanges++
    const lost = reply === undefined || reply.cut !== undefined
    const exchange: ClientExchange = {
      number,
      method: request.method,
      target: shortened(targetOf(request)),
      status: lost ? null : reply.status,
    }
    this.#checkAddress(exchange, request)
    this.#checkAcknowledgement(exchange, request)
    this.#seeSend(exchange, request, reply?.headers?.Location)
    this.#seeSubscription(exchange, request, reply?.headers?.Location)
    if (!lost) this.#addresses.learn(reply)
  }

  /** @param messages what became of each message */
  report(messages: readonly MessageRecord[]): ClientReport {
    const violations = [
      ...this.#found,
      ...this.#unrepeated(),
      ...[...this.#subscriptions].map(([path, exchange]) =>
        violation('delete-subscription', `The subscription ${path} was made, and never deleted.`, [exchange]),
      ),
      ...this.#unacknowledged(messages),
    ].slice(0, MOST_REPORTED)
    return { conformant: violations.length === 0, exchanges: this.#exchanges, violations }
  }

  /** As at the start. */
  reset(): void {
    this.#addresses.clear()
    this.#sends.clear()
    this.#tries = 0
    this.#queueOf.clear()
    this.#subscriptions.clear()
    this.#found.length = 0
    this.#exchanges = 0
  }

  // clause: consume.client-way
  #checkAddress(exchange: ClientExchange, { method, path, segments }: Request): void {
    if (!/^\/(?:addresses|subscriptions|messages)\/./.test(path) || this.#addresses.knows(path)) return
    const acknowledges = method === 'DELETE' && segments[2] === 'messages'
    this.#find(
      acknowledges ? 'acknowledge-given' : 'follow-links',
      acknowledges
        ? `It acknowledged ${shortened(path)}, which no feed has shown it.`
        : `It asked for ${shortened(path)}, an address that no answer gave it.`,
      [exchange],
    )
  }

  #checkAcknowledgement(exchange: ClientExchange, { method, segments, path }: Request): void {
    if (exchange.status !== 410 || method !== 'DELETE' || segments[2] !== 'messages') return
    if (!this.#addresses.knows(path)) return
    this.#find('acknowledge-in-time', `It acknowledged ${path} when it was no longer its own.`, [exchange])
  }

  #seeSend(exchange: ClientExchange, request: Request, location: string | undefined): void {
    const { method, segments, path } = request
    if (method !== 'POST') return
    if (segments[0] === 'addresses') {
      const id = ownText(path)
      this.#try('address', id, hashOf(this.#queueOf.get(id) ?? '', request.body), exchange)
    } else if (segments[0] === 'queues' && segments.length > 1) {
      const guid = parameter(request, 'guid')
      const queue = hashOf(segments.slice(1).join('/').replaceAll('.', '/'))
      const address = Addresses.pathOf(location ?? '')
      if (guid !== null) this.#try('guid', ownText(guid), hashOf(queue, request.body), exchange)
      else if (address !== undefined && exchange.status === 201) keep(this.#queueOf, ownText(address), queue)
    }
  }

  // clause: dedup.client-unique
  #try(kind: Send['kind'], id: string, content: string, exchange: ClientExchange): void {
    if (id.length > LONGEST) return
    const key = `${kind} ${id}`
    const known = this.#sends.get(key)
    const settled = exchange.status !== null && exchange.status < 500
    if (known === undefined) {
      this.#sends.set(key, { kind, id, content, tries: [exchange], settled })
      this.#tries++
      this.#forgetSends()
      return
    }
    if (known.tries.length < MOST_TRIES_OF_ONE) {
      known.tries.push(exchange)
      this.#tries++
      this.#forgetSends()
    }
    known.settled ||= settled
    if (kind === 'guid' && known.content !== content) {
      const tries = [known.tries[0] as ClientExchange, exchange]
      this.#find('unique-guid', `The guid ${JSON.stringify(id)} was given to two different messages.`, tries)
    }
  }

  // clause: subscribe.client-deletes
  #seeSubscription(
    exchange: ClientExchange,
    { method, path, segments }: Request,
    location: string | undefined,
  ): void {
    if (segments[0] !== 'subscriptions') return
    if (method === 'POST' && segments.length === 1 && exchange.status === 201 && location !== undefined) {
      const subscription = Addresses.pathOf(location)
      if (subscription !== undefined) keep(this.#subscriptions, ownText(subscription), exchange)
    }
    if (method === 'DELETE' && segments.length === 2) this.#subscriptions.delete(path)
  }

  /** Sends without an answer, of which another try was made under another name, or none at all. */
  // clause: send.client-repeats dedup.client-unique
  #unrepeated(): ClientViolation[] {
    /** The same message under the name that it was given next. */
    const later = new Map<string, Send>()
    return [...this.#sends.values()]
      .reverse()
      .map((send) => {
        const alike = `${send.kind} ${send.content}`
        const other = later.get(alike)
        later.set(alike, send)
        return { send, other }
      })
      .filter(({ send }) => !send.settled)
      .reverse()
      .map(({ send, other }) => {
        const what = send.kind === 'guid' ? `guid ${JSON.stringify(send.id)}` : `address ${send.id}`
        if (other === undefined) {
          return violation(
            'repeat-send',
            `The send with the ${what} got no answer, and was not repeated.`,
            send.tries,
          )
        }
        const rule = send.kind === 'guid' ? 'same-guid' : 'same-address'
        return violation(
          rule,
          `The send with the ${what} got no answer, and was tried again as another message: both may be there now.`,
          [...send.tries, ...other.tries],
        )
      })
  }

  /** Messages that one consumer has acknowledged while a second one holds them too, and has seen them in its feed. */
  // clause: consume.client-way
  #unacknowledged(messages: readonly MessageRecord[]): ClientViolation[] {
    return messages.flatMap(({ queue, sequence, status, deliveries }) => {
      if (status !== 'acknowledged') return []
      const first = deliveries.findIndex(({ how }) => how === 'acknowledged')
      return deliveries
        .slice(first + 1)
        .filter(({ id, to, how }) => {
          return how !== 'acknowledged' && this.#addresses.knows(`/subscriptions/${to}/messages/${id}`)
        })
        .map(({ name }) =>
          violation(
            'acknowledge-again',
            `Message ${sequence} of ${queue} came to ${name} too, and was not acknowledged there.`,
            [],
          ),
        )
    })
  }

  #forgetSends(): void {
    for (const [key, { tries }] of this.#sends) {
      if (this.#sends.size <= MOST && this.#tries <= MOST_TRIES) return
      this.#sends.delete(key)
      this.#tries -= tries.length
    }
  }

  #find(rule: ClientRule, what: string, exchanges: readonly ClientExchange[]): void {
    if (this.#found.length < MOST_REPORTED) this.#found.push(violation(rule, what, exchanges))
  }
}

function violation(rule: ClientRule, what: string, exchanges: readonly ClientExchange[]): ClientViolation {
  return { rule, clause: CLIENT_RULES[rule].clause, what, exchanges }
}

function keep<T>(map: Map<string, T>, key: string, value: T): void {
  map.set(key, value)
  if (map.size > MOST) map.delete(map.keys().next().value as string)
}

function hashOf(...parts: readonly (string | Uint8Array)[]): string {
  return toBase64(sha256(...parts))
}

/** A copy, which keeps nothing longer alive. */
function shortened(text: string): string {
  return ownText(text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`)
}

function parameter(request: Request, name: string): string | null {
  try {
    return request.query.get(name)
  } catch {
    return null
  }
}

function targetOf(request: Request): string {
  try {
    const query = request.query.toString()
    return query === '' ? request.path : `${request.path}?${query}`
  } catch {
    return request.path
  }
}
