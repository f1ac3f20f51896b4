/**
 * What is stored is copied out of the request that it came in, since a part of a longer text or buffer keeps the whole
 * of that in memory; and it is counted as what it then takes. The numbers were measured: see docs/limits.md.
 */
import type { Destination } from './names.js'

/** What things take in bytes beside the texts and bodies in them. */
export const OVERHEAD = {
  message: 200,
  property: 45,
  /** A body that is not small. */
  buffer: 150,
  delivery: 180,
  /** With the lists of its messages, which it has from the first one on. */
  queue: 1800,
  /** A name with queues below it, beside what these take themselves. */
  category: 600,
  subscription: 1000,
  destination: 300,
  /** A segment of a destination. */
  segment: 380,
  binding: 140,
  selector: 500,
  /** The dearest are sums of numbers of one digit. */
  selectorCharacter: 130,
  /** A new-message address that no message was posted to yet. */
  address: 200,
  /** How a delivery ended. */
  settlement: 150,
  /** An address or a lease that is only remembered. */
  remembered: 60,
  /** A guid or a used address, with whether its message is pending. */
  sentOnce: 100,
} as const

/** What a queue of this name takes, in bytes, without the categories above it. */
export function bytesOfQueue(segments: readonly string[]): number {
  let bytes: number = OVERHEAD.queue
  for (const segment of segments) bytes += 2 * bytesOfText(segment)
  return bytes
}

/** What one destination of a subscription takes, in bytes, beside its bindings. */
export function bytesOfDestination({ segments, text }: Destination): number {
  return OVERHEAD.destination + segments.length * OVERHEAD.segment + 3 * bytesOfText(text)
}

/** A copy that keeps no longer text in memory. */
export function ownText(text: string): string {
  // Joining writes the characters into a new text, where adding them up or slicing would only refer to the old one.
  return text.length < 2 ? text : [text.slice(0, 1), text.slice(1)].join('')
}

/** What a text takes, in bytes: one for each character, or two where one of them is beyond Latin-1. */
export function bytesOfText(text: string | undefined): number {
  if (text === undefined || text === '') return 0
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of Latin-1 is just what is looked for
  return 24 + (/^[\u0000-\u00ff]*$/.test(text) ? text.length : 2 * text.length)
}

/** A destination whose texts are its own. */
export function ownDestination({ text, segments }: Destination): Destination {
  return { text: ownText(text), segments: segments.map(ownText) }
}
