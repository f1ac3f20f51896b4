import { DEFAULT_PROFILE } from '../client/parse-profile.js'
import type { Descriptions } from './describe.js'
import { makeReport, type RunRecord } from './make-report.js'
import { type CheckResult, type ReportedBody, type ReportedExchange, STATUSES } from './result.js'

export const descriptions: Descriptions = {
  title: (id) => (id === 'http.untitled' ? undefined : `Title of ${id} # & <x> \\`),
  clause: (id) => (id === 'c.unknown' ? undefined : `Text of ${id}.`),
}

export function body(data = '', more: Partial<ReportedBody> = {}): ReportedBody {
  return { encoding: 'text', data, bytes: Buffer.byteLength(data), cut: false, ...more }
}

export function exchange(
  request: Partial<ReportedExchange['request']>,
  response: Partial<NonNullable<ReportedExchange['response']>> | null = {},
  more: Partial<ReportedExchange> = {},
): ReportedExchange {
  return {
    at: 0,
    seconds: 0.004,
    request: { method: 'GET', url: 'http://mq.test/queues', headers: {}, body: body(), ...request },
    response: response && { status: 200, headers: {}, body: body(), ...response },
    error: response ? null : 'no answer within 5 ms',
    times: 1,
    ...more,
  }
}

export function result(id: string, more: Partial<CheckResult> = {}): CheckResult {
  const topic = id.split('.')[0] as CheckResult['topic']
  return {
    id,
    clauses: ['c.one'],
    topic,
    grade: 'stated',
    feature: null,
    status: 'pass',
    seconds: 0.01,
    message: '',
    expected: '',
    seen: '',
    exchanges: [],
    ...more,
  }
}

/** One result of each status, and one more of two topics. */
export const EVERY_STATUS: readonly CheckResult[] = STATUSES.map((status, index) =>
  result(`${index < 3 ? 'queues' : 'http'}.${status}`, {
    status,
    message: status === 'pass' ? '' : `message of\n${status} # <&"\u0001\ud800>`,
    expected: status === 'fail' || status === 'differs' ? 'this' : '',
    seen: status === 'fail' || status === 'differs' ? 'that' : '',
  }),
)

export function reportOf(results: readonly CheckResult[], more: Partial<RunRecord> = {}) {
  return makeReport({
    url: 'http://mq.test',
    profile: DEFAULT_PROFILE,
    strict: false,
    started: new Date(0),
    seconds: 1.23456,
    planned: results.length,
    executed: results.length,
    choices: [],
    results,
    ...more,
  })
}
