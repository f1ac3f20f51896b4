import type { Profile } from '../client/profile.js'
import type { Report, TimelineEvent } from '../report/result.js'
import { reportOnRules } from '../report/rules.js'
import type { Event } from './history.js'
import type { Violation } from './memory.js'
import { SOAK_RULES } from './rules.js'
import type { Soak } from './soak.js'

/** The part of requests without an answer, but those that were cut, above which nothing can be said. */
const TOO_MANY = 0.05

/** A soak in the form of a run's report. */
export function soakReport(url: string, profile: Profile, soak: Soak, probed: boolean): Report {
  const { started, seconds, doubt, unanswered, requests } = soak
  // What it has done where it was not shown the credentials says nothing against it.
  const violation = doubt === undefined ? soak.violation : undefined
  return reportOnRules({
    ...{ url, profile, probed, started, seconds, rules: SOAK_RULES, open: doubtOf(soak) },
    ...{ unanswered, requests },
    found: violation && {
      clause: violation.clause,
      seen: `${violation.seen}.`,
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
    ...{ who: event.who, what: whatOf(event), outcome: event.outcome },
    ...{ from: (event.from - start) / 1000, to: (event.to - start) / 1000 },
  }))
}

export function sentenceOf(event: Event, start: number): string {
  const came = { yes: '', no: ', and is refused', unknown: `, and ${unknownOf(event)}` }[event.outcome]
  const [from, to] = [event.from - start, event.to - start].map((time) => (time / 1000).toFixed(3))
  return `${event.who} ${whatOf(event)}${came} (${from} s to ${to} s).`
}

/** Why nobody knows what came of a request. */
function unknownOf({ exchange }: Event): string {
  if (exchange?.error?.startsWith('the client')) return `is cut off: ${exchange.error}`
  return exchange === undefined || exchange.status === 0
    ? 'gets no answer'
    : `is answered with ${exchange.status}`
}

function whatOf({ do: done, queue, message, subscription, shown = [], sending, terms }: Event): string {
  const list =
    shown.length === 0
      ? 'nothing'
      : shown.map((each) => (each < 0 ? 'a strange body' : `m${each}`)).join(', ')
  switch (done) {
    case 'create':
      return `creates the queue ${queue}`
    case 'delete':
      return `deletes the queue ${queue}`
    case 'address':
      return `asks ${queue} for a new-message address`
    case 'send':
      return `sends m${message}${sending?.isRepeat ? ' again' : ''}`
    case 'subscribe':
      return terms?.mapping === undefined
        ? `begins subscription ${subscription}, prefetch ${terms?.prefetch}`
        : `begins to consume by ${terms.mapping} as ${subscription}`
    case 'read':
      return `reads subscription ${subscription}: ${list}`
    case 'acknowledge':
      return `acknowledges m${message} of subscription ${subscription}`
    case 'end':
      return `deletes subscription ${subscription}`
    case 'browse':
      return `browses${queue === undefined ? '' : ` the queue ${queue}`}: ${list}`
  }
}

/** Why nothing can be said, although nothing was found. */
function doubtOf({
  doubt,
  stopped,
  requests,
  unanswered,
  acknowledged,
  unconsumed,
}: Soak): string | undefined {
  if (doubt !== undefined) return doubt
  if (stopped) return 'the soak was stopped'
  if (unanswered.count > TOO_MANY * requests)
    return `${unanswered.count} of ${requests} requests were not answered`
  if (acknowledged === 0) return 'no message was acknowledged'
  return unconsumed > 0
    ? `${unconsumed} messages were left whose queues the last consumer could not consume from`
    : undefined
}
