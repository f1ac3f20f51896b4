import type { IncomingMessage } from 'node:http'

/** What a request without a body has. */
export const NO_BODY = Buffer.alloc(0)

/**
 * Reads a body whole. A body that came in one chunk is that chunk, uncopied.
 *
 * @param done gets the body, or undefined as soon as it is over the limit; it is
 *   not called when the client goes away first
 */
export function collectBody(
  message: IncomingMessage,
  limit: number,
  done: (body: Buffer | undefined) => void,
): void {
  const chunks: Buffer[] = []
  let length = 0
  const onData = (chunk: Buffer) => {
    length += chunk.length
    if (length <= limit) {
      chunks.push(chunk)
      return
    }
    message.off('data', onData)
    message.off('end', onEnd)
    done(undefined)
  }
  const onEnd = () => {
    if (chunks.length === 1) done(chunks[0])
    else done(length === 0 ? NO_BODY : Buffer.concat(chunks, length))
  }
  message.on('data', onData)
  message.once('end', onEnd)
}
