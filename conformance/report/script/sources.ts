import { parseUrl } from '../../client/url.js'
import type { ReportedExchange } from '../result.js'
import { type Part, quoted, runsIn } from './shell.js'

/** Where a value first stood in an answer, as it was written there. */
interface Source {
  readonly answer: number
  readonly raw: string
  readonly from: 'location' | 'body' | { readonly header: string }
}

/** A command that takes a value from an answer, by the answer's number. */
export interface Taking {
  readonly answer: number
  readonly command: string
}

const URLS =
  /(?:href|src|uri|url)\s*=\s*["']([^"']+)["']|<(?:\w+:)?(?:id|uri)>([^<]+)<|["'](\/[^"'\s]+)["']|(https?:\/\/[^\s"'<>]+)|^(\/\S+)$/gm
const WORD = /[A-Za-z0-9_-]+/g
/** A shorter one in a body may be a count. */
const SHORTEST_ID = 6
/** Names of headers that a script looks for: others mean something else to what finds them. */
const HEADER = /^[\w-]+$/
/** Headers whose value is nobody's id. */
const PLAIN_HEADERS = new Set([
  'date',
  'content-length',
  'content-type',
  'keep-alive',
  'etag',
  'server',
  'last-modified',
])

/**
 * Knows what a target has told: addresses and ids. Where a request uses one, a script takes it from what the target tells
 * it in its turn.
 */
export class Sources {
  readonly #origin: string
  readonly #sources = new Map<string, Source>()
  readonly #variables = new Map<string, string>()
  readonly #bodies = new Map<number, string>()
  readonly #asked = new Set<string>()
  /** Whether an answer may have told more than is known. */
  #isCut = false

  constructor(origin: string) {
    this.#origin = origin
  }

  /** Whether a request asks at an address that nobody has told, where an answer before it is not known whole. */
  isUntold({ request: { url } }: ReportedExchange): boolean {
    if (!this.#isCut) return false
    const words = (URL.canParse(url) ? new URL(url).pathname : url).match(WORD) ?? []
    const isTold = (word: string) =>
      [...this.#sources.keys()].some((each) => holds(each, word) || each.includes(`/${word}`))
    return words.some(
      (each) => isId(each) && each.length >= SHORTEST_ID && runsIn(each).length === 0 && !isTold(each),
    )
  }

  /** What a request asks by: nothing in it that a later answer repeats was told by that answer. */
  ask(exchange: ReportedExchange): void {
    const { url, body, headers } = exchange.request
    this.#asked.add(url)
    for (const text of [url, body.data, ...Object.values(headers)]) {
      for (const [each] of text.matchAll(WORD)) if (!this.#sources.has(each)) this.#asked.add(each)
    }
  }

  /** What an answer tells. */
  tell(answer: number, { request, response }: ReportedExchange): void {
    if (response === null) return
    const { headers, body } = response
    this.#isCut ||= body.cut
    const add = (value: string, source: Source) => {
      if (!this.#asked.has(value) && !this.#sources.has(value)) this.#sources.set(value, source)
    }
    if (headers.location !== undefined) {
      const value = this.#here(headers.location, request.url)
      if (value !== undefined) add(value, { answer, raw: headers.location, from: 'location' })
    }
    for (const [header, value] of Object.entries(headers)) {
      if (header === 'location' || PLAIN_HEADERS.has(header)) continue
      for (const [each] of value.matchAll(WORD))
        if (isId(each)) add(each, { answer, raw: value, from: { header } })
    }
    if (body.encoding !== 'text' || body.data === '') return
    const text = body.data.replaceAll('\r', '')
    this.#bodies.set(answer, text)
    for (const found of text.matchAll(URLS)) {
      const raw = found.slice(1).find((each) => each !== undefined)!
      const value = this.#here(raw.replaceAll('&amp;', '&'), request.url)
      if (value !== undefined) add(value, { answer, raw, from: 'body' })
    }
    for (const [each] of text.matchAll(WORD)) {
      if (isId(each) && each.length >= SHORTEST_ID) add(each, { answer, raw: each, from: 'body' })
    }
  }

  /** Which answer told the address that a URL begins with. */
  teller(url: string): number | undefined {
    const value = this.#longest(url)
    return value === undefined ? undefined : this.#sources.get(value)?.answer
  }

  /**
   * A text of a request as parts of a shell's word.
   *
   * @param takings where commands are put that set the variables it needs
   */
  parts(text: string, takings: Taking[]): Part[] {
    const value = this.#longest(text)
    const at = value === undefined ? -1 : text.indexOf(value)
    const part = value === undefined ? undefined : this.#part(value, takings)
    if (value === undefined || part === undefined) {
      // Whatever target a script is run at, its addresses begin with that one's.
      if (this.#origin !== '' && text.includes(this.#origin)) {
        const [before = '', ...rest] = text.split(this.#origin)
        return [...own(before), { variable: 'URL' }, ...this.parts(rest.join(this.#origin), takings)]
      }
      return own(text)
    }
    return [
      ...this.parts(text.slice(0, at), takings),
      part,
      ...this.parts(text.slice(at + value.length), takings),
    ]
  }

  /** An address as one of the target's that the script talks to, whatever host a link names. */
  #here(address: string, base: string): string | undefined {
    const at = parseUrl(address, base)
    if (at === undefined || !at.protocol.startsWith('http')) return undefined
    const { pathname, search, href } = at
    return pathname === '/' ? href : `${this.#origin}${pathname}${search}`
  }

  #longest(text: string): string | undefined {
    let longest: string | undefined
    for (const value of this.#sources.keys()) {
      if (value.length > (longest?.length ?? 0) && holds(text, value)) longest = value
    }
    return longest
  }

  #part(value: string, takings: Taking[]): Part | undefined {
    // An id is best taken from the address that it stands in.
    const address = value.includes('/')
      ? undefined
      : [...this.#sources.keys()].find((each) => each.endsWith(`/${value}`))
    const variable = this.#variable(address ?? value, takings)
    if (variable === undefined) return undefined
    return address === undefined ? { variable } : { variable, isLastSegment: true }
  }

  #variable(value: string, takings: Taking[]): string | undefined {
    const known = this.#variables.get(value)
    if (known !== undefined) return known
    const source = this.#sources.get(value)!
    const command = this.#taking(source, value)
    if (command === undefined) return undefined
    const name = `A${this.#variables.size + 1}`
    this.#variables.set(value, name)
    takings.push({ answer: source.answer, command: `${name}=$(${command})` })
    return name
  }

  #taking({ answer, raw, from }: Source, value: string): string | undefined {
    if (from === 'location') return `location ${answer}`
    if (from !== 'body') {
      const isPlain = raw === value && HEADER.test(from.header)
      return isPlain ? `id ${answer} ${quoted(from.header)}` : undefined
    }
    const { shell, script } = patternFor(raw)
    const all: readonly string[] = this.#bodies.get(answer)!.match(script) ?? []
    const nth = all.indexOf(raw) + 1
    return nth === 0 ? undefined : `found ${answer} ${shell} ${nth}`
  }
}

function own(text: string): Part[] {
  return text === '' ? [] : [{ text }]
}

/** A pattern for what stood in an answer, whatever ids stand there in another run: for grep, and for here. */
function patternFor(raw: string): { readonly shell: string; readonly script: RegExp } {
  const runs = runsIn(raw)
  const shell: string[] = []
  const script: string[] = []
  for (const [each] of raw.matchAll(/^https?:\/\/[^/]+|[A-Za-z0-9_-]+|[^A-Za-z0-9_-]/g)) {
    if (/^https?:/.test(each)) {
      shell.push('https*://[^/"<> ]*')
      script.push('https*:\\/\\/[^/"<> ]*')
    } else if (isId(each) && !runs.some((run) => each.includes(run))) {
      shell.push('[A-Za-z0-9_-]*')
      script.push('[A-Za-z0-9_-]*')
    } else {
      shell.push(each.replace(/[.[\]*^$\\]/g, '\\$&'))
      script.push(each.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'))
    }
  }
  return { shell: quoted(shell.join('')), script: new RegExp(script.join(''), 'g') }
}

/** Whether a word is a name that a target has made, and no word of a language. */
function isId(word: string): boolean {
  return /\d/.test(word) && (word.length >= 6 || /^\d+$/.test(word))
}

/** Whether a text holds an address, or an id as a whole word. */
function holds(text: string, value: string): boolean {
  const at = text.indexOf(value)
  if (at < 0 || value.includes('/')) return at >= 0
  return !/[A-Za-z0-9_-]/.test(`${text[at - 1] ?? ' '}${text[at + value.length] ?? ' '}`)
}
