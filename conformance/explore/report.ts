import type { Profile } from '../client/profile.js'
import type { Report } from '../report/result.js'
import { reportOnRules } from '../report/rules.js'
import { printInline } from '../scenario/print.js'
import { linesOf } from '../scenario/tell.js'
import type { Exploration } from './explore.js'
import { EXPLORE_RULES } from './rules.js'

/** The part of requests without an answer above which nothing can be said. */
const TOO_MANY = 0.05

/** An exploration in the form of a run's report. */
export function explorationReport(
  url: string,
  profile: Profile,
  exploration: Exploration,
  probed: boolean,
): Report {
  const { started, seconds, unanswered, requests, doubt } = exploration
  // What it has done where it was not shown the credentials says nothing against it.
  const counterexample = doubt === undefined ? exploration.counterexample : undefined
  const story = counterexample && linesOf(counterexample.told)
  return reportOnRules({
    ...{ url, profile, probed, started, seconds, rules: EXPLORE_RULES, open: doubtOf(exploration) },
    ...{ unanswered, requests },
    found: counterexample && {
      clause: counterexample.clause,
      expected: counterexample.expected,
      seen: counterexample.seen,
      story: story!,
      scenario: printInline(counterexample.scenario),
      exchanges: counterexample.exchanges,
      began: counterexample.began,
    },
  })
}

/** Why nothing can be said, although no counterexample was found. */
function doubtOf({
  doubt,
  walked,
  planned,
  requests,
  unanswered,
  unconfirmed,
}: Exploration): string | undefined {
  if (doubt !== undefined) return doubt
  if (walked < planned) return `${walked} of ${planned} scenarios were walked`
  if (unanswered.count > TOO_MANY * requests)
    return `${unanswered.count} of ${requests} requests were not answered`
  if (unconfirmed.length === 0) return undefined
  return `something was seen that did not show again: ${[...new Set(unconfirmed)].join(', ')}`
}
