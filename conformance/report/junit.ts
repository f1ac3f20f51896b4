import { TOPICS } from '../checks/check.js'
import type { CheckResult, Report, Status } from '../run/result.js'
import type { Descriptions } from './describe.js'

const ELEMENTS: Readonly<Partial<Record<Status, 'failure' | 'error' | 'skipped'>>> = {
  fail: 'failure',
  blocked: 'error',
  inconclusive: 'error',
  error: 'error',
  'not-applicable': 'skipped',
}

/** The report as JUnit XML: a suite for each topic, a case for each check. */
export function junitReport(report: Report, { title }: Pick<Descriptions, 'title'>): string {
  const suites = TOPICS.flatMap((topic) => {
    const results = report.results.filter((result) => result.topic === topic)
    if (results.length === 0) return []
    const cases = results.map((result) => testCase(result, title(result.id)))
    return [
      `  <testsuite name="${topic}" ${totals(results)} timestamp="${report.started}">`,
      ...cases,
      '  </testsuite>',
    ]
  })
  const head = `<testsuites name="${escapeText(report.target.name)}" ${totals(report.results)}>`
  return `${['<?xml version="1.0" encoding="UTF-8"?>', head, ...suites, '</testsuites>'].join('\n')}\n`
}

function totals(results: readonly CheckResult[]): string {
  const count = (element: string) => results.filter(({ status }) => ELEMENTS[status] === element).length
  const time = results.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(3)
  return `tests="${results.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}" time="${time}"`
}

function testCase({ id, topic, status, seconds, message, expected, seen }: CheckResult, title = ''): string {
  const head = `    <testcase classname="${topic}" name="${escapeText(`${id}: ${title}`)}" time="${seconds.toFixed(3)}"`
  const element = ELEMENTS[status]
  if (element === 'skipped') return `${head}><skipped message="${escapeText(message)}"/></testcase>`
  if (element === undefined) {
    // A format without a word for it: what the target does at a free point stands in the output.
    return message === ''
      ? `${head}/>`
      : `${head}><system-out>${escapeText(`${status}: ${message}`)}</system-out></testcase>`
  }
  const text = element === 'failure' ? `expected: ${expected}\nseen: ${seen}` : message
  return `${head}><${element} type="${status}" message="${escapeText(message)}">${escapeText(text)}</${element}></testcase>`
}

// What XML has no way to write, lone surrogates among it.
const UNWRITABLE = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu

function escapeText(text: string): string {
  return text
    .replace(UNWRITABLE, '\ufffd')
    .replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/[\n\r\t]/g, (character) => `&#${character.charCodeAt(0)};`)
}
