import type { JournalEntry } from '../control/journal/exchange-record.js'
import type { Attempt } from './attempt.js'
import { type Plan, planAsCode, planAsSentences } from './plan.js'

/** How many exchanges before and behind a fault are told, and how many messages. */
const AROUND = 3
const MOST_MESSAGES = 5

/** How many lines a scenario may have to be told beside the rest. */
const MOST_STEPS = 80

interface Told extends Pick<Attempt, 'failures' | 'entries' | 'stories' | 'scenario'> {
  readonly plan: Plan
  readonly run: number
  readonly seed: number
}

/** What was found, for people: what failed, what went wrong on purpose, what was asked, and how to see it again. */
export function storyOfFinding({ failures, entries, stories, scenario, plan, run, seed }: Told): string {
  const otherwise = planAsSentences(plan)
  const head =
    run === 0 ? 'Without any fault:' : `Found by plan ${run} of seed ${seed}, made as small as possible:`
  const parts = [
    head,
    ...failures.map(({ text }) => indented(text)),
    ...(otherwise.length === 0 ? [] : ['What goes wrong on purpose:', indented(otherwise.join('\n'))]),
    'What was asked:',
    ...exchangesOf(entries).map((line) => `  ${line}`),
    ...(stories.length === 0 ? [] : ['What became of the messages:']),
    ...stories.slice(0, MOST_MESSAGES).map((story) => `  ${story}`),
    ...(stories.length > MOST_MESSAGES ? [`  and ${stories.length - MOST_MESSAGES} more`] : []),
    ...(otherwise.length === 0
      ? []
      : ['To see it again, put this at the beginning of the test:', indented(planAsCode(plan))]),
    ...(plan.faults.length === 0 || scenario.split('\n').length > MOST_STEPS
      ? []
      : ['What was asked, as a scenario for any server:', indented(scenario.trimEnd())]),
  ]
  return parts.join('\n')
}

/** The exchanges around faults; the first and last ones where there was none. */
function exchangesOf(entries: readonly JournalEntry[]): string[] {
  const marked = entries.flatMap(({ faults }, index) => (faults.length > 0 ? [index] : []))
  const near = marked.length > 0 ? marked : [0, entries.length - 1]
  const shown = entries.map((_, index) => near.some((at) => Math.abs(at - index) <= AROUND))
  const lines: string[] = []
  let left = 0
  for (const [index, entry] of entries.entries()) {
    if (!shown[index]) {
      left++
      continue
    }
    if (left > 0) lines.push(`… ${left} more`)
    left = 0
    lines.push(lineOf(entry))
  }
  if (left > 0) lines.push(`… ${left} more`)
  return lines
}

function lineOf({ number, method, path, query, response, faults }: JournalEntry): string {
  const marks = faults.map(({ fault }) => ` (${fault})`).join('')
  const target = shortened(query === '' ? path : `${path}?${query}`)
  return `#${number} ${method} ${target} → ${response?.status ?? 'not handled'}${marks}`
}

/** Ids of 32 digits say nothing to anybody: their beginning tells them apart. */
function shortened(target: string): string {
  return target.replaceAll(/[\da-f]{8}(?=[\da-f]{8})[\da-f-]{8,}/g, (id) => `${id.slice(0, 6)}…`)
}

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n')
}
