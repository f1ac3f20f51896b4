import { cut } from '../client/answered.js'
import { printable, printableDeep } from '../client/printable.js'
import { TOPICS } from '../trial/check.js'
import { profileDoubt } from './advice/after-failures.js'
import { nextSteps } from './advice/next-steps.js'
import { countedChecks, scenarioCommand } from './advice/report-context.js'
import { curlListOf } from './curl/curl-list.js'
import { type Descriptions, type RunContext, verdictSentence } from './describe.js'
import { countsOf } from './make-report.js'
import { notes, unclaimed } from './notes.js'
import {
  type CheckResult,
  type Report,
  type ReportedBody,
  type ReportedExchange,
  STATUSES,
  type Status,
} from './result.js'

export interface PrettyOptions extends Descriptions, RunContext {
  /** Whether to colour it, by ANSI escapes. */
  readonly color: boolean
  /** Whether every check is told, and all that was exchanged. */
  readonly verbose?: boolean
}

const MARKS: Readonly<Record<Status, readonly [mark: string, color: number]>> = {
  pass: ['✓', 32],
  fail: ['✗', 31],
  differs: ['≠', 33],
  observed: ['·', 36],
  'not-applicable': ['-', 90],
  blocked: ['▪', 35],
  inconclusive: ['?', 33],
  error: ['!', 31],
}
/** Characters of the longest topic. */
const WIDEST = Math.max(...TOPICS.map((topic) => topic.length))
const BAD: readonly Status[] = ['fail', 'blocked', 'inconclusive', 'error']
/** Lines of exchanges that one failure shows; its curl commands have all. */
const SHOWN_EXCHANGES = 30
/** Fields that are excerpted as JSON. */
const BODIES: ReadonlySet<string> = new Set(['data'])

/**
 * The report for people: the verdict first; then what failed, each cause once in full; then a line for each topic. What to do next and
 * the verdict again stand at the end, which is what a terminal shows.
 */
export function prettyReport(told: Report, given: PrettyOptions): string {
  const options = { ...given, again: (scenario: string) => scenarioCommand(told, scenario, given) }
  const report = printableDeep(told, BODIES)
  const paint = (code: number, text: string) => (options.color ? `\u001b[${code}m${text}\u001b[0m` : text)
  const { results, target, kit, notJudged } = report
  if (notJudged !== undefined) return `${verdictSentence(report)}\n`
  const color = report.verdict === 'conformant' ? 32 : report.verdict === 'incomplete' ? 33 : 31
  const verdict = paint(color, verdictSentence(report))
  const question = profileDoubt(results)
  const lines = [
    `${kit.name} ${kit.version}: ${target.name} at ${target.url},`,
    `asked whether it does what the document ${kit.document} says`,
    verdict,
    ...(question === undefined ? [] : ['', paint(33, question)]),
    ...firstOpen(results, options, paint),
    ...failures(results, options, paint),
    '',
  ]
  for (const topic of TOPICS) {
    const own = results.filter((result) => result.topic === topic)
    if (own.length === 0) continue
    lines.push(`${paint(1, topic.padEnd(WIDEST))}  ${counted(countsOf(own), paint)}`)
    if (options.verbose) lines.push(...own.map((result) => `  ${line(result, paint)}`))
  }
  lines.push(...notApplicable(results), ...(options.verbose ? choices(report) : []))
  const open = notAsked(results)
  if (open.length > 0) lines.push('', paint(1, 'could not be asked'), ...open.map((each) => `  ${each}`))
  for (const { heading, lines: said } of notes(report))
    lines.push('', paint(1, heading), ...said.map((each) => `  ${each}`))
  const warning = unclaimed(report)
  if (warning !== undefined) lines.push('', warning)
  const steps = nextSteps(report, options).filter(({ sentence }) => sentence !== question)
  if (steps.length > 0) lines.push('', paint(1, 'next'))
  steps.forEach(({ sentence, commands }, index) => {
    lines.push(`  ${index + 1}. ${sentence}`, ...commands.map((command) => `       ${command}`))
  })
  lines.push('', `${counted(report.counts, paint)} in ${report.seconds.toFixed(1)} s`)
  return `${[...lines, verdict].join('\n')}\n`
}

/** The report's part on one check that failed or could not be asked, plain: what was asked, what came, how to see it again. */
export function resultDetails(result: CheckResult, descriptions: Descriptions): string {
  const lines = details(printableDeep(result, BODIES), descriptions, (_code, text) => text)
  const { exchanges } = result
  if (exchanges.length > 0)
    lines.push('    its requests, for curl:', ...indent(printable(curlListOf(result, descriptions))))
  return lines.join('\n')
}

/** Where nothing is wrong, what could not be asked, and why. */
function firstOpen(results: readonly CheckResult[], { title }: Descriptions, paint: Paint): string[] {
  if (results.some(({ status, known }) => status === 'fail' && known === undefined)) return []
  const open = results.filter(({ status, grade }) => status === 'inconclusive' && grade !== 'chosen')
  const first = open.find(({ inconclusiveReason }) => inconclusiveReason === 'profile') ?? open[0]
  if (first === undefined) return []
  return [
    `  ${paint(33, 'not known:')} ${title(first.id) ?? first.id} (${first.id})`,
    `    ${cut(first.message, 200)}`,
  ]
}

