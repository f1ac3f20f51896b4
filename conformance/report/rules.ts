import type { Exchange } from '../client/exchange.js'
import { type Profile, unknownFeature } from '../client/profile.js'
import type { Unanswered } from '../client/unanswered.js'
import type { Topic } from '../requirements/clause.js'
import { type ClauseId, findClause } from '../requirements/index.js'
import { makeReport } from './make-report.js'
import { Redactor } from './redactor.js'
import { reportExchanges } from './report-exchange.js'
import type { CheckResult, Report, TimelineEvent } from './result.js'
import { unansweredOf } from './unanswered.js'
import { unknownFieldOf } from './unknown-field.js'

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
  /** Why nothing can be said of what was not found broken; undefined where it can. */
  readonly open: string | undefined
}

/** The report of rules that were judged together: in the form of a run's. */
export function reportOnRules(judged: Judged): Report {
  const { profile, rules, url, started, seconds } = judged
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
  const base = {
    id: rule.id,
    clauses: rule.clauses,
    topic: rule.topic,
    grade,
    feature,
    expected: '',
    seen: '',
  }
  const unknown = unknownFeature(profile, feature)
  if (unknown !== undefined) {
    return {
      ...{ ...base, status: 'inconclusive', seconds: 0, message: unknown, exchanges: [] },
      inconclusiveReason: 'profile',
    }
  }
  if (feature !== null && !profile.features[feature]) {
    const message = `the target does not claim ${feature}`
    return { ...base, status: 'not-applicable', seconds: 0, message, exchanges: [] }
  }
  if (found !== undefined && rule.clauses.includes(found.clause)) {
    const { clause, seen, story, scenario, timeline } = found
    const told = {
      ...{ ...base, clauses: [clause], seconds, seen, story, ...(timeline ? { timeline } : {}) },
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
  if (doubt === undefined) return { ...base, status: 'pass', seconds, message: '', exchanges: [] }
  return {
    ...base,
    status: 'inconclusive',
    seconds,
    message: doubt,
    exchanges: [],
    inconclusiveReason: 'stopped',
  }
}
