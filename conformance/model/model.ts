import type { ClauseId } from '../requirements/index.js'
import * as alternatives from './alternatives.js'
import { lapse } from './common.js'
import { distinct, followable, inEach, isRefused, unordered } from './data.js'
import { type Party, withoutPermission } from './permission.js'
import * as primary from './primary.js'
import type { Answer, Entry, Operation, World } from './world.js'

// The interface as a machine that may choose wherever the document leaves it open. To read it: `world.ts` says what may be
// so, `primary.ts` and `alternatives.ts` have the operations in the order of the document, `permission.ts` who may read, and
// `common.ts` what several of them share. `data.ts` and `recognize.ts` hold no rules; `rejection.ts` tells what was expected. Above each function stand the clauses that it is about;
// `queues.create.*` are all that begin so.

/** Every operation of sections 4.1 and 4.2. */
const OPERATIONS = { ...primary, ...alternatives }

/** A request: an operation, with what it says. */
export type Request = {
  [O in keyof typeof OPERATIONS]: { readonly do: O } & Readonly<Parameters<(typeof OPERATIONS)[O]>[1]>
}[keyof typeof OPERATIONS]

/** All that may be so at a target, after what it has answered. */
export type State = readonly World[]

export const START: State = [
  { queues: {}, addresses: {}, guids: {}, messages: [], consumers: {}, deliveries: {} },
]

/**
 * May a conformant server have answered this?
 *
 * @param as who asked, where it was a party without permission
 * @returns what may be so then, or a clause that is broken
 * @throws {TooManyWays}
 */
export function judge(state: State, request: Request, answer: Answer, as?: Party): State | ClauseId {
  const { do: name, ...said } = request
  const operation = OPERATIONS[name] as Operation<object>
  const now = inEach(state, (world) => lapse(world, answer))
  const after = inEach(now, (world) => {
    const step = operation(world, said, answer)
    return as === undefined ? step : withoutPermission(world, request, answer, as, step)
  })
  return typeof after === 'string' ? after : distinct(after)
}

/** The success that each request is answered with where nothing is in its way, and the clause that says so. */
const SUCCESS: { readonly [O in Request['do']]: readonly [status: number, clause: ClauseId] } = {
  listQueues: [200, 'browse.root.status'],
  browseQueue: [200, 'browse.queue.status'],
  createQueue: [201, 'queues.create.status'],
  deleteQueue: [200, 'queues.delete.status'],
  newAddress: [201, 'send.step-1.status'],
  postMessage: [200, 'send.step-2.status'],
  sendOnce: [200, 'dedup.status'],
  subscribe: [201, 'subscribe.status'],
  unsubscribe: [200, 'subscribe.delete.status'],
  consume: [200, 'consume.status'],
  acknowledge: [200, 'ack.status'],
  // A GET of a message's address is not in the document; a 5xx for it is told by the clause of that address.
  look: [200, 'ack.status'],
  sendBySinglePath: [200, 'single-path.send'],
  takeBySinglePath: [200, 'single-path.consume'],
  join: [200, 'one-at-a-time.subscribe'],
  leave: [200, 'one-at-a-time.unsubscribe'],
  nextMessage: [200, 'one-at-a-time.next'],
  lockNextMessages: [200, 'batch.lock'],
  fetchLocked: [200, 'batch.fetch'],
  acknowledgeForConsumer: [200, 'one-at-a-time.ack'],
  acknowledgeInPost: [200, 'ack-in-post.acknowledges'],
}
export const shownStatus = (request: Request): number => SUCCESS[request.do][0]
export const clauseOfStatus = (request: Request): ClauseId => SUCCESS[request.do][1]

/**
 * Some servers say the same in another way: by another success, of which 202 says that nobody knows; with the address elsewhere than
 * in `Location`; with one delivery listed twice. Such an answer as the document would show it; undefined for any other.
 */
export function asShown(request: Request, answer: Answer): Answer | undefined {
  const { status, location = answer.told, entries = [] } = answer
  const shown = shownStatus(request)
  const isDone = status >= 200 && status < 300
  if (isDone && (status !== shown || location !== answer.location))
    return { ...answer, location, status: status === 202 ? 0 : shown }
  const once = entries.filter(
    ({ uri }, at) => uri === '' || entries.findIndex((each) => each.uri === uri) === at,
  )
  return once.length < entries.length && entries.every(isToldAlike(once))
    ? { ...answer, entries: once }
    : undefined
}

/** Whether an entry says the same as the one of its address. */
function isToldAlike(once: readonly Entry[]) {
  return ({ uri, body }: Entry) => once.some((each) => each.uri === uri && each.body === body)
}

/** A request as it was made, and what came of it. */
export type Asked = readonly [request: Request, answer: Answer, as?: Party | undefined]

/** What is the same of requests that differ in their times alone. */
function kindOf([request, { from, to, ...answer }, as]: Asked): string {
  return JSON.stringify([request, answer, as])
}

/**
 * The same for requests that were made at once: is some order of them permitted? If not, the clause is that of the order which
 * permits most of them before it breaks.
 */
export function judgeTogether(state: State, together: readonly Asked[]): State | ClauseId {
  const asked = together.filter((each) => !isKeptOut(each, together))
  // By what is left to be judged: whatever order the others came in, what may be so then.
  let reached = new Map([['', { left: asked, worlds: state }]])
  for (let judged = 0; judged < asked.length; judged++) {
    const next: typeof reached = new Map()
    let broken: ClauseId | undefined
    for (const { left, worlds } of reached.values()) {
      // Which of those is first that say the same and are answered the same makes no difference.
      for (const first of new Map(left.map((each) => [kindOf(each), each])).values()) {
        const after = judge(worlds, ...first)
        if (typeof after === 'string') {
          broken ??= after
          continue
        }
        const others = left.filter((each) => each !== first)
        const key = others.map((each) => asked.indexOf(each)).join()
        const merged = [...(next.get(key)?.worlds ?? []), ...after]
        next.set(key, { left: others, worlds: followable(merged) })
      }
    }
    if (next.size === 0) return broken!
    for (const each of next.values()) each.worlds = distinct(each.worlds, unordered)
    reached = next
  }
  return [...reached.values()].flatMap(({ worlds }) => worlds)
}

// clause: consume.parallel
/** While one reading of a feed is under way, another may be refused. */
function isKeptOut([request, answer]: Asked, together: readonly Asked[]): boolean {
  if (request.do !== 'consume' || !isRefused(answer)) return false
  return together.some(
    ([other, { status }]) =>
      other.do === 'consume' && other.consumer === request.consumer && status === shownStatus(request),
  )
}
