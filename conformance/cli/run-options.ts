import { checks, checksIn } from '../checks/index.js'
import { parseProfile } from '../client/parse-profile.js'
import type { Profile } from '../client/profile.js'
import { CHECK_TIMEOUT } from '../client/timing.js'
import type { ConformanceOptions } from '../judge.js'
import type { Baseline } from '../report/baseline.js'
import type { Check } from '../trial/check.js'
import { parsed, readBaseline, readProfile, readText } from './input.js'
import {
  FILE_OPTIONS,
  filesIn,
  originsOf,
  type ReportFile,
  readArgs,
  TARGET_OPTIONS,
  urlOf,
  wholeNumber,
} from './target-options.js'
import { UsageError } from './usage-error.js'

const REPORTERS = ['pretty', 'tap', 'json'] as const

/** Options of a run that have a value on each command line, and those that need none. */
type Judged = Required<
  Pick<
    ConformanceOptions,
    'checks' | 'only' | 'skip' | 'strict' | 'timeout' | 'keepExchanges' | 'keepQueues' | 'origins'
  >
> &
  Pick<ConformanceOptions, 'jobs' | 'remember'>

/** The command line of a run. */
export interface RunOptions extends Judged {
  readonly url: string
  /** Undefined where the target is to be probed for it. */
  readonly profile: Profile | undefined
  /** The profile's file, as it was given. */
  readonly profileFile: string | undefined
  readonly reporter: (typeof REPORTERS)[number]
  readonly files: readonly ReportFile[]
  readonly baseline: Baseline | undefined
  /** How many times everything is run. */
  readonly repeat: number
  /** Whether stdout gets every check, and all that was exchanged. */
  readonly verbose: boolean
  /** Lines of `--header`. */
  readonly header: readonly string[]
}

/** The options of a run, as `parseArgs` has them. */
export const RUN_OPTIONS = {
  ...TARGET_OPTIONS,
  ...FILE_OPTIONS,
  scenarios: { type: 'string', multiple: true, default: [] as string[] },
  only: { type: 'string', multiple: true, default: [] as string[] },
  skip: { type: 'string', multiple: true, default: [] as string[] },
  reporter: { type: 'string', default: 'pretty' },
  baseline: { type: 'string' },
  repeat: { type: 'string', default: '1' },
  strict: { type: 'boolean', default: false },
  jobs: { type: 'string' },
  timeout: { type: 'string', default: String(CHECK_TIMEOUT) },
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
  const { values, positionals } = readArgs(args, RUN_OPTIONS)
  const { profile: profileFile, header, only, skip, strict, verbose, jobs, remember } = values
  const url = urlOf(positionals)
  const own = known === undefined ? undefined : parseProfile(known)
  const profile = profileFile === undefined ? own : readProfile(profileFile)
  const reporter = REPORTERS.find((name) => name === values.reporter)
  if (!reporter)
    throw new UsageError(`--reporter is one of ${REPORTERS.join(', ')}, and not "${values.reporter}".`)
  return {
    ...{ url, profile, profileFile, header, only, skip, reporter, strict, verbose },
    checks: withRows(values.scenarios),
    files: filesIn(values),
    baseline: values.baseline === undefined ? undefined : readBaseline(values.baseline),
    repeat: wholeNumber('--repeat', values.repeat, 1000),
    ...(jobs === undefined ? {} : { jobs: wholeNumber('--jobs', jobs, 1000) }),
    timeout: wholeNumber('--timeout', values.timeout, 24 * 60 * 60 * 1000),
    ...(remember === undefined ? {} : { remember: wholeNumber('--remember', remember, 24 * 60 * 60) }),
    keepExchanges: values['keep-exchanges'],
    keepQueues: values['keep-queues'],
    origins: originsOf(values.origin),
  }
}

/** The kit's checks, and the rows of these files. */
function withRows(files: readonly string[]): Check[] {
  const all = [...checks]
  for (const file of files) {
    const text = readText(`the scenarios ${file}`, file)
    const rows = parsed(
      () => checksIn(text),
      (message) => `in the scenarios ${file}, ${message}`,
    )
    if (rows.length === 0) throw new UsageError(`the scenarios ${file} have no row.`)
    for (const row of rows) {
      if (all.some(({ id }) => id === row.id))
        throw new UsageError(`in the scenarios ${file}, ${row.id} is the id of another check.`)
      all.push(row)
    }
  }
  return all
}
