import type { Profile } from '../client/profile.js'
import { EXPLORE_RULES } from '../explore/rules.js'
import type { Report, TimelineEvent } from '../report/result.js'
import { type Rule, reportOnRules } from '../report/rules.js'
import { type Event, outcomeOf, type Violation } from './history.js'
import type { Soak } from './soak.js'

/** What a soak never asks for. */
const NOT_ASKED = /^(?:auth|single-path|browse\.(?:root|subtree)|queues\.delete\.unlisted)/

/** What the model can find broken by a history. */
export const SOAK_RULES: readonly Rule[] = EXPLORE_RULES.filter(({ topic }) => !NOT_ASKED.test(topic)).map(
  ({ topic, title, clauses }) => ({
    ...{ id: `soak.${topic}`, topic, title },
    clauses: clauses.filter((clause) => !NOT_ASKED.test(clause)),
  }),
)

/** A soak in the form of a run's report. */
export function soakReport(url: string, profile: Profile, soak: Soak, probed: boolean): Report {
  const { started, seconds, doubt, unanswered, requests, violation } = soak
  return reportOnRules({
    ...{ url, profile, probed, started, seconds, rules: SOAK_RULES, doubt, open: openOf(soak) },
    ...{ unanswered, requests },
    found: violation && {
      clause: violation.clause,
      ...{ expected: violation.expected, seen: `${violation.seen}.` },
      story: violation.events.map((event) => sentenceOf(event, violation.events[0]!.from)),
      timeline: timelineOf(violation),
      exchanges: violation.events.flatMap(({ exchange }) => exchange ?? []),
      began: violation.events[0]!.from,
    },
  })
}

/** The requests of a violation as a picture shows them. */
export function timelineOf({ events }: Violation): TimelineEvent[] {
  const start = events[0]!.from
  return events.map((event) => ({
    ...{ who: event.who, what: whatOf(event), outcome: outcomeOf(event.answer) },
    ...{ from: (event.from - start) / 1000, to: (event.to - start) / 1000 },
  }))
}

export function sentenceOf(event: Event, start: number): string {
  const unknown = () => `, and ${unknownOf(event)}`
  const outcome = outcomeOf(event.answer)
  const came = outcome === 'unknown' ? unknown() : outcome === 'no' ? ', and is refused' : ''
  const [from, to] = [event.from - start, event.to - start].map((time) => (time / 1000).toFixed(3))
  return `${event.who} ${whatOf(event)}${came} (${from} s to ${to} s).`
}

/** Why nobody knows what came of a request. */
function unknownOf({ exchange, answer: { status } }: Event): string {
  if (exchange?.error?.startsWith('the client')) return `is cut off: ${exchange.error}`
  return status === 0 ? 'gets no answer' : `is answered with ${status}`
}

function whatOf({ request, answer, subscription, messages = [] }: Event): string {
  const bodies = (answer.entries ?? []).map(({ body }) => body)
  const shown = `: ${bodies.length === 0 ? 'nothing' : bodies.join(', ')}`
  const names = messages.map((each) => `m${each}`).join(', ')
  switch (request.do) {
    case 'createQueue':
      return `creates the queue ${request.queue}`
    case 'deleteQueue':
      return `deletes the queue ${request.queue}`
    case 'newAddress':
      return `asks ${request.queue} for a new-message address`
    case 'postMessage':
    case 'sendOnce':
      return `sends ${names}`
    case 'subscribe':
      return `begins subscription ${subscription}, prefetch ${request.prefetch}`
    case 'join':
      return `begins to consume from ${request.queue} as ${subscription}`
    case 'consume':
      return `reads subscription ${subscription}${shown}`
    case 'nextMessage':
      return `asks for the next message as ${subscription}${shown}`
    case 'lockNextMessages':
      return `locks up to ${request.max} messages as ${subscription}${shown}`
    case 'unsubscribe':
      return `deletes subscription ${subscription}`
    case 'browseQueue':
      return `browses the queue ${request.queue}${shown}`
    default:
      return `acknowledges ${names} of subscription ${subscription}`
  }
}

/** Why nothing can be said, although nothing was found. */
function openOf({ stopped, acknowledged, unconsumed }: Soak): string | undefined {
  if (stopped) return 'the soak was stopped'
  if (acknowledged === 0) return 'no message was acknowledged'
  return unconsumed > 0
    ? `${unconsumed} messages were left whose queues the last consumer could not consume from`
    : undefined
}
