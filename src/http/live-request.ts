import type { IncomingHttpHeaders } from 'node:http'
import type { Principal } from '../auth/principal.js'
import { NO_BODY } from './body.js'
import type { Exchange } from './connection.js'
import type { Request } from './exchange.js'
import { parseForm } from './form.js'
import type { Head } from './head.js'

/** Of most requests; nobody writes to it. */
const NO_QUERY = new URLSearchParams()

/** A request off the wire. What a handler may not need is read when it is asked for. */
export class LiveRequest implements Request {
  readonly segments: readonly string[]
  body: Buffer = NO_BODY
  principal: Principal | undefined
  refusal: unknown
  readonly #head: Head
  readonly #exchange: Exchange
  #query: URLSearchParams | undefined

  constructor(head: Head, exchange: Exchange) {
    this.segments = head.path.slice(1).split('/')
    this.#head = head
    this.#exchange = exchange
  }

  get method(): string {
    return this.#head.method
  }

  get headOnly(): boolean {
    return this.#exchange.message.method === 'HEAD'
  }

  get path(): string {
    return this.#head.path
  }

  /** The query as it was sent, without its `?`. */
  get rawQuery(): string {
    return this.#head.query
  }

  get headers(): IncomingHttpHeaders {
    return this.#exchange.message.headers
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
    return this.#exchange.whenGone(callback)
  }
}
