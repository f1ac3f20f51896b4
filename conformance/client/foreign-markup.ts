import { endOfTag } from './xml.js'

const ATOM = 'http://www.w3.org/2005/Atom'
/** Shorter documents are parsed whole: characters. */
const LONG = 32 * 1024
/** Where so much of it was parsed in a run, no more is: characters. */
const MOST_PARSED = 1_000_000
const NAME = /^<\/?(?:([^\s/>:]+):)?([^\s/>]+)/
const DECLARATION = /\sxmlns(?::([^\s=]+))?\s*=\s*(?:"([^"]*)"|'([^']*)')/g

/** A document as it is parsed. */
interface Trimmed {
  readonly text: string
  /** Notes that it was parsed, and is well-formed. */
  readonly parsed: () => void
}

/**
 * Foreign elements in feeds, of which RFC 4287 section 6 allows any, beside Atom's own: nothing reads them, and a parser takes most
 * of its time for them where they are many. They are parsed once to see that they are well-formed, and left out where they come again.
 */
export class ForeignMarkup {
  readonly #seen = new Set<string>()
  #parsed = 0

  /** A feed without the foreign elements that were parsed before: a server may write some that are other ones each time. */
  trim(text: string): Trimmed {
    const parts = text.length < LONG ? [] : (foreignParts(text) ?? [])
    const isEnough = this.#parsed >= MOST_PARSED
    const added: string[] = []
    let [rest, at] = ['', 0]
    for (const [from, to] of parts) {
      const key = keyOf(text, from, to)
      if (isEnough || this.#seen.has(key)) {
        rest += text.slice(at, from)
        at = to
      } else {
        this.#parsed += to - from
        added.push(key)
      }
    }
    return {
      text: rest + text.slice(at),
      parsed: () => {
        for (const key of added) this.#seen.add(key)
      },
    }
  }
}

/** By what a part of a text is known again: two hashes of 32 bits (FNV-1a, and the same backwards), and its length. */
function keyOf(text: string, from: number, to: number): string {
  let [one, other] = [0x811c9dc5, 0x811c9dc5]
  for (let at = from; at < to; at++) {
    one = Math.imul(one ^ text.charCodeAt(at), 0x01000193)
    other = Math.imul(other ^ text.charCodeAt(from + to - 1 - at), 0x01000193)
  }
  return `${one} ${other} ${to - from}`
}

type Scope = ReadonlyMap<string, string>

/**
 * Where foreign elements are that stand in an Atom feed or in one of its entries, from and to, in their order.
 *
 * @returns undefined of what is no feed of Atom's, and of what only a parser can judge
 */
export function foreignParts(text: string): (readonly [from: number, to: number])[] | undefined {
  const parts: (readonly [number, number])[] = []
  const open: { readonly name: string; readonly scope: Scope; readonly isAtom: boolean }[] = []
  let left: { readonly from: number; readonly depth: number } | undefined
  for (let at = text.indexOf('<'); at >= 0; ) {
    const skipped = endOfOther(text, at)
    if (skipped === undefined) return undefined
    if (skipped > 0) {
      at = text.indexOf('<', skipped)
      continue
    }
    const { end } = endOfTag(text, at)
    const tag = text.slice(at, end)
    const [, prefix = '', local = ''] = NAME.exec(tag) ?? []
    const name = `${prefix}:${local}`
    if (tag[1] === '/') {
      if (open.pop()?.name !== name) return undefined
      if (open.length === left?.depth) {
        parts.push([left.from, end])
        left = undefined
      }
    } else {
      const depth = open.length
      const outer = open.at(-1)
      // Deeper than the children of entries nobody asks.
      const scope = depth > 2 ? outer!.scope : scopeOf(tag, outer?.scope)
      if (scope === undefined) return undefined
      const isAtom = scope.get(prefix) === ATOM
      if (depth === 0 && !(isAtom && local === 'feed')) return undefined
      const isWithin = depth === 1 || (depth === 2 && outer!.isAtom && outer!.name.endsWith(':entry'))
      const isForeign = left === undefined && isWithin && !isAtom
      if (tag.at(-2) === '/') {
        if (isForeign) parts.push([at, end])
      } else {
        if (isForeign) left = { from: at, depth }
        open.push({ name, scope, isAtom })
      }
    }
    at = text.indexOf('<', end)
  }
  return open.length === 0 ? parts : undefined
}

/** The end of a comment, CDATA or an instruction; 0 of a tag, and undefined of a declaration, which may define entities. */
function endOfOther(text: string, at: number): number | undefined {
  for (const [begin, end] of [
    ['<!--', '-->'],
    ['<![CDATA[', ']]>'],
    ['<?', '?>'],
  ] as const) {
    if (!text.startsWith(begin, at)) continue
    const found = text.indexOf(end, at + begin.length)
    return found < 0 ? undefined : found + end.length
  }
  return text.startsWith('<!', at) ? undefined : 0
}

/** The namespaces in scope of an element; undefined where one is written with references. */
function scopeOf(tag: string, outer: Scope = new Map()): Scope | undefined {
  if (!tag.includes('xmlns')) return outer
  const scope = new Map(outer)
  for (const [, prefix = '', double, single] of tag.matchAll(DECLARATION)) {
    const uri = double ?? single ?? ''
    if (uri.includes('&')) return undefined
    scope.set(prefix, uri)
  }
  return scope
}
