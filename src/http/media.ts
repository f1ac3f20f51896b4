import { splitQuoted, unquote } from './split-quoted.js'

/** A media type, taken apart (RFC 9110 section 8.3.1). */
export interface MediaType {
  /** Type and subtype in lower case, such as `text/plain`. */
  readonly type: string
  /** By name in lower case; of a name given twice, the first. */
  readonly parameters: ReadonlyMap<string, string>
}

/** The type that was read last: most messages have the same. */
let last: { readonly text: string; readonly read: MediaType | undefined } = { text: '', read: undefined }

/** Reads a `Content-Type`; undefined when there is none, or when it is not a media type. */
export function parseMediaType(text: string = ''): MediaType | undefined {
  if (text !== last.text) last = { text, read: readMediaType(text) }
  return last.read
}

function readMediaType(text: string): MediaType | undefined {
  const [type, ...rest] = splitQuoted(text, ';')
  if (type === undefined || !/^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+$/.test(type)) return undefined
  const parameters = new Map<string, string>()
  for (const parameter of rest) {
    const equals = parameter.indexOf('=')
    const name = parameter.slice(0, equals).toLowerCase()
    const value = equals > 0 ? unquote(parameter.slice(equals + 1)) : undefined
    if (value === undefined) return undefined
    if (!parameters.has(name)) parameters.set(name, value)
  }
  return { type: type.toLowerCase(), parameters }
}

/** Says whether a `Content-Type` names this type, whatever its parameters. */
export function isMediaType(text: string | undefined, type: string): boolean {
  return parseMediaType(text)?.type === type
}
