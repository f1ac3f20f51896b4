import type { Principal } from '../auth/principal.js'

/** Header fields of a request: names in lower case, repeated fields joined with a comma, each character one byte. */
export type Fields = Readonly<Record<string, string | undefined>>

/** A client's connection, as far as requests tell of it. Times are those of `performance.now()`. */
export interface ClientLine {
  /** Tells it apart from others of this process. */
  readonly number: number
  readonly openedAt: number
  /** When its client ended it, where the server did not before; not in order where it has left something unread, say. */
  readonly left: { readonly at: number; readonly inOrder: boolean } | undefined
}

/** One request, read whole, as the mappings see it. */
export interface Request {
  /** In capitals. HEAD arrives as GET: the front drops the body of the answer. */
  readonly method: string
  /** Whether it came as HEAD: for the few GETs that do something, since a HEAD must not. */
  readonly headOnly?: boolean
  /** The path below the base path as it was sent, not decoded and without the query; begins with `/`. */
  readonly path: string
  /** What stands between the slashes of {@link path}, not decoded; `['']` for `/`. */
  readonly segments: readonly string[]
  /**
   * The query, read at its first use.
   *
   * @throws Problem `bad-percent-encoding` when it is not percent-encoded UTF-8
   */
  readonly query: URLSearchParams
  readonly headers: Fields
  /** The host, and the port where it is named, that the request is for: of its target, or else its `Host`. */
  readonly authority?: string | undefined
  /** The connection that it came by; undefined where there are none. */
  readonly line?: ClientLine | undefined
  /** The whole body, at most the limit; of length zero when there was none. */
  readonly body: Uint8Array
  /** Why its head alone refuses it: its body was then not read, and it must be answered with this. */
  readonly refusal?: unknown
  /** Lets go of the body, which would take memory for as long as the request waits. */
  dropBody?(): void
  /** Who is asking; undefined on a server that asks nobody. */
  principal?: Principal | undefined
  /**
   * Calls back once when the client goes away before it has its answer.
   *
   * @returns takes the callback back; harmless when it has run
   */
  whenGone(callback: () => void): () => void
}

/** One answer. The front adds `Content-Length`, `Date` and what concerns the connection. */
export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** A string is sent as UTF-8. */
  readonly body?: string | Uint8Array
  /** In the place of a body: an answer that goes on until one of the two sides ends it. */
  readonly stream?: Stream
  /** Is called where it is known that the client has not received it. */
  onLost?: (() => void) | undefined
  /** Breaks the connection on purpose: none of it arrives, or not all of it. Nothing asks for it but the faults of a mock broker. */
  readonly cut?: 'reset' | 'truncate'
}

/** Where the pieces of a streamed answer go. Writing to a client that is gone is harmless. */
export interface Outlet {
  /** @param sent is called when it has left this process, and never where the client is gone */
  write(piece: string | Uint8Array, sent?: () => void): void
  end(): void
}

/**
 * Begins a streamed answer, when its head is out.
 *
 * @returns is called once when the answer is over, whoever ended it
 */
export type Stream = (out: Outlet) => () => void

/**
 * Answers one request. What it throws becomes a problem document, see
 * `problems.ts`; params are what the route's pattern takes, in its order.
 */
export type Handler = (request: Request, ...params: string[]) => Reply | Promise<Reply>
