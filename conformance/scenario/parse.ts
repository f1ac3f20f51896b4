import { nearest } from './nearest.js'
import {
  AT,
  COLOURS,
  type Deed,
  DIFFERENCES,
  ENDS,
  type Guid,
  type Made,
  ORDERS,
  PARTIES,
  type Place,
  type Step,
  WAYS,
  WHERE,
} from './step.js'
import { IN_BRACES, NAMES, ordinal, RESERVED, range, size, time, unquoted, WORD } from './words.js'

/** A mistake in a scenario's text: where it stands, counted from 1, what is wrong, and the nearest that would not be. */
export class Mistake extends Error {
  override readonly name = 'Mistake'

  constructor(
    readonly line: number,
    readonly column: number,
    why: string,
    near?: string,
  ) {
    super(`line ${line}, column ${column}: ${why}.${near === undefined ? '' : ` The nearest is ${near}.`}`)
  }
}

interface Token {
  readonly text: string
  readonly line: number
  readonly column: number
}

/**
 * The steps of a scenario: one a line, or several with `;` between. `#` at the beginning of a word begins a comment.
 *
 * @param known whether a step may be only about queues, messages and consumers that came in before it
 * @param first which line of a longer text its first one is
 * @throws {Mistake}
 */
export function parse(text: string, known = false, first = 1): Step[] {
  const names = known ? new Map<Kind, Set<string>>() : undefined
  const steps: Step[] = []
  for (const words of stepsIn(text, names, first)) {
    const step = readStep(words)
    words.end()
    if (step.do === 'or' && (steps.at(-1)?.do ?? 'or') === 'or')
      throw words.mistake(words.first, 'no step stands before or')
    steps.push(step)
  }
  return steps
}

type Kind = 'queue' | 'message' | 'consumer'

const WORDS = new RegExp(`;|${WORD.source}`, 'g')

/** The words of each step. */
function stepsIn(text: string, names: Map<Kind, Set<string>> | undefined, first: number): Words[] {
  return text.split(/\r?\n/).flatMap((written, index) => {
    const line = first + index
    const all = [...written.matchAll(WORDS)].map(({ 0: word, index: at }): Token => {
      return { text: word, line, column: at + 1 }
    })
    const comment = all.findIndex((each) => each.text.startsWith('#'))
    const found: Words[] = []
    let tokens: Token[] = []
    const close = (end: number) => {
      if (tokens.length > 0) found.push(new Words(tokens, { text: '', line, column: end }, names))
      tokens = []
    }
    for (const token of comment < 0 ? all : all.slice(0, comment)) {
      if (token.text === ';') close(token.column)
      else tokens.push(token)
    }
    close(all[comment]?.column ?? written.trimEnd().length + 1)
    return found
  })
}

/** The words of one step, read from left to right. */
class Words {
  #at = 0
  readonly #tokens: readonly Token[]
  readonly #end: Token
  /** The names that came in; undefined where any may be spoken of. */
  readonly #names: Map<Kind, Set<string>> | undefined
  /** Whether its queue need not be there. */
  isAnyQueue = false

  constructor(tokens: readonly Token[], end: Token, names: Map<Kind, Set<string>> | undefined) {
    this.#tokens = tokens
    this.#end = end
    this.#names = names
  }

  get first(): Token {
    return this.#tokens[0]!
  }

