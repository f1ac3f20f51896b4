import { withSlashes } from '../../broker/names.js'
import { ownText } from '../../broker/storing.js'
import type { Request } from '../../http/exchange.js'
import { plainSegment } from '../../http/form.js'
import { toBase64 } from '../../platform/bytes.js'
import { sha256 } from '../../platform/sha256.js'
import { readableQuery } from '../input/query.js'
import { type Asked, ENOUGH_TRIES, type Find, isDecided, keep, knew } from './asked.js'

/** How many sends are remembered, how many tries of one, which are enough for it to be over, and of all together. */
const MOST = 5000
const MOST_TRIES_OF_ONE = 10
const MOST_TRIES = 10_000

/** How long an id or a guid may be for its send to be followed, in characters. */
const LONGEST = 256

/** One send at one address or with one guid, tried once or several times. */
interface Send {
  readonly kind: 'address' | 'guid'
  readonly id: string
  /** Of the queue and the body that was tried first. */
  readonly content: string
  /** The first of them. */
  readonly tries: Asked[]
  /** The try that has its 200. */
  sent: Asked | undefined
}

/** What clients do when they send: see the rules on sends. */
export class Sends {
  /** By kind and id. */
  readonly #sends = new Map<string, Send>()
  /** Tries of all of them. */
  #tries = 0
  /** What stands for the queue of each address for a new message. */
  readonly #queueOf = new Map<string, string>()
  /** First steps that got no answer, and were not repeated yet; by client and queue. */
  readonly #firstSteps = new Map<string, Asked[]>()

  /** What was being tried at a reset: how often is not known any more. */
  readonly #interrupted = new Map<string, true>()

  constructor(private readonly find: Find) {}

  see(asked: Asked, request: Request, location: string | undefined): void {
    const [first, id] = asked.segments
    if (asked.method !== 'POST' || id === undefined) return
    if (first === 'addresses') {
      this.#try('address', id, hashOf(this.#queueOf.get(id) ?? '', request.body), asked)
    } else if (first === 'queues') {
      const guid = readableQuery(request).get('guid')
      const queue = queueHash(request)
      if (guid !== null) this.#try('guid', ownText(guid), hashOf(queue, request.body), asked)
      else this.#firstStep(asked, queue, location)
    }
  }

  interrupt({ method, party, segments: [first, id] }: Asked, request: Request): void {
    if (method !== 'POST' || id === undefined) return
    const guid = readableQuery(request).get('guid')
    if (first === 'addresses') this.#interruptOne(`address ${id}`)
    else if (guid !== null) this.#interruptOne(`guid ${guid}`)
    else this.#interruptOne(`${party} ${queueHash(request)}`)
  }

  #interruptOne(key: string): void {
    keep(this.#interrupted, ownText(key), true, MOST)
  }

  // clause: send.step-1.location
  #firstStep(asked: Asked, queue: string, location: string | undefined): void {
    const key = `${asked.party} ${queue}`
    if (isDecided(asked) && asked.known === 'all') this.#firstSteps.delete(key)
    else keep(this.#firstSteps, key, [...(this.#firstSteps.get(key) ?? []), asked].slice(-ENOUGH_TRIES), MOST)
    const address = location?.split('/').at(-1)
    if (address !== undefined && asked.known !== 'nothing' && asked.status === 201) {
      keep(this.#queueOf, ownText(address), queue, MOST)
    }
  }

  // clause: dedup.client-unique
  #try(kind: Send['kind'], id: string, content: string, asked: Asked): void {
    if (id.length > LONGEST) return
    const key = `${kind} ${id}`
    const send: Send = this.#sends.get(key) ?? { kind, id, content, tries: [], sent: undefined }
    this.#sends.set(key, send)
    const [first = asked] = send.tries
    if (send.content !== content) {
      const rule = kind === 'guid' ? 'unique-guid' : 'same-body'
      const what =
        kind === 'guid'
          ? `The guid ${JSON.stringify(id)} was given to two different messages.`
          : `Another body was posted to the address ${id} than the first time.`
      this.find(rule, what, [first, asked])
    } else if (send.sent?.known === 'all' && knew(asked, send.sent)) {
      const what = `The send with the ${nameOf(send)} was repeated after its 200.`
      this.find('send-once', what, [send.sent, asked], send.sent)
    }
    if (send.tries.length < MOST_TRIES_OF_ONE) {
      send.tries.push(asked)
      this.#tries++
    }
    if (isDecided(asked) && asked.status === 200) send.sent = asked
    for (const [oldest, { tries }] of this.#sends) {
      if (this.#sends.size <= MOST && this.#tries <= MOST_TRIES) return
      this.#sends.delete(oldest)
      this.#tries -= tries.length
    }
  }

  /** Tells of sends without an answer, of which another try was made under another name, or none at all. */
  // clause: send.client-repeats dedup.client-unique
  report(find: Find): void {
    /** The same message under the name that it was given next. */
    const later = new Map<string, Send>()
    const unsettled: { readonly send: Send; readonly other: Send | undefined }[] = []
    for (const send of [...this.#sends.values()].reverse()) {
      const alike = `${send.kind} ${send.content}`
      // A client that has gone away with its request in the meantime settles nothing.
      const isOver = send.tries.length >= ENOUGH_TRIES || send.tries.some(isDecided)
      const isKnown = !this.#interrupted.has(`${send.kind} ${send.id}`)
      if (!isOver && isKnown) unsettled.push({ send, other: later.get(alike) })
      later.set(alike, send)
    }
    for (const { send, other } of unsettled.reverse()) {
      const what = `The send with the ${nameOf(send)} got no answer, and was`
      if (other === undefined) {
        find('repeat-send', `${what} not repeated.`, send.tries)
        continue
      }
      const rule = send.kind === 'guid' ? 'same-guid' : 'same-address'
      const tries = [...send.tries, ...other.tries]
      find(rule, `${what} tried again as another message: both may be there now.`, tries)
    }
    for (const [key, tries] of this.#firstSteps) {
      const isOver = tries.length >= ENOUGH_TRIES || isDecided(tries.at(-1) as Asked)
      if (isOver || this.#interrupted.has(key)) continue
      find('repeat-send', 'A request for a new-message address got no answer, and was not repeated.', tries)
    }
  }

  reset(): void {
    // Of an answer that broke off its client may have known nothing.
    const isKnown = (asked: Asked) => asked.known === 'all' && isDecided(asked)
    const unsettled = [...this.#sends].filter(([, { tries }]) => !tries.some(isKnown))
    for (const key of [...unsettled.map(([key]) => key), ...this.#firstSteps.keys()]) this.#interruptOne(key)
    this.#sends.clear()
    this.#tries = 0
    this.#queueOf.clear()
    this.#firstSteps.clear()
  }
}

/** Of the queue that a send is for. */
function queueHash({ segments }: Request): string {
  return hashOf(withSlashes(segments.slice(1).map(plainSegment).join('/')))
}

function nameOf({ kind, id }: Send): string {
  return kind === 'guid' ? `guid ${JSON.stringify(id)}` : `address ${id}`
}

function hashOf(...parts: readonly (string | Uint8Array)[]): string {
  return toBase64(sha256(...parts))
}
