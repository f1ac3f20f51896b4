import { printable } from '../client/printable.js'
import { TOPICS } from '../trial/check.js'
import type { Descriptions } from './describe.js'
import type { CheckResult, Fault, Report, StaleEntry, Status } from './result.js'

const ELEMENTS: Readonly<Partial<Record<Status, 'failure' | 'error' | 'skipped'>>> = {
  fail: 'failure',
  blocked: 'error',
  inconclusive: 'error',
  error: 'error',
  'not-applicable': 'skipped',
}

/** The suites of what is wrong with the baseline, and with the kit. */
const BASELINE = 'baseline'
const OWN = 'kit'

/** The suite of what kept the target from being judged. */
const TARGET = 'target'

/** What a test case is made of. */
type Case = Pick<
  CheckResult,
  'id' | 'status' | 'seconds' | 'message' | 'expected' | 'seen' | 'known' | 'scenario'
> & {
  readonly topic: string
}

/** The report as JUnit XML: a suite for each topic, a case for each check. */
export function junitReport(report: Report, { title }: Pick<Descriptions, 'title'>): string {
  const others: Case[] = [
    ...(report.notJudged === undefined ? [] : [unjudgedCase(report.notJudged)]),
    ...(report.baseline?.stale ?? []).map(staleResult),
    ...(report.faults ?? []).map(faultResult),
  ]
  const suites = [...TOPICS, TARGET, BASELINE, OWN].flatMap((topic) => {
    const results = [...report.results, ...others].filter((result) => result.topic === topic)
    if (results.length === 0) return []
    const cases = results.map((result) => testCase(result, title(result.id)))
    return [
      `  <testsuite name="${topic}" ${totals(results)} skipped="${countOf(results, 'skipped')}" timestamp="${report.started}">`,
      ...cases,
      '  </testsuite>',
    ]
  })
  const head = `<testsuites name="${escapeXml(report.target.name)}" ${totals([...report.results, ...others])}>`
  return `${['<?xml version="1.0" encoding="UTF-8"?>', head, ...suites, '</testsuites>'].join('\n')}\n`
}

// The element for all suites has no place for what was skipped: the common schema refuses it there.
function totals(cases: readonly Case[]): string {
  const time = cases.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(3)
  return `tests="${cases.length}" failures="${countOf(cases, 'failure')}" errors="${countOf(cases, 'error')}" time="${time}"`
}

function countOf(cases: readonly Case[], element: string): number {
  return cases.filter((each) => elementOf(each) === element).length
}

function elementOf({ status, known }: Case): 'failure' | 'error' | 'skipped' | undefined {
  return known === undefined ? ELEMENTS[status] : 'skipped'
}

/** Two entries of one check cannot be: its id is a key of the baseline. */
function staleResult({ id, reason, why }: StaleEntry): Case {
  return {
    id,
    topic: BASELINE,
    status: 'fail',
    seconds: 0,
    message: `this entry of the baseline is stale: ${why}`,
    expected: `a failure, since the baseline says: ${reason}`,
    seen: why,
  }
}

function faultResult({ part, why }: Fault): Case {
  return {
    ...{ id: part, topic: OWN, status: 'error', seconds: 0, expected: '', seen: '' },
    message: `this failed within the kit, which says nothing about the target: ${why}`,
  }
}

function unjudgedCase(message: string): Case {
  const said = { seconds: 0, message, expected: '', seen: '' }
  return { id: 'target.judged', topic: TARGET, status: 'inconclusive', ...said }
}

function testCase(each: Case, title = ''): string {
  const { id, topic, status, seconds, message, expected, seen, known, scenario } = each
  const name = title === '' ? id : `${id}: ${title}`
  const head = `    <testcase classname="${topic}" name="${escapeXml(name)}" time="${seconds.toFixed(3)}"`
  const element = elementOf(each)
  if (element === 'skipped') {
    const why = known === undefined ? message : `known failure: ${known}`
    return `${head}><skipped message="${escapeXml(why)}"/></testcase>`
  }
  if (element === undefined) {
    // A format without a word for it: what the target does where the document is silent stands in the output.
    return message === ''
      ? `${head}/>`
      : `${head}><system-out>${escapeXml(`${status}: ${message}`)}</system-out></testcase>`
  }
  const said = element === 'failure' ? `expected: ${expected}\nseen: ${seen}` : message
  const text = scenario === undefined ? said : `${said}\nscenario: ${scenario}`
  return `${head}><${element} type="${status}" message="${escapeXml(message)}">${escapeXml(text)}</${element}></testcase>`
}

// What XML has no way to write is among what nobody sees.
function escapeXml(text: string): string {
  return printable(text)
    .replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/[\n\r\t]/g, (character) => `&#${character.charCodeAt(0)};`)
}
