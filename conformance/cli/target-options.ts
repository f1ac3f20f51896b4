import { closeSync, existsSync, openSync, unlinkSync } from 'node:fs'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { parseProfile } from '../client/parse-profile.js'
import type { Profile } from '../client/profile.js'
import { chooseChecks, matchesGlob, type Selection } from '../run/plan.js'
import type { Check } from '../trial/check.js'
import { UsageError } from './usage-error.js'

type Options = NonNullable<ParseArgsConfig['options']>

/** What a command line with these options gives. */
export function readArgs<const O extends Options>(
  args: readonly string[],
  options: O,
): ReturnType<typeof parseArgs<{ args: string[]; allowPositionals: true; options: O }>> {
  return parseArgs({ args: [...args], allowPositionals: true, options })
}

/** How the target is known. */
export const TARGET_OPTIONS = {
  profile: { type: 'string' },
  header: { type: 'string', multiple: true, default: [] as string[] },
  origin: { type: 'string', multiple: true, default: [] as string[] },
} as const

/** The files that a command writes. */
export const FILE_OPTIONS = {
  json: { type: 'string' },
  junit: { type: 'string' },
  html: { type: 'string' },
  tap: { type: 'string' },
  markdown: { type: 'string' },
} as const

/** A report that is written to a file. */
export type FileFormat = keyof typeof FILE_OPTIONS

export const FILE_FORMATS = Object.keys(FILE_OPTIONS) as FileFormat[]

/** A file to write, with its format. */
export interface ReportFile {
  readonly format: FileFormat
  readonly file: string
}

export function filesIn(values: { readonly [F in FileFormat]?: string | undefined }): ReportFile[] {
  return FILE_FORMATS.flatMap((format) => {
    const file = values[format]
    return file === undefined ? [] : [{ format, file }]
  })
}

/** The one base URL of a command line. @param command as in "give probe the base URL"; empty of the command that needs no name */
export function urlOf([url, ...more]: readonly string[], command = ''): string {
  const give = command === '' ? 'give' : `give ${command}`
  if (url === undefined)
    throw new UsageError(`${give} the base URL of a target, as in http://127.0.0.1:8080.`)
  if (more.length > 0) throw new UsageError(`${give} one base URL: "${more[0]}" is one too many.`)
  return url
}

/** A whole number from 1 on. */
export function wholeNumber(option: string, value: string, most: number): number {
  const number = Number(value)
  if (/^\d+$/.test(value) && number >= 1 && number <= most) return number
  throw new UsageError(`${option} is a whole number from 1 to ${most}, and not "${value}".`)
}

/** A profile with the headers of `--header 'Name: value'` besides its own. @throws {UsageError} */
export function withHeaders(profile: Profile, lines: readonly string[]): Profile {
  if (lines.length === 0) return profile
  const given = Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(':')
      if (at < 1) throw new UsageError(`--header is given as 'Name: value', and not "${line}".`)
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()]
    }),
  )
  return { ...profile, headers: { ...profile.headers, ...parseProfile({ headers: given }).headers } }
}

/** The origins of `--origin URL`. @throws {UsageError} */
export function originsOf(urls: readonly string[]): string[] {
  return urls.map((given) => {
    const url = URL.parse(given)
    const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
    if (!isOrigin)
      throw new UsageError(
        `--origin is given as scheme, host and port, as in https://queues.example:8443, and not "${given}".`,
      )
    return url.origin
  })
}

/**
 * Tries whether a file can be written, before the work, so that nobody waits for a report that then has no place.
 * What it holds is left as it is, and where there is none, there is none afterwards.
 *
 * @throws {UsageError} where it cannot
 */
export function tryToWrite(file: string): void {
  if (file === '-') throw new UsageError('give a file to write; --reporter says what is printed.')
  try {
    const isNew = !existsSync(file)
    closeSync(openSync(file, 'a'))
    if (isNew) unlinkSync(file)
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${(error as Error).message}.`)
  }
}

/** The checks that a command is about. @throws {UsageError} where a glob matches none: its writer meant some */
export function choose(all: readonly Check[], { only = [], skip = [] }: Selection): Check[] {
  const idle = [...only, ...skip].find((glob) => !all.some(({ id }) => matchesGlob(glob, id)))
  if (idle !== undefined)
    throw new UsageError(`no check matches "${idle}"; atom-mq-conformance list prints all of them.`)
  return chooseChecks(all, { only, skip })
}
