import type { Request } from '../../http/exchange.js'
import { pathGlob, wordGlob } from './glob.js'
import { type Given, optional, readText, wrong } from './read.js'

/** Which requests are meant. What is left out is not asked about. */
export interface Target {
  /** `POST`, or with `*` for any part. HEAD counts as GET. */
  readonly method?: string | undefined
  /**
   * Of the path below the base path, without the query: `*` is any part of one segment, `**` as a segment is one or
   * more segments. `/queues/**` is every queue, and not the collection `/queues`.
   */
  readonly path?: string | undefined
}

/** What a target is looked for in. */
export type Targeted = Pick<Request, 'method' | 'segments'>

/** Reads a target, once, into a question that is quick to ask. */
export function compileTarget({ method, path }: Target): (request: Targeted) => boolean {
  const fitsMethod = method === undefined ? undefined : wordGlob(method)
  const fitsPath = path === undefined ? undefined : pathGlob(path)
  return (request) => (fitsMethod?.(request.method) ?? true) && (fitsPath?.(request.segments) ?? true)
}

/** @throws Problem `malformed-request` */
export function readMethod(given: Given): string | undefined {
  return optional(given, (method) => {
    const text = readText(method)
    if (!/^[A-Z*]{1,40}$/i.test(text)) wrong(method, 'a method such as POST, in which * is any part')
    if (/^head$/i.test(text)) wrong(method, 'GET to mean HEAD too: the two are not told apart')
    return text.toUpperCase()
  })
}

/** @throws Problem `malformed-request` */
export function readPath(given: Given): string | undefined {
  return optional(given, (path) => {
    const text = readText(path)
    if (!/^\/[^?#]{0,2000}$/.test(text)) wrong(path, 'a path that begins with "/", without a query')
    return text
  })
}
