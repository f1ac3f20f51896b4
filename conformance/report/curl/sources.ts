import { parseUrl } from '../../client/url.js'
import type { ReportedExchange } from '../result.js'
import { type Part, quoted } from './shell.js'

/** Where a value first stood in an answer, as the command that takes it from there. */
interface Source {
  readonly answer: number
  readonly command: string
}

/** Addresses in a body: in attributes, in elements, in quotation marks, by themselves, and a line each. */
const ADDRESSES =
  /(?:href|src|uri|url)\s*=\s*["']([^"']+)["']|<(?:\w+:)?(?:id|uri)>([^<]+)<|["']((?:https?:\/)?\/[^"'\s]+)["']|(https?:\/\/[^\s"'<>]+)|^(\/\S+)$/dgm
/** Ids in a body of JSON. */
const IDS = /:\s*"([\w-]+)"/dg
const WORD = /[A-Za-z0-9_-]+/g
/** Names of headers that a shell's tools look for: others mean something else to them. */
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
/** So much of what stands before a value tells it from others: characters. */
const CONTEXT = 60

/** What a target has told: addresses and ids. Where a request uses one, it is taken from what the target tells then. */
export class Sources {
  readonly #origin: string
  readonly #sources = new Map<string, Source>()
  readonly #variables = new Map<string, string>()
  readonly #asked = new Set<string>()

  constructor(origin: string) {
    this.#origin = origin
  }

  /** What a request asks by: nothing in it that a later answer repeats was told by that answer. */
  ask({ request: { url, body, headers } }: ReportedExchange): void {
    this.#asked.add(url)
    for (const text of [url, body.data, ...Object.values(headers)]) {
      for (const [each] of text.matchAll(WORD)) if (!this.#sources.has(each)) this.#asked.add(each)
    }
  }

  /** What an answer tells. */
  tell(answer: number, { request, response }: ReportedExchange): void {
    if (response === null) return
    const { headers, body } = response
    for (const [name, value] of Object.entries(headers)) {
      if (PLAIN_HEADERS.has(name) || !HEADER.test(name)) continue
      const told = name === 'location' ? this.#here(value, request.url) : isId(value) ? value : undefined
      if (told !== undefined) this.#add(told, { answer, command: `header ${answer} ${quoted(name)}` })
    }
    if (body.encoding !== 'text') return
    // As a script reads it, each line with its end before it.
    const text = `\n${body.data.replaceAll('\r', '')}`
    for (const [found, toValue] of [
      [text.matchAll(ADDRESSES), (raw: string) => this.#here(raw.replaceAll('&amp;', '&'), request.url)],
      [text.matchAll(IDS), (raw: string) => (isId(raw) ? raw : undefined)],
    ] as const) {
      for (const { indices } of found) {
        const [from, to] = indices!.slice(1).find((each) => each !== undefined)!
        const value = toValue(text.slice(from, to))
        if (value === undefined || this.#asked.has(value) || this.#sources.has(value)) continue
        this.#add(value, { answer, command: behind(answer, text, from) })
      }
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
  parts(text: string, takings: string[]): Part[] {
    const value = this.#longest(text)
    if (value === undefined) {
      // Whatever target is asked, its addresses begin with that one's.
      const [before = '', ...rest] = this.#origin === '' ? [text] : text.split(this.#origin)
      const after = rest.flatMap((each): Part[] => [{ variable: 'URL' }, ...own(each)])
      return [...own(before), ...after]
    }
    const at = text.indexOf(value)
    return [
      ...this.parts(text.slice(0, at), takings),
      { variable: this.#variable(value, takings) },
      ...this.parts(text.slice(at + value.length), takings),
    ]
  }

  #add(value: string, source: Source): void {
    if (!this.#asked.has(value) && !this.#sources.has(value)) this.#sources.set(value, source)
  }

  /** An address as one of the target that is asked, whatever host a link names. */
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

  #variable(value: string, takings: string[]): string {
    const known = this.#variables.get(value)
    if (known !== undefined) return known
    const name = `A${this.#variables.size + 1}`
    this.#variables.set(value, name)
    takings.push(`${name}=$(${this.#sources.get(value)!.command})`)
    return name
  }
}

/** The command that takes a value from a body: by what stands right before it, and how often that stood there before. */
function behind(answer: number, text: string, from: number): string {
  const line = text.lastIndexOf('\n', from - 1) + 1
  const tag = text.lastIndexOf('<', from - 1)
  const near = text.slice(Math.max(line, tag, from - CONTEXT), from)
  // What another target says there may have other ids.
  const ids = [...near.matchAll(WORD)].filter(([each]) => isId(each))
  const end = ids.reduce((end, { 0: each, index }) => Math.max(end, index + each.length), 0)
  const before = near.slice(end) || text.slice(from - 1, from)
  const count = text.slice(0, from).split(before).length - 1
  return `behind ${answer} ${quoted(before)} ${count}`
}

function own(text: string): Part[] {
  return text === '' ? [] : [{ text }]
}

/** Whether a word is a name that a target has made, and no word of a language. */
function isId(word: string): boolean {
  return /^[\w-]+$/.test(word) && /\d/.test(word) && (word.length >= 6 || /^\d+$/.test(word))
}

/** Whether a text holds an address, or an id as a whole word. */
function holds(text: string, value: string): boolean {
  const at = text.indexOf(value)
  if (at < 0 || value.includes('/')) return at >= 0
  return !/[A-Za-z0-9_-]/.test(`${text[at - 1] ?? ' '}${text[at + value.length] ?? ' '}`)
}