/** What went wrong: of those that fail by one clause the first in full, and a line for each of the others. */
function failures(results: readonly CheckResult[], options: PrettyOptions, paint: Paint): string[] {
  const wrong = results.filter(
    ({ status, known }) => (status === 'fail' || status === 'error') && known === undefined,
  )
  const causes: CheckResult[][] = []
  for (const result of wrong) {
    const same = ([first]: readonly CheckResult[]) =>
      first!.status === result.status && first!.clauses.some((clause) => result.clauses.includes(clause))
    const cause = options.verbose ? undefined : causes.find(same)
    if (cause === undefined) causes.push([result])
    else cause.push(result)
  }
  return causes.flatMap(([first, ...others]) => [
    '',
    ...details(first!, options, paint),
    '    its requests as curl commands: --html FILE',
    ...others.map(({ id, seen }) => `    as ${paint(31, `${MARKS.fail[0]} ${id}`)}: ${cut(seen, 100)}`),
  ])
}

type Paint = (code: number, text: string) => string

function line({ id, status, message, seconds, known }: CheckResult, paint: Paint): string {
  const [mark, color] = MARKS[status]
  const time = seconds >= 1 ? ` (${seconds.toFixed(1)} s)` : ''
  const note = status === 'observed' || status === 'differs' ? `: ${message}` : ''
  const word = known === undefined ? status : `${status}, known`
  return `${paint(color, mark)} ${id}${BAD.includes(status) ? ` ${paint(color, word)}` : ''}${note}${time}`
}

function details(
  result: CheckResult,
  options: Descriptions & Pick<PrettyOptions, 'verbose'>,
  paint: Paint,
): string[] {
  const { id, clauses, status, message, expected, seen, exchanges, scenario, variation, broken } = result
  const lines = [`${paint(31, `${MARKS[status][0]} ${id}`)}  ${options.title(id) ?? ''}`]
  for (const clause of clauses) {
    const page = options.page?.(clause)
    lines.push(
      `    clause ${clause}: ${options.clause(clause) ?? ''}${page === undefined ? '' : ` <${page}>`}`,
    )
  }
  if (status === 'error') lines.push(`    the kit failed, not the target: ${message}`)
  else if (status !== 'fail') lines.push(`    ${status}: ${message}`)
  else lines.push(`    expected: ${expected}`, `    seen:     ${seen}`)
  if (scenario !== undefined) {
    lines.push(`    scenario: ${scenario}${variation === undefined ? '' : ` (${variation})`}`)
    if (broken !== undefined && !clauses.includes(broken)) lines.push(`    breaks:   ${broken}`)
    if (options.again !== undefined) lines.push(`    again:    ${options.again(scenario)}`)
  }
  if (exchanges.length === 0) return lines
  const shown = options.verbose ? exchanges : exchanges.slice(-SHOWN_EXCHANGES)
  lines.push('    exchanges:', ...shown.map((each) => `      ${inShort(each)}`))
  return lines
}

/** One line: what was asked, and what came. */
function inShort({ request, response, error, seconds, times }: ReportedExchange): string {
  const asked = `${request.method} ${request.url}${excerpt(request.body)}`
  const location = response?.headers.location ? ` Location: ${response.headers.location}` : ''
  const answer = response ? `${response.status}${location}${excerpt(response.body)}` : error
  return `${asked} → ${answer} (${Math.round(seconds * 1000)} ms${times > 1 ? `, ${times} times` : ''})`
}

function excerpt({ encoding, data, bytes }: ReportedBody): string {
  if (bytes === 0) return ''
  if (encoding === 'base64') return ` <${bytes} bytes>`
  const text = printable(JSON.stringify(data.slice(0, 120)))
  return ` ${text}${data.length > 120 ? `… <${bytes} bytes>` : ''}`
}

/** What is blocked in one line for each check that it waits for, and what is inconclusive each with its reason. */
function notAsked(results: readonly CheckResult[]): string[] {
  const unexpected = results.filter(({ known }) => known === undefined)
  const waiting = new Map<string, CheckResult[]>()
  for (const result of unexpected.filter(({ status }) => status === 'blocked')) {
    const cause = result.blockedBy ?? result.id
    waiting.set(cause, [...(waiting.get(cause) ?? []), result])
  }
  const blocked = [...waiting].map(([cause, [first, ...more]]) =>
    more.length === 0
      ? `${first!.id}: ${first!.message}`
      : `${more.length + 1} checks that build on ${cause}: ${first!.id}, ${more[0]!.id}${more.length > 1 ? ', …' : ''}`,
  )
  const unclear = unexpected.filter(({ status }) => status === 'inconclusive')
  return [...blocked, ...unclear.map(({ id, message }) => `${id}: ${message}`)]
}

function notApplicable(results: readonly CheckResult[]): string[] {
  const left = results.filter(({ status }) => status === 'not-applicable')
  if (left.length === 0) return []
  const reasons = new Map<string, number>()
  for (const { message } of left) reasons.set(message, (reasons.get(message) ?? 0) + 1)
  return ['', 'not applicable', ...[...reasons].map(([why, count]) => `  ${countedChecks(count)}: ${why}`)]
}

function choices(report: Report): string[] {
  const made = Object.entries(report.choices)
  return made.length === 0
    ? []
    : ['', 'where the document is silent', ...made.map(([point, what]) => `  ${point}: ${what}`)]
}

function counted(counts: Report['counts'], paint: Paint): string {
  const parts = STATUSES.filter((status) => counts[status] > 0)
  return parts.map((status) => paint(MARKS[status][1], `${counts[status]} ${status}`)).join(', ') || 'nothing'
}

function indent(text: string): string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((each) => `      ${each}`)
}
