import type { JournalEntry } from '../../exchange-record.js'
import type { Fault } from '../../fault.js'
import type { ServerState } from '../../state.js'
import { setUpActions } from './actions.js'
import { part, say } from './dom.js'
import { showFaults } from './faults.js'
import { count, dateAndTime } from './format.js'
import { emptyJournal, showExchange } from './journal.js'
import { together, watch } from './live.js'
import { showMessages } from './messages.js'
import { showQueues } from './queues.js'
import { askJson } from './server.js'
import { nextLeaseEnd, showLeases, showSubscriptions } from './subscriptions.js'

/** How many messages of each queue the page shows. */
const MESSAGES = 100

/** How often the leases move on the screen while the clock runs, in milliseconds. */
const TICK = 250

/** What is shown, and when it was so by the browser's clock. */
let shown: { readonly state: ServerState; readonly at: number } | undefined

let connected = false

/** The server's time. */
function now({ state: { clock }, at }: NonNullable<typeof shown>): number {
  return clock.manual ? clock.now : clock.now + performance.now() - at
}

/** The queue that the address names, or else the first. */
function chosenQueue({ queues }: ServerState) {
  const name = decodeURIComponent(location.hash.slice(1))
  return queues.find((queue) => queue.name === name) ?? queues[0]
}

const refresh = together(async () => {
  try {
    const state = await askJson<ServerState>('GET', `state?messages=${MESSAGES}`)
    const { faults } = await askJson<{ faults: Fault[] }>('GET', 'faults')
    shown = { state, at: performance.now() }
    show()
    showFaults(faults, actions.removeFault)
  } catch (error) {
    actions.complain(error)
  }
}, 50)

const actions = setUpActions({
  refresh,
  chosen: () => shown && chosenQueue(shown.state)?.name,
  untilLeaseEnd: () => {
    const end = shown && nextLeaseEnd(shown.state)
    return shown === undefined || end === undefined ? undefined : Math.max(0, end - shown.state.clock.now)
  },
})

function show(): void {
  if (shown === undefined) return
  const { state } = shown
  const queue = chosenQueue(state)
  const pending = state.queues.reduce((sum, each) => sum + each.pending, 0)
  const held = state.queues.reduce((sum, each) => sum + each.held, 0)
  const leases = state.subscriptions.length + state.consumers.length + state.sessions.length
  say(
    part('summary', HTMLElement),
    `${count(state.queues.length, 'queue')} · ${count(pending, 'message')}, ${held} held · ${count(leases, 'consumer')}`,
  )
  const { manual } = state.clock
  part('advance-fields', HTMLFieldSetElement).disabled = !manual
  part('real-time', HTMLElement).hidden = manual
  part('to-lease-end', HTMLButtonElement).disabled = leases === 0
  showQueues(state.queues, queue?.name)
  showMessages(queue)
  showSubscriptions(state, now(shown))
  showTime()
}

function showTime(): void {
  if (shown === undefined) return
  const time = now(shown)
  say(part('time', HTMLElement), dateAndTime(time))
  showLeases(time)
}

function tick(): void {
  if (shown === undefined || shown.state.clock.manual) return
  showTime()
  // Nobody asks anything when a lease ends, so no event tells of it.
  const end = nextLeaseEnd(shown.state)
  if (connected && end !== undefined && end <= now(shown)) refresh()
}

async function begin(): Promise<void> {
  const { entries, last } = await askJson<{ entries: JournalEntry[]; last: number }>('GET', 'journal')
  for (const entry of entries) showExchange(entry)
  const live = part('live', HTMLElement)
  watch(last, {
    opened: () => {
      connected = true
      say(live, 'live')
      live.className = 'live'
      refresh()
    },
    lost: () => {
      connected = false
      say(live, 'connection lost, trying again')
      live.className = 'lost'
    },
    exchange: (entry) => {
      showExchange(entry)
      refresh()
    },
    cleared: emptyJournal,
    wasReset: () => {
      emptyJournal()
      refresh()
    },
    changed: refresh,
  })
}

addEventListener('hashchange', show)
setInterval(tick, TICK)
begin().catch(actions.complain)
