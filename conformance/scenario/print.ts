import type { Deed, Made, Of, Place, Step } from './step.js'
import { NAMES, namedQueue, quoted, ranged, sizeOf, timeOf } from './words.js'

/** Steps as a scenario's text, a line for each: what `parse` reads as the same steps. */
export function print(steps: readonly Step[]): string {
  return steps.map((step) => `${printStep(step)}\n`).join('')
}

/** The same on one line. */
export function printInline(steps: readonly Step[]): string {
  return steps.map(printStep).join('; ')
}

export function printStep(step: Step): string {
  const before = [
    ...(step.own ? ['!'] : []),
    ...(step.at === undefined ? [] : [`by ${step.at}:`]),
    ...(step.as === undefined ? [] : [`as ${step.as}:`]),
    ...(step.cut === undefined ? [] : [`cut ${step.cut}:`]),
  ]
  const behind = BEHIND[step.do] as (deed: Deed) => readonly string[]
  return [...before, step.do === 'together' ? 'together:' : step.do, ...behind(step)].join(' ')
}

/** A word with its value, where there is one. */
const said = <T>(word: string, value: T | undefined, write: (value: T) => string = String) =>
  value === undefined ? [] : [word, write(value)]

const queueIn = ({ queue }: { readonly queue: string }) => [namedQueue(queue)]
const consumerIn = ({ consumer }: { readonly consumer: string }) => [consumer]
const messageIn = ({ consumer, message }: Of<'look'>) => [consumer, message]

/** What stands behind the first word of each step. */
const BEHIND: { readonly [Verb in Deed['do']]: (deed: Of<Verb>) => readonly string[] } = {
  create: queueIn,
  delete: queueIn,
  browse: queueIn,
  list: ({ path }) => (path === undefined ? [] : [namedQueue(path)]),
  send: (deed) => [...ranged(deed.messages), 'to', ...queueIn(deed), ...wayOf(deed), ...madeOf(deed)],
  address: ({ message, queue }) => [message, 'at', namedQueue(queue)],
  post: (deed) => [deed.message, ...madeOf(deed)],
  repeat: (deed) => [
    deed.message,
    ...(deed.changed ? ['changed', ...sizeIn(deed)] : []),
    ...(deed.retyped ? ['retyped'] : []),
    ...said('to', deed.queue, namedQueue),
  ],
  visit: ({ message }) => [message],
  subscribe: ({ consumer, to, prefetch, atMost, selector, timeout }) => [
    ...[consumer, 'to', ranged(to.map((each) => namedQueue(each, NAMES.destination))).join(',')],
    ...said(atMost ? 'prefetch up to' : 'prefetch', prefetch),
    ...(selector === undefined ? [] : ['selector', 'colour', '=', `'${selector}'`]),
    ...said('timeout', timeout, timeOf),
  ],
  end: ({ consumer, by }) => [consumer, ...said('by', by)],
  read: consumerIn,
  head: consumerIn,
  next: consumerIn,
  ack: ({ consumer, messages, order, reads, locks }) => [
    ...[consumer, ...ranged(messages)],
    ...(order === undefined ? [] : [order]),
    ...(reads ? ['and', 'read'] : []),
    ...said('and lock', locks),
  ],
  look: messageIn,
  fetch: messageIn,
  done: messageIn,
  take: ({ queue, consumer }) => [namedQueue(queue), ...said('as', consumer)],
  join: ({ consumer, queue }) => [consumer, 'to', namedQueue(queue)],
  leave: ({ consumer, queue }) => [consumer, namedQueue(queue)],
  lock: ({ consumer, max }) => [consumer, String(max)],
  wait: (deed) => [deed.until, ...said('of', deed.until === 'late' ? undefined : deed.consumer)],
  or: () => [],
  advance: ({ time }) => [timeOf(time)],
  request: ({ method, to, query, headers, body, form = [] }) => [
    ...[method, ...placeOf(to), ...(query === undefined ? [] : [quoted(query)])],
    ...headersOf(headers),
    ...said('body', body, quoted),
    ...(form.length > 0 ? ['form'] : []),
    ...form.map(([name, value]) => `${name}=${quoted(value)}`),
  ],
  together: ({ steps }) => [steps.map(printStep).join(' | ')],
}

function placeOf(to: Place): string[] {
  if ('path' in to) return [quoted(to.path)]
  const beside = to.beside ? ['beside'] : []
  if ('queue' in to) return [...beside, namedQueue(to.queue)]
  if ('address' in to) return [...beside, 'address', to.address]
  return [...beside, to.consumer, ...(to.message === undefined ? [] : [to.message])]
}

function wayOf({ by, guid }: Of<'send'>): string[] {
  if (guid === undefined) return said('by', by)
  const which = typeof guid === 'string' ? [guid] : ['unlike', guid.unlike, 'in', guid.in]
  return ['by', 'guid', ...which]
}

function madeOf(made: Made): string[] {
  const { colour, headers, like, body, bytes, every } = made
  return [
    ...(colour === undefined ? [] : ['with', 'colour', colour]),
    ...headersOf(headers),
    ...said('like', like),
    ...said('body', body, quoted),
    ...said('bytes', bytes, quoted),
    ...(every ? ['every', 'byte'] : []),
    ...sizeIn(made),
  ]
}

function sizeIn({ size, empty }: Pick<Made, 'size' | 'empty'>): string[] {
  return [...said('size', size, sizeOf), ...(empty ? ['empty'] : [])]
}

function headersOf(headers: Made['headers'] = []): string[] {
  return headers.flatMap(([name, value]) => ['with', `${name}:`, quoted(value)])
}
