import type { IncomingMessage } from 'node:http'
import { type Content, withoutCodings } from './content-coding.js'
import type { Measure } from './measure.js'

/** Bytes of all answers that are under way at once. */
const MAX_UNDER_WAY = 64 * 1024 * 1024

/** An answer as it was read. */
interface ReadAnswer extends Content {
  readonly status: number
  readonly error: undefined
}

/** Reads answers whole, as far as they keep measure. */
export class AnswerReader {
  readonly #measure: Measure
  #underWay = 0

  constructor(measure: Measure) {
    this.#measure = measure
  }

  /** @param fail is told why there is no answer, and whether it is a limit of the kit's own */
  read(
    response: IncomingMessage,
    settle: (answer: ReadAnswer) => void,
    fail: (error: string, isOverLimit?: boolean) => void,
  ): void {
    const chunks: Buffer[] = []
    let length = 0
    const measure = this.#measure
    const tooLong = (why: string) => {
      measure.noteExcess()
      fail(why, true)
      response.destroy()
    }
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      length += chunk.length
      this.#underWay += chunk.length
      measure.read(chunk.length)
      if (length > measure.most) tooLong(`the answer is longer than ${measure.mostInWords}`)
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
        const content = withoutCodings({ headers: joinHeaders(response.rawHeaders), body }, measure.most)
        measure.read(Math.max(0, content.body.length - body.length))
        settle({ status: response.statusCode!, ...content, error: undefined })
      } catch {
        tooLong(`without its content coding, the answer is longer than ${measure.mostInWords}`)
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
