/**
 * A queue that was made, under a name that nobody else has.
 *
 * @example
 * ```ts
 * const addressOf = ({ uri }: QueueHandle) => uri
 * ```
 */
export interface QueueHandle {
  /** Its name as a slash path: `kit-3f9a…/one`. */
  readonly path: string
  /** Absolute URI from the `Location` of its creation: where messages are posted, and what is browsed and deleted. */
  readonly uri: string
}

/**
 * A message that was sent, or is about to be.
 *
 * @example
 * ```ts
 * const bodyOf = ({ body }: Sent) => body
 * ```
 */
export interface Sent {
  /** The bytes posted. Those that the kit makes are unique in the run, so a message is known by its body. */
  readonly body: Buffer
  /** `body` as text. */
  readonly text: string
  /** Absolute URI of the new-message address it was posted to; undefined for a send with a guid. */
  readonly address: string | undefined
}
