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
  readonly method: string
  readonly headOnly: boolean
  readonly path: string
  readonly segments: readonly string[]
  readonly headers: IncomingHttpHeaders
  readonly authority: string | undefined
  body: Buffer = NO_BODY
  principal: Principal | undefined
  refusal: unknown
  readonly #rawQuery: string
  readonly #exchange: Exchange
  #query: URLSearchParams | undefined

  constructor(head: Head, exchange: Exchange) {
    const { message } = exchange
    this.method = head.method
    this.headOnly = message.method === 'HEAD'
    this.path = head.path
    this.segments = head.path.slice(1).split('/')
    this.headers = message.headers
    this.authority = head.authority
    this.#rawQuery = head.query
    this.#exchange = exchange
  }

  get query(): URLSearchParams {
    if (this.#query !== undefined) return this.#query
    if (this.#rawQuery === '') return NO_QUERY
    this.#query = new URLSearchParams()
    for (const [name, value] of parseForm(this.#rawQuery)) this.#query.append(name, value)
    return this.#query
  }

  dropBody(): void {
    this.body = NO_BODY
  }

  whenGone(callback: () => void): () => void {
    return this.#exchange.whenGone(callback)
  }
}
