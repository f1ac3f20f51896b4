import { type Given, readList, readMembers, readOneOf } from '../input/read.js'

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
  'same-body': {
    clause: 'send.two-step.repeat.keeps',
    text: 'A client repeats a send with the body that it had.',
  },
  'same-guid': {
    clause: 'dedup.client-unique',
    text: 'A client keeps the guid of a message at every try.',
  },
  'unique-guid': {
    clause: 'dedup.client-unique',
    text: 'A client gives each message a guid of its own.',
  },
  'send-once': {
    clause: 'send.client-repeats',
    text: 'A client sends a message no more when it has received 200.',
  },
  'accept-refusal': {
    clause: 'errors.open',
    text: 'A client does not go on repeating what is refused with 4xx.',
  },
  'retry-after': {
    clause: 'errors.open',
    text: 'A client that is told Retry-After waits for so long before it asks again.',
  },
  'follow-links': {
    clause: 'subscribe.location',
    text: 'A client uses addresses that the server gave it, and builds none.',
  },
  'delete-subscription': {
    clause: 'subscribe.client-deletes',
    text: 'A client deletes a subscription that it no longer needs.',
  },
  'leave-ended': {
    clause: 'lease.expiry.unreadable',
    text: 'A client makes a new subscription when the old one has ended, and asks that no more.',
  },
  'poll-gently': {
    clause: 'consume.after-idle',
    text: 'A client that finds nothing waits before it asks again.',
  },
  'own-subscription': {
    clause: 'consume.own-view',
    text: 'A client has its subscription for itself.',
  },
  'modest-prefetch': {
    clause: 'prefetch.asked',
    text: 'A client asks for no more messages at a time than it works on.',
  },
  'acknowledge-processed': {
    clause: 'consume.client-way',
    text: 'A client acknowledges what it has processed.',
  },
  'acknowledge-given': {
    clause: 'consume.client-way',
    text: 'A client acknowledges only messages that it was given.',
  },
  'acknowledge-message': {
    clause: 'ack.delete',
    text: 'A client acknowledges a message at the address of the message, and not at that of its body.',
  },
  'acknowledge-in-time': {
    clause: 'ack.late',
    text: 'A client acknowledges a message while it has its lease.',
  },
  'acknowledge-once': {
    clause: 'ack.repeat',
    text: 'A client acknowledges a message no more when it has received 200.',
  },
  'acknowledge-again': {
    clause: 'consume.client-way',
    text: 'A client acknowledges a message that comes a second time, too.',
  },
  'repeat-acknowledgement': {
    clause: 'ack.repeat',
    text: 'A client repeats an acknowledgement until it is answered.',
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
  /** Who did it: the name of its principal, or else its `User-Agent`, or else its connection. */
  readonly client: string
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
  /** Null where no answer came. Of an answer that was cut off behind its head, it came. */
  readonly status: number | null
}

/**
 * How clients are judged.
 *
 * @example
 * ```ts
 * const options: JudgeOptions = { ignore: ['poll-gently'] }
 * mq.judgeClient(options).violations.some(({ rule }) => rule === 'poll-gently')    // false
 * ```
 */
export interface JudgeOptions {
  /** Rules that are not to be looked at. */
  readonly ignore?: readonly ClientRule[] | undefined
}

export const RULES = Object.keys(CLIENT_RULES) as ClientRule[]

/** @throws Problem `malformed-request` where something else is given */
export function readJudgeOptions(value: unknown): readonly ClientRule[] {
  const ignore = (given: Given) => Array.from(readList(given), (rule) => readOneOf(rule, RULES))
  return readMembers({ value, at: '' }, { ignore }).ignore ?? []
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
  /** Who spoke to the server, in the order of their coming; the first 100. */
  readonly clients: readonly string[]
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
export function clientReportText({ conformant, exchanges, clients, violations }: ClientReport): string {
  const many = `${exchanges} ${exchanges === 1 ? 'exchange' : 'exchanges'}`
  if (conformant) return `The client kept every rule in ${many}.\n`
  const told = violations.map(({ rule, client, clause, what, exchanges }) => {
    const lines = exchanges.map(
      ({ number, method, target, status }) =>
        `      #${number} ${method} ${target} → ${status ?? 'no answer'}`,
    )
    const who = clients.length > 1 ? `${client}: ` : ''
    return [`  ${rule}: ${CLIENT_RULES[rule].text} (${clause})`, `    ${who}${what}`, ...lines].join('\n')
  })
  const rules = violations.length === 1 ? 'once' : `${violations.length} times`
  return `The client broke a rule of the interface ${rules} in ${many}.\n${told.join('\n')}\n`
}