  get #next(): Token {
    return this.#tokens[this.#at] ?? this.#end
  }

  /** Whether the next word is this one, which is read then. */
  has(word: string): boolean {
    if (this.#next.text !== word) return false
    this.#at += 1
    return true
  }

  isNext(...words: readonly string[]): boolean {
    return words.includes(this.#next.text)
  }

  isLike(form: RegExp): boolean {
    return form.test(this.#next.text)
  }

  /** Whether nothing more is said of the step. */
  isOver(): boolean {
    return this.#next === this.#end || this.isNext('|')
  }

  /** The next word, which is one of these. */
  oneOf<T extends string>(words: readonly T[], what: string): T {
    const token = this.#next
    const found = words.find((word) => word === token.text)
    if (found === undefined) throw this.#wrong(token, what, words)
    this.#at += 1
    return found
  }

  /** One of these with a colon behind it. */
  before<T extends string>(words: readonly T[], what: string): T {
    const written = this.oneOf(
      words.map((word) => `${word}:`),
      what,
    )
    return written.slice(0, -1) as T
  }

  must(word: string): void {
    if (!this.has(word)) throw this.#wrong(this.#next, `"${word}"`)
  }

  /** A name of a kind. @param comesIn whether a step with it brings it in, or is about one that came in before */
  name(kind: keyof typeof NAMES, comesIn = false): string {
    const token = this.#next
    const isQueue = kind === 'queue' || kind === 'destination'
    const text = isQueue ? unquoted(token.text) : token.text
    const isQuoted = text !== token.text
    if (!text || (!isQuoted && (RESERVED.has(text) || !NAMES[kind].form.test(text)))) {
      throw this.#wrong(token, `a ${kind}, which ${NAMES[kind].like},`)
    }
    this.#at += 1
    if (kind !== 'destination') this.knows({ ...token, text }, kind, comesIn)
    else if (!text.endsWith('/*')) this.knows({ ...token, text }, 'queue', false)
    return text
  }

  /** Notes a name that comes in. @throws {Mistake} where one has not come in before */
  knows(token: Token, kind: Kind, comesIn: boolean): void {
    if (this.#names === undefined) return
    const known = this.#names.get(kind) ?? new Set()
    this.#names.set(kind, known)
    if (comesIn || (kind === 'queue' && this.isAnyQueue)) known.add(token.text)
    if (known.has(token.text)) return
    throw this.mistake(token, `no step before has the ${kind} ${token.text}`, known)
  }

  /** Names of messages, of which a range is several. */
  messages(comesIn: boolean): string[] {
    const token = this.#next
    const several = range(token.text)
    if (several === undefined || !NAMES.message.form.test(several[0]!)) return [this.name('message', comesIn)]
    this.#at += 1
    for (const text of several) this.knows({ ...token, text }, 'message', comesIn)
    return several
  }

  /** Which of the messages that a consumer holds or held. */
  held(): string {
    const { text } = this.#next
    if (!isPlace(text)) return this.name('message')
    this.#at += 1
    return text
  }

  /** The same, where a range may stand. */
  allHeld(): string[] {
    return isPlace(this.#next.text) ? [this.held()] : this.messages(false)
  }

  /** Destinations with commas between. */
  destinations(): string[] {
    const token = this.#next
    this.#at += 1
    const all = [...token.text.matchAll(/(?:"(?:[^"\\]|\\.)*"|[^,])+|(?<=^|,)(?=,|$)/g)]
    return all.flatMap(({ 0: written, index }) => {
      const at = { ...token, column: token.column + index }
      return (range(written) ?? [written]).map((text) => {
        const one = new Words([{ ...at, text }], { ...at, text: '' }, this.#names)
        one.isAnyQueue = this.isAnyQueue
        return one.name('destination')
      })
    })
  }

  /** A word of any characters, or a text in quotation marks. @param from how many of its characters were read already */
  text(what: string, from = 0): string {
    const token = this.#next
    const text = token.text === '' ? undefined : unquoted(token.text.slice(from))
    if (text === undefined) throw this.#wrong(token, what)
    this.#at += 1
    for (const [, name = ''] of text.matchAll(IN_BRACES)) {
      if (/[a-z]/.test(name[0]!)) this.knows({ ...token, text: name }, 'queue', true)
      else if (/[A-Z]/.test(name[0]!)) this.knows({ ...token, text: name }, 'consumer', true)
    }
    return text
  }

  /** A field of a form as `prefetch=0`. */
  field(): [name: string, value: string] {
    const [begun, name] = /^([\w-]+)=/.exec(this.#next.text) ?? []
    if (begun === undefined) throw this.#wrong(this.#next, 'a field as prefetch=0')
    return [name!, this.text('the value of a field', begun.length)]
  }

  /** A word of this form. */
  like(form: RegExp, what: string): string {
    const { text } = this.#next
    if (!form.test(text)) throw this.#wrong(this.#next, what)
    this.#at += 1
    return text
  }

  number(what: string, read: (word: string) => number | undefined): number {
    const token = this.#next
    const number = read(token.text)
    if (number === undefined) throw this.#wrong(token, what)
    this.#at += 1
    return number
  }

  end(): void {
    if (this.#next !== this.#end) throw this.#wrong(this.#next, 'the end of the step')
  }

  mistake({ line, column, text }: Token, why: string, words: Iterable<string> = []): Mistake {
    return new Mistake(line, column, why, nearest(text, words)[0])
  }

  #wrong(token: Token, expected: string, words: Iterable<string> = []): Mistake {
    const seen = token.text === '' ? 'the step ends' : `"${token.text}" stands`
    return this.mistake(token, `${seen} where ${expected} is expected`, token.text === '' ? [] : words)
  }
}

const isPlace = (word: string) => word === 'last' || word === 'unknown' || ordinal(word) !== undefined

/** @param isOne whether it is one of several at the same moment */
function readStep(words: Words, isOne = false): Step {
  const own = !isOne && words.has('!') ? ({ own: true } as const) : {}
  const at = words.has('by') ? { at: words.before(AT, 'how a queue is written') } : {}
  words.isAnyQueue = 'at' in at
  const as = words.has('as') ? { as: words.before(PARTIES, 'a party') } : {}
  const cut = words.has('cut') ? { cut: words.before(WHERE, 'the place of a cut') } : {}
  const isOfRequests = isOne || 'as' in as || 'cut' in cut
  const verbs = isOfRequests ? VERBS.filter((verb) => !WITHOUT_REQUEST.includes(verb)) : VERBS
  const all = 'at' in at ? verbs.filter((verb) => OF_A_QUEUE.includes(verb)) : verbs
  const what = 'at' in at ? 'a step at a queue' : isOfRequests ? 'a step that is one request' : 'a step'
  return { ...FORMS[words.oneOf(all, what)](words), ...own, ...at, ...as, ...cut }
}

const whole = (word: string) => (/^[1-9]\d{0,6}$/.test(word) ? Number(word) : undefined)
const consumerIn = (words: Words) => words.name('consumer')

/** What stands behind the first word of each step. */
const FORMS = {
  create: (words): Deed => ({ do: 'create', queue: words.name('queue', true) }),
  delete: (words): Deed => ({ do: 'delete', queue: words.name('queue') }),
  browse: (words): Deed => ({ do: 'browse', queue: words.name('queue') }),
  list: (words): Deed => (words.isOver() ? { do: 'list' } : { do: 'list', path: words.name('queue', true) }),
  send(words): Deed {
    const messages = words.messages(true)
    while (!words.isNext('to')) messages.push(...words.messages(true))
    words.must('to')
    return { do: 'send', messages, queue: words.name('queue'), ...wayOf(words), ...madeOf(words) }
  },
  address(words): Deed {
    const message = words.name('message', true)
    words.must('at')
    return { do: 'address', message, queue: words.name('queue') }
  },
  post: (words): Deed => ({ do: 'post', message: words.name('message'), ...madeOf(words) }),
  repeat(words): Deed {
    const message = words.name('message')
    const changed = words.has('changed') ? { changed: true as const, ...sizeOf(words) } : {}
    const retyped = words.has('retyped') ? ({ retyped: true } as const) : {}
    const to = words.has('to') ? { queue: words.name('queue') } : {}
    return { do: 'repeat', message, ...changed, ...retyped, ...to }
  },
  visit: (words): Deed => ({ do: 'visit', message: words.name('message') }),
  subscribe(words): Deed {
    const consumer = words.name('consumer', true)
    words.must('to')
    const to = words.destinations()
    const prefetch = words.has('prefetch') ? prefetchOf(words) : {}
    const selector = words.has('selector') ? { selector: selectorOf(words) } : {}
    const timeout = words.has('timeout') ? { timeout: words.number('a time as 2s', time) } : {}
    return { do: 'subscribe', consumer, to, ...prefetch, ...selector, ...timeout }
  },
  end(words): Deed {
    const consumer = words.name('consumer')
    return { do: 'end', consumer, ...(words.has('by') ? { by: words.oneOf(ENDS, 'an end') } : {}) }
  },
  read: (words): Deed => ({ do: 'read', consumer: consumerIn(words) }),
  head: (words): Deed => ({ do: 'head', consumer: consumerIn(words) }),
  next: (words): Deed => ({ do: 'next', consumer: consumerIn(words) }),
  ack(words): Deed {
    const consumer = words.name('consumer')
    if (words.has('each')) {
      const order = words.isNext(...ORDERS) ? { order: words.oneOf(ORDERS, 'an order') } : {}
      return { do: 'ack', consumer, messages: ['each'], ...order, ...postOf(words) }
    }
    const messages = words.allHeld()
    while (!words.isOver() && !words.isNext('and')) messages.push(...words.allHeld())
    return { do: 'ack', consumer, messages, ...postOf(words) }
  },
  look: (words): Deed => ({ do: 'look', consumer: consumerIn(words), message: words.held() }),
  fetch: (words): Deed => ({ do: 'fetch', consumer: consumerIn(words), message: words.held() }),
  done(words): Deed {
    const consumer = words.name('consumer')
    return { do: 'done', consumer, message: words.has('each') ? 'each' : words.held() }
  },
  take(words): Deed {
    const queue = words.name('queue')
    return { do: 'take', queue, ...(words.has('as') ? { consumer: words.name('consumer', true) } : {}) }
  },
  join(words): Deed {
    const consumer = words.name('consumer', true)
    words.must('to')
    return { do: 'join', consumer, queue: words.name('queue') }
  },
  leave: (words): Deed => ({ do: 'leave', consumer: consumerIn(words), queue: words.name('queue') }),
  lock: (words): Deed => ({ do: 'lock', consumer: consumerIn(words), max: words.number('a number', whole) }),
  wait(words): Deed {
    const until = words.oneOf(['part', 'end', 'late'], 'part, end or late')
    if (until === 'late') return { do: 'wait', until }
    return { do: 'wait', until, ...(words.has('of') ? { consumer: words.name('consumer') } : {}) }
  },
  or: (): Deed => ({ do: 'or' }),
  request: requestIn,
  advance: (words): Deed => ({ do: 'advance', time: words.number('a time as 2s', time) }),
  'together:'(words): Deed {
    const steps = [readStep(words, true)]
    while (words.has('|')) steps.push(readStep(words, true))
    return { do: 'together', steps }
  },
} satisfies Readonly<Record<string, (words: Words) => Deed>>

/** The first word of each step. */
export const VERBS = Object.keys(FORMS) as (keyof typeof FORMS)[]
/** What is no request of anybody, or several. */
const WITHOUT_REQUEST: readonly string[] = ['wait', 'or', 'advance', 'together:']

/** What is asked of a queue's address, or names it. */
const OF_A_QUEUE: readonly string[] = ['create', 'delete', 'browse', 'send', 'address', 'subscribe']

const QUERY = /^"?\?/

function requestIn(words: Words): Deed {
  const method = words.like(/^[A-Z][A-Z-]*$/, 'a method as GET')
  const to = placeIn(words)
  const query = words.isLike(QUERY) ? { query: words.text('a query') } : {}
  const headers = headersIn(words)
  const body = words.has('body') ? { body: words.text('a body') } : {}
  const form: [string, string][] = []
  if (words.has('form')) while (!words.isOver()) form.push(words.field())
  return {
    ...{ do: 'request', method, to, ...query, ...(headers.length > 0 ? { headers } : {}), ...body },
    ...(form.length > 0 ? { form } : {}),
  }
}

function placeIn(words: Words): Place {
  if (words.isLike(/^"?\//)) return { path: words.text('a path') }
  const beside = words.has('beside') ? ({ beside: true } as const) : {}
  if (words.has('address')) return { address: words.name('message'), ...beside }
  if (!words.isLike(/^[A-Z]/)) return { queue: words.name('queue'), ...beside }
  const consumer = words.name('consumer')
  const isMessage = !words.isOver() && !words.isNext('with', 'body', 'form') && !words.isLike(QUERY)
  return { consumer, ...(isMessage ? { message: words.held() } : {}), ...beside }
}

function prefetchOf(words: Words): { prefetch: number; atMost?: true } {
  if (!words.has('up')) return { prefetch: words.number('a number', whole) }
  words.must('to')
  return { prefetch: words.number('a number', whole), atMost: true }
}

function postOf(words: Words): { reads?: true; locks?: number } {
  if (!words.has('and')) return {}
  if (words.oneOf(['read', 'lock'], 'read or lock') === 'read') return { reads: true }
  return { locks: words.number('a number', whole) }
}

function wayOf(words: Words): { by?: (typeof WAYS)[number]; guid?: Guid } {
  if (!words.has('by')) return {}
  const by = words.oneOf(WAYS, 'a way to send')
  if (by !== 'guid') return { by }
  for (const guid of ['long', 'number'] as const) if (words.has(guid)) return { by, guid }
  if (!words.has('unlike')) return { by }
  const unlike = words.name('message')
  words.must('in')
  return { by, guid: { unlike, in: words.oneOf(DIFFERENCES, 'a difference') } }
}

function madeOf(words: Words): Made {
  let made: Made = {}
  const headers = headersIn(words, () => {
    made = { colour: words.oneOf(COLOURS, 'a colour') }
  })
  if (headers.length > 0) made = { ...made, headers }
  if (words.has('like')) made = { ...made, like: words.name('message') }
  if (words.has('body')) made = { ...made, body: words.text('a body') }
  if (words.has('bytes')) made = { ...made, bytes: words.text('bytes') }
  if (words.has('every')) {
    words.must('byte')
    made = { ...made, every: true }
  }
  return { ...made, ...sizeOf(words) }
}

function sizeOf(words: Words): Pick<Made, 'size' | 'empty'> {
  const sized = words.has('size') ? { size: words.number('a size as 64k', size) } : {}
  return { ...sized, ...(words.has('empty') ? { empty: true } : {}) }
}

/** Headers, each behind `with`; `with colour` is none. */
function headersIn(words: Words, colour?: () => void): [name: string, value: string][] {
  const headers: [string, string][] = []
  while (words.has('with')) {
    if (colour !== undefined && words.has('colour')) colour()
    else {
      const name = words.like(/^[\w-]+:$/, 'a header as Accept:').slice(0, -1)
      headers.push([name, words.text('the value of a header')])
    }
  }
  return headers
}

function selectorOf(words: Words): 'red' {
  words.must('colour')
  words.must('=')
  words.must("'red'")
  return 'red'
}
