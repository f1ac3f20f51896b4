import type { Sent } from './trial.js'

/**
 * Bodies as a reader of a report can follow them: "messages 1 and 3 of 4" instead of random text. Counted in
 * the order of `messages`; what is none of them is quoted.
 */
export function labels(messages: readonly Sent[], bodies: Iterable<string>): string {
  const known: string[] = []
  const unknown: string[] = []
  for (const body of bodies) {
    const place = messages.findIndex((message) => message.text === body)
    if (place < 0) unknown.push(`a message not expected (${JSON.stringify(body.slice(0, 60))})`)
    else known.push(String(place + 1))
  }
  if (known.length + unknown.length === 0) return 'no message'
  const numbers =
    known.length === 0 ? [] : [`${known.length === 1 ? 'message' : 'messages'} ${enumerated(known)}`]
  return `${enumerated([...numbers, ...unknown])} of ${messages.length}`
}

/** The texts of messages, by which they are known in feeds. */
export function texts(messages: readonly Sent[]): string[] {
  return messages.map((message) => message.text)
}

function enumerated(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

/** A body as a report shows it: cut where it is long, control characters escaped. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}…` : text)
}
