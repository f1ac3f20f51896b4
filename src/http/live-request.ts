import type { Principal } from '../auth/principal.js'
import type { Fields, Request } from './exchange.js'
import { parseForm } from './form.js'
import type { Head } from './head.js'

/** Of most requests; nobody writes to it. */
const NO_QUERY = new URLSearchParams()

/** What a request without a body has. */
const NO_BODY = new Uint8Array()

/** Tells when a client goes away, see {@link Request}. */
type Departure = Pick<Request, 'whenGone'>

/** A request that a front has taken in. What a handler may not need is read when it is asked for. */
export class LiveRequest implements Request {
  readonly segments: readonly string[]
  body: Uint8Array = NO_BODY
  principal: Principal | undefined
  refusal: unknown
  readonly headers: Fields
  readonly #head: Head
  readonly #departure: Departure
  #query: URLSearchParams | undefined

  constructor(head: Head, headers: Fields, departure: Departure) {
    this.segments = head.path.slice(1).split('/')
    this.headers = headers
    this.#head = head
    this.#departure = departure
  }

  get method(): string {
    return this.#head.method
  }

  get headOnly(): boolean {
    return this.#head.headOnly
  }

  get path(): string {
    return this.#head.path
  }

  /** The query as it was sent, without its `?`. */
  get rawQuery(): string {
    return this.#head.query
  }

  get authority(): string | undefined {
    return this.#head.authority
  }

  get query(): URLSearchParams {
    if (this.#query !== undefined) return this.#query
    if (this.#head.query === '') return NO_QUERY
    this.#query = new URLSearchParams()
    for (const [name, value] of parseForm(this.#head.query)) this.#query.append(name, value)
    return this.#query
  }

  dropBody(): void {
    this.body = NO_BODY
  }

  whenGone(callback: () => void): () => void {
    return this.#departure.whenGone(callback)
  }
}
