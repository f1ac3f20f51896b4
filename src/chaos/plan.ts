import { DIALECT_NAMES, DIALECTS, type Dialect } from '../control/dialects/dialects.js'
import type { FaultSpec } from '../control/faults/fault.js'
import { seededRandom } from '../control/faults/random.js'
import type { JournalEntry } from '../control/journal/exchange-record.js'

/** What is otherwise in one run: faults, each of which fires a few times at the most, and how Atom is written. */
export interface Plan {
  readonly faults: readonly FaultSpec[]
  readonly dialect: Dialect
}

/** Nothing goes wrong. */
export const NO_PLAN: Plan = { faults: [], dialect: 'plain' }

/** Requests of one kind, as a fault can be told of them, and how many a run without faults makes. */
export interface Shape {
  readonly method: string
  readonly path: string
  /** Whether it has a guid; undefined where that does not matter. */
  readonly guid: boolean | undefined
  readonly count: number
}

/** How many requests in a row may be lost: less than after which clients give up. */
const MOST_LOST = 3

/** How many faults a plan has at the most. */
const MOST_FAULTS = 3

/** One of so many plans for a client that reads feeds has them written otherwise. */
const OTHERWISE = 4

/** The kinds of requests that were made, in the order in which they came first. */
export function shapesOf(entries: readonly JournalEntry[]): Shape[] {
  const shapes = new Map<string, Shape>()
  for (const { method, path, query } of entries) {
    const segments = path.slice(1).split('/')
    const isSend = method === 'POST' && segments[0] === 'queues' && segments.length > 1
    const guid = isSend ? /(?:^|&)guid=/.test(query) : undefined
    const pattern = `/${withoutIds(method, segments).join('/')}`
    const key = `${method} ${pattern} ${guid}`
    shapes.set(key, { method, path: pattern, guid, count: (shapes.get(key)?.count ?? 0) + 1 })
  }
  return [...shapes.values()]
}

/** What stands before ids, and before the id of a consumer and a destination. */
const BEFORE_IDS = new Set([
  'addresses',
  'subscriptions',
  'messages',
  'nextMessageForMe',
  'lockNextMessage',
  'ack',
  'message',
])
const BEFORE_ID = new Set(['subscribe', 'unsubscribe'])

/** The segments of a path, with `*` for what another run calls otherwise. */
function withoutIds(method: string, [first = '', ...rest]: readonly string[]): readonly string[] {
  const withoutAll = (all: readonly string[]) =>
    all.map((each) => (each === 'messages' || each === 'content' || each === '' ? each : '*'))
  if (method === 'DELETE' && rest[0] === 'messages') return ['*', ...withoutAll(rest)]
  if (BEFORE_ID.has(first)) return [first, '*', ...rest.slice(1)]
  return [first, ...(BEFORE_IDS.has(first) ? withoutAll(rest) : rest)]
}

/**
 * A plan made for requests of these kinds.
 *
 * @param seed the same seed means the same plan
 * @param slow how long an answer is held back, in milliseconds
 * @param dialects how feeds may be written
 */
export function makePlan(
  shapes: readonly Shape[],
  seed: number,
  slow: number,
  dialects: readonly Dialect[] = DIALECT_NAMES.slice(1),
): Plan {
  const random = seededRandom(seed)
  const whole = (most: number) => Math.floor(random() * most)
  const pick = <T>(all: readonly T[]): T => all[whole(all.length)] as T
  const faults: FaultSpec[] = []
  let left = MOST_LOST
  for (let count = 1 + whole(MOST_FAULTS); count > 0 && shapes.length > 0; count--) {
    const fault = makeFault(pick, whole, shapes, Math.max(left, 0), slow)
    if (fault === undefined) continue
    if (isLosing(fault)) left -= fault.times ?? 1
    faults.push(fault)
  }
  const isToldOtherwise = dialects.length > 0 && shapes.some(isReading) && whole(OTHERWISE) === 0
  return { faults, dialect: isToldOtherwise ? pick(dialects) : 'plain' }
}

/** Requests that name a lease: the fault `end-lease` ends it. */
const LEASED = /^\/(?:(?:subscriptions|nextMessageForMe|lockNextMessage|ack|message)\/\*|\*\/messages)/

/** Whether it is answered with a feed. */
function isReading({ method, path }: Shape): boolean {
  return method === 'GET' && /^\/(?:queues|subscriptions)(?:\/[^/]*)?$/.test(path)
}

