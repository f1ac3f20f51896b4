import { wordsOf } from '../client/answered.js'
import type { Exchange } from '../client/exchange.js'
import { type Profile, unknownFeature } from '../client/profile.js'
import type { Unanswered } from '../client/unanswered.js'
import type { Topic } from '../requirements/clause.js'
import { type ClauseId, findClause } from '../requirements/index.js'
import { makeReport } from './make-report.js'
import { Redactor } from './redactor.js'
import { reportExchanges } from './report-exchange.js'
import type { CheckResult, Report, TimelineEvent } from './result.js'

/** Some clauses of one topic that are judged throughout, and make one line of a report. */
export interface Rule {
  readonly id: string
  readonly topic: Topic
  readonly title: string
  readonly clauses: readonly ClauseId[]
}

/** What broke a clause. */
export interface Found {
  readonly clause: ClauseId
  /** What was expected; where it is left out, what the clause says. */
  readonly expected?: string
  /** What was seen, as a sentence. */
  readonly seen: string
  readonly story: readonly string[]
  /** The steps of a scenario on one line. */
  readonly scenario?: string
  readonly timeline?: readonly TimelineEvent[]
  readonly exchanges: readonly Exchange[]
  /** When the first of them was, in their time. */
  readonly began: number
}

export interface Judged {
  readonly url: string
  readonly profile: Profile
  readonly probed: boolean
  readonly started: Date
  readonly seconds: number
  readonly rules: readonly Rule[]
  readonly found: Found | undefined
  /** Requests that had no answer, or a 5xx; how many there were in all. */
  readonly unanswered: Pick<Unanswered, 'count' | 'first'>
  readonly requests: number
  /** Why nothing can be said against the target, whatever it did: it was not shown the credentials everywhere. */
  readonly doubt: string | undefined
  /** Why nothing can be said of what was not found broken; undefined where it can. */
  readonly open: string | undefined
}

/** The part of requests without an answer, but those that were cut, above which nothing can be said. */
const TOO_MANY = 0.05

/** The report of rules that were judged together: in the form of a run's. */
export function reportOnRules(given: Judged): Report {
  const { profile, rules, url, started, seconds, doubt, requests } = given
  const { count } = given.unanswered
  const unanswered =
    count > TOO_MANY * requests ? `${count} of ${requests} requests were not answered` : undefined
  const judged = {
    ...given,
    found: doubt === undefined ? given.found : undefined,
    open: doubt ?? unanswered ?? given.open,
  }
  const results = [...rules.map((rule) => resultOf(rule, judged)), ...answersOf(judged)]
  return makeReport({
    ...{ url, profile, started, seconds, results, strict: false, choices: [] },
    ...{ planned: results.length, executed: results.length, probed: judged.probed },
  })
}

/** The result that tells of requests without an answer: the end of its id, and its title. */
export const ANSWERS = { id: 'answers', title: 'What was answered with a 5xx, or not at all.' } as const

/** Of what was not answered the first of each kind: a 5xx says only that nobody knows what became of a request. */
function answersOf({ profile, rules, seconds, unanswered, requests }: Judged): CheckResult[] {
  const { count, first } = unanswered
  if (count === 0) return []
  const redactor = new Redactor(profile)
  const id = `${rules[0]!.id.split('.')[0]}.${ANSWERS.id}`
  return [
    {
      ...{ id, clauses: [], topic: 'http', grade: 'chosen', feature: null, status: 'observed', seconds },
      message: unansweredOf(unanswered, requests, redactor),
      ...{ expected: '', seen: '', exchanges: reportExchanges(first, first[0]!.sentAt, redactor) },
    },
  ]
}

