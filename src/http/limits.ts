/**
 * Every limit and span of the HTTP edge, in one table; each is an option of the server. All chosen.
 *
 * @example
 * ```ts
 * const limits: Partial<EdgeLimits> = { maxPage: 100 }
 * ```
 */
export interface EdgeLimits {
  /** Largest body of a request, and so the largest message, in bytes. */
  maxBody: number
  /** Longest request target, in bytes. */
  maxTarget: number
  /** Largest header section, the request line included, in bytes. */
  maxHeader: number
  /** Longest wait that `Prefer: wait` is granted, in milliseconds. */
  maxWait: number
  /** Entries on a page of a feed that names no limit. */
  defaultPage: number
  /** Largest `limit` of a page that may be asked for, in entries. */
  maxPage: number
  /** Most bytes of what stands in one page of a feed; at least one entry does, whatever its length. */
  maxPageBytes: number
  /** Bytes that the header fields of one message may take when it is handed out: its properties, type, coding and language. */
  maxFields: number
  /** Lines of one list of acknowledgements. */
  maxAcks: number
  /** Connections that may be open at once; a further one is closed as soon as it is open. */
  maxConnections: number
  /** Requests on one connection that may wait for their answers at once. */
  maxPipelined: number
  /** Requests that may wait for their answers at once, on all connections together. */
  maxRequests: number
  /** Bytes of request bodies that may be on their way, or wait with their request, for all requests together. */
  maxInFlight: number
  /** Bytes of answers that their readers have not taken, for all connections together. */
  maxUnsent: number
  /** Bytes of answers that one connection's reader has not taken before its next request has to wait. */
  maxUnsentOfOne: number
  /** How long the head of a request may take to arrive, in milliseconds. */
  headersTimeout: number
  /** How long a whole request may take to arrive, in milliseconds. */
  requestTimeout: number
  /** How long the reader of an answer may take to take all of it, in milliseconds. */
  answerTimeout: number
  /** How long a connection may stay open without a request, in milliseconds. */
  keepAliveTimeout: number
  /** How long a refused body is still read and thrown away, so that the refusal arrives, in milliseconds. */
  lingerTimeout: number
  /** How much of a refused body is still read and thrown away, in bytes. */
  lingerBytes: number
  /** How long answers may take to leave when the server closes, in milliseconds. */
  closeTimeout: number
}

/**
 * What holds unless an option says otherwise. A server's `maxInFlight` and `maxUnsent` are a fifth of Node's heap
 * where that is less, its `maxPageBytes` a 32nd, and its `maxConnections` one for each 16 KiB of it.
 *
 * @example
 * ```ts
 * DEFAULT_EDGE_LIMITS.maxPage    // 1000
 * ```
 */
export const DEFAULT_EDGE_LIMITS: Readonly<EdgeLimits> = {
  maxBody: 1024 * 1024,
  maxTarget: 8 * 1024,
  maxHeader: 16 * 1024,
  maxWait: 20_000,
  defaultPage: 100,
  maxPage: 1000,
  maxPageBytes: 4 * 1024 * 1024,
  maxFields: 8 * 1024,
  maxAcks: 4000,
  maxConnections: 10_000,
  maxPipelined: 100,
  maxRequests: 10_000,
  maxInFlight: 64 * 1024 * 1024,
  maxUnsent: 64 * 1024 * 1024,
  maxUnsentOfOne: 1024 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  answerTimeout: 30_000,
  keepAliveTimeout: 5_000,
  lingerTimeout: 1_000,
  lingerBytes: 4 * 1024 * 1024,
  closeTimeout: 500,
}
