/**
 * The closed table of ways in which the broker says no. Each is a reason in the
 * broker's own words; which status a refusal gets is the business of `http/`.
 *
 * @example
 * ```ts
 * REFUSALS['unknown-queue']    // 'There is no such queue.'
 * ```
 */
export const REFUSALS = {
  'bad-queue-name': 'The text is not a queue name.',
  'bad-destination': 'The text is neither a queue name nor a wildcard over queue names.',
  'bad-guid': 'The guid is not 1 to 255 characters long.',
  'bad-selector': 'The selector does not follow the grammar.',
  'bad-parameter': 'A parameter has a value that is out of its range.',
  'bad-cursor': 'The cursor was not issued by this server.',
  'bad-consumer-id': 'The text is not a consumer id.',
  'unknown-queue': 'There is no such queue.',
  'unknown-path': 'There are no queues below this name.',
  'unknown-address': 'No such new-message address was issued.',
  'unknown-subscription': 'There is no such subscription.',
  'unknown-consumer': 'There is no such consumer.',
  'unknown-message': 'There is no such message.',
  'address-expired': 'The new-message address was not used in time.',
  'queue-deleted': 'The queue of this address was deleted.',
  'subscription-ended': 'The lease of the subscription is over, or it was deleted.',
  'consumer-ended': 'The lease of the consumer is over.',
  'delivery-released': 'This consumer no longer holds the message.',
  'message-not-held': 'A message to be acknowledged is not held by this consumer.',
  'too-many-subscriptions': 'No further subscription fits the limit.',
  'too-many-queues': 'No further queue fits the limit.',
  'too-many-bindings': 'The subscriptions cover as many queues as the limit allows.',
  'too-many-addresses': 'No further unused new-message address fits the limit.',
  'out-of-memory': 'What is kept takes all the memory that it is given.',
} as const

/**
 * The name of one row of {@link REFUSALS}.
 *
 * @example
 * ```ts
 * const kind: RefusalKind = 'queue-deleted'
 * ```
 */
export type RefusalKind = keyof typeof REFUSALS

/**
 * Thrown by every broker command that does not happen. A refused command has changed nothing; a lease that it found over has ended.
 *
 * @example
 * ```ts
 * try {
 *   mq.broker.browse('nowhere', { limit: 1 })
 * } catch (error) {
 *   if (error instanceof Refusal) error.kind    // 'unknown-queue'
 * }
 * ```
 */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  /** Which row of the table this is. */
  readonly kind: RefusalKind
  /** Facts of this one case, for programs: a column, a limit, the message ids concerned. Plain JSON. */
  readonly facts: Readonly<Record<string, unknown>>

  /**
   * @param detail what was wrong in this one case, as a sentence for people
   */
  constructor(kind: RefusalKind, detail: string = REFUSALS[kind], facts: Record<string, unknown> = {}) {
    super(detail)
    this.kind = kind
    this.facts = facts
  }
}
