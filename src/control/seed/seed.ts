import type { Broker } from '../../broker/broker.js'
import { type Content, propertyName } from '../../broker/content.js'
import { Refusal } from '../../broker/refusals.js'
import { Problem } from '../../http/problems.js'
import { MOST_PROPERTIES } from '../../mappings/content.js'
import { fromBase64, toUtf8 } from '../../platform/bytes.js'
import { parseJson } from '../input/json.js'
import {
  type Given,
  optional,
  type Readers,
  readList,
  readMatch,
  readMembers,
  readObject,
  readProperties,
  readText,
  wrong,
} from '../input/read.js'
import { SEED_SCHEMA } from './seed-schema.js'

/**
 * What a server begins with; {@link SEED_SCHEMA} says the same as JSON Schema.
 *
 * @example
 * ```ts
 * const seed: Seed = { queues: ['orders/new'], messages: [{ queue: 'orders/new', body: 'two teapots' }] }
 * ```
 */
export interface Seed {
  readonly queues?: readonly string[]
  /** Sent in this order. */
  readonly messages?: readonly SeedMessage[]
}

/**
 * A message of a seed: with `body` or `bodyBase64`, or empty.
 *
 * @example
 * ```ts
 * const message: SeedMessage = { queue: 'orders/new', body: 'a hat', properties: { colour: 'blue' }, guid: 'order-2' }
 * ```
 */
export interface SeedMessage {
  readonly queue: string
  readonly body?: string
  readonly bodyBase64?: string
  readonly contentType?: string
  readonly contentEncoding?: string
  readonly contentLanguage?: string
  readonly properties?: Readonly<Record<string, string>>
  readonly guid?: string
}

const { contentType, contentEncoding, contentLanguage } = SEED_SCHEMA.properties.messages.items.properties

const READERS: Readers<SeedMessage> = {
  queue: readText,
  body: readText,
  bodyBase64: readBase64,
  contentType: matching(contentType, 'a media type'),
  contentEncoding: matching(contentEncoding, 'a name'),
  contentLanguage: matching(contentLanguage, 'a language'),
  properties: (properties) => readProperties(properties, MOST_PROPERTIES),
  guid: readText,
}

function matching({ pattern }: { readonly pattern: string }, what: string): (given: Given) => string {
  const expression = new RegExp(pattern)
  return (given) => readMatch(given, expression, what)
}

/**
 * Reads the text of a seed file.
 *
 * @throws Problem `malformed-request`, whose message names the line, or the path of the mistake
 *
 * @example
 * ```ts
 * const seed = parseSeed('{"queues": ["orders"]}')
 * seed.queues    // ['orders']
 * ```
 */
export function parseSeed(text: string): Seed {
  return readSeed(parseJson(text, 'It'))
}

/**
 * Checks a seed.
 *
 * @throws Problem `malformed-request`, whose message names the path of the mistake
 */
export function readSeed(value: unknown): Seed {
  for (const _ of reading(value));
  return value as Seed
}

/** Checks a seed, one queue or message at a step. */
function* reading(value: unknown): Generator<void> {
  const { queues, messages } = readObject({ value, at: '' }, ['queues', 'messages'])
  for (const name of optional(queues, readList) ?? []) yield void readText(name)
  for (const message of optional(messages, readList) ?? []) yield readMessage(message)
}

/**
 * Puts queues and messages in.
 *
 * @throws Problem `malformed-request`, whose message names the path of what the broker refused; what stands before
 * it is in the broker then
 */
export function applySeed(broker: Broker, seed: Seed): void {
  for (const _ of applyingSeed(broker, seed));
}

/**
 * The same in steps, of which each takes little: a seed of a megabyte would take a second without a break.
 *
 * @throws Problem `malformed-request`, as {@link applySeed}
 */
export function* applyingSeed(broker: Broker, seed: Seed): Generator<void> {
  yield* reading(seed)
  const { queues = [], messages = [] } = seed
  for (const [index, name] of queues.entries()) {
    yield attempt(`queues[${index}]`, () => broker.createQueue(name))
  }
  for (const [index, message] of messages.entries()) {
    yield attempt(`messages[${index}]`, () => {
      const content = contentOf(message)
      if (message.guid === undefined) broker.send(message.queue, content)
      else if (broker.sendOnce(message.queue, message.guid, content).replayed) {
        wrong({ value: message.guid, at: `messages[${index}].guid` }, 'its own: an earlier message has it')
      }
    })
  }
}

function readMessage(given: Given): void {
  const { queue, body, bodyBase64 } = readMembers(given, READERS)
  readText({ value: queue, at: `${given.at}.queue` })
  if (body !== undefined && bodyBase64 !== undefined) {
    wrong({ value: bodyBase64, at: `${given.at}.bodyBase64` }, 'absent where there is a body')
  }
}

/** As the schema's pattern says it, which would take the stack for each group of a large body. */
function readBase64(given: Given): string {
  const text = readText(given)
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) wrong(given, 'base64')
  return text
}

function contentOf(message: SeedMessage): Content {
  const { body = '', bodyBase64, contentType, contentEncoding, contentLanguage, properties = {} } = message
  return {
    body: bodyBase64 === undefined ? toUtf8(body) : fromBase64(bodyBase64),
    contentType,
    contentEncoding,
    contentLanguage,
    properties: new Map(Object.entries(properties).map(([name, value]) => [propertyName(name), value])),
  }
}

function attempt(at: string, put: () => unknown): void {
  try {
    put()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Problem('malformed-request', `${at} is refused: ${error.message}`, { at })
  }
}
