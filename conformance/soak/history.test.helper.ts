import type { Event, Terms } from './history.js'

export const TERMS: Terms = {
  ...{ queues: ['a'], selector: undefined, prefetch: 2 },
  ...{ lease: 1_000_000, grace: 1000, renewedBy: ['read', 'ack'] },
}

export type Made = Partial<Event> & Pick<Event, 'do'>

/** A history of requests one after another, each of two milliseconds, that succeed unless they say otherwise. */
export function history(...made: readonly Made[]): Event[] {
  return made.map((event, index) => ({
    ...{ who: 'somebody', from: 10 * index + 10, to: 10 * index + 12, outcome: 'yes' },
    ...event,
  }))
}

export const send = (message: number, more: Partial<Event> = {}): Made => ({
  ...{ do: 'send', message, sending: { queue: 'a', colour: 'red', by: 'two-step', isRepeat: false } },
  ...more,
})
export const again = { sending: { queue: 'a', colour: 'red', by: 'guid', isRepeat: true } } as const
export const subscribe = (subscription: number, terms: Partial<Terms> = {}): Made => ({
  ...{ do: 'subscribe', subscription, terms: { ...TERMS, ...terms } },
})
export const read = (subscription: number, shown: number[], more: Partial<Event> = {}): Made => ({
  ...{ do: 'read', subscription, shown },
  ...more,
})
export const acknowledge = (subscription: number, message: number, more: Partial<Event> = {}): Made => ({
  ...{ do: 'acknowledge', subscription, message },
  ...more,
})
export const end = (subscription: number, more: Partial<Event> = {}): Made => ({
  do: 'end',
  subscription,
  ...more,
})
export const browse = (...shown: number[]): Made => ({ do: 'browse', shown })
