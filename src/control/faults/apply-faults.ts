import type { Reply, Request } from '../../http/exchange.js'
import { problemOf } from '../../http/problems.js'
import { parkUntil } from '../../http/waiting.js'
import type { Control } from '../control.js'
import type { RecordedFault } from '../journal/exchange-record.js'
import { idOfLease } from '../leases/lease-name.js'
import { deliveringTwice } from './duplicate-delivery.js'
import type { Fault } from './fault.js'
import type { Firing } from './faults.js'

/** Answers one request. */
export type Handle = (request: Request) => Reply | Promise<Reply>

/** An answer, and what has fired at it. */
interface Fired {
  readonly reply: Reply | Promise<Reply>
  /** Known when the reply is there. */
  readonly faults: RecordedFault[]
  /** Whether the request was never handled, or will not be. */
  unhandled: boolean
}

/**
 * Answers one request, with the faults that fire at it: the delay first, then the other one.
 *
 * @returns the answer, and what fired in the end; a refusal is an answer here
 */
export function withFaults(
  control: Control,
  handle: Handle,
  request: Request,
  { delay, fault }: Firing,
): Fired {
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
async function delayed(
  { broker, faults, scheduler }: Control,
  request: Request,
  delay: Fault,
): Promise<boolean> {
  let refusal: Error | undefined
  const awakening = await parkUntil({
    clock: broker.clock,
    request,
    milliseconds: delay.ms as number,
    scheduler,
    subscribe: (wake) =>
      faults.park(delay, (why) => {
        refusal = why
        wake()
      }),
  })
  if (refusal !== undefined) throw refusal
  return awakening === 'gone'
}

/** Handles a request, or does not, with the one fault that fires at it. */
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
  if (fault.fault === 'end-lease') {
    if (endsLease(control, request)) outcome.faults.push(shown(fault))
    else control.faults.missed(fault)
    return attempt(handle, request)
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
      const broken = (reply: Reply): Reply => {
        reply.onLost?.()
        return { ...reply, cut }
      }
      const reply = attempt(handle, request)
      return reply instanceof Promise ? reply.then(broken) : broken(reply)
    }
  }
}

/** Ends the lease that a request names. @returns whether there is one */
function endsLease(control: Control, { segments }: Request): boolean {
  for (const { id, kind } of control.broker.parts.subscriptions) {
    if (kind === 'session' || !segments.includes(id)) continue
    control.endLease(idOfLease({ id, kind }))
    return true
  }
  return false
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

function statusReply({ code = 500, answer: { body = '', headers = {} } = {} }: Fault): Reply {
  const typed = body === '' || Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
  const type = typed ? {} : { 'Content-Type': 'text/plain; charset=utf-8' }
  return { status: code, headers: { ...type, ...headers }, body }
}

/** What a handler says, or its refusal as an answer, so that a fault can fire at that too. */
export function attempt(handle: Handle, request: Request): Reply | Promise<Reply> {
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
