import { type ClientRule, clientReportText } from '../control/client/rules.js'
import type { JournalEntry } from '../control/journal/exchange-record.js'
import type { MessageRecord } from '../control/messages/message-record.js'
import { storyOf } from '../control/messages/story.js'
import type { ServerOptions } from '../options.js'
import { type RunningServer, startServer } from '../server.js'
import type { Plan } from './plan.js'

/**
 * What a test under {@link chaos} may tell of its application.
 *
 * @example
 * ```ts
 * const work = ({ handled }: ChaosRun, order: string) => handled(order)
 * ```
 */
export interface ChaosRun {
  /**
   * Says that the application has handled a message. Each that is handled without faults must be handled under faults too, and
   * more than once only where the broker has handed it out more than once.
   *
   * @param key the guid, the id or the whole body of the message
   */
  handled(key: string): void
  /** 0 for the runs without faults. */
  readonly run: number
  /** Aborted when the run is over, or has taken too long: what the test has started ends then. */
  readonly signal: AbortSignal
}

/**
 * A test of an application, for {@link chaos}: what it starts it ends, and it shares nothing with other runs.
 *
 * @example
 * ```ts
 * const test: ChaosTest = async (mq) => {
 *   await mq.send('orders', 'a hat')
 *   mq.messages.expect({ queue: 'orders' }, 1)
 * }
 * ```
 */
export type ChaosTest = (mq: RunningServer, run: ChaosRun) => unknown

/** What went wrong in a run. */
export interface Failure {
  /** What two runs have in common that failed for the same reason. */
  readonly kind: string
  readonly text: string
}

/** What became of one run. */
export interface Attempt {
  readonly failures: readonly Failure[]
  readonly entries: readonly JournalEntry[]
  readonly stories: readonly string[]
  readonly rules: readonly ClientRule[]
  /** Queue and body of each message that was sent, and how often. */
  readonly sent: ReadonlyMap<string, number>
  /** How often the application has said that it has handled each. */
  readonly handled: ReadonlyMap<string, number>
  /** What was asked, as a scenario; empty where nothing failed. */
  readonly scenario: string
  /** How many faults fired. */
  readonly fired: number
}

/** How a run is made and judged. */
export interface AttemptOptions {
  readonly server: ServerOptions
  readonly timeout: number
  readonly ignore: readonly ClientRule[]
}

/** A test that cannot be run at all: there is nothing to judge. */
export class CannotStart extends Error {}

/** How many exchanges and messages a run may have. */
const JOURNAL = { entries: 10_000 }

/** What became of the messages of a run that went well. */
export type Plain = Pick<Attempt, 'sent' | 'handled'>

/**
 * Runs a test once, against a server of its own.
 *
 * @param plain what became of the messages without faults; undefined where this is the run without
 * @throws Error where the server cannot start; CannotStart as the test throws it
 */
export async function attempt(
  test: ChaosTest,
  plan: Plan,
  run: number,
  { server, timeout, ignore }: AttemptOptions,
  plain?: Plain,
): Promise<Attempt> {
  const mq = await startServer({ journal: JOURNAL, dialect: plan.dialect, ...server, port: 0 })
  const handled = new Map<string, number>()
  const start = mq.clock.now()
  try {
    for (const fault of plan.faults) mq.faults.add(fault)
    const error = await inTime(timeout, (signal) => {
      return test(mq, { run, signal, handled: (key) => count(handled, key) })
    })
    const report = mq.judgeClient({ ignore })
    const messages = mq.messages()
    const sent = new Map<string, number>()
    for (const message of messages)
      count(sent, `${message.queue} ${message.body ?? message.bodyBase64 ?? ''}`)
    const rules = [...new Set(report.violations.map(({ rule }) => rule))]
    const failures: Failure[] = []
    if (error !== undefined) failures.push({ kind: `test: ${kindOf(error)}`, text: textOf(error) })
    for (const rule of rules) {
      const violations = report.violations.filter((violation) => violation.rule === rule)
      const [, ...lines] = clientReportText({ ...report, violations })
        .trimEnd()
        .split('\n')
      failures.push({ kind: `rule: ${rule}`, text: lines.join('\n') })
    }
    failures.push(...judge(messages, { sent, handled }, plain, ignore, error === undefined))
    return {
      failures,
      entries: mq.journal.entries(),
      stories: messages.map((message) => storyOf(message, start)),
      rules,
      sent,
      handled,
      scenario: failures.length > 0 ? mq.journal.toScenario() : '',
      fired: mq.faults.list().reduce((sum, { fired }) => sum + fired, 0),
    }
  } finally {
    await mq.stop()
  }
}

/** Nothing is lost, nothing is there twice, and nothing is handled twice without being told so. */
function judge(
  messages: readonly MessageRecord[],
  { sent, handled }: Plain,
  plain: Plain | undefined,
  ignore: readonly ClientRule[],
  isPassed: boolean,
): Failure[] {
  const failures: Failure[] = []
  const given = messages.filter(({ delivered, status }) => delivered > 0 && status !== 'lost')
  if (plain === undefined) {
    const isNever = given.length > 0 && given.every(({ status }) => status === 'ready' || status === 'held')
    if (isNever && handled.size > 0 && !ignore.includes('acknowledge-processed')) {
      failures.push({
        kind: 'unacknowledged',
        text: `${given.length} messages were given to consumers, and none was ever acknowledged.`,
      })
    }
    return failures
  }
  const again = messages.some(({ delivered }) => delivered > 1)
  for (const [key, times] of plain.sent) {
    const now = sent.get(key) ?? 0
    // What did not come at all the test can tell best; where it passes, it does not look.
    if (now < times && isPassed) failures.push({ kind: 'lost', text: `Lost: ${quoted(key)} was never sent.` })
    if (now > times && !again) {
      failures.push({
        kind: 'doubled',
        text: `Doubled: ${quoted(key)} was sent ${now} times, and not ${times}.`,
      })
    }
  }
  for (const [key, times] of plain.handled) {
    const now = handled.get(key) ?? 0
    if (now < times && isPassed) {
      failures.push({ kind: 'unhandled', text: `Lost: ${quoted(key)} was not handled.` })
    }
    const own = messages.filter(({ id, guid, body }) => id === key || guid === key || body === key)
    const handed = own.reduce((sum, { delivered }) => sum + delivered, 0)
    if (now > Math.max(times, handed)) {
      failures.push({
        kind: 'handled twice',
        text: `Handled twice: ${quoted(key)} was handed out ${handed} times, and handled ${now} times.`,
      })
    }
  }
  return failures
}

/** @returns the error; undefined where there is none */
async function inTime(timeout: number, act: (signal: AbortSignal) => unknown): Promise<unknown> {
  const over = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<unknown>((resolve) => {
    timer = setTimeout(() => resolve(new Error(`The test did not end within ${timeout} ms.`)), timeout)
  })
  try {
    return await Promise.race([Promise.resolve(act(over.signal)).then(() => undefined), late])
  } catch (error) {
    if (error instanceof CannotStart) throw error
    return error ?? new Error('The test failed without a reason.')
  } finally {
    clearTimeout(timer)
    over.abort()
  }
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** The first line, without what differs between runs. */
function kindOf(error: unknown): string {
  return (textOf(error).split('\n')[0] as string).replaceAll(/[\da-f]{8,}(?:-[\da-f]+)*|\d+/gi, '#')
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text)
}
