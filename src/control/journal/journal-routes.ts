import type { Request } from '../../http/exchange.js'
import type { Route } from '../../http/route.js'
import type { Control } from '../control.js'
import { json, readBody } from '../input/json.js'
import { checkQuery, readCount } from '../input/query.js'
import { optional, readObject } from '../input/read.js'
import { untilGone } from '../input/until-gone.js'
import { readWait } from '../input/wait.js'
import { type JournalPattern, readPattern } from './journal-pattern.js'
import { journalStream } from './journal-stream.js'

const QUERY_MEMBERS = ['method', 'path', 'body', 'principal', 'status', 'fault', 'after']

/**
 * `/_control/journal`: what was asked and answered; to read, to clear, to wait for, to see that something did not
 * happen, and to watch.
 */
export function journalRoutes(control: Control): Route[] {
  const { journal } = control
  return [
    {
      pattern: '/_control/journal',
      methods: {
        GET: ({ query }) => {
          checkQuery(query, QUERY_MEMBERS, /^(?:header|query)\../)
          const after = readCount(query, 'after') ?? 0
          const entries = journal.entries(queryPattern(query), after)
          return json({ entries, last: journal.last, forgotten: journal.forgotten })
        },
        DELETE: () => {
          journal.clear()
          return json({ entries: [], last: journal.last, forgotten: journal.forgotten })
        },
      },
    },
    {
      pattern: '/_control/journal/wait',
      methods: {
        POST: (request) => {
          const { pattern, timeout, count } = readWaitBody(request, ['pattern', 'timeout', 'count'])
          return untilGone(request, journal.waiting(pattern, timeout, count), json)
        },
      },
    },
    {
      pattern: '/_control/journal/expect-none',
      methods: {
        POST: (request) => {
          const { pattern, timeout } = readWaitBody(request, ['pattern', 'timeout'], 0)
          return untilGone(request, journal.absence(pattern, timeout), () => json({}))
        },
      },
    },
    { pattern: '/_control/journal/stream', methods: { GET: (request) => journalStream(control, request) } },
  ]
}

function readWaitBody(
  request: Request,
  members: readonly ('pattern' | 'timeout' | 'count')[],
  timeout?: number,
): { pattern: JournalPattern; timeout: number; count: number } {
  const given = readObject({ value: readBody(request), at: '' }, members)
  return {
    pattern: optional(given.pattern, readPattern) ?? {},
    ...readWait({ timeout: given.timeout.value as number, count: given.count?.value as number }, timeout),
  }
}

/** In a query a pattern has plain members; `header.NAME` and `query.NAME` stand for members of these. */
function queryPattern(query: URLSearchParams): JournalPattern {
  const pattern: Record<string, unknown> = {}
  const parts = { header: new Map<string, string>(), query: new Map<string, string>() }
  for (const [name, value] of query) {
    const [, member, part = ''] = /^(header|query)\.(.+)$/s.exec(name) ?? []
    if (member !== undefined) parts[member as keyof typeof parts].set(part, value)
    else if (name === 'status') pattern.status = readCount(query, 'status')
    else if (name !== 'after') pattern[name] = value
  }
  for (const [member, values] of Object.entries(parts)) {
    if (values.size > 0) pattern[member] = Object.fromEntries(values)
  }
  return readPattern({ value: pattern, at: '' })
}
