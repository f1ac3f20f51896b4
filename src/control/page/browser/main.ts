import type { ClientReport } from '../../client/rules.js'
import type { Fault } from '../../faults/fault.js'
import type { JournalEntry } from '../../journal/exchange-record.js'
import type { LaneMoment } from '../../lanes.js'
import type { QueueState, ServerState } from '../../state/state.js'
import { setUpActions } from './actions.js'
import { dim, part, say } from './dom.js'
import { showFaults } from './faults.js'
import { count, dateAndTime } from './format.js'
import { findExchanges, setUpCopies, showExchange, showExchanges } from './journal.js'
import { showLanes } from './lanes.js'
import { goByKeys, showMessages } from './messages.js'
import { showQueues, totalOf } from './queues.js'
import { address, askJson, Refusal } from './server.js'
import { leasesIn, nextLeaseEnd, showLeases, showSubscriptions } from './subscriptions.js'
import { together } from './together.js'
import { openExchange, showVerdict } from './verdict.js'

/** How many messages of a queue the page shows. */
const MESSAGES = 100

/** How often the leases move on the screen while the clock runs, in milliseconds. */
const TICK = 250

/** How long the page waits before it asks a server again that was not there, in milliseconds. */
const TRY_AGAIN = 1000

/** What is shown, and when it was so by the browser's clock. */
let shown:
  | { readonly state: ServerState; readonly at: number; readonly queue: string | undefined }
  | undefined

/** Ends the watching; undefined while nobody watches. */
let stopWatching: (() => void) | undefined

/** Behind which message of the chosen queue the page begins, and where the pages before it began. */
let place: { readonly queue: string; readonly starts: readonly number[] } = { queue: '', starts: [0] }

/** Counts up with each beginning, so that what belongs to an earlier one is known. */
let turn = 0

/** The server's time. */
function now({ state: { clock }, at }: NonNullable<typeof shown>): number {
  return clock.manual ? clock.now : clock.now + performance.now() - at
}

/** Name of the queue whose messages somebody wants to see: of the address, or what was shown last. */
function wanted(): string | undefined {
  const text = location.hash.slice(1)
  if (text === '') return shown?.queue
  try {
    return decodeURIComponent(text).replaceAll('.', '/')
  } catch {
    return text
  }
}

async function look(): Promise<void> {
  const name = wanted()
  if (name !== place.queue) place = { queue: name ?? '', starts: [0] }
  const after = place.starts.at(-1) ?? 0
  const query =
    name === undefined
      ? 'messages=0'
      : `messages=${MESSAGES}&after=${after}&queue=${encodeURIComponent(name)}`
  // All at once: what is shown is of one moment, and a page that is hidden meanwhile asks nothing more.
  const [state, { faults }, report, { moments }] = await Promise.all([
    askJson<ServerState>('GET', `state?${query}`),
    askJson<{ faults: Fault[] }>('GET', 'faults'),
    askJson<ClientReport>('GET', 'client'),
    askJson<{ moments: LaneMoment[] }>('GET', 'lanes'),
  ])
  // Where nobody has chosen, it is the first, until it is gone.
  const queue = location.hash === '' && named(state, name) === undefined ? state.queues[0]?.name : name
  shown = { state, at: performance.now(), queue }
  if (queue !== name) return look()
  showVerdict(report)
  showLanes(moments)
  show()
  showFaults(faults, actions.removeFault)
}

function named({ queues }: ServerState, name: string | undefined): QueueState | undefined {
  return queues.find((queue) => queue.name === name)
}

const refresh = together(async () => {
  const mine = turn
  if (stopWatching === undefined) return
  try {
    await look()
    if (mine === turn) sayLive('live', 'live')
  } catch (error) {
    if (mine === turn) lost(error)
  }
}, 50)

const actions = setUpActions(
  refresh,
  () => shown && named(shown.state, wanted())?.name,
  () => {
    const end = shown && nextLeaseEnd(shown.state)
    return shown === undefined || end === undefined ? undefined : Math.max(0, end - shown.state.clock.now)
  },
)

