import type { Reply, Request } from '../http/exchange.js'
import { problemOf } from '../http/problems.js'
import { parkUntil } from '../http/waiting.js'
import type { Control } from './control.js'
import { deliveringTwice } from './duplicate-delivery.js'
import { health } from './endpoints/health.js'
import type { RecordedFault } from './exchange-record.js'
import type { Fault } from './fault.js'
import type { Strike } from './faults.js'

/** Answers one request. */
export type Handle = (request: Request) => Reply | Promise<Reply>

/**
 * Puts the extras around what a server does: health is answered first of all, whoever asks; then comes the journal,
 * then the faults. What is below `/_control` passes by both.
 *
 * @param handle what the server does, who may ask for it included
 */
export function withLayers(control: Control, handle: Handle): Handle {
  return (request) => {
    if (request.path === '/_health') return health(request)
    const { journal, faults } = control
    if ((!journal.recording && faults.size === 0) || isControl(request)) return handle(request)
    const strike = faults.strike(request)
    return journal.recording
      ? recorded(control, handle, request, strike)
      : struck(control, handle, request, strike).reply
  }
}

/** An answer, and what of the strike did strike. */
interface Struck {
  readonly reply: Reply | Promise<Reply>
  /** Known when the reply is there. */
  readonly faults: RecordedFault[]
  /** Whether the request was never handled, or will not be. */
  unhandled: boolean
}

function recorded(
  control: Control,
  handle: Handle,
  request: Request,
  strike: Strike,
): Reply | Promise<Reply> {
  const { clock, journal } = control
  const at = clock.now()
  const { era } = journal
  const outcome = struck(control, handle, request, strike)
  const record = (reply: Reply): Reply => {
    if (era !== journal.era) return reply
    journal.record({
      at,
      duration: clock.now() - at,
      request,
      reply: outcome.unhandled ? undefined : reply,
      faults: outcome.faults,
    })
    return reply
  }
  return outcome.reply instanceof Promise ? outcome.reply.then(record) : record(outcome.reply)
}

function struck(control: Control, handle: Handle, request: Request, { delay, fault }: Strike): Struck {
  const faults: RecordedFault[] = []
  const outcome = { faults, unhandled: false, reply: undefined as unknown as Reply | Promise<Reply> }
  if (delay === undefined) {
    outcome.reply = underFault(control, handle, request, fault, outcome)
    return outcome
  }
  faults.push(shown(delay))
  outcome.reply = delayed(control, request, delay).then((gone) => {
    if (!gone) return underFault(control, handle, request, fault, outcome)
    if (fault !== undefined) control.faults.missed(fault)
    outcome.unhandled = true
    return CUT_OFF
  }, refused)
  return outcome
}

/** What nobody gets. */
const CUT_OFF: Reply = { status: 503, cut: 'reset' }

/**
 * Holds a request back.
 *
 * @returns whether its client is gone
 * @throws Problem `reset-meanwhile`, `shutting-down`
 */
async function delayed({ broker, faults }: Control, request: Request, delay: Fault): Promise<boolean> {
  let refusal: Error | undefined
  const awakening = await parkUntil({
    clock: broker.clock,
    request,
    milliseconds: delay.ms as number,
    subscribe: (wake) =>
      faults.park(delay, (why) => {
        refusal = why
        wake()
      }),
  })
  if (refusal !== undefined) throw refusal
  return awakening === 'gone'
}

/** Handles a request, or does not, with the one fault that strikes it. */
function underFault(
  control: Control,
  handle: Handle,
  request: Request,
  fault: Fault | undefined,
  outcome: { readonly faults: RecordedFault[]; unhandled: boolean },
): Reply | Promise<Reply> {
  if (fault === undefined) return attempt(handle, request)
  if (fault.fault === 'duplicate-delivery') {
    const { reply, happened } = twice(control, handle, request)
    if (happened) outcome.faults.push(shown(fault))
    else control.faults.missed(fault)
    return reply
  }
  outcome.faults.push(shown(fault))
  switch (fault.fault) {
    case 'status':
      return statusReply(fault)
    case 'reset-before':
      outcome.unhandled = true
      return CUT_OFF
    default: {
      const cut = fault.fault === 'truncate' ? 'truncate' : 'reset'
      const reply = attempt(handle, request)
      return reply instanceof Promise ? reply.then((late) => ({ ...late, cut })) : { ...reply, cut }
    }
  }
}

/** Only what is handed out in this turn counts, so that another request is never meant. */
function twice(
  { broker }: Control,
  handle: Handle,
  request: Request,
): { reply: Reply | Promise<Reply>; happened: boolean } {
  const { result, happened } = deliveringTwice(broker, () => attempt(handle, request))
  return { reply: result, happened }
}

function statusReply({ code = 500, body = '', headers = {} }: Fault): Reply {
  const typed = body === '' || Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
  const type = typed ? {} : { 'Content-Type': 'text/plain; charset=utf-8' }
  return { status: code, headers: { ...type, ...headers }, body }
}

/** What a handler says, or its refusal as an answer, so that a fault can strike that too. */
function attempt(handle: Handle, request: Request): Reply | Promise<Reply> {
  try {
    const reply = handle(request)
    return reply instanceof Promise ? reply.catch(refused) : reply
  } catch (error) {
    return refused(error)
  }
}

function refused(error: unknown): Reply {
  return problemOf(error, (defect) => console.error(defect))
}

function shown({ id, fault }: Fault): RecordedFault {
  return { id, fault }
}

/** The router reads `%5Fcontrol` as `_control`. */
function isControl({ segments: [first = ''] }: Request): boolean {
  if (!first.includes('%')) return first === '_control'
  try {
    return decodeURIComponent(first) === '_control'
  } catch {
    return false
  }
}
