import { verdictSentence } from '../describe.js'
import type { Report, Status, Verdict } from '../result.js'
import { html, type Markup } from './markup.js'

/** Beside its word, so that neither colour nor shape alone says what it is. */
const MARKS: Readonly<Record<Status, string>> = {
  pass: '✓',
  fail: '✗',
  differs: '≠',
  observed: '●',
  'not-applicable': '–',
  blocked: '■',
  inconclusive: '?',
  error: '!',
}

const VERDICT_MARKS: Readonly<Record<Verdict, string>> = {
  conformant: '✓',
  'non-conformant': '✗',
  incomplete: '?',
}

/** A status as a mark and its word. */
export function statusBadge(status: Status, more = ''): Markup {
  return html`<span class="status ${status}"><span class="mark" aria-hidden="true">${MARKS[status]}</span> ${words(status)}${more}</span>`
}

/** A verdict as a mark and its word. */
export function verdictBadge(verdict: Verdict): Markup {
  const word = verdict.charAt(0).toUpperCase() + verdict.slice(1)
  return html`<strong><span class="mark" aria-hidden="true">${VERDICT_MARKS[verdict]}</span> ${word}</strong>`
}

/** What a report says after its verdict: why it is so. */
export function verdictReason(report: Report): string {
  return verdictSentence(report).slice(report.verdict.length).replace(/^: /, '')
}

/** A status as people say it. */
export function words(status: Status): string {
  return status.replace('-', ' ')
}