function makeFault(
  pick: <T>(all: readonly T[]) => T,
  whole: (most: number) => number,
  shapes: readonly Shape[],
  left: number,
  slow: number,
): FaultSpec | undefined {
  const shape = pick(shapes)
  const target = targetOf(shape, 1 + whole(shape.count))
  const times = 1 + whole(Math.max(left, 1))
  // Several losses in a row begin where one would.
  const row =
    times === 1 ? target : { ...targetOf(shape, undefined), ...afterOf((target.nth ?? 1) - 1), times }
  const delivering = shapes.filter(
    ({ method, path }) => method !== 'DELETE' && /^\/(?:queues\/|subscri|add)/.test(path),
  )
  const leased = shapes.filter(({ method, path }) => LEASED.test(path) && method !== 'HEAD')
  const kinds: (() => FaultSpec | undefined)[] = [
    () => ({ fault: 'reset-after-commit', ...row }),
    () => ({ fault: 'reset-after-commit', ...target }),
    () => ({ fault: 'reset-before', ...row }),
    () => ({ fault: 'truncate', ...target }),
    () => ({ fault: 'status', code: 503, ...row }),
    () => ({ fault: 'status', code: 503, answer: { headers: { 'Retry-After': '1' } }, ...target }),
    () => ({ fault: 'reset-before', ...afterOf(whole(total(shapes))), times }),
  ]
  const others: (() => FaultSpec | undefined)[] = [
    () => ({ fault: 'delay', ms: slow, ...target }),
    () => {
      if (leased.length === 0) return undefined
      const one = pick(leased)
      // Of several in a row each ends another lease: every consumer may lose its own.
      const times = 1 + whole(Math.min(MOST_LOST, one.count))
      return times === 1
        ? { fault: 'end-lease', ...targetOf(one, 1 + whole(one.count)) }
        : { fault: 'end-lease', ...targetOf(one, undefined), ...afterOf(whole(one.count)), times }
    },
    () => {
      if (delivering.length === 0) return undefined
      const one = pick(delivering)
      return { fault: 'duplicate-delivery', ...targetOf(one, 1 + whole(one.count)) }
    },
  ]
  return pick(left > 0 ? [...kinds, ...others, ...others] : others)()
}

function targetOf({ method, path, guid }: Shape, nth: number | undefined) {
  return {
    method,
    path,
    ...(guid === undefined ? {} : { query: { guid } }),
    ...(nth === undefined ? {} : { nth }),
  }
}

function afterOf(after: number) {
  return after === 0 ? {} : { after }
}

function total(shapes: readonly Shape[]): number {
  return shapes.reduce((sum, { count }) => sum + count, 0)
}

/** Whether a client gets no answer that it can use. */
function isLosing({ fault }: FaultSpec): boolean {
  return (
    fault === 'status' || fault === 'truncate' || fault === 'reset-before' || fault === 'reset-after-commit'
  )
}

/** Plans with less in them, the smallest first. */
export function smallerPlans({ faults, dialect }: Plan): Plan[] {
  const least = dialect === 'plain' ? 2 : 1
  const fewer = faults.length < least ? [] : faults.map((_, index) => faults.toSpliced(index, 1))
  const once = faults.flatMap((fault, index) => {
    const { times = 1, after } = fault
    if (times < 2) return []
    const { times: _, after: __, ...rest } = fault
    return [faults.with(index, { ...rest, nth: (after ?? 0) + 1 } as FaultSpec)]
  })
  const plainer: Plan[] = dialect === 'plain' || faults.length === 0 ? [] : [{ faults, dialect: 'plain' }]
  const simpler = dialect === 'all' ? DIALECT_NAMES.slice(1, -1) : []
  return [
    ...plainer,
    ...[...fewer, ...once].map((some) => ({ faults: some, dialect })),
    ...simpler.map((one) => ({ faults, dialect: one })),
  ]
}

/** A plan as code to paste into a test. */
export function planAsCode({ faults, dialect }: Plan): string {
  const lines = faults.map((fault) => `mq.faults.add(${literal(fault)})`)
  return [...(dialect === 'plain' ? [] : [`mq.setDialect('${dialect}')`]), ...lines].join('\n')
}

/** A value as somebody would write it in a program. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, member]) => {
      return `${/^[a-z]\w*$/i.test(name) ? name : `'${name}'`}: ${literal(member)}`
    })
    return `{ ${members.join(', ')} }`
  }
  return typeof value === 'string' ? `'${value.replaceAll(/['\\]/g, '\\$&')}'` : String(value)
}

/** What is otherwise, a sentence each. */
export function planAsSentences({ faults, dialect }: Plan): string[] {
  const told =
    dialect === 'plain' ? [] : [`feeds are written in the dialect ${dialect}: ${DIALECTS[dialect]}`]
  return [...told, ...faults.map(faultAsSentence)]
}

/** A fault as a sentence. */
export function faultAsSentence(fault: FaultSpec): string {
  const { method = 'request', path, nth, after, times = 1, query } = fault
  const name = path === undefined ? 'request' : `${method} ${path}${query?.guid === true ? '?guid=…' : ''}`
  const first = nth ?? (after ?? 0) + 1
  const which =
    times > 1 ? `${ordinal(first)} to the ${ordinal(first + times - 1)} ${name}` : `${ordinal(first)} ${name}`
  const [before, behind] = SENTENCES[fault.fault ?? 'delay']
  const retry = fault.answer?.headers?.['Retry-After']
  return `${before}the ${which}${behind}${fault.fault === 'status' ? ` with ${fault.code}` : ''}${
    retry === undefined ? '' : ` and Retry-After: ${retry}`
  }${fault.fault === 'delay' ? `, ${fault.ms} ms` : ''}`
}

const SENTENCES: Readonly<Record<NonNullable<FaultSpec['fault']>, readonly [string, string]>> = {
  delay: ['', ' is handled late'],
  status: ['', ' is answered'],
  'reset-before': ['the connection breaks before ', ' is handled'],
  'reset-after-commit': ['', ' is handled, and its answer is lost'],
  truncate: ['', ' is handled, and its answer breaks off half way'],
  'duplicate-delivery': ['a message that is handed out in ', ' comes to a second consumer too'],
  'end-lease': ['the lease ends just before ', ''],
}

function ordinal(n: number): string {
  const ending = n % 100 > 10 && n % 100 < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')
  return `${n}${ending}`
}
