import type { IncomingMessage } from 'node:http'
import { type Content, withoutCodings } from './content-coding.js'

/** A longer answer is not read to its end: nothing that a check asks for is near it. */
const MAX_ANSWER = 16 * 1024 * 1024
/** Bytes of all answers that are under way at once. */
const MAX_UNDER_WAY = 64 * 1024 * 1024
/** Bytes of all answers of a run: when they were read, nothing more is asked. Feeds of half a megabyte stay below it. */
const MAX_ALL = 8 * 1024 * 1024 * 1024
/** The longest answer of a target that is taken to mean harm that is still read. */
const MAX_HARMFUL = 64 * 1024
/** After more answers beyond all measure than so many a target is taken to mean harm. */
const HARM = 8

/** An answer as it was read. */
export interface ReadAnswer extends Content {
  readonly status: number
  readonly error: undefined
}

/** Reads answers whole, as far as they keep measure. */
export class AnswerReader {
  #underWay = 0
  #all = 0
  #excesses = 0

  /** Notes an answer beyond all measure: without an end, or nested without one. */
  noteExcess(): void {
    this.#excesses += 1
  }

  /** Whether the target has shown again and again that its answers know no measure: nobody waits for it any more. */
  get isHarmful(): boolean {
    return this.#excesses > HARM || this.#all > MAX_ALL
  }

  /** Why nothing more is read; undefined where more may be. */
  get isFull(): string | undefined {
    return this.#all > MAX_ALL
      ? `the answers of the run are longer than ${MAX_ALL} bytes together`
      : undefined
  }

  /** @param fail is told why there is no answer, and whether it is a limit of the kit's own */
  read(
    response: IncomingMessage,
    settle: (answer: ReadAnswer) => void,
    fail: (error: string, isOverLimit?: boolean) => void,
  ): void {
    const chunks: Buffer[] = []
    let length = 0
    const most = () => (this.isHarmful ? MAX_HARMFUL : MAX_ANSWER)
    const tooLong = (why: string) => {
      this.noteExcess()
      fail(why, true)
      response.destroy()
    }
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      length += chunk.length
      this.#underWay += chunk.length
      this.#all += chunk.length
      if (length > most()) tooLong(`the answer is longer than ${most()} bytes`)
      else if (this.#underWay > MAX_UNDER_WAY)
        tooLong(`the answers under way together are longer than ${MAX_UNDER_WAY} bytes`)
    })
    response.on('close', () => {
      this.#underWay -= length
      length = 0
    })
    response.on('error', () => fail('the connection was closed before the answer was whole'))
    response.on('end', () => {
      // Of many small pieces none is kept beside the whole.
      const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks.splice(0))
      try {
        const content = withoutCodings({ headers: joinHeaders(response.rawHeaders), body }, most())
        this.#all += Math.max(0, content.body.length - body.length)
        settle({ status: response.statusCode!, ...content, error: undefined })
      } catch {
        tooLong(`the answer is longer than ${most()} bytes without its content coding`)
      }
    })
  }
}

function joinHeaders(raw: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {}
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index]!.toLowerCase()
    const value = raw[index + 1]!
    headers[name] = Object.hasOwn(headers, name) ? `${headers[name]}, ${value}` : value
  }
  return headers
}
