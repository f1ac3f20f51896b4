import type { Reply, Request } from '../http/exchange.js'
import { plainSegment } from '../http/form.js'
import { Problem } from '../http/problems.js'
import type { Control } from './control.js'
import { withDialect } from './dialects/in-dialect.js'
import { attempt, type Handle, NOT_HANDLED, withFaults } from './faults/apply-faults.js'
import type { Firing } from './faults/faults.js'
import { json } from './input/json.js'
import { readableQuery } from './input/query.js'
import type { Targeted } from './input/target.js'
import type { Seen } from './journal/exchange-record.js'
import { readableRefusal } from './page/page.js'
import { SENDER } from './send.js'

/**
 * Puts the extras around what a server does: health is answered first of all, whoever asks; then comes the journal,
 * then the faults, and last the dialect. What is below `/_control` passes by all of them.
 *
 * @param broker what the server does, who may ask for it included
 */
export function withLayers(control: Control, broker: Handle): Handle {
  const handle = withDialect(broker, () => control.dialect)
  return (request) => {
    if (request.path === '/_health') return health(request)
    const { journal, faults } = control
    if (request.path === '/_control/') return shownPage(handle, request)
    if ((!journal.recording && faults.size === 0) || isControl(request)) return handle(request)
    const firing = faults.size === 0 ? {} : faults.fire(targetedBy(control, request))
    return journal.recording
      ? recorded(control, handle, request, firing)
      : withFaults(control, handle, request, firing).reply
  }
}

const ALLOW = { Allow: 'GET, HEAD, OPTIONS' }

/**
 * `GET /_health`: 200 as soon as the port is open, for everybody, with or without the other extras.
 *
 * @throws Problem `method-not-allowed`
 */
function health({ method }: Request): Reply {
  if (method === 'GET') return json({ status: 'ok' })
  if (method === 'OPTIONS') return { status: 204, headers: ALLOW }
  throw new Problem(
    'method-not-allowed',
    `${method} is not allowed here; allowed are ${ALLOW.Allow}.`,
    {},
    ALLOW,
  )
}

/** The page, or a page that refuses it. */
async function shownPage(handle: Handle, request: Request): Promise<Reply> {
  return readableRefusal(request, await attempt(handle, request))
}

/** What a fault looks at. Who asks is found out only where a fault wants to know. */
function targetedBy({ nameOf }: Control, request: Request): Targeted {
  const { method, path, headers, body } = request
  let query: URLSearchParams | undefined
  return {
    method,
    path,
    headers,
    body,
    get query() {
      query ??= readableQuery(request)
      return query
    },
    get principalName() {
      return nameOf(request)
    },
  }
}

function recorded(
  control: Control,
  handle: Handle,
  request: Request,
  firing: Firing,
): Reply | Promise<Reply> {
  const { clock, journal, client } = control
  const at = clock.now()
  const { epoch, last: after } = journal
  const came = performance.now()
  const answered = control.idle.begun()
  const outcome = control.handlingOne(() => withFaults(control, handle, request, firing))
  const record = (reply: Reply, isLate = false): Reply => {
    answered()
    const seen: Seen = {
      at,
      duration: clock.now() - at,
      request,
      reply: reply === NOT_HANDLED ? undefined : reply,
      faults: outcome.faults,
    }
    // What the owner of the server sends is nobody's client.
    const isClient = request.principal !== SENDER
    if (epoch !== journal.epoch) {
      if (isClient) client.seeInterrupted({ ...seen, came, after })
      return reply
    }
    control.lanes.exchanged(seen)
    journal.record(seen)
    if (isClient) client.see(journal.last, { ...seen, came, after, isLate })
    return reply
  }
  return outcome.reply instanceof Promise
    ? outcome.reply.then((reply) => record(reply, true))
    : record(outcome.reply)
}

/** The router reads `%5Fcontrol` as `_control`. */
function isControl({ segments: [first = ''] }: Request): boolean {
  return plainSegment(first) === '_control'
}
