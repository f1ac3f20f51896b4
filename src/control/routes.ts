import type { Handler, Reply, Request } from '../http/exchange.js'
import { Problem } from '../http/problems.js'
import type { Route } from '../http/router.js'
import type { JudgeOptions } from './client/rules.js'
import type { Control, ResetOptions } from './control.js'
import type { Dialect } from './dialects/dialects.js'
import type { FaultSpec } from './faults/fault.js'
import { json, readBody, uncached } from './input/json.js'
import { type Kind, readQuery } from './input/query.js'
import { readObject } from './input/read.js'
import { jsonInPieces, jsonParts, streamed } from './input/streamed.js'
import type { Waiting, WaitOptions } from './input/waits.js'
import type { JournalPattern } from './journal/journal-pattern.js'
import { journalStream } from './journal/journal-stream.js'
import { livingLeases } from './leases/leases.js'
import type { MessagePattern } from './messages/message-pattern.js'
import { pageRoutes } from './page/page.js'
import type { Seed } from './seed/seed.js'
import { seedOf } from './seed/seed-of.js'
import type { ToldState } from './state/state.js'
import type { VerifyOptions } from './verify.js'

/** What a query may have, and how each is read. */
const of = (kind: Kind, ...names: string[]) => Object.fromEntries(names.map((name) => [name, kind]))
const EXCHANGE = {
  ...of('text', 'method', 'path', 'body', 'principal', 'fault'),
  ...of('count', 'status', 'after'),
  ...of('map', 'header', 'query'),
}
const MESSAGE = {
  ...of('text', 'queue', 'guid', 'id', 'body', 'contentType', 'status', 'to', 'stories'),
  ...of('count', 'sequence', 'delivered'),
  ...of('switch', 'acknowledged'),
  ...of('map', 'properties'),
}
const STATE = { ...of('text', 'queue', 'afterQueue'), ...of('count', 'messages', 'after', 'queues') }

/**
 * The extras over HTTP, below `/_control`: each is a method of {@link Control} or of one of its parts, whose options are the
 * members of the body, or of the query. Who may ask at all is the business of `auth/`.
 */
