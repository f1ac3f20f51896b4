import type { Reply, Request } from '../../http/exchange.js'
import { problemOf } from '../../http/problems.js'
import { parkUntil } from '../../http/waiting.js'
import type { Control } from '../control.js'
import type { RecordedFault } from '../journal/exchange-record.js'
import { idOfLease } from '../leases/lease-name.js'
import { deliveringTwice } from './duplicate-delivery.js'
import type { Fault } from './fault.js'
import type { Firing } from './faults.js'

export type Handle = (request: Request) => Reply | Promise<Reply>

/** An answer, and what has fired at it. */
interface Fired {
  readonly reply: Reply | Promise<Reply>
  /** Known when the reply is there. */
  readonly faults: RecordedFault[]
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
  if (delay === undefined) return { faults, reply: underFault(control, handle, request, fault, faults) }
  faults.push(shown(delay))
  const reply = delayed(control, request, delay).then((gone) => {
    if (!gone) return underFault(control, handle, request, fault, faults)
    if (fault !== undefined) control.faults.missed(fault)
    return NOT_HANDLED
  }, refused)
  return { faults, reply }
}

/** What nobody gets: the request was not handled, and its connection is reset. */
export const NOT_HANDLED: Reply = { status: 503, cut: 'reset' }

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
  faults: RecordedFault[],
): Reply | Promise<Reply> {
  if (fault === undefined) return attempt(handle, request)
  const note = (happened: boolean) => {
    if (happened) faults.push(shown(fault))
    else control.faults.missed(fault)
  }
  if (fault.fault === 'duplicate-delivery') {
    // Only what is handed out in this turn counts, so that another request is never meant.
    const { result, happened } = deliveringTwice(control.broker, () => attempt(handle, request))
    note(happened)
    return result
  }
  if (fault.fault === 'end-lease') {
    note(endsLease(control, request))
    return attempt(handle, request)
  }
  note(true)
  switch (fault.fault) {
    case 'status':
      return statusReply(fault)
    case 'reset-before':
      return NOT_HANDLED
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
