import { textSearch } from '../input/contains.js'
import { isTooWild, LONGEST_WILD, wordGlob } from '../input/glob.js'
import { type Given, optional, readObject, readSwitch, readText, readWhole, wrong } from '../input/read.js'
import {
  compileText,
  describeText,
  equalling,
  readPatterns,
  readTextPattern,
  type TextPattern,
} from '../input/text-pattern.js'
import { MESSAGE_STATUSES, type MessageRecord, type MessageStatus } from './message-record.js'

/**
 * Which messages are meant: all that fit everything that is given.
 *
 * @example
 * ```ts
 * const done: MessagePattern = { queue: 'orders/*', properties: { colour: 'blue' }, acknowledged: true }
 * ```
 */
export interface MessagePattern {
  /** Name of the queue, dotted or with slashes; `*` is any part. */
  readonly queue?: string | undefined
  /** Its place in its queue, from 1. */
  readonly sequence?: number | undefined
  readonly guid?: TextPattern | undefined
  /** Of the message, as in the state. */
  readonly id?: string | undefined
  /** A text that is somewhere in the beginning of the body, or a regular expression. */
  readonly body?: TextPattern | undefined
  readonly contentType?: TextPattern | undefined
  /** Values of application properties. */
  readonly properties?: Readonly<Record<string, TextPattern>> | undefined
  /** Whether it was acknowledged, or taken for good. */
  readonly acknowledged?: boolean | undefined
  /** Where it is now. */
  readonly status?: MessageStatus | undefined
  /** How often it was handed to a consumer. */
  readonly delivered?: number | undefined
  /** A consumer that it was handed to, by its id or by its name in a {@link DeliveryRecord}. */
  readonly to?: string | undefined
}

/** The members of a {@link MessagePattern} that say which message, as opposed to what became of it. */
const IDENTITY = ['queue', 'sequence', 'guid', 'id', 'body', 'contentType', 'properties'] as const

const MEMBERS = [...IDENTITY, 'acknowledged', 'status', 'delivered', 'to'] as const

/**
 * Reads a pattern, from code or from JSON alike.
 *
 * @throws Problem `malformed-request`
 */
export function readMessagePattern(whole: Given): MessagePattern {
  const given = readObject(whole, MEMBERS)
  return {
    queue: optional(given.queue, readQueue),
    sequence: optional(given.sequence, (place) => readWhole(place, 1, Number.MAX_SAFE_INTEGER)),
    guid: optional(given.guid, readTextPattern),
    id: optional(given.id, readText),
    body: optional(given.body, readTextPattern),
    contentType: optional(given.contentType, readTextPattern),
    properties: optional(given.properties, readProperties),
    acknowledged: optional(given.acknowledged, readSwitch),
    status: optional(
      given.status,
      ({ value, at }) =>
        MESSAGE_STATUSES.find((status) => status === value) ??
        wrong({ value, at }, `one of ${MESSAGE_STATUSES.join(', ')}`),
    ),
    delivered: optional(given.delivered, (count) => readWhole(count, 0, Number.MAX_SAFE_INTEGER)),
    to: optional(given.to, readText),
  }
}

function readQueue(given: Given): string {
  const text = readText(given)
  if (isTooWild(text))
    wrong(given, `a name with at most ${LONGEST_WILD} characters from its first * to its last`)
  return text.replaceAll('.', '/')
}

function readProperties(given: Given): Record<string, TextPattern> {
  const patterns = Object.entries(readPatterns(given, readTextPattern))
  return Object.fromEntries(
    patterns.map(([name, pattern]) => [name.toLowerCase().replaceAll('-', '_'), pattern]),
  )
}

/** The part of a pattern that says which message, so that what became of others like it can be told. */
export function identityOf(pattern: MessagePattern): MessagePattern {
  return Object.fromEntries(Object.entries(pattern).filter(([name]) => IDENTITY.some((one) => one === name)))
}

export function compileMessagePattern(pattern: MessagePattern): (record: MessageRecord) => boolean {
  const { queue, id, acknowledged, status, delivered, to } = pattern
  const questions: ((record: MessageRecord) => boolean)[] = []
  const ask = (wanted: TextPattern | undefined, of: (record: MessageRecord) => string | null | undefined) => {
    if (wanted === undefined) return
    const fits = compileText(wanted, equalling)
    questions.push((record) => fits(of(record) ?? ''))
  }
  if (queue !== undefined) {
    const fits = queue.includes('*') ? wordGlob(queue) : (name: string) => name === queue
    questions.push((record) => fits(record.queue))
  }
  ask(pattern.guid, ({ guid }) => guid)
  ask(pattern.contentType, ({ contentType }) => contentType)
  for (const [name, wanted] of Object.entries(pattern.properties ?? {})) {
    ask(wanted, ({ properties }) => properties[name])
  }
  if (pattern.body !== undefined) {
    const fits = compileText(pattern.body, textSearch)
    questions.push(({ body = '' }) => fits(body))
  }
  if (pattern.sequence !== undefined) questions.push(({ sequence }) => sequence === pattern.sequence)
  if (id !== undefined) questions.push((record) => record.id === id)
  if (acknowledged !== undefined) {
    questions.push((record) => (record.acknowledgedAt !== null) === acknowledged)
  }
  if (status !== undefined) questions.push((record) => record.status === status)
  if (delivered !== undefined) questions.push((record) => record.delivered === delivered)
  if (to !== undefined) {
    questions.push(({ deliveries }) => deliveries.some((each) => each.to === to || each.name === to))
  }
  return (record) => questions.every((fits) => fits(record))
}

/** A pattern as a person would say it: `message of orders/new, guid order-1, acknowledged`. */
export function describeMessagePattern(pattern: MessagePattern): string {
  const { queue, guid, id, body, contentType, properties = {}, acknowledged, status, delivered, to } = pattern
  return [
    queue === undefined ? 'message' : `message of ${queue}`,
    ...(pattern.sequence === undefined ? [] : [`number ${pattern.sequence}`]),
    ...(guid === undefined ? [] : [`guid ${describeText(guid)}`]),
    ...(id === undefined ? [] : [`id ${id}`]),
    ...(body === undefined ? [] : [`body ${describeText(body)}`]),
    ...(contentType === undefined ? [] : [`type ${describeText(contentType)}`]),
    ...Object.entries(properties).map(([name, value]) => `${name} = ${describeText(value)}`),
    ...(acknowledged === undefined ? [] : [acknowledged ? 'acknowledged' : 'not acknowledged']),
    ...(status === undefined ? [] : [status]),
    ...(delivered === undefined ? [] : [`handed out ${delivered} times`]),
    ...(to === undefined ? [] : [`handed to ${to}`]),
  ].join(', ')
}