export function controlRoutes(control: Control): Route[] {
  const { clock, faults, journal, messages, broker, scheduler } = control
  const pieces = (value: unknown) => jsonInPieces(value, scheduler)
  /** A state has lists of queues, which have lists of messages. */
  const told = (state: ToldState) => jsonInPieces(state, scheduler, 4)
  const remembered = (pattern: JournalPattern, after?: number) =>
    pieces({ entries: journal.each(pattern, after), last: journal.last, forgotten: journal.forgotten })
  return [
    at('/clock', {
      GET: () => json(clock.state()),
      POST: async (request) => {
        await clock.advance(membersOf<{ advance: number }>(request, 'advance').advance)
        return json(clock.state())
      },
    }),
    at('/dialect', {
      GET: () => json({ dialect: control.dialect }),
      POST: (request) => {
        control.setDialect(membersOf<{ dialect: Dialect }>(request, 'dialect').dialect)
        return json({ dialect: control.dialect })
      },
    }),
    at('/faults', {
      GET: () => json({ faults: faults.list() }),
      POST: (request) => json(faults.add(readBody(request) as FaultSpec), 201),
      DELETE: () => {
        faults.clear()
        return json({ faults: [] })
      },
    }),
    at('/faults/:fault', {
      GET: (_, fault) => json(faults.list().find(({ id }) => id === fault) ?? unknownFault(fault)),
      DELETE: (_, fault) => json({ faults: faults.remove(fault) ? faults.list() : unknownFault(fault) }),
    }),
    at('/journal', {
      GET: ({ query }) => {
        const { after, ...pattern } = readQuery(query, EXCHANGE)
        return remembered(pattern, after as number)
      },
      DELETE: () => {
        journal.clear()
        return remembered({})
      },
    }),
    at('/journal/wait', {
      POST: waits((pattern: JournalPattern, options) => journal.waiting(pattern, options)),
    }),
    at('/journal/expect-none', {
      POST: waits(
        (pattern: JournalPattern, options) => journal.absence(pattern, options),
        ['timeout'],
        () => json({}),
      ),
    }),
    at('/journal/scenario', {
      GET: () => ({ status: 200, headers: uncached('text/plain;charset=utf-8'), body: control.toScenario() }),
    }),
    at('/lanes', { GET: () => json({ moments: control.lanes.list() }) }),
    at('/journal/stream', { GET: (request) => journalStream(control, request) }),
    at('/state', { GET: ({ query }) => told(control.tellState(readQuery(query, STATE))) }),
    at('/subscriptions', { GET: () => pieces({ subscriptions: livingLeases(broker) }) }),
    at('/subscriptions/end', {
      POST: (request) => {
        return pieces({ ended: control.endLease(membersOf<{ queue: string }>(request, 'queue')) })
      },
    }),
    at('/subscriptions/:lease/end', {
      POST: (_, lease) => pieces({ ended: control.endLease(lease) }),
    }),
    at('/messages', {
      GET: ({ query }) => {
        const { stories, ...pattern } = readQuery(query, MESSAGE)
        const shown = messages.each(pattern)
        return pieces(
          stories === undefined
            ? { messages: shown }
            : { messages: shown, stories: messages.storyOfEach(pattern) },
        )
      },
    }),
    at('/messages/wait', {
      POST: waits((pattern: MessagePattern, options) => messages.waiting(pattern, options)),
    }),
    at('/messages/expect', {
      POST: (request) => {
        const { pattern, count } = membersOf<Expected>(request, 'pattern', 'count')
        return pieces({ messages: messages.expect(pattern ?? {}, count) })
      },
    }),
    at('/messages/expect-handled-once', {
      POST: (request) => {
        const { pattern } = membersOf<Expected>(request, 'pattern')
        return pieces({ messages: messages.expectHandledOnce(pattern ?? {}) })
      },
    }),
    at('/reset', {
      POST: async (request) => {
        await control.reset(readBody(request) as ResetOptions)
        return json(clock.state())
      },
    }),
    at('/seed', {
      GET: () => streamed('application/json', jsonParts(seedOf(broker, messages), '\n'), scheduler),
      POST: (request) => {
        const seeded = control.inTurn(async () => {
          const seed = readBody(request) as Seed
          request.dropBody?.()
          await control.seedInSlices(seed)
          return control.tellState({ messages: 0 })
        })
        return untilGone(request, seeded, told)
      },
    }),
    at('/client', {
      GET: ({ query }) => json(control.judgeClient(readQuery(query, of('list', 'ignore')))),
      POST: (request) => {
        const options = readBody(request) as JudgeOptions
        control.expectConformantClient(options)
        return json(control.judgeClient(options))
      },
    }),
    at('/verify', {
      POST: (request) => {
        control.verify(request.body.length === 0 ? undefined : (readBody(request) as VerifyOptions))
        return json({})
      },
    }),
    at('/idle', {
      POST: (request) =>
        untilGone(request, control.idle.waiting(membersOf<WaitOptions>(request, 'timeout')), () => json({})),
    }),
    ...pageRoutes(),
  ]
}

type Expected = { readonly pattern?: MessagePattern; readonly count?: number }

function at(path: string, methods: Route['methods']): Route {
  return { pattern: `/_control${path}`, methods }
}

/** The members of a body, each undefined where it is not there; what reads them says what is wrong with them. */
function membersOf<T extends object>(request: Request, ...names: (keyof T & string)[]): T {
  const given = readObject({ value: readBody(request), at: '' }, names)
  return Object.fromEntries(names.map((name) => [name, given[name].value])) as T
}

/** Begins a wait for what a pattern means. */
function waits<P, T>(
  begin: (pattern: P, options: WaitOptions) => Waiting<T>,
  options: readonly (keyof WaitOptions)[] = ['timeout', 'count'],
  reply: (found: T) => Reply = json,
): Handler {
  return (request) => {
    const { pattern, ...wait } = membersOf<WaitOptions & { pattern?: P }>(request, 'pattern', ...options)
    return untilGone(request, begin(pattern ?? ({} as P), wait), reply)
  }
}

/** A client that goes away while it waits leaves nothing behind. */
async function untilGone<T>(
  request: Request,
  { found, cancel }: Waiting<T>,
  reply: (found: T) => Reply,
): Promise<Reply> {
  const stop = request.whenGone(cancel)
  try {
    return reply(await found)
  } finally {
    stop()
  }
}

function unknownFault(id: string): never {
  throw new Problem('no-such-resource', `There is no fault ${JSON.stringify(id)}.`)
}
