import type { ServerState, SubscriptionState } from '../../state/state.js'
import { foreign, make, makeButton, part, say, showList, type View } from './dom.js'
import { count, span } from './format.js'

/** Every lease, whatever kind of consumer has it. */
export function leasesIn({ subscriptions, consumers, sessions }: ServerState): readonly SubscriptionState[] {
  return [...subscriptions, ...consumers, ...sessions]
}

/**
 * Shows who consumes: subscriptions, and the consumers and sessions of the other mappings.
 *
 * @param end is called with a lease's id and name
 */
export function showSubscriptions(
  state: ServerState,
  now: number,
  end: (id: string, name: string) => void,
): void {
  const leases = leasesIn(state)
  part('subscriptions-table', HTMLElement).hidden = leases.length === 0
  part('no-subscriptions', HTMLElement).hidden = leases.length > 0
  const view = (lease: SubscriptionState) => leaseView(lease, end)
  showList(part('subscriptions', HTMLElement), leases, ({ id }) => id, view)
  showLeases(now)
}

/** Lets the leases run down on the screen. */
export function showLeases(now: number): void {
  for (const cell of document.querySelectorAll<HTMLElement>('[data-lease-ends-at]')) {
    const left = Math.max(0, Number(cell.dataset.leaseEndsAt) - now)
    const meter = cell.querySelector('progress') as HTMLProgressElement
    meter.max = Math.max(1, Number(cell.dataset.timeout))
    meter.value = left
    say(cell.querySelector('span') as HTMLElement, `${span(left)} of ${span(Number(cell.dataset.timeout))}`)
  }
}

/** When the next lease ends; undefined where nobody has one. */
export function nextLeaseEnd(state: ServerState): number | undefined {
  const ends = leasesIn(state).map(({ leaseEndsAt }) => leaseEndsAt)
  return ends.length === 0 ? undefined : Math.min(...ends)
}

function leaseView(
  { kind, id, name: called, destinations, selector, owner }: SubscriptionState,
  end: (id: string, name: string) => void,
): View<SubscriptionState> {
  const name = make('th', { scope: 'row', class: 'id', title: id }, foreign(called))
  if (kind !== 'subscription') name.append(make('div', { class: 'quiet' }, kind))
  if (owner !== null) name.append(make('div', { class: 'quiet' }, 'of ', foreign(owner)))
  const from = make('td', { class: 'from' })
  for (const destination of destinations) from.append(make('div', {}, foreign(destination)))
  if (selector !== null) from.append(make('code', {}, foreign(selector)))
  const holds = make('td', {})
  const meter = make('progress', { 'aria-label': `Lease of ${called}` })
  const label = { 'aria-label': `End the lease of ${called}` }
  const button = makeButton('End', label, () => end(id, called))
  const lease = make('td', { class: 'lease' }, meter, make('span'), ' ', button)
  return {
    element: make('tr', {}, name, from, holds, lease),
    update({ prefetch, timeout, leaseEndsAt, waiting, held }) {
      const room = kind !== 'subscription' ? '' : ` of ${prefetch}`
      const parked = waiting === 0 ? '' : `, ${count(waiting, 'request waits', 'requests wait')}`
      say(holds, `${held}${room}${parked}`)
      lease.dataset.leaseEndsAt = `${leaseEndsAt}`
      lease.dataset.timeout = `${timeout}`
    },
  }
}
