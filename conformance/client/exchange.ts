/**
 * One request and what came of it.
 *
 * @example
 * ```ts
 * const isAnswered = ({ status }: Exchange) => status !== 0
 * ```
 */
export interface Exchange {
  readonly method: string
  /** Absolute. */
  readonly url: string
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly requestBody: Buffer
  /** The status, or 0 where no whole answer came: `error` then says why. */
  readonly status: number
  /** Names in lower case; several fields of one name joined by `, `. Empty where no answer came. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** "no answer within 5000 ms", "connection closed before the answer", … */
  readonly error: string | undefined
  /** When it was sent and when its answer was whole; monotonic milliseconds as of `trial.now()`. */
  readonly sentAt: number
  readonly receivedAt: number
  /** Only of a request that moved the target's clock: by how many milliseconds. */
  readonly advanced?: number
}

/** Whether a request succeeded; with which status of the 2xx range, is a question of its own. */
export function succeeded({ status }: Pick<Exchange, 'status'>): boolean {
  return status >= 200 && status <= 299
}

/** Whether a request was refused as the client's fault; with which status, the document leaves to the server. */
export function refused({ status }: Pick<Exchange, 'status'>): boolean {
  return status >= 400 && status <= 499
}

/** The error of a request whose answer did not come in its time. */
export function noAnswerWithin(milliseconds: number): string {
  return `no answer within ${milliseconds} ms`
}

/** The error of a request whose connection ended first. */
export const CLOSED = 'the connection was closed before the answer'

/** The error of a request that the kit broke off within its body, so that nobody could answer it. */
export const BROKEN_OFF = 'the client went away within the body'

/** The error of a request that was sent whole, by a client that then went away. */
export const LEFT = 'the client went away before the answer'

/** What was sent over a connection of its own: all of an exchange that its sender knows beforehand. */
export type RawRequest = Pick<Exchange, 'method' | 'url' | 'requestHeaders' | 'requestBody'>
