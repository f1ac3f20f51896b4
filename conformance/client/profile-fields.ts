/**
 * A profile that cannot be used; the message is one sentence that names the field by its path.
 *
 * @example
 * ```ts
 * try {
 *   parseProfile({ features: { telepathy: true } })
 * } catch (error) {
 *   error instanceof ProfileError    // true
 * }
 * ```
 */
export class ProfileError extends Error {
  override readonly name = 'ProfileError'
}

/**
 * Reads one field: gives its value, or throws a {@link ProfileError} that names `path`. Where `unknown` is given a field
 * may be `"unknown"`: its path is added there.
 */
export type Reader<T> = (value: unknown, path: string, unknown?: string[]) => T

/** A field with the value it has where a profile leaves it out, and where it is `"unknown"`. */
export interface Field<T> {
  readonly read: Reader<T>
  readonly fallback: T
  readonly unknown: T
}

export function field<T>(read: Reader<T>, fallback: T, unknown = fallback): Field<T> {
  return { read, fallback, unknown }
}

/** A reader of an object with these fields and no other; a field left out has its fallback. */
export function shape<T extends object>(fields: { readonly [K in keyof T]-?: Field<T[K]> }): Reader<T> {
  return (value, path, unknown) => {
    const given = object(value, path)
    for (const name of Object.keys(given)) {
      if (!Object.hasOwn(fields, name)) {
        const known = Object.keys(fields).join(', ')
        throw new ProfileError(`${join(path, name)} is no field of a profile: there are ${known}.`)
      }
    }
    const entries = Object.entries<Field<unknown>>(fields).map(([name, of]) => {
      const each = given[name]
      if (each === undefined) return [name, of.fallback]
      if (unknown === undefined || each !== 'unknown') return [name, of.read(each, join(path, name), unknown)]
      unknown.push(join(path, name))
      return [name, of.unknown]
    })
    return Object.fromEntries(entries) as T
  }
}

/** A reader of what is so; `needed` says it to a person. */
function must<T>(needed: string, isSo: (value: unknown) => boolean): Reader<T> {
  return (value, path) => {
    if (!isSo(value)) throw wrong(path, value, needed)
    return value as T
  }
}

const isText = (value: unknown): value is string => typeof value === 'string'

export const text = must<string>('a string', isText)
export const word = must<string>('a string that is not empty', (value) => isText(value) && value !== '')
export const flag = must<boolean>('true or false', (value) => typeof value === 'boolean')

/** A number from 0 on. */
export function amount(needed: string): Reader<number> {
  return must(needed, (value) => Number.isFinite(value) && (value as number) >= 0)
}

/** A number of seconds: above 0, or from 0 on where `zero` says so. */
export function seconds(zero: boolean): Reader<number> {
  if (zero) return amount('a number of seconds, 0 or more')
  return must('a number of seconds above 0', (value) => Number.isFinite(value) && (value as number) > 0)
}

/** A whole number of at least 1. */
export const count = must<number>(
  'a whole number above 0',
  (value) => Number.isInteger(value) && (value as number) >= 1,
)

/** The inside of a character class of a regular expression, as in `a-z0-9-`. */
export const characterClass = must<string>('the inside of a character class, as in a-z0-9-', (value) => {
  try {
    return isText(value) && value !== '' && new RegExp(`^[${value}]+$`, 'u') instanceof RegExp
  } catch {
    return false
  }
})

export function oneOf<const T extends string>(...allowed: readonly T[]): Reader<T> {
  return must(`one of ${allowed.join(', ')}`, (value) => allowed.includes(value as T))
}

/** A string of this form; `form` says it to a person. */
export function matching(pattern: RegExp, form: string): Reader<string> {
  return must(form, (value) => isText(value) && pattern.test(value))
}

export function orNull<T>(read: Reader<T>): Reader<T | null> {
  return (value, path, unknown) => (value === null ? null : read(value, path, unknown))
}

export function listOf<T>(read: Reader<T>): Reader<readonly T[]> {
  return (value, path, unknown) => {
    if (!Array.isArray(value)) throw wrong(path, value, 'a list')
    return value.map((each, index) => read(each, `${path}[${index}]`, unknown))
  }
}

/** Names to strings. */
export const texts: Reader<Readonly<Record<string, string>>> = (value, path) =>
  Object.fromEntries(
    Object.entries(object(value, path)).map(([name, each]) => [name, text(each, join(path, name))]),
  )

// RFC 9110, sections 5.1 and 5.5.
const HEADER_NAME = /^[!#$%&'*+.^`|~\w-]+$/
const HEADER_VALUE = /^[\t -~\x80-\xff]*$/

/** Request headers: names and values that can be sent. */
export const headers: Reader<Readonly<Record<string, string>>> = (value, path, unknown) => {
  const given = texts(value, path, unknown)
  for (const [name, each] of Object.entries(given)) {
    if (!HEADER_NAME.test(name) || !HEADER_VALUE.test(each))
      throw new ProfileError(
        `${join(path, name)} cannot be sent as a header: its name or its value is not valid.`,
      )
  }
  return given
}

/** An object, whatever is in it. */
export function object(value: unknown, path: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrong(path, value, 'an object')
  return value as Record<string, unknown>
}

/** The complaint about a value: `needed` says what it must be. */
function wrong(path: string, value: unknown, needed: string): ProfileError {
  const shown = JSON.stringify(value) ?? String(value)
  const cut = shown.length > 60 ? `${shown.slice(0, 60)}…` : shown
  return new ProfileError(`${path === '' ? 'The profile' : path} is ${cut}, but must be ${needed}.`)
}

export function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}
