import type { Request } from '../../http/exchange.js'
import { fromUtf8 } from '../../platform/bytes.js'
import { textSearch } from './contains.js'
import { isTooWild, LONGEST_WILD, pathGlob, wordGlob } from './glob.js'
import type { Question } from './question.js'
import { type Given, type Readers, readText, wrong } from './read.js'
import {
  describeText,
  readPatterns,
  readTextPattern,
  type TextPattern,
  textQuestion,
  valuesQuestion,
} from './text-pattern.js'

/**
 * Which requests are meant: those that fit everything that is given. What is left out is not asked about.
 *
 * @example
 * ```ts
 * const sends: Target = { method: 'POST', path: '/queues/**', query: { guid: true } }
 * ```
 */
export interface Target {
  /** `POST`, or with `*` for any part. HEAD counts as GET. */
  readonly method?: string | undefined
  /**
   * Of the path below the base path, without the query: `*` is any part of one segment, `**` as a segment is one or
   * more segments. `/queues/**` is every queue, and not the collection `/queues`.
   */
  readonly path?: string | undefined
  /** Parameters of the query, by name: `{ guid: 'order-1' }`. A text is the whole value; `true` is any, `false` none. */
  readonly query?: Readonly<Record<string, TextPattern | boolean>> | undefined
  /** Header fields of the request, by name: `{ 'property-colour': 'blue' }`. Read as in {@link query}. */
  readonly header?: Readonly<Record<string, TextPattern | boolean>> | undefined
  /** A text that is somewhere in the body of the request, or a regular expression. */
  readonly body?: TextPattern | undefined
  /** Name of the principal that asks. */
  readonly principal?: string | undefined
}

export interface Targeted extends Pick<Request, 'method' | 'path' | 'headers'> {
  readonly body: Uint8Array
  /** Without what cannot be read, which is refused later. */
  readonly query: Pick<URLSearchParams, 'getAll'>
  /** Undefined where nobody is asked who it is, and for somebody unknown. */
  readonly principalName: string | undefined
}

/** How many bytes of a body a target looks at: what it asks about is near the beginning, and a body may be large. */
const LOOKED_AT = 64 * 1024

/** Reads a target, once, into questions that are quick to ask. */
export function targetQuestions(target: Target): Question<Targeted>[] {
  const { method, path, query = {}, header = {}, body, principal } = target
  const text = textQuestion<Targeted>
  const values = valuesQuestion<Targeted>
  return [
    ...text('method', method, '', (request) => request.method, wordGlob),
    ...text('path', path, '', (request) => request.path, pathGlob),
    ...Object.entries(query).flatMap(([name, pattern]) =>
      values(`query.${name}`, pattern, named(name, pattern, '='), (request) => request.query.getAll(name)),
    ),
    ...Object.entries(header).flatMap(([name, pattern]) => {
      const field = name.toLowerCase()
      return values(`header.${name}`, pattern, named(name, pattern, ': '), ({ headers }) =>
        Object.hasOwn(headers, field) ? [String(headers[field])] : [],
      )
    }),
    ...text('principal', principal, 'by ', (request) => request.principalName),
    ...text('body', body, 'body ', (request) => textOf(request.body), textSearch),
  ]
}

/** A target as a person would say it: `POST /queues/**, guid=order-1`. */
export function describeTarget(
  target: Target,
  questions: readonly Pick<Question<never>, 'at' | 'says'>[] = targetQuestions(target),
): string {
  const { method = '*', path = '/**' } = target
  const more = questions.filter(({ at }) => at !== 'method' && at !== 'path')
  return [`${method} ${path}`, ...more.map(({ says }) => says)].join(', ')
}

function named(name: string, pattern: TextPattern | boolean, sign: string): string {
  if (typeof pattern === 'boolean') return pattern ? name : `no ${name}`
  return `${name}${sign}${describeText(pattern)}`
}

/** What the body that was looked at last says at its beginning: many targets may look at one. */
let latest: { readonly body: WeakRef<Uint8Array>; readonly text: string } | undefined

function textOf(body: Uint8Array): string {
  if (latest?.body.deref() !== body) {
    const text = fromUtf8(body.subarray(0, LOOKED_AT))
    latest = { body: new WeakRef(body), text }
  }
  return latest!.text
}

function readMethod(given: Given): string {
  const text = readText(given)
  if (!/^[A-Z*]{1,40}$/i.test(text)) wrong(given, 'a method such as POST, in which * is any part')
  if (/^head$/i.test(text)) wrong(given, 'GET to mean HEAD too: the two are not told apart')
  return text.toUpperCase()
}

function readPath(given: Given): string {
  const text = readText(given)
  if (!/^\/[^?#]{0,2000}$/.test(text)) wrong(given, 'a path that begins with "/", without a query')
  if (isTooWild(text))
    wrong(given, `a path with at most ${LONGEST_WILD} characters from its first * to its last`)
  return text
}

function readValues(given: Given): Record<string, TextPattern | boolean> {
  return readPatterns(given, (pattern) =>
    typeof pattern.value === 'boolean' ? pattern.value : readTextPattern(pattern),
  )
}

/** How the members of a {@link Target} are read. */
export const TARGET_READERS: Readers<Target> = {
  method: readMethod,
  path: readPath,
  query: readValues,
  header: readValues,
  body: readTextPattern,
  principal: readText,
}
