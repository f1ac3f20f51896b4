import { Refusal } from './refusals.js'

const MAX_SEGMENT_BYTES = 255
const MAX_NAME_BYTES = 1024

/** A name, or a part of one, with slashes for its dots. */
// clause: queues.dotted queues.dotted.path
export function withSlashes(text: string): string {
  return text.replaceAll('.', '/')
}

/**
 * The segments of a queue name. `.` and `/` both separate, so `uk.products` and `uk/products` name one queue.
 * `chosen`: a segment is 1 to 255 bytes of UTF-8 without control characters and without `*` and `>`, which
 * wildcards use; a whole name has at most 1024 bytes.
 *
 * @throws Refusal `bad-queue-name`
 */
export function parseQueueName(text: string): string[] {
  // First, so that no error message repeats a very long text.
  checkLength(text)
  const segments = withSlashes(text).split('/')
  for (const segment of segments) checkSegment(segment, text)
  return segments
}

/**
 * The segments of a category: a queue name, or nothing for the root.
 *
 * @throws Refusal `bad-queue-name`
 */
export function parseCategory(text: string): string[] {
  return text === '' ? [] : parseQueueName(text)
}

/** A queue's canonical name: its segments with slashes between them. */
export function formatName(segments: readonly string[]): string {
  return segments.join('/')
}

/** Where a subscription wants messages from: a queue, or a wildcard over queues. */
export interface Destination {
  /** As it was given. */
  readonly text: string
  /** Names, `*` for any one segment, and, only last, `>` for one or more segments. */
  readonly segments: readonly string[]
}

/**
 * Reads a destination, dotted or with slashes. `chosen`: `*` is one segment, a last `>` is one or more.
 *
 * @throws Refusal `bad-destination`
 */
// clause: subscribe.wildcard subscribe.wildcard.dots subscribe.wildcard.refused
export function parseDestination(text: string): Destination {
  const segments = withSlashes(text).split('/')
  if (segments.slice(0, -1).includes('>')) {
    throw new Refusal(
      'bad-destination',
      'In a destination ">" is the last segment or none: it stands for all that follow.',
    )
  }
  try {
    // Wildcards stand where a name would: with a name in their place the rest must be a queue name.
    parseQueueName(segments.map((segment) => (segment === '*' || segment === '>' ? 'x' : segment)).join('/'))
  } catch (error) {
    throw new Refusal('bad-destination', (error as Refusal).message, (error as Refusal).facts)
  }
  return { text, segments }
}

/** Whether a destination, wildcard or not, covers a queue of these segments. */
export function coversName({ segments }: Destination, name: readonly string[]): boolean {
  for (const [index, segment] of segments.entries()) {
    if (segment === '>') return name.length > index
    if (segment !== '*' && segment !== name[index]) return false
  }
  return segments.length === name.length
}

// clause: queues.name.length
function checkLength(text: string): void {
  if (isLonger(text, MAX_NAME_BYTES)) {
    throw new Refusal('bad-queue-name', `A queue name has at most ${MAX_NAME_BYTES} bytes.`, {
      limit: MAX_NAME_BYTES,
    })
  }
}

// clause: queues.name.reserved queues.name.unicode
function checkSegment(segment: string, name: string): void {
  if (segment === '') {
    throw new Refusal('bad-queue-name', `The queue name ${JSON.stringify(name)} has an empty segment.`)
  }
  if (/[*>]/.test(segment)) {
    throw new Refusal('bad-queue-name', `A queue name must not hold "*" or ">", which stand for wildcards.`)
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are just what is looked for
  if (/[\u0000-\u001f\u007f-\u009f]/.test(segment) || !segment.isWellFormed()) {
    throw new Refusal(
      'bad-queue-name',
      'A queue name must not hold control characters or unpaired surrogates.',
    )
  }
  if (isLonger(segment, MAX_SEGMENT_BYTES)) {
    throw new Refusal('bad-queue-name', `A segment of a queue name has at most ${MAX_SEGMENT_BYTES} bytes.`, {
      limit: MAX_SEGMENT_BYTES,
    })
  }
}

/** Whether a text is longer than so many bytes in UTF-8, of which a unit of a text takes three at most. */
export function isLonger(text: string, bytes: number): boolean {
  return text.length * 3 > bytes && encoder.encode(text).length > bytes
}

const encoder = new TextEncoder()
