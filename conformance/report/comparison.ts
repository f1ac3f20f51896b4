import { TOPICS } from '../trial/check.js'
import type { CheckResult, Report } from './result.js'

/** A report of one target among several. */
interface ComparedTarget {
  /** The target's name; with its file where another has the same. */
  readonly name: string
  readonly file: string
  readonly report: Report
}

/** One line of a comparison, with a place for each target. */
export interface ComparedCheck {
  readonly id: string
  readonly topic: string
  /** Undefined where a target was not asked. */
  readonly results: readonly (CheckResult | undefined)[]
  /** Whether the targets that were asked came to different statuses. */
  readonly differs: boolean
}

/** A point where the document is silent, with what each target does there. */
export interface ComparedChoice {
  readonly point: string
  /** Undefined where a target was not seen doing anything. */
  readonly answers: readonly (string | undefined)[]
  readonly differs: boolean
}

/** Several targets side by side. */
export interface Comparison {
  readonly targets: readonly ComparedTarget[]
  /** By topic. */
  readonly checks: readonly ComparedCheck[]
  readonly choices: readonly ComparedChoice[]
  /** What makes the reports less comparable than they look: sentences. */
  readonly notes: readonly string[]
}

/** Lays reports side by side. @param inputs at least one, in the order in which they are to be shown */
export function compareReports(
  inputs: readonly { readonly file: string; readonly report: Report }[],
): Comparison {
  const names = inputs.map(({ report }) => report.target.name)
  const targets = inputs.map(({ file, report }) => {
    const { name } = report.target
    const twice = names.indexOf(name) !== names.lastIndexOf(name)
    return { name: twice ? `${name} (${file})` : name, file, report }
  })
  const byId = inputs.map(({ report }) => new Map(report.results.map((result) => [result.id, result])))
  const checks = [...new Set(byId.flatMap((results) => [...results.keys()]))].map((id): ComparedCheck => {
    const results = byId.map((each) => each.get(id))
    const asked = results.filter((result) => result !== undefined)
    return { id, topic: asked[0]!.topic, results, differs: vary(asked.map(({ status }) => status)) }
  })
  const points = [...new Set(inputs.flatMap(({ report }) => Object.keys(report.choices)))]
  const choices = points.map((point): ComparedChoice => {
    const answers = inputs.map(({ report }) =>
      Object.hasOwn(report.choices, point) ? report.choices[point] : undefined,
    )
    return { point, answers, differs: vary(answers.filter((answer) => answer !== undefined)) }
  })
  return { targets, checks: byTopic(checks), choices, notes: comparisonNotes(targets, checks) }
}

/** In the kit's order; topics of another version's kit stand behind. */
function byTopic(checks: readonly ComparedCheck[]): ComparedCheck[] {
  const known: readonly string[] = TOPICS
  const place = ({ topic }: ComparedCheck) => (known.includes(topic) ? known.indexOf(topic) : known.length)
  return [...checks].sort((a, b) => place(a) - place(b))
}

function comparisonNotes(targets: readonly ComparedTarget[], checks: readonly ComparedCheck[]): string[] {
  const said: string[] = []
  const each = (what: (report: Report) => string) =>
    targets.map(({ name, report }) => `${name}: ${what(report)}`).join(', ')
  if (vary(targets.map(({ report }) => report.kit.version)))
    said.push(
      `The reports come from different versions of the kit (${each(({ kit }) => kit.version)}): checks may have changed.`,
    )
  if (vary(targets.map(({ report }) => report.strict)))
    said.push(
      `Not all were judged by the same measure (${each(({ strict }) => (strict ? 'strict' : 'not strict'))}).`,
    )
  const left = checks.filter(({ results }) => results.includes(undefined)).length
  if (left > 0) said.push(`${left} of ${checks.length} checks were not asked of every target.`)
  return said
}

function vary(values: readonly unknown[]): boolean {
  return new Set(values).size > 1
}
