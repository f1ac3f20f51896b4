import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'

/** What is read of an answer. */
export interface Content {
  readonly headers: Record<string, string>
  readonly body: Buffer
}

type Decode = (body: Buffer, options: { maxOutputLength: number }) => Buffer

/** Some servers send `deflate` without the frame that it has (RFC 9110, section 8.4.1.2). */
const inflated: Decode = (body, options) => {
  const isFramed = (body[0]! & 0x0f) === 8 && body.readUInt16BE(0) % 31 === 0
  return isFramed ? inflateSync(body, options) : inflateRawSync(body, options)
}

const DECODERS: Readonly<Record<string, Decode>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflated,
  br: brotliDecompressSync,
  identity: (body) => body,
}

/**
 * The content without its codings: a server that is asked for none ought to use none, and may (RFC 9110, section 12.5.3). A
 * coding that nobody here reads is left, and so is a body that is not in the coding that its header names.
 *
 * @param most bytes of the body without its codings
 * @throws {RangeError} where it has more
 */
export function withoutCodings({ headers, body }: Content, most: number): Content {
  const { 'content-encoding': coding = '', 'content-length': _, ...others } = headers
  const codings = coding
    .toLowerCase()
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
  if (codings.length === 0 || !codings.every((each) => Object.hasOwn(DECODERS, each)))
    return { headers, body }
  let plain = body
  try {
    for (const each of codings.toReversed())
      if (plain.length > 1) plain = DECODERS[each]!(plain, { maxOutputLength: most })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw new RangeError('too long')
    return { headers, body }
  }
  return { headers: others, body: plain }
}
