/**
 * What the interface asks of clients, each with its clause.
 *
 * @example
 * ```ts
 * CLIENT_RULES['repeat-send'].clause    // 'send.client-repeats'
 * ```
 */
export const CLIENT_RULES = {
  'repeat-send': {
    clause: 'send.client-repeats',
    text: 'A client repeats a send until it receives 200.',
  },
  'same-address': {
    clause: 'send.client-repeats',
    text: 'A client repeats a send at the address that it has, and asks for no other.',
  },
  'same-guid': {
    clause: 'dedup.client-unique',
    text: 'A client keeps the guid of a message at every try.',
  },
  'unique-guid': {
    clause: 'dedup.client-unique',
    text: 'A client gives each message a guid of its own.',
  },
  'follow-links': {
    clause: 'subscribe.location',
    text: 'A client uses addresses that the server gave it, and builds none.',
  },
  'delete-subscription': {
    clause: 'subscribe.client-deletes',
    text: 'A client deletes a subscription that it no longer needs.',
  },
  'acknowledge-given': {
    clause: 'consume.client-way',
    text: 'A client acknowledges only messages that it was given.',
  },
  'acknowledge-in-time': {
    clause: 'ack.late',
    text: 'A client acknowledges a message while it has its lease.',
  },
  'acknowledge-again': {
    clause: 'consume.client-way',
    text: 'A client acknowledges a message that comes a second time, too.',
  },
} as const satisfies Readonly<Record<string, { readonly clause: string; readonly text: string }>>

/**
 * One of {@link CLIENT_RULES}.
 *
 * @example
 * ```ts
 * const rule: ClientRule | undefined = mq.judgeClient().violations[0]?.rule
 * ```
 */
export type ClientRule = keyof typeof CLIENT_RULES

/**
 * One thing that a client did and should not have done, or the other way round.
 *
 * @example
 * ```ts
 * const violations: readonly ClientViolation[] = mq.judgeClient().violations
 * ```
 */
export interface ClientViolation {
  readonly rule: ClientRule
  /** Of the interface. */
  readonly clause: string
  /** What happened, as a sentence. */
  readonly what: string
  /** The exchanges that show it, by their numbers in the journal; of many tries of one send, the first ten. */
  readonly exchanges: readonly ClientExchange[]
}

/**
 * An exchange of a {@link ClientViolation}.
 *
 * @example
 * ```ts
 * const [exchange]: readonly ClientExchange[] = mq.judgeClient().violations[0]?.exchanges ?? []
 * ```
 */
export interface ClientExchange {
  readonly number: number
  readonly method: string
  /** With its query; cut off where it is longer than 256 characters. */
  readonly target: string
  /** Null where no answer came. */
  readonly status: number | null
}

/**
 * What can be said of whoever spoke to a server since the start or the last reset.
 *
 * @example
 * ```ts
 * const { conformant, violations } = mq.judgeClient()
 * ```
 */
export interface ClientReport {
  readonly conformant: boolean
  /** How many exchanges were looked at. */
  readonly exchanges: number
  /** The first 1000. */
  readonly violations: readonly ClientViolation[]
}

/**
 * The report for people.
 *
 * @example
 * ```ts
 * console.log(clientReportText(mq.judgeClient()))
 * ```
 */
export function clientReportText({ conformant, exchanges, violations }: ClientReport): string {
  const many = `${exchanges} ${exchanges === 1 ? 'exchange' : 'exchanges'}`
  if (conformant) return `The client kept every rule in ${many}.\n`
  const told = violations.map(({ rule, clause, what, exchanges }) => {
    const lines = exchanges.map(
      ({ number, method, target, status }) =>
        `      #${number} ${method} ${target} → ${status ?? 'no answer'}`,
    )
    return [`  ${rule}: ${CLIENT_RULES[rule].text} (${clause})`, `    ${what}`, ...lines].join('\n')
  })
  const rules = violations.length === 1 ? 'once' : `${violations.length} times`
  return `The client broke a rule of the interface ${rules} in ${many}.\n${told.join('\n')}\n`
}
