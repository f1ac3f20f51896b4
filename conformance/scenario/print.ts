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
  return [...before, ...wordsOf(step)].join(' ')
}

/** A word with its value, where there is one. */
const said = <T>(word: string, value: T | undefined, write: (value: T) => string = String) =>
  value === undefined ? [] : [word, write(value)]

function wordsOf(deed: Deed): string[] {
  switch (deed.do) {
    case 'create':
    case 'delete':
    case 'browse':
      return [deed.do, namedQueue(deed.queue)]
    case 'list':
      return ['list', ...(deed.path === undefined ? [] : [namedQueue(deed.path)])]
    case 'send':
      return ['send', ...ranged(deed.messages), 'to', namedQueue(deed.queue), ...wayOf(deed), ...madeOf(deed)]
    case 'address':
      return ['address', deed.message, 'at', namedQueue(deed.queue)]
    case 'post':
      return ['post', deed.message, ...madeOf(deed)]
    case 'repeat':
      return [
        ...['repeat', deed.message],
        ...(deed.changed ? ['changed', ...sizeIn(deed)] : []),
        ...(deed.retyped ? ['retyped'] : []),
        ...said('to', deed.queue, namedQueue),
      ]
    case 'visit':
      return ['visit', deed.message]
    case 'subscribe': {
      const { consumer, to, prefetch, atMost, selector, timeout } = deed
      const picks = selector === undefined ? [] : ['selector', 'colour', '=', `'${selector}'`]
      const lease = said('timeout', timeout, timeOf)
      const most = said(atMost ? 'prefetch up to' : 'prefetch', prefetch)
      return [
        'subscribe',
        consumer,
        'to',
        ranged(to.map((each) => namedQueue(each, NAMES.destination))).join(','),
        ...most,
        ...picks,
        ...lease,
      ]
    }
    case 'end':
      return ['end', deed.consumer, ...said('by', deed.by)]
    case 'read':
    case 'head':
    case 'next':
      return [deed.do, deed.consumer]
    case 'ack': {
      const { consumer, messages, order, reads, locks } = deed
      return [
        'ack',
        consumer,
        ...ranged(messages),
        ...(order === undefined ? [] : [order]),
        ...(reads ? ['and', 'read'] : []),
        ...(locks === undefined ? [] : ['and', 'lock', String(locks)]),
      ]
    }
    case 'look':
    case 'fetch':
    case 'done':
      return [deed.do, deed.consumer, deed.message]
    case 'take':
      return ['take', namedQueue(deed.queue), ...said('as', deed.consumer)]
    case 'join':
      return ['join', deed.consumer, 'to', namedQueue(deed.queue)]
    case 'leave':
      return ['leave', deed.consumer, namedQueue(deed.queue)]
    case 'lock':
      return ['lock', deed.consumer, String(deed.max)]
    case 'wait':
      return ['wait', deed.until, ...said('of', deed.until === 'late' ? undefined : deed.consumer)]
    case 'or':
      return ['or']
    case 'advance':
      return ['advance', timeOf(deed.time)]
    case 'request': {
      const { method, to, query, headers, body, form = [] } = deed
      return [
        ...['request', method, ...placeOf(to), ...(query === undefined ? [] : [quoted(query)])],
        ...headersOf(headers),
        ...said('body', body, quoted),
        ...(form.length > 0 ? ['form'] : []),
        ...form.map(([name, value]) => `${name}=${quoted(value)}`),
      ]
    }
    case 'together':
      return [
        'together:',
        ...deed.steps.flatMap((step, at) => (at > 0 ? ['|', printStep(step)] : [printStep(step)])),
      ]
  }
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