function show(): void {
  if (shown === undefined) return
  const { state } = shown
  const { pending, held } = totalOf(state.queues)
  const leases = leasesIn(state)
  const summary = [
    count(state.queues.length, 'queue'),
    `${count(pending, 'message')}, ${held} held`,
    count(leases.length, 'consumer'),
  ]
  say(part('summary', HTMLElement), summary.join(' · '))
  const { manual } = state.clock
  part('advance-fields', HTMLFieldSetElement).disabled = !manual
  part('real-time', HTMLElement).hidden = manual
  dim(part('to-lease-end', HTMLButtonElement), leases.length === 0)
  showQueues(state.queues, shown.queue, part('find-queue', HTMLInputElement).value)
  const names = new Map(leases.map(({ id, name }) => [id, name]))
  showMessages(named(state, shown.queue), shown.queue, place.starts.at(-1) ?? 0, names, actions.tellLife)
  showSubscriptions(state, now(shown), actions.endLease)
  showTime()
}

function showTime(): void {
  if (shown === undefined) return
  const time = now(shown)
  say(part('time', HTMLElement), dateAndTime(time))
  showLeases(time)
}

/** Says whether what is on the screen is what is on the server. */
function sayLive(text: string, kind: 'live' | 'lost'): void {
  const live = part('live', HTMLElement)
  say(live, text)
  live.className = kind
}

function rest(): void {
  turn++
  stopWatching?.()
  stopWatching = undefined
}

function lost(reason?: unknown): void {
  rest()
  const refused = reason instanceof Refusal
  const signedOut = refused && (reason.status === 401 || reason.status === 403)
  // A browser asks its reader for a name and a token at each 401, and nobody wants to be asked every second.
  const next = signedOut ? 'Reload the page to sign in anew.' : 'Trying again.'
  sayLive(refused ? `${reason.message} ${next}` : 'connection lost, trying again', 'lost')
  const mine = turn
  if (!signedOut) setTimeout(() => mine === turn && begin(), TRY_AGAIN)
}

/** Shows what is there, and watches what happens next. */
async function begin(): Promise<void> {
  rest()
  const mine = turn
  try {
    const { entries, last } = await askJson<{ entries: JournalEntry[]; last: number }>('GET', 'journal')
    if (mine !== turn) return
    showExchanges(entries)
    watch(last)
  } catch (error) {
    if (mine === turn) lost(error)
  }
}

/**
 * Watches the server: what happens there is told, and never asked for in vain. A stream that broke off is over: what
 * was missed may have happened on a server that was started anew, whose exchanges have the numbers of other ones.
 *
 * @param after number of an exchange
 */
function watch(after: number): void {
  const source = new EventSource(address(`journal/stream?after=${after}`))
  stopWatching = () => source.close()
  source.addEventListener('error', () => lost())
  source.addEventListener('exchange', ({ data }) => showExchange(JSON.parse(data) as JournalEntry))
  for (const event of ['clear', 'reset']) source.addEventListener(event, () => showExchanges([]))
  for (const event of ['open', 'exchange', 'reset', 'clock', 'faults', 'state']) {
    source.addEventListener(event, refresh)
  }
}

/** Shows the messages behind those that are shown, or those before them. */
function turnPage(on: boolean): void {
  const { queue, starts } = place
  const last = shown && named(shown.state, queue)?.messages.at(-1)?.sequence
  if (on && last !== undefined) place = { queue, starts: [...starts, last] }
  else if (!on && starts.length > 1) place = { queue, starts: starts.slice(0, -1) }
  refresh()
}

document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  const [, number] = /^#exchange-(\d+)$/.exec(link?.getAttribute('href') ?? '') ?? []
  // These are places of the page; an address says which queue is shown.
  if (number === undefined && link?.id !== 'verdict') return
  event.preventDefault()
  if (number !== undefined) openExchange(number)
  else part('verdict-title', HTMLElement).scrollIntoView({ block: 'nearest' })
})
addEventListener('hashchange', refresh)
for (const [id, on] of [
  ['older', false],
  ['newer', true],
] as const) {
  const button = part(id, HTMLButtonElement)
  button.addEventListener('click', () => button.ariaDisabled === 'true' || turnPage(on))
}
part('find-queue', HTMLInputElement).addEventListener('input', show)
part('find-exchange', HTMLInputElement).addEventListener('input', findExchanges)
// A page that nobody sees asks nothing: a browser has six connections to a server, for all of its pages.
document.addEventListener('visibilitychange', () => (document.hidden ? rest() : void begin()))
setInterval(() => {
  if (shown?.state.clock.manual === false && stopWatching !== undefined) showTime()
}, TICK)
setUpCopies()
goByKeys()
void begin()
