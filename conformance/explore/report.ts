import type { Profile } from '../client/profile.js'
import type { Report } from '../report/result.js'
import { reportOnRules } from '../report/rules.js'
import type { Exploration } from './explore.js'
import { EXPLORE_RULES } from './rules.js'
import { storyOf } from './story.js'

/** The part of requests without an answer above which nothing can be said. */
const TOO_MANY = 0.05

/** An exploration in the form of a run's report. */
export function explorationReport(
  url: string,
  profile: Profile,
  exploration: Exploration,
  probed: boolean,
): Report {
  const { started, seconds, counterexample } = exploration
  const story = counterexample && storyOf(counterexample.told)
  return reportOnRules({
    ...{ url, profile, probed, started, seconds, rules: EXPLORE_RULES, open: doubtOf(exploration) },
    found: counterexample && {
      clause: counterexample.clause,
      seen: story!.at(-1)!,
      story: story!,
      exchanges: counterexample.exchanges,
      began: counterexample.began,
    },
  })
}

/** Why nothing can be said, although no counterexample was found. */
function doubtOf({ walked, planned, commands, unanswered, unconfirmed }: Exploration): string | undefined {
  if (walked < planned) return `${walked} of ${planned} sequences were walked`
  if (unanswered > TOO_MANY * commands) return `${unanswered} of ${commands} requests were not answered`
  if (unconfirmed.length === 0) return undefined
  return `something was seen that did not show again: ${[...new Set(unconfirmed)].join(', ')}`
}
