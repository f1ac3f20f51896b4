import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { checks, checksIn } from '../checks/index.js'
import { parseProfile } from '../client/parse-profile.js'
import type { Profile } from '../client/profile.js'
import { ProfileError } from '../client/profile-fields.js'
import { type Baseline, BaselineError, parseBaseline } from '../report/baseline.js'
import { Mistake } from '../scenario/parse.js'
import type { Check } from '../trial/check.js'
import { withHeaders } from './header-option.js'
import { originsOf } from './origin-option.js'
import { readJson } from './read-json.js'
import { UsageError } from './usage-error.js'

const REPORTERS = ['pretty', 'tap', 'json'] as const

export const FILE_FORMATS = ['json', 'junit', 'html', 'tap', 'markdown'] as const

/** A report that is written to a file. */
export type FileFormat = (typeof FILE_FORMATS)[number]

/** The command line of a run. */
export interface RunOptions {
  readonly url: string
  /** Undefined where the target is to be probed for it. */
  readonly profile: Profile | undefined
  /** The profile's file, as it was given. */
  readonly profileFile: string | undefined
  /** Those of the kit, and those of `--scenarios`. */
  readonly checks: readonly Check[]
  readonly only: readonly string[]
  readonly skip: readonly string[]
  readonly reporter: (typeof REPORTERS)[number]
  /** Files to write, with the format of each. */
  readonly files: readonly { readonly format: FileFormat; readonly file: string }[]
  readonly baseline: Baseline | undefined
  /** How many times everything is run. */
  readonly repeat: number
  readonly strict: boolean
  /** Undefined where the target's latency decides. */
  readonly jobs?: number
  readonly timeout: number
  /** Seconds after which what is to be remembered is asked about again, at least. */
  readonly remember?: number
  readonly keepExchanges: boolean
  /** Whether the queues that the run makes are left on the target. */
  readonly keepQueues: boolean
  /** Whether stdout gets every check, and all that was exchanged. */
  readonly verbose: boolean
  /** Lines of `--header`, for a target that is probed. */
  readonly headers: readonly string[]
  /** Origins beside the target's own that are sent the profile's headers. */
  readonly origins: readonly string[]
}

/** The options of a run, as `parseArgs` has them. */
export const RUN_OPTIONS = {
  profile: { type: 'string' },
  header: { type: 'string', multiple: true, default: [] as string[] },
  origin: { type: 'string', multiple: true, default: [] as string[] },
  scenarios: { type: 'string', multiple: true, default: [] as string[] },
  only: { type: 'string', multiple: true, default: [] as string[] },
  skip: { type: 'string', multiple: true, default: [] as string[] },
  reporter: { type: 'string', default: 'pretty' },
  json: { type: 'string' },
  junit: { type: 'string' },
  html: { type: 'string' },
  tap: { type: 'string' },
  markdown: { type: 'string' },
  baseline: { type: 'string' },
  repeat: { type: 'string', default: '1' },
  strict: { type: 'boolean', default: false },
  jobs: { type: 'string' },
  timeout: { type: 'string', default: '30000' },
  remember: { type: 'string' },
  'keep-exchanges': { type: 'boolean', default: false },
  'keep-queues': { type: 'boolean', default: false },
  verbose: { type: 'boolean', default: false },
} as const

/**
 * @param known the profile, as JSON has it, where no file is given
 * @throws {UsageError} and what parseArgs throws, one sentence each
 */
export function readRunOptions(args: readonly string[], known?: unknown): RunOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: RUN_OPTIONS,
  })
  const [url, ...more] = positionals
  if (url === undefined) throw new UsageError('give the base URL of a target, as in http://127.0.0.1:8080.')
  if (more.length > 0) throw new UsageError(`give one base URL: "${more[0]}" is one too many.`)
  const given =
    values.profile !== undefined
      ? readProfile(values.profile)
      : known === undefined
        ? undefined
        : parseProfile(known)
  const reporter = REPORTERS.find((name) => name === values.reporter)
  if (!reporter)
    throw new UsageError(`--reporter is one of ${REPORTERS.join(', ')}, and not "${values.reporter}".`)
  return {
    url,
    profile: given === undefined ? undefined : withHeaders(given, values.header),
    profileFile: values.profile,
    checks: withRows(values.scenarios),
    only: values.only,
    skip: values.skip,
    reporter,
    files: FILE_FORMATS.flatMap((format) => {
      const file = values[format]
      return file === undefined ? [] : [{ format, file }]
    }),
    baseline: values.baseline === undefined ? undefined : readBaseline(values.baseline),
    repeat: wholeNumber('--repeat', values.repeat, 1000),
    strict: values.strict,
    ...(values.jobs === undefined ? {} : { jobs: wholeNumber('--jobs', values.jobs, 1000) }),
    timeout: wholeNumber('--timeout', values.timeout, 24 * 60 * 60 * 1000),
    ...(values.remember === undefined
      ? {}
      : { remember: wholeNumber('--remember', values.remember, 24 * 60 * 60) }),
    keepExchanges: values['keep-exchanges'],
    keepQueues: values['keep-queues'],
    verbose: values.verbose,
    headers: values.header,
    origins: originsOf(values.origin),
  }
}

/** A whole number from 1 on. */
export function wholeNumber(option: string, value: string, most: number): number {
  const number = Number(value)
  if (/^\d+$/.test(value) && number >= 1 && number <= most) return number
  throw new UsageError(`${option} is a whole number from 1 to ${most}, and not "${value}".`)
}

export function readProfile(file: string): Profile {
  const value = readJson('the profile', file)
  try {
    return parseProfile(value)
  } catch (error) {
    throw error instanceof ProfileError ? new UsageError(`in the profile ${file}: ${error.message}`) : error
  }
}

/** The kit's checks, and the rows of these files. */
function withRows(files: readonly string[]): Check[] {
  const all = [...checks]
  for (const file of files) {
    for (const row of readRows(file)) {
      if (all.some(({ id }) => id === row.id))
        throw new UsageError(`in the scenarios ${file}, ${row.id} is the id of another check.`)
      all.push(row)
    }
  }
  return all
}

function readRows(file: string): Check[] {
  try {
    const rows = checksIn(readFileSync(file, 'utf8').replace(/^\ufeff/, ''))
    if (rows.length > 0) return rows
  } catch (error) {
    const { message } = error as Error
    throw new UsageError(
      error instanceof Mistake
        ? `in the scenarios ${file}, ${message}`
        : `the scenarios ${file} cannot be read: ${message}.`,
    )
  }
  throw new UsageError(`the scenarios ${file} have no row.`)
}

function readBaseline(file: string): Baseline {
  const value = readJson('the baseline', file)
  try {
    return parseBaseline(value)
  } catch (error) {
    throw error instanceof BaselineError
      ? new UsageError(`in the baseline ${file}: ${error.message}.`)
      : error
  }
}
