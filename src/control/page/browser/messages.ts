import type { RecordedBody } from '../../journal/exchange-record.js'
import type { MessageState, QueueState } from '../../state/state.js'
import { dim, foreign, make, makeButton, part, say, showList, type View } from './dom.js'
import { count, dateAndTime, shortId, timeOfDay } from './format.js'

/**
 * Shows the messages of one queue, or that there is none.
 *
 * @param name what the queue is called that somebody wants to see; undefined where there is no queue at all
 * @param after the sequence behind which the shown ones begin
 * @param names what people call the leases, by id
 * @param tellLife is called with the sequence of a message whose life somebody wants to know
 */
export function showMessages(
  queue: QueueState | undefined,
  name: string | undefined,
  after: number,
  names: ReadonlyMap<string, string>,
  tellLife: (sequence: number) => void,
): void {
  part('queue', HTMLElement).hidden = queue === undefined
  const none = part('no-queue', HTMLElement)
  none.hidden = queue !== undefined
  if (name === undefined) say(none, 'Create a queue, and its messages are here.')
  else if (none.textContent !== `There is no queue ${name} now.`) {
    none.replaceChildren('There is no queue ', foreign(name), ' now.')
  }
  showList<ShownMessage>(
    part('messages', HTMLElement),
    (queue?.messages ?? []).map((message) => ({
      ...message,
      by: message.holder === null ? null : (names.get(message.holder) ?? shortId(message.holder)),
    })),
    ({ id }) => id,
    (message) => messageView(message, tellLife),
  )
  if (queue === undefined) return
  say(part('queue-name', HTMLElement), queue.name)
  say(part('queue-counts', HTMLElement), countsOf(queue))
  const { messages, pending } = queue
  part('messages-table', HTMLElement).hidden = messages.length === 0
  part('no-messages', HTMLElement).hidden = messages.length > 0
  part('message-pages', HTMLElement).hidden = after === 0 && messages.length >= pending
  dim(part('older', HTMLButtonElement), after === 0)
  // Whether there is one behind the last of a full page is seen when somebody asks.
  dim(part('newer', HTMLButtonElement), messages.length === 0 || (after === 0 && messages.length >= pending))
  const [first, last] = [messages[0]?.sequence, messages.at(-1)?.sequence]
  say(
    part('more-messages', HTMLElement),
    first === undefined
      ? `None behind number ${after}.`
      : `Numbers ${first} to ${last}; ${pending} pending in all.`,
  )
}

function countsOf({ pending, held, subscriptions, waiting }: QueueState): string {
  const parts = [`${pending} pending`, `${held} held`, count(subscriptions, 'consumer')]
  if (waiting > 0) parts.push(`${waiting} waiting`)
  return parts.join(' · ')
}

type ShownMessage = MessageState & {
  /** What people call its holder. */
  readonly by: string | null
}

function messageView(message: ShownMessage, tellLife: (sequence: number) => void): View<ShownMessage> {
  const { id, sequence, publishedAt, contentType, properties } = message
  const holder = make('td')
  const deliveries = make('td', { class: 'number' })
  const about = Object.entries(properties).map(([name, value]) =>
    make('div', { class: 'property' }, foreign(name), ' = ', foreign(value)),
  )
  // One comes past them all with the Tab key: see `goByKeys`.
  const called = { class: 'life', title: 'Tell its life', tabindex: '-1' }
  const life = makeButton(`${sequence}`, called, () => tellLife(sequence))
  const moment = { datetime: new Date(publishedAt).toISOString(), title: dateAndTime(publishedAt) }
  const sent = make('time', moment, timeOfDay(publishedAt))
  const head = make('div', { class: 'quiet' }, foreign(contentType ?? 'no type'), ' · ', sent)
  const body = bodyElement(message, `../messages/${id}/content`)
  const number = make('th', { scope: 'row', class: 'number' }, life)
  const told = make('td', { class: 'message' }, head, ...about, body)
  return {
    element: make('tr', {}, number, told, holder, deliveries),
    update({ holder: id, by, deliveries: times }) {
      const text = by === null ? 'ready' : `held by ${by}`
      if (holder.textContent !== text) {
        holder.replaceChildren(
          make('span', { class: by === null ? 'ready' : 'held', title: id ?? 'in nobody’s hand' }, text),
        )
      }
      say(deliveries, `${times}`)
    },
  }
}

/** Lets the keyboard go to the numbers of messages, which tell their lives: by Enter to the first, by arrows to the others. */
export function goByKeys(): void {
  const table = part('messages-table', HTMLElement)
  table.addEventListener('keydown', (event) => {
    const all = [...table.querySelectorAll<HTMLElement>('button.life')]
    const at = all.indexOf(event.target as HTMLElement)
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const next = event.target === table && event.key === 'Enter' ? 0 : at >= 0 && step ? at + step : -1
    if (all[next] === undefined) return
    event.preventDefault()
    all[next].focus()
  })
}

/** How much of a body fits in without a scroll bar, roughly. */
const FITS = { characters: 300, lines: 6 }

/**
 * A body as text, or what is known of it.
 *
 * @param address where all of it is to be had, if anywhere
 */
export function bodyElement({ body, bodyBase64, bytes }: RecordedBody, address?: string): HTMLElement {
  if (bytes === 0) return make('span', { class: 'quiet' }, 'empty')
  const text = body ?? bodyBase64 ?? ''
  const long = text.length > FITS.characters || text.split('\n').length > FITS.lines
  // What scrolls can be reached with the keyboard, and what does not is in nobody's way.
  const scrolls: Record<string, string> = long ? { tabindex: '0', role: 'group', 'aria-label': 'Body' } : {}
  const shown = make('div', {}, make('pre', { dir: 'auto', ...scrolls }, text))
  const whole = body === undefined ? bytesOfBase64(text) : new TextEncoder().encode(text).length
  const notes = [
    ...(body === undefined ? ['base64'] : []),
    ...(whole < bytes ? ['the beginning is shown'] : []),
  ]
  if (notes.length === 0) return shown
  const note = make('span', { class: 'quiet' }, [count(bytes, 'byte'), ...notes].join(', '))
  if (address !== undefined) {
    note.append(' · ', make('a', { href: address, target: '_blank', rel: 'noopener' }, 'as it was sent'))
  }
  shown.append(note)
  return shown
}

function bytesOfBase64(text: string): number {
  return (text.length / 4) * 3 - (/=*$/.exec(text)?.[0].length ?? 0)
}
