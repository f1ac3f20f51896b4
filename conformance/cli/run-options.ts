import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { parseProfile } from '../target/parse-profile.js'
import type { Profile } from '../target/profile.js'
import { ProfileError } from '../target/profile-fields.js'
import { UsageError } from './usage-error.js'

const REPORTERS = ['pretty', 'tap', 'json'] as const

/** The command line of a run. */
export interface RunOptions {
  readonly url: string
  /** Undefined where the target is to be probed for it. */
  readonly profile: Profile | undefined
  readonly only: readonly string[]
  readonly skip: readonly string[]
  readonly reporter: (typeof REPORTERS)[number]
  /** Files to write, with the format of each. */
  readonly files: readonly { readonly format: 'json' | 'junit' | 'tap'; readonly file: string }[]
  readonly strict: boolean
  readonly jobs: number
  readonly timeout: number
  readonly keepExchanges: boolean
}

/** @throws {UsageError} and what parseArgs throws, one sentence each */
export function readRunOptions(args: readonly string[]): RunOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      profile: { type: 'string' },
      only: { type: 'string', multiple: true, default: [] },
      skip: { type: 'string', multiple: true, default: [] },
      reporter: { type: 'string', default: 'pretty' },
      json: { type: 'string' },
      junit: { type: 'string' },
      tap: { type: 'string' },
      strict: { type: 'boolean', default: false },
      jobs: { type: 'string', default: '8' },
      timeout: { type: 'string', default: '30000' },
      'keep-exchanges': { type: 'boolean', default: false },
    },
  })
  const [url, ...more] = positionals
  if (url === undefined) throw new UsageError('give the base URL of a target, as in http://127.0.0.1:8080.')
  if (more.length > 0) throw new UsageError(`give one base URL: "${more[0]}" is one too many.`)
  const reporter = REPORTERS.find((name) => name === values.reporter)
  if (!reporter)
    throw new UsageError(`--reporter is one of ${REPORTERS.join(', ')}, and not "${values.reporter}".`)
  return {
    url,
    profile: values.profile === undefined ? undefined : readProfile(values.profile),
    only: values.only,
    skip: values.skip,
    reporter,
    files: (['json', 'junit', 'tap'] as const).flatMap((format) => {
      const file = values[format]
      return file === undefined ? [] : [{ format, file }]
    }),
    strict: values.strict,
    jobs: positive('--jobs', values.jobs, 1000),
    timeout: positive('--timeout', values.timeout, 24 * 60 * 60 * 1000),
    keepExchanges: values['keep-exchanges'],
  }
}

function positive(option: string, value: string, most: number): number {
  const number = Number(value)
  if (/^\d+$/.test(value) && number >= 1 && number <= most) return number
  throw new UsageError(`${option} is a whole number from 1 to ${most}, and not "${value}".`)
}

export function readProfile(file: string): Profile {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(file, 'utf8').replace(/^\ufeff/, ''))
  } catch (error) {
    const what = error instanceof SyntaxError ? 'is not JSON' : 'cannot be read'
    throw new UsageError(`the profile ${file} ${what}: ${(error as Error).message}.`)
  }
  try {
    return parseProfile(value)
  } catch (error) {
    throw error instanceof ProfileError ? new UsageError(`in the profile ${file}: ${error.message}`) : error
  }
}
