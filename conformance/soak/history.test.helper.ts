import type { Answer, Subscribing } from '../model/world.js'
import { type Event, nameOf, type Violation } from './history.js'
import { Judge } from './judge.js'

export const TERMS: Subscribing = {
  ...{ destinations: [{ queue: 'a' }], prefetch: 2 },
  lease: { length: 1_000_000, grace: 1000, renewedBy: ['read', 'ack'] },
}

/** Where and how an event differs from one that succeeds at its turn. */
export type More = Partial<Omit<Event, 'answer' | 'request'>> & { readonly answer?: Partial<Answer> }
export type Made = More & Pick<Event, 'request'>

export const refused = { answer: { status: 404 } } as const
export const unanswered = { answer: { status: 0 } } as const
export const at = (from: number, to = from + 2): More => ({ from, to })

/** A history of requests one after another, each of two milliseconds, that succeed unless they say otherwise. */
export function history(...made: readonly Made[]): Event[] {
  return made.map(({ answer, ...event }, index) => {
    const from = event.from ?? 10 * index + 10
    const to = event.to ?? from + 2
    return { who: 'somebody', ...event, from, to, answer: { status: 200, from, to, ...answer } }
  })
}

const uriOf = (subscription: number) => `/s/${subscription}`
const entriesOf = (subscription: number, shown: readonly number[]) =>
  shown.map((each) => ({
    body: each < 0 ? 'what nobody sent' : nameOf(each),
    uri: `/s/${subscription}/m${each}`,
  }))
const asked = (request: Event['request'], answer: Partial<Answer>, more: More): Made => ({
  request,
  ...more,
  answer: { ...answer, ...more.answer },
})

export const create = (queue: string, more: More = {}): Made =>
  asked({ do: 'createQueue', queue }, { status: 201, location: `/queues/${queue}` }, more)
export const remove = (queue: string, more: More = {}): Made => asked({ do: 'deleteQueue', queue }, {}, more)
export const address = (location: string | undefined, more: More = {}): Made =>
  asked({ do: 'newAddress', queue: 'a' }, { status: 201, location }, more)
/** With a guid, of its own unless it says otherwise. */
export const send = (message: number, more: More & { queue?: string; colour?: string } = {}): Made => {
  const { queue = 'a', colour = 'red', ...rest } = more
  const request = { do: 'sendOnce', queue, guid: `g${message}`, body: nameOf(message), colour } as const
  return asked(request, {}, { messages: [message], ...rest })
}
export const post = (message: number, to: string, more: More = {}): Made =>
  asked(
    { do: 'postMessage', address: to, body: nameOf(message), colour: 'red' },
    {},
    { messages: [message], ...more },
  )
export const subscribe = (subscription: number, terms: Partial<Subscribing> = {}, more: More = {}): Made =>
  asked(
    { do: 'subscribe', ...TERMS, ...terms },
    { status: 201, location: uriOf(subscription) },
    { subscription, ...more },
  )
export const read = (subscription: number, shown: readonly number[], more: More = {}): Made =>
  asked(
    { do: 'consume', consumer: uriOf(subscription) },
    { entries: entriesOf(subscription, shown) },
    { subscription, consumer: uriOf(subscription), ...more },
  )
export const acknowledge = (subscription: number, message: number, more: More = {}): Made =>
  asked(
    { do: 'acknowledge', uri: `/s/${subscription}/m${message}` },
    {},
    { subscription, consumer: uriOf(subscription), messages: [message], ...more },
  )
export const acknowledgeInPost = (subscription: number, messages: readonly number[], more: More = {}): Made =>
  asked(
    {
      do: 'acknowledgeInPost',
      consumer: uriOf(subscription),
      uris: messages.map((each) => `/s/${subscription}/m${each}`),
    },
    {},
    { subscription, consumer: uriOf(subscription), messages, ...more },
  )
export const end = (subscription: number, more: More = {}): Made =>
  asked(
    { do: 'unsubscribe', consumer: uriOf(subscription) },
    {},
    { subscription, consumer: uriOf(subscription), ...more },
  )
export const browse = (shown: readonly number[], more: More & { queue?: string } = {}): Made => {
  const { queue = 'a', ...rest } = more
  const entries = entriesOf(0, shown).map(({ body }) => ({ body, uri: '' }))
  return asked({ do: 'browseQueue', queue }, { entries }, rest)
}
/** A consumer of section 4.2. */
export const join = (subscription: number): Made => {
  const lease = { ...TERMS.lease, renewedBy: [] }
  const request = { do: 'join', consumer: uriOf(subscription), queue: 'a', prefetch: 1000, lease } as const
  return asked(request, {}, { subscription })
}
export const lock = (subscription: number, shown: readonly number[], more: More = {}): Made =>
  asked(
    { do: 'lockNextMessages', consumer: uriOf(subscription), max: 4 },
    { entries: entriesOf(subscription, shown) },
    { subscription, consumer: uriOf(subscription), ...more },
  )
export const acknowledgeLocked = (subscription: number, message: number, more: More = {}): Made => ({
  ...acknowledge(subscription, message, more),
  request: { do: 'acknowledgeForConsumer', uri: `/s/${subscription}/m${message}` },
})

/** Judges a whole history of the queue `a`, whose last consumer is the last that has read unless it says otherwise. */
export function judgeHistory(
  made: readonly Event[],
  {
    settle = 0,
    late = 0,
    consumed = made.flatMap(({ request }) =>
      request.do === 'consume' ? [['a', request.consumer] as const] : [],
    ),
  }: { settle?: number; late?: number; consumed?: readonly (readonly [string, string])[] } = {},
): Violation | undefined {
  const judge = new Judge(settle, late)
  const events = [...history(create('a', at(1))), ...made]
  const points = events.flatMap((event) => [
    { time: event.from, event, isOver: false },
    { time: event.to, event, isOver: true },
  ])
  for (const { event, isOver } of points.sort((one, other) => one.time - other.time)) {
    if (!isOver) judge.begin(event)
    else {
      const violation = judge.end(event, event)
      if (violation !== undefined) return violation
    }
  }
  return judge.lost(new Map(consumed))
}
