import {
  amount as amountOf,
  flag,
  join,
  listOf,
  object,
  oneOf,
  orNull,
  ProfileError,
  type Reader,
  text,
  texts,
} from '../client/profile-fields.js'
import { KIT } from '../version.js'
import { FORMAT, type Report, STATUSES } from './result.js'

/** A value that is not a report; the message goes on from the name of its file, without a full stop. */
export class ReportError extends Error {
  override readonly name = 'ReportError'
}

type Fields = Readonly<Record<string, Reader<unknown>>>

const amount = amountOf('a number from 0 on')

/** An object that has at least these fields: a later kit may add some, and keep the form. */
function has(fields: Fields): Reader<unknown> {
  return (value, path) => {
    const given = object(value, path)
    for (const [name, read] of Object.entries(fields)) read(given[name], join(path, name))
    return value
  }
}

function recordOf(read: Reader<unknown>): Reader<unknown> {
  return (value, path) => {
    for (const [name, each] of Object.entries(object(value, path))) read(each, join(path, name))
    return value
  }
}

function optional(read: Reader<unknown>): Reader<unknown> {
  return (value, path) => (value === undefined ? undefined : read(value, path))
}

const body = has({ encoding: oneOf('text', 'base64'), data: text, bytes: amount, cut: flag })
const exchange = has({
  at: amount,
  seconds: amount,
  request: has({ method: text, url: text, headers: texts, body }),
  response: orNull(has({ status: amount, headers: texts, body })),
  error: orNull(text),
  times: amount,
})
const result = has({
  id: text,
  clauses: listOf(text),
  topic: text,
  grade: oneOf('stated', 'optional', 'chosen'),
  feature: orNull(text),
  status: oneOf(...STATUSES),
  seconds: amount,
  message: text,
  expected: text,
  seen: text,
  exchanges: listOf(exchange),
  blockedBy: optional(text),
  scenario: optional(text),
  variation: optional(text),
  broken: optional(text),
  inconclusiveReason: optional(text),
  known: optional(text),
})
const report = has({
  target: has({ url: text, name: text }),
  started: text,
  seconds: amount,
  verdict: oneOf('conformant', 'non-conformant', 'incomplete'),
  planned: amount,
  executed: amount,
  counts: has(Object.fromEntries(STATUSES.map((status) => [status, amount]))),
  features: recordOf(has({ claimed: flag, seen: orNull(flag) })),
  choices: texts,
  unsteady: optional(recordOf(listOf(text))),
  results: listOf(result),
  strict: flag,
  profile: optional(has({})),
  probed: optional(flag),
  faults: optional(listOf(has({ part: text, why: text }))),
  notJudged: optional(text),
  baseline: optional(has({ stale: listOf(has({ id: text, reason: text, why: text })) })),
  repeat: optional(
    has({ runs: amount, flaky: listOf(has({ id: text, statuses: recordOf(amount), rate: amount })) }),
  ),
})

/**
 * Reads a report that the kit has written, of this version or another.
 *
 * @param value as JSON gives it
 * @throws {ReportError} where it is none, or one of a form that this version does not know
 */
export function parseReport(value: unknown): Report {
  const { kit, format } = Object(value) as { kit?: unknown; format?: unknown }
  try {
    has({ name: text, version: text, document: text })(kit, 'kit')
  } catch {
    throw new ReportError('is not a report: it does not say which kit wrote it')
  }
  const { name, version } = kit as Report['kit']
  if (name !== KIT) throw new ReportError(`is not a report of ${KIT}, but of ${JSON.stringify(name)}`)
  if (format !== FORMAT) {
    const which = format === undefined ? 'no format' : `format ${JSON.stringify(format)}`
    throw new ReportError(
      `is a report of version ${JSON.stringify(version)} with ${which}, but only format ${FORMAT} is known here: use the version that wrote it`,
    )
  }
  try {
    return report(value, '') as Report
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error
    throw new ReportError(`is not a report: ${error.message.replace(/\.$/, '')}`)
  }
}