function resultOf(rule: Rule, { profile, seconds, found, open }: Judged): CheckResult {
  const { grade, feature = null } = findClause(rule.clauses[0]!)!
  const { id, clauses, topic } = rule
  const passed: CheckResult = {
    ...{ id, clauses, topic, grade, feature, expected: '', seen: '' },
    ...{ status: 'pass', seconds, message: '', exchanges: [] },
  }
  const unknown = unknownFeature(profile, feature)
  if (unknown !== undefined)
    return { ...passed, status: 'inconclusive', seconds: 0, message: unknown, inconclusiveReason: 'profile' }
  if (feature !== null && !profile.features[feature]) {
    const message = `the target does not claim ${feature}`
    return { ...passed, status: 'not-applicable', seconds: 0, message }
  }
  if (found !== undefined && rule.clauses.includes(found.clause)) {
    const { clause, seen, story, scenario, timeline } = found
    const told = {
      ...{ ...passed, clauses: [clause], seen, story, ...(timeline ? { timeline } : {}) },
      ...(scenario === undefined ? {} : { scenario }),
      expected: found.expected ?? findClause(clause)!.text,
      exchanges: reportExchanges(found.exchanges, found.began, new Redactor(profile)),
    }
    const unknown = unknownFieldOf(profile, clause)
    if (unknown === undefined)
      return { ...told, grade: grade === 'chosen' ? 'stated' : grade, status: 'fail', message: seen }
    const message = `the profile's ${unknown} is unknown: fill it in; ${seen.replace(/\.$/, '')}`
    return { ...told, status: 'inconclusive', message, inconclusiveReason: 'profile' }
  }
  const doubt = found === undefined ? open : 'it was judged only until something else was found'
  if (doubt === undefined) return passed
  return { ...passed, status: 'inconclusive', message: doubt, inconclusiveReason: 'stopped' }
}

/** How many of some requests had a 5xx or no answer, and the first of each kind. */
export function unansweredOf(
  { count, first }: Pick<Unanswered, 'count' | 'first'>,
  requests: number,
  redactor: Redactor,
): string {
  const each = first.map((exchange) => unansweredAs(exchange, redactor)).join('; ')
  return `${count} of ${requests} requests were answered with a 5xx or not at all; the first of each kind: ${each}`
}

/** A request without an answer that is any use, and what came in its place. */
export function unansweredAs({ method, url, ...answer }: Exchange, redactor: Redactor): string {
  const asked = `${method} ${redactor.text(url)}`
  if (answer.status === 0) return `${asked} gave ${redactor.text(answer.error ?? 'no answer')}`
  const words = wordsOf({ method, url, ...answer, body: redactor.bytes(answer.body) })
  return `${asked} gave ${answer.status}${words === '' ? '' : `: ${JSON.stringify(words)}`}`
}

/** Fields of a profile, and the clauses that may seem broken where one of them is not as its default says. */
const RESTS_ON: readonly (readonly [field: RegExp, clauses: RegExp])[] = [
  [
    /^subscription\.(?:maxPrefetch|parameters\.prefetch)$/,
    /^prefetch\.|^subscribe\.(?:status|location)$|^consume\.delivered$|\.hands-over$/,
  ],
  [
    /^subscription\.(?:\w*leaseSeconds|timeoutFormat|parameters\.timeout)$/i,
    /^(?:lease|batch|one-at-a-time|single-path)\.|^consume\.(?!entries)|^ack\.status$|^subscribe\.(?:delete\.)?status$/,
  ],
  // Whether a lease was renewed or not, both are reckoned with.
  [/^subscription\.renewedBy$/, /^(?!)/],
  [/^subscription\.(?:parameters\.)?selector\b/, /^subscribe\.(?:selector\.|status$)|^consume\.delivered$/],
  [/^subscription\.wildcard$/, /^subscribe\.(?:destinations\.|status$)|^consume\.delivered$/],
  [/^subscription\b/, /^(?:subscribe|consume|prefetch|lease)\./],
  [/^messageUri$/, /^ack\.|^browse\.pending\./],
  [/^message\b/, /^(?:send|dedup|single-path)\./],
  [/^guid\b/, /^dedup\./],
  [/^oneAtATime\b/, /^one-at-a-time\./],
  [/^(?:createQueue|queueNames)\b/, /^queues\./],
  [/^(?:settleSeconds|headers|requestsPerSecond)$/, /^/],
]

/** The unknown field of a profile, if any, on which it rests that a clause seems broken. */
export function unknownFieldOf({ unknown }: Profile, clause: ClauseId): string | undefined {
  return unknown.find((path) => RESTS_ON.find(([field]) => field.test(path))?.[1].test(clause))
}
