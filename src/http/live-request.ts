import type { Principal } from '../auth/principal.js'
import type { Departure } from './departure.js'
import type { ClientLine, Fields, Request } from './exchange.js'
import { parseForm } from './form.js'

/** Of most requests; nobody writes to it. */
const NO_QUERY = new URLSearchParams()

/** What a request without a body has. */
const NO_BODY = new Uint8Array()

/** A request that a front has taken in. What a handler may not need is read when it is asked for. */
export class LiveRequest implements Request {
  readonly method: string
  readonly headOnly: boolean
  readonly segments: readonly string[]
  body: Uint8Array = NO_BODY
  principal: Principal | undefined
  refusal: unknown
  #query: URLSearchParams | undefined

  constructor(
    method: string,
    readonly path: string,
    /** The query as it was sent, without its `?`. */
    readonly rawQuery: string,
    readonly headers: Fields,
    readonly authority: string | undefined,
    /** Whether bytes of a body follow. */
    readonly hasBody: boolean,
    private readonly departure: Departure,
  ) {
    this.headOnly = method === 'HEAD'
    this.method = this.headOnly ? 'GET' : method
    this.segments = path.slice(1).split('/')
  }

  get query(): URLSearchParams {
    if (this.#query !== undefined) return this.#query
    if (this.rawQuery === '') return NO_QUERY
    const query = new URLSearchParams()
    for (const [name, value] of parseForm(this.rawQuery)) query.append(name, value)
    // Not before all of it is read: who asks for one that cannot be read is refused each time.
    this.#query = query
    return query
  }

  get line(): ClientLine | undefined {
    return this.departure.line
  }

  dropBody(): void {
    this.body = NO_BODY
  }

  whenGone(callback: () => void): () => void {
    return this.departure.whenGone(callback)
  }
}
