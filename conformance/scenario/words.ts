// The words of the language that are made of others: names, numbers, ranges, sizes and times. Reading and writing stand side by side.

/** What a name is, and what one looks like, by its kind. */
export const NAMES = {
  queue: {
    form: /^[a-z][\w?[\]|%+-]*(?:\/[\w?[\]|%+-]+)*$/,
    like: 'begins with a small letter, as orders or a/b',
  },
  destination: {
    form: /^[a-z][\w?[\]|%+-]*(?:\/[\w?[\]|%+-]+)*(?:\/\*)?$/,
    like: 'is a queue as orders, or all below a path as orders/*',
  },
  message: { form: /^[a-z][\w-]*'?$/, like: 'begins with a small letter, as m1' },
  consumer: { form: /^[A-Z][\w-]*$/, like: 'begins with a capital letter, as A' },
} as const

/** Words that stand behind a name, or in place of one, and so name nothing. */
export const RESERVED: ReadonlySet<string> = new Set([
  ...['to', 'and', 'each', 'last', 'unknown'],
  ...['with', 'body', 'form', 'beside', 'address'],
])

/** A word, in which what stands in quotation marks may have any character. */
export const WORD = /(?:"(?:[^"\\]|\\.)*"|[^\s;])+/g

/** What a word says: itself, or the text that stands in its quotation marks; undefined where they do not fit. */
export function unquoted(word: string): string | undefined {
  if (!word.startsWith('"')) return word
  try {
    return JSON.parse(word)
  } catch {
    return undefined
  }
}

/** What nobody sees on a page, or what ends a line there. */
const UNSEEN = /(?! )[\p{C}\p{Z}]/gu

/** A text as a word: in quotation marks, where it would be read as another without, or where some of it cannot be seen. */
export function quoted(text: string, isBare = /^[^\s;"#|][^\s;"]*$/.test(text)): string {
  const isSeen = text.search(UNSEEN) < 0
  return isBare && isSeen
    ? text
    : JSON.stringify(text).replace(UNSEEN, (one) => one.replace(/[\s\S]/g, escaped))
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** The name of a queue, or of a destination, which in quotation marks may be any text. */
export function namedQueue(name: string, { form }: { readonly form: RegExp } = NAMES.queue): string {
  return quoted(name, form.test(name) && !RESERVED.has(name))
}

/** What stands in braces in the texts of a request: the name of a queue, of a consumer, a number, or `=` and the name of a header. */
export const IN_BRACES = /\{([a-z][\w/-]*|[A-Z][\w-]*|[1-9]\d{0,5}|=[\w-]+)\}/g

/** More messages than this are not sent by one step. */
const MOST = 10_000

/** The place of `1st`, `2nd` and on, counted from 1. */
export function ordinal(word: string): number | undefined {
  const [, digits] = /^([1-9]\d{0,3})(?:st|nd|rd|th)$/.exec(word) ?? []
  return digits !== undefined && word === ordinalOf(Number(digits)) ? Number(digits) : undefined
}

export function ordinalOf(place: number): string {
  const isTeen = place % 100 > 10 && place % 100 < 14
  return `${place}${(isTeen ? undefined : ['th', 'st', 'nd', 'rd'][place % 10]) ?? 'th'}`
}

/** `m1..m110` as its names; undefined where it is no such range. */
export function range(word: string): string[] | undefined {
  const [, stem, first, stem2, last] = /^(.*\D)(\d{1,6})\.\.(.*\D)(\d{1,6})$/.exec(word) ?? []
  const [from, to] = [Number(first), Number(last)]
  if (stem !== stem2 || stem === undefined || !(from < to) || to - from >= MOST) return undefined
  if (numbered(stem, from) !== stem + first || numbered(stem, to) !== stem + last) return undefined
  return Array.from({ length: to - from + 1 }, (_, index) => numbered(stem, from + index))
}

const numbered = (stem: string, number: number) => `${stem}${number}`

/** Names as they are written: those of three and more numbers in a row as a range. */
export function ranged(names: readonly string[]): string[] {
  const written: string[] = []
  for (let at = 0; at < names.length; ) {
    const run = lengthOfRun(names, at)
    if (run > 2) written.push(`${names[at]}..${names[at + run - 1]}`)
    else written.push(...names.slice(at, at + run))
    at += run
  }
  return written
}

function lengthOfRun(names: readonly string[], at: number): number {
  const [, stem, first = ''] = /^(.*\D)(0|[1-9]\d{0,5})$/.exec(names[at]!) ?? []
  if (stem === undefined) return 1
  let length = 1
  while (length < MOST && names[at + length] === numbered(stem, Number(first) + length)) length++
  return Number(first) + length - 1 > 999_999 ? 1 : length
}

/** Names as a sentence tells them: `m1, m2 and m3`. */
export function listed(names: readonly string[], none = 'nothing'): string {
  const all = ranged(names)
  if (all.length < 2) return all[0] ?? none
  return `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`
}

const SIZES = { m: 1024 * 1024, k: 1024, '': 1 } as const
const TIMES = { m: 60_000, s: 1000, ms: 1 } as const

/** `64k`, `1m` or `100`: bytes. */
export const size = (word: string) => measure(word, SIZES)
export const sizeOf = (bytes: number) => measured(bytes, SIZES)
/** `2s`, `500ms` or `1m`: milliseconds. */
export const time = (word: string) => measure(word, TIMES)
export const timeOf = (milliseconds: number) => measured(milliseconds, TIMES)

function measure(word: string, units: Readonly<Record<string, number>>): number | undefined {
  const [, digits, unit = ''] = /^([1-9]\d{0,8})([a-z]*)$/.exec(word) ?? []
  const worth = Object.hasOwn(units, unit) ? units[unit] : undefined
  return digits === undefined || worth === undefined ? undefined : Number(digits) * worth
}

function measured(amount: number, units: Readonly<Record<string, number>>): string {
  const [unit, worth] = Object.entries(units).find(([, each]) => amount % each === 0)!
  return `${amount / worth}${unit}`
}
