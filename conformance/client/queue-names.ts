import type { Profile } from './profile.js'

/** Within the kit a name is always a slash path; a target may part its segments with dots. */
const SEPARATORS = { path: '/', dotted: '.' } as const

/** A queue's name as the target writes it. @param path the name as a slash path */
export function wireName({ queueNames }: Profile, path: string): string {
  return queueNames.form === 'dotted' ? path.replaceAll('/', '.') : path
}

/** The slash path under which a profile wants all names; the empty string where it wants none. */
export function namePrefix({ queueNames: { prefix, form } }: Profile): string {
  if (prefix === '') return ''
  const path = form === 'dotted' ? prefix.replaceAll('.', '/') : prefix
  // A prefix that ends in a letter or digit is a category, below which names stand.
  return /[\p{L}\p{N}]$/u.test(path) ? `${path}/` : path
}

/** The category that a name of the kit's own is in, below the prefix of the profile: its first own segment. */
export function categoryOf(profile: Profile, path: string): string {
  const prefix = namePrefix(profile)
  return prefix + path.slice(prefix.length).split('/')[0]!
}

/** Why the profile's `queueNames` do not allow a name, in a few words; undefined where they do. */
export function nameProblem(profile: Profile, path: string): string | undefined {
  const { form, characters, maxLength, maxSegments } = profile.queueNames
  const name = wireName(profile, path)
  const prefix = namePrefix(profile)
  if (!path.startsWith(prefix)) return `"${name}" does not begin with "${prefix}"`
  if (maxLength !== null && [...name].length > maxLength) {
    return `"${name}" is longer than ${maxLength} characters`
  }
  const dotted = form === 'dotted' || profile.features['dotted-names']
  const segments = name.split(dotted ? /[/.]/ : SEPARATORS[form])
  if (maxSegments !== null && segments.length > maxSegments) {
    return `"${name}" has more than ${maxSegments} segments`
  }
  if (characters === null) return undefined
  const own = path.slice(prefix.length).split(dotted ? /[/.]/ : '/')
  const pattern = new RegExp(`^[${characters}]*$`, 'u')
  const strange = own.find((segment) => !pattern.test(segment))
  return strange === undefined ? undefined : `"${strange}" has characters other than ${characters}`
}

/**
 * A segment that the profile allows, made of a word of lower-case letters, digits and `-` whose parts are numbers:
 * what the target does not take is written by what it takes, so that different words stay different.
 */
export function allowedSegment({ queueNames: { characters } }: Profile, word: string): string {
  if (characters === null) return word
  const pattern = new RegExp(`^[${characters}]$`, 'u')
  const takes = (character: string) => pattern.test(character)
  const write = (character: string): string => {
    if (takes(character)) return character
    if (takes(character.toUpperCase())) return character.toUpperCase()
    if (character === '-') return ['_', 'x', 'X', '~'].find(takes) ?? '0'
    // Digits as letters from g on, which no hexadecimal number has, and letters as two digits.
    const code = character.codePointAt(0)!
    if (/\d/.test(character))
      return [code + 55, code + 23].map((each) => String.fromCodePoint(each)).find(takes) ?? ''
    return String(code - 60)
  }
  return [...word].map(write).join('')
}

/** All paths that a path is below, the shortest first: of `a/b/c`, `a` and `a/b`. */
export function categoriesAbove(path: string): string[] {
  const segments = path.split('/')
  return segments.slice(1).map((_, at) => segments.slice(0, at + 1).join('/'))
}
