import { printable, printableDeep } from '../client/printable.js'
import { TOPICS } from '../trial/check.js'
import { nextSteps } from './advice/next-steps.js'
import { curlListOf } from './curl/curl-list.js'
import { type Descriptions, type RunContext, verdictSentence } from './describe.js'
import { notes, unclaimed } from './notes.js'
import type { CheckResult, Report, ReportedBody, ReportedExchange, Status } from './result.js'

export interface PrettyOptions extends Descriptions, RunContext {
  /** Whether to colour it, by ANSI escapes. */
  readonly color: boolean
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
const BAD: readonly Status[] = ['fail', 'blocked', 'inconclusive', 'error']
/** Lines of exchanges that one failure shows; its curl commands have all. */
const SHOWN_EXCHANGES = 30
/** Fields that are excerpted as JSON. */
const BODIES: ReadonlySet<string> = new Set(['data'])
/** Failures that the beginning names. */
const FIRST = 3

/**
 * The report for people: the verdict and what is wrong first; then each topic, what does not apply, and what went wrong in
 * full. What to do next and the verdict again stand at the end, which is what a terminal shows.
 */
export function prettyReport(told: Report, options: PrettyOptions): string {
  const report = printableDeep(told, BODIES)
  const paint = (code: number, text: string) => (options.color ? `\u001b[${code}m${text}\u001b[0m` : text)
  const { results, target, kit, notJudged } = report
  if (notJudged !== undefined) return `${verdictSentence(report)}\n`
  const color = report.verdict === 'conformant' ? 32 : report.verdict === 'incomplete' ? 33 : 31
  const verdict = paint(color, verdictSentence(report))
  const lines = [
    `${kit.name} ${kit.version}: ${target.name} at ${target.url},`,
    `asked whether it does what the document ${kit.document} says`,
    verdict,
    ...firstWrong(results, options, paint),
    '',
  ]
  for (const topic of TOPICS) {
    const own = results.filter((result) => result.topic === topic && result.status !== 'not-applicable')
    if (own.length === 0) continue
    lines.push(paint(1, topic))
    for (const result of own) if (!isBlocked(result)) lines.push(`  ${line(result, paint)}`)
    const blocked = own.filter(isBlocked).length
    if (blocked > 0) lines.push(`  ${paint(33, MARKS.blocked[0])} ${blocked} could not be asked`)
  }
  lines.push(...notApplicable(results), ...choices(report))
  // What is wrong stands near the end, which is what a terminal shows.
  for (const result of results) {
    if ((result.status === 'fail' || result.status === 'error') && result.known === undefined)
      lines.push('', ...details(result, options, paint), '    its requests as curl commands: --html FILE')
  }
  const open = notAsked(results)
  if (open.length > 0) lines.push('', paint(1, 'could not be asked'), ...open.map((each) => `  ${each}`))
  for (const { heading, lines: said } of notes(report))
    lines.push('', paint(1, heading), ...said.map((each) => `  ${each}`))
  const warning = unclaimed(report)
  if (warning !== undefined) lines.push('', warning)
  const steps = nextSteps(report, options)
  if (steps.length > 0) lines.push('', paint(1, 'next'))
  steps.forEach(({ sentence, commands }, index) => {
    lines.push(`  ${index + 1}. ${sentence}`, ...commands.map((command) => `       ${command}`))
  })
  lines.push('', counts(report, paint))
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

/** What is wrong first, for who reads the beginning; where nothing is, what could not be asked, and why. */
function firstWrong(results: readonly CheckResult[], { title }: Descriptions, paint: Paint): string[] {
  const wrong = results.filter(({ status, known }) => status === 'fail' && known === undefined)
  const open = results.filter(({ status, grade }) => status === 'inconclusive' && grade !== 'chosen')
  const first = open.find(({ inconclusiveReason }) => inconclusiveReason === 'profile') ?? open[0]
  if (wrong.length === 0 && first !== undefined)
    return [
      `  ${paint(33, 'not known:')} ${title(first.id) ?? first.id} (${first.id})`,
      `    ${cut(first.message, 200)}`,
    ]
  const shown = wrong
    .slice(0, FIRST)
    .flatMap(({ id, seen }) => [
      `  ${paint(31, 'not so:')} ${title(id) ?? id} (${id})`,
      `    seen: ${cut(seen, 100)}`,
    ])
  const more = wrong.length - FIRST
  return more > 0 ? [...shown, `  and ${more} more; what to do next is said at the end`] : shown
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text
}

type Paint = (code: number, text: string) => string

function line({ id, status, message, seconds, known }: CheckResult, paint: Paint): string {
  const [mark, color] = MARKS[status]
  const time = seconds >= 1 ? ` (${seconds.toFixed(1)} s)` : ''
  const note = status === 'observed' || status === 'differs' ? `: ${message}` : ''
  const word = known === undefined ? status : `${status}, known`
  return `${paint(color, mark)} ${id}${BAD.includes(status) ? ` ${paint(color, word)}` : ''}${note}${time}`
}

function details(result: CheckResult, options: Descriptions, paint: Paint): string[] {
  const { id, clauses, status, message, expected, seen, exchanges } = result
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
  if (exchanges.length === 0) return lines
  lines.push('    exchanges:', ...exchanges.slice(-SHOWN_EXCHANGES).map((each) => `      ${inShort(each)}`))
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

function isBlocked({ status, known }: CheckResult): boolean {
  return status === 'blocked' && known === undefined
}

/** What is blocked in one line for each check that it waits for, and what is inconclusive each with its reason. */
function notAsked(results: readonly CheckResult[]): string[] {
  const waiting = new Map<string, CheckResult[]>()
  for (const result of results.filter(isBlocked)) {
    const cause = result.blockedBy ?? result.id
    waiting.set(cause, [...(waiting.get(cause) ?? []), result])
  }
  const blocked = [...waiting].map(([cause, [first, ...more]]) =>
    more.length === 0
      ? `${first!.id}: ${first!.message}`
      : `${more.length + 1} checks that build on ${cause}: ${first!.id}, ${more[0]!.id}${more.length > 1 ? ', …' : ''}`,
  )
  const unclear = results.filter(({ status, known }) => status === 'inconclusive' && known === undefined)
  return [...blocked, ...unclear.map(({ id, message }) => `${id}: ${message}`)]
}

function notApplicable(results: readonly CheckResult[]): string[] {
  const left = results.filter(({ status }) => status === 'not-applicable')
  if (left.length === 0) return []
  const reasons = new Map<string, number>()
  for (const { message } of left) reasons.set(message, (reasons.get(message) ?? 0) + 1)
  return [
    '',
    'not applicable',
    ...[...reasons].map(([why, count]) => `  ${count} ${count === 1 ? 'check' : 'checks'}: ${why}`),
  ]
}

function choices(report: Report): string[] {
  const made = Object.entries(report.choices)
  return made.length === 0
    ? []
    : ['', 'where the document is silent', ...made.map(([point, what]) => `  ${point}: ${what}`)]
}

function counts({ counts, seconds }: Report, paint: Paint): string {
  const parts = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => paint(MARKS[status as Status][1], `${count} ${status}`))
  return `${parts.join(', ') || 'nothing'} in ${seconds.toFixed(1)} s`
}

function indent(text: string): string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((each) => `      ${each}`)
}
