import { Problem } from '../../http/problems.js'

/**
 * Something that was read from JSON, and where it stood: `messages[2].queue`. What reads it throws Problem
 * `malformed-request`, whose message says where the mistake is.
 */
export interface Given {
  readonly value: unknown
  /** Empty for the whole. */
  readonly at: string
}

/** @throws Problem `malformed-request`, whose message says what would be right */
export function wrong({ at }: Given, must: string): never {
  throw new Problem('malformed-request', `${at === '' ? 'What is given' : at} must be ${must}.`, { at })
}

/**
 * Reads an object.
 *
 * @param names every member that it may have
 * @returns its members, absent ones with the value undefined
 */
export function readObject<N extends string>(given: Given, names: readonly N[]): Record<N, Given> {
  const members = membersOf(given, names)
  return Object.fromEntries(names.map((name) => [name, memberOf(members, given.at, name)])) as Record<
    N,
    Given
  >
}

type Members = Readonly<Record<string, unknown>>

/** Those of an object that has no member of another name. */
function membersOf(given: Given, names?: readonly string[]): Members {
  const { value, at } = given
  if (typeof value !== 'object' || value === null || Array.isArray(value)) wrong(given, 'an object')
  const other = names && Object.keys(value).find((name) => !names.includes(name))
  if (other === undefined) return value as Members
  throw new Problem(
    'malformed-request',
    `There is no member "${below(at, other)}"; ${at === '' ? 'what can be given is' : `${at} can have`} ${names?.join(', ')}.`,
    { at: below(at, other) },
  )
}

function memberOf(members: Members, at: string, name: string): Given {
  return { value: Object.hasOwn(members, name) ? members[name] : undefined, at: below(at, name) }
}

/** How each member of an object is read; that none is missing is the compiler's business. */
export type Readers<T> = { readonly [K in keyof T]-?: (given: Given) => Exclude<T[K], undefined> }

/**
 * Reads an object whose members may all be left out.
 *
 * @returns those that are there
 */
export function readMembers<T extends object>(given: Given, readers: Readers<T>): Partial<T> {
  const names = Object.keys(readers) as (keyof T & string)[]
  const members = membersOf(given, names)
  const read: Partial<T> = {}
  for (const name of names) {
    // A seed has a hundred thousand objects, of which most have one member: nothing is made for the others.
    if (!Object.hasOwn(members, name)) continue
    const member = memberOf(members, given.at, name)
    if (member.value !== undefined) read[name] = readers[name](member)
  }
  return read
}

/**
 * The items of a list, read when the first is asked for, one after another: one may hold a hundred thousand, of which the first
 * is wrong.
 */
export function* readList(given: Given): Generator<Given, void> {
  if (!Array.isArray(given.value)) wrong(given, 'a list')
  for (const [index, value] of given.value.entries()) yield { value, at: `${given.at}[${index}]` }
}

export function readText(given: Given): string {
  if (typeof given.value !== 'string') wrong(given, 'a text')
  return given.value
}

/** @param least and `most`: both are allowed */
export function readWhole(given: Given, least: number, most: number): number {
  const { value } = given
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value
  return wrong(given, `a whole number from ${least} to ${most}`)
}

export function readSwitch(given: Given): boolean {
  if (typeof given.value !== 'boolean') wrong(given, 'true or false')
  return given.value
}

export function readOneOf<T extends string>(given: Given, names: readonly T[]): T {
  return names.find((name) => name === given.value) ?? wrong(given, `one of ${names.join(', ')}`)
}

/**
 * Reads an object whose members have names of anybody's choice.
 *
 * @param most how many they may be
 */
export function readMap<T>(
  given: Given,
  read: (member: Given, name: string) => T,
  most = Number.POSITIVE_INFINITY,
): Record<string, T> {
  const members = membersOf(given)
  const names = Object.keys(members)
  if (names.length > most) wrong(given, `an object of at most ${most} members`)
  return Object.fromEntries(names.map((name) => [name, read(memberOf(members, given.at, name), name)]))
}

/** Reads application properties: what can be sent as header fields. */
export function readProperties(given: Given, most?: number): Record<string, string> {
  return readMap(
    given,
    (property, name) => {
      if (!PROPERTY_NAME.test(name)) wrong(property, 'named with letters, digits, _ and -')
      return readMatch(property, PROPERTY_VALUE, 'a text without control characters')
    },
    most,
  )
}

export const PROPERTY_NAME = /^[\w!#$%&'*+.^`|~-]+$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are just what is looked for
export const PROPERTY_VALUE = /^[^\u0000-\u0008\u000a-\u001f\u007f]*$/

/** @param what the pattern means, as people say it */
export function readMatch(given: Given, pattern: RegExp, what: string): string {
  const text = readText(given)
  return pattern.test(text) ? text : wrong(given, what)
}

/** Reads what may be left out. */
export function optional<T>(given: Given, read: (given: Given) => T): T | undefined {
  return given.value === undefined ? undefined : read(given)
}

function below(at: string, name: string): string {
  return at === '' ? name : `${at}.${name}`
}
