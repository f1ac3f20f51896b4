import { propertyName } from '../../broker/content.js'
import { withSlashes } from '../../broker/names.js'
import { textSearch } from '../input/contains.js'
import { isTooWild, LONGEST_WILD, wordGlob } from '../input/glob.js'
import { factQuestion, type Question } from '../input/question.js'
import {
  type Given,
  type Readers,
  readMembers,
  readOneOf,
  readSwitch,
  readText,
  readWhole,
  wrong,
} from '../input/read.js'
import {
  equalling,
  readPatterns,
  readTextPattern,
  type TextPattern,
  textQuestion,
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

const READERS: Readers<MessagePattern> = {
  queue: readQueue,
  sequence: (place) => readWhole(place, 1, Number.MAX_SAFE_INTEGER),
  guid: readTextPattern,
  id: readText,
  body: readTextPattern,
  contentType: readTextPattern,
  properties: readPropertyPatterns,
  acknowledged: readSwitch,
  status: (status) => readOneOf(status, MESSAGE_STATUSES),
  delivered: (count) => readWhole(count, 0, Number.MAX_SAFE_INTEGER),
  to: readText,
}

/** Reads a pattern, from code or from JSON alike. */
export function readMessagePattern(whole: Given): MessagePattern {
  return readMembers(whole, READERS)
}

function readQueue(given: Given): string {
  const text = readText(given)
  if (isTooWild(text))
    wrong(given, `a name with at most ${LONGEST_WILD} characters from its first * to its last`)
  return withSlashes(text)
}

function readPropertyPatterns(given: Given): Record<string, TextPattern> {
  const patterns = Object.entries(readPatterns(given, readTextPattern))
  return Object.fromEntries(patterns.map(([name, pattern]) => [propertyName(name), pattern]))
}

/** The members of a {@link MessagePattern} that say what became of a message, as opposed to which one is meant. */
const FATE = ['acknowledged', 'status', 'delivered', 'to']

/** Whether a question asks which message is meant, and not what became of it. */
export function asksIdentity({ at }: Question<MessageRecord>): boolean {
  return !FATE.includes(at)
}

/** The questions that a pattern asks. */
export function messageQuestions(pattern: MessagePattern): Question<MessageRecord>[] {
  const { queue, sequence, guid, id, body, contentType, properties = {} } = pattern
  const { acknowledged, status, delivered, to } = pattern
  const text = textQuestion<MessageRecord>
  const fact = factQuestion<MessageRecord>
  const searchName = (name: string) => (name.includes('*') ? wordGlob(name) : equalling(name))
  const says = acknowledged ? 'acknowledged' : 'not acknowledged'
  const handed: Question<MessageRecord> = {
    ...{ at: 'to', wanted: to, says: `handed to ${to}` },
    seen: ({ deliveries }) => deliveries.map(({ name }) => name).join(', ') || undefined,
    fits: ({ deliveries }) => deliveries.some((each) => each.to === to || each.name === to),
  }
  return [
    ...text('queue', queue, 'of ', (record) => record.queue, searchName),
    ...fact('sequence', sequence, `number ${sequence}`, (record) => record.sequence),
    ...text('guid', guid, 'guid ', (record) => record.guid),
    ...text('id', id, 'id ', (record) => record.id),
    ...text('body', body, 'body ', (record) => record.body, textSearch),
    ...text('contentType', contentType, 'type ', (record) => record.contentType),
    ...Object.entries(properties).flatMap(([name, wanted]) =>
      text(`properties.${name}`, wanted, `${name} = `, (record) => record.properties[name]),
    ),
    ...fact('acknowledged', acknowledged, says, (record) => record.acknowledgedAt !== null),
    ...fact('status', status, `${status}`, (record) => record.status),
    ...fact('delivered', delivered, `handed out ${oftenInWords(delivered)}`, (record) => record.delivered),
    ...(to === undefined ? [] : [handed]),
  ]
}

/** A pattern as a person would say it: `message of orders/new, guid order-1, acknowledged`. */
export function describeMessagePattern(pattern: MessagePattern): string {
  const says = messageQuestions(pattern).map((question) => question.says)
  return pattern.queue === undefined ? ['message', ...says].join(', ') : `message ${says.join(', ')}`
}

/** How often something was handed out, as a person would say it. */
export function oftenInWords(times: number | undefined): string {
  return times === 1 ? 'once' : `${times} times`
}
