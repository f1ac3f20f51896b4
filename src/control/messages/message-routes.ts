import type { Request } from '../../http/exchange.js'
import type { Route } from '../../http/route.js'
import type { Control } from '../control.js'
import { json, readBody } from '../input/json.js'
import { checkQuery, readCount } from '../input/query.js'
import { optional, readObject, readWhole } from '../input/read.js'
import { untilGone } from '../input/until-gone.js'
import { readWait } from '../input/wait.js'
import type { MessagePattern } from './message-pattern.js'

const QUERY_MEMBERS = [
  'queue',
  'sequence',
  'guid',
  'id',
  'body',
  'contentType',
  'acknowledged',
  'status',
  'delivered',
  'to',
  'stories',
]

/**
 * `/_control/messages`: every message since the start or the last reset; to read, with `?stories=1` as sentences too, to
 * wait for, and to expect.
 */
export function messageRoutes(control: Control): Route[] {
  const read = <N extends string>(request: Request, members: readonly N[]) =>
    readObject({ value: readBody(request), at: '' }, ['pattern', ...members])
  return [
    {
      pattern: '/_control/messages',
      methods: {
        GET: ({ query }) => {
          checkQuery(query, QUERY_MEMBERS, /^properties\../)
          const messages = control.messages.list(queryPattern(query))
          return json(
            query.has('stories') ? { messages, stories: control.messages.stories(messages) } : { messages },
          )
        },
      },
    },
    {
      pattern: '/_control/messages/wait',
      methods: {
        POST: (request) => {
          const { pattern, timeout, count } = read(request, ['timeout', 'count'])
          const wait = readWait({ timeout: timeout.value as number, count: count.value as number })
          const waiting = control.messages.waiting(
            (pattern.value ?? {}) as MessagePattern,
            wait.timeout,
            wait.count,
          )
          return untilGone(request, waiting, json)
        },
      },
    },
    {
      pattern: '/_control/messages/expect',
      methods: {
        POST: (request) => {
          const { pattern, count } = read(request, ['count'])
          const wanted = optional(count, (given) => readWhole(given, 0, 1_000_000))
          return json({ messages: control.messages.expect((pattern.value ?? {}) as MessagePattern, wanted) })
        },
      },
    },
    {
      pattern: '/_control/messages/expect-handled-once',
      methods: {
        POST: (request) => {
          const { pattern } = read(request, [])
          return json({
            messages: control.messages.expectHandledOnce((pattern.value ?? {}) as MessagePattern),
          })
        },
      },
    },
  ]
}

/** In a query a pattern has plain members; `properties.NAME` stands for one of these. */
function queryPattern(query: URLSearchParams): MessagePattern {
  const pattern: Record<string, unknown> = {}
  const properties = new Map<string, string>()
  for (const [name, value] of query) {
    const [, property] = /^properties\.(.+)$/s.exec(name) ?? []
    if (property !== undefined) properties.set(property, value)
    else if (name === 'stories') continue
    else if (name === 'delivered' || name === 'sequence') pattern[name] = readCount(query, name)
    else if (name === 'acknowledged' && /^(true|false)$/.test(value)) pattern.acknowledged = value === 'true'
    else pattern[name] = value
  }
  if (properties.size > 0) pattern.properties = Object.fromEntries(properties)
  return pattern as MessagePattern
}
