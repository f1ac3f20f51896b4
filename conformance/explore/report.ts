import type { Profile } from '../client/profile.js'
import type { Report } from '../report/result.js'
import { reportOnRules } from '../report/rules.js'
import { printInline } from '../scenario/print.js'
import { linesOf } from '../scenario/tell.js'
import type { Exploration } from './explore.js'
import { EXPLORE_RULES } from './rules.js'

/** An exploration in the form of a run's report. */
export function explorationReport(
  url: string,
  profile: Profile,
  exploration: Exploration,
  probed: boolean,
): Report {
  const { started, seconds, unanswered, requests, doubt, counterexample } = exploration
  return reportOnRules({
    ...{ url, profile, probed, started, seconds, rules: EXPLORE_RULES, doubt, open: openOf(exploration) },
    ...{ unanswered, requests },
    found: counterexample && {
      clause: counterexample.clause,
      expected: counterexample.expected,
      seen: counterexample.seen,
      story: linesOf(counterexample.told),
      scenario: printInline(counterexample.scenario),
      exchanges: counterexample.exchanges,
      began: counterexample.began,
    },
  })
}

/** Why nothing can be said, although no counterexample was found. */
function openOf({ walked, planned, unconfirmed }: Exploration): string | undefined {
  if (walked < planned) return `${walked} of ${planned} scenarios were walked`
  if (unconfirmed.length === 0) return undefined
  return `something was seen that did not show again: ${[...new Set(unconfirmed)].join(', ')}`
}
