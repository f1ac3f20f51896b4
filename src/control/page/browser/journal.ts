import type { JournalEntry } from '../../journal/exchange-record.js'
import { assertionOf, copyButton, curlOf, testOf } from './copy.js'
import { foreign, make, part, say, showList, type View } from './dom.js'
import { shortenIds, span, timeOfDay } from './format.js'
import { bodyElement } from './messages.js'
import { ask } from './server.js'
import { together } from './together.js'

/** How many exchanges the page keeps; the server remembers more. */
const MOST_SHOWN = 200

interface Exchange {
  /** Tells it from one of the same number on a server that was started anew. */
  readonly key: string
  readonly entry: JournalEntry
}

let exchanges: Exchange[] = []

/** Shows those exchanges that have all the words that somebody looks for, those that have come since among them. */
export const findExchanges = together(async () => draw(), 100)

/** Shows these exchanges, and no others. Those that were there already stay as they are, folded out or not. */
export function showExchanges(entries: readonly JournalEntry[]): void {
  exchanges = entries.slice(-MOST_SHOWN).map(exchangeOf)
  draw()
}

/** Shows one more exchange, on top. Many that come at once are drawn at once. */
export function showExchange(entry: JournalEntry): void {
  exchanges.push(exchangeOf(entry))
  if (exchanges.length > 2 * MOST_SHOWN) exchanges = exchanges.slice(-MOST_SHOWN)
  findExchanges()
}

function exchangeOf(entry: JournalEntry): Exchange {
  const { request, response, ...rest } = entry
  return { key: JSON.stringify([rest, request.headers, response?.status, response?.headers]), entry }
}

function draw(): void {
  exchanges = exchanges.slice(-MOST_SHOWN)
  const list = part('journal', HTMLOListElement)
  const words = part('find-exchange', HTMLInputElement).value.toLowerCase().split(/\s+/).filter(Boolean)
  const found = words.length === 0 ? exchanges : exchanges.filter(({ entry }) => hasWords(entry, words))
  list.hidden = found.length === 0
  part('find-exchange-label', HTMLElement).hidden = exchanges.length === 0
  part('no-exchanges', HTMLElement).hidden = exchanges.length > 0
  part('none-found', HTMLElement).hidden = exchanges.length === 0 || found.length > 0
  showList(list, folded(found.toReversed()), ({ key }) => key, exchangeView)
}

interface Folded extends Exchange {
  /** How many that were answered alike come right before it, and are not shown: polling would bury the rest. */
  readonly alike: number
}

function folded(all: readonly Exchange[]): Folded[] {
  const shown: Folded[] = []
  for (const { key, entry } of all) {
    const later = shown.at(-1)
    if (later !== undefined && isAlike(later.entry, entry))
      shown[shown.length - 1] = { ...later, alike: later.alike + 1 }
    else shown.push({ key, entry, alike: 0 })
  }
  return shown
}

function isAlike(one: JournalEntry, other: JournalEntry): boolean {
  const told = ({ method, path, query, response, faults }: JournalEntry) =>
    JSON.stringify([method, path, query, response?.status, response?.bytes, faults])
  return one.method === 'GET' && told(one) === told(other)
}

function exchangeView({ entry }: Folded): View<Folded> {
  const times = make('span', { class: 'alike' })
  return {
    element: exchangeElement(entry, times),
    update: ({ alike }) => {
      times.hidden = alike === 0
      say(times, alike === 0 ? '' : `${alike + 1} times`)
    },
  }
}

/** The buttons for all of the journal. */
export function setUpCopies(): void {
  part('copies', HTMLElement).append(
    copyButton('Copy as scenario', () => ask('GET', 'journal/scenario')),
    ' ',
    copyButton('Copy as test', () => testOf(exchanges.map(({ entry }) => entry))),
  )
}

function hasWords(
  { method, path, query, response, faults, principal }: JournalEntry,
  words: string[],
): boolean {
  const kinds = faults.map(({ fault }) => fault).join(' ')
  const text =
    `${method} ${path}?${query} ${response?.status ?? 'not handled'} ${kinds} ${principal ?? ''}`.toLowerCase()
  return words.every((word) => text.includes(word))
}

function exchangeElement(entry: JournalEntry, times: HTMLElement): HTMLElement {
  const { number, at, duration, method, path, query, response, faults } = entry
  const status = response === undefined ? 'not handled' : `${response.status}`
  const summary = make(
    'summary',
    {},
    make('span', { class: 'number quiet' }, `${number}`),
    make('time', { class: 'quiet', datetime: new Date(at).toISOString() }, timeOfDay(at)),
    make('strong', {}, method),
    pathElement(query === '' ? path : `${path}?${query}`),
    times,
    make('span', { class: `status ${classOf(response?.status)}` }, status),
  )
  for (const { fault } of faults) summary.append(make('span', { class: 'fired' }, fault))
  if (duration > 0) summary.append(make('span', { class: 'quiet' }, span(duration)))
  const details = make('details', {}, summary)
  // What nobody looks at is not made.
  details.addEventListener('toggle', () => details.append(...exchangeParts(entry)), { once: true })
  return make('li', { 'data-exchange': `${number}` }, details)
}

/** A target in which ids of 32 digits are shortened; all of it is its title. */
function pathElement(target: string): HTMLElement {
  const short = shortenIds(target)
  return make('span', short === target ? { class: 'path' } : { class: 'path', title: target }, foreign(short))
}

function classOf(status: number | undefined): string {
  if (status === undefined || status >= 500) return 'failed'
  return status >= 400 ? 'refused' : 'fine'
}

function exchangeParts(entry: JournalEntry): HTMLElement[] {
  const { request, response } = entry
  const curl = copyButton('Copy as curl', () => curlOf(entry))
  const assertion = copyButton('Copy as an assertion', () => assertionOf(entry))
  return [
    make('div', { class: 'copies' }, curl, assertion),
    messagePart('Request', request),
    ...(response === undefined ? [] : [messagePart(`Response ${response.status}`, response)]),
  ]
}

function messagePart(title: string, message: JournalEntry['request']): HTMLElement {
  const fields = make('dl')
  for (const [name, value] of Object.entries(message.headers)) {
    fields.append(make('dt', {}, foreign(name)), make('dd', {}, foreign(value)))
  }
  return make('div', { class: 'side' }, make('h3', {}, title), fields, bodyElement(message))
}
