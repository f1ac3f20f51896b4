import { DEFAULT_PROFILE } from '../client/parse-profile.js'
import { printableLine } from '../client/printable.js'
import type { Profile } from '../client/profile.js'
import { NotJudged } from '../client/tell-apart.js'
import { EXPLORE_RULES } from '../explore/rules.js'
import { verdictSentence } from '../report/describe.js'
import { Faults, isUnexpected, withFaults } from '../report/faults.js'
import { emptyReport } from '../report/make-report.js'
import type { Report } from '../report/result.js'
import { ANSWERS } from '../report/rules.js'
import { exitCodeOf } from '../report/verdicts.js'
import { findClause } from '../requirements/index.js'
import { SOAK_RULES } from '../soak/report.js'
import { withHeaders } from './header-option.js'
import { originsOf } from './origin-option.js'
import { tryToWrite } from './output-file.js'
import { profileByProbe } from './profile-by-probe.js'
import { type ProgressLine, progressOnStderr } from './progress-line.js'
import { FILE_FORMATS, type FileFormat, readProfile } from './run-options.js'
import { noting, toldOf } from './unexpected.js'
import { UsageError } from './usage-error.js'
import { toFile, writeReports } from './write-reports.js'

/** How the target is known. */
export const TARGET_OPTIONS = {
  profile: { type: 'string' },
  header: { type: 'string', multiple: true, default: [] as string[] },
  origin: { type: 'string', multiple: true, default: [] as string[] },
} as const

interface TargetValues {
  readonly profile?: string | undefined
  readonly header: readonly string[]
}

/** The same, and the files that explore and soak write, as `run` does. */
export const FILE_OPTIONS = {
  ...TARGET_OPTIONS,
  json: { type: 'string' },
  junit: { type: 'string' },
  html: { type: 'string' },
  tap: { type: 'string' },
  markdown: { type: 'string' },
} as const

type FileValues = TargetValues & { readonly origin: readonly string[] } & {
  readonly [F in FileFormat]?: string | undefined
}

const titles = new Map([...EXPLORE_RULES, ...SOAK_RULES].map(({ id, title }) => [id, title]))
for (const command of ['explore', 'soak']) titles.set(`${command}.${ANSWERS.id}`, ANSWERS.title)

/** What the rules of both are called, and what the clauses say. */
export const descriptions = {
  title: (id: string) => titles.get(id),
  clause: (id: string) => findClause(id)?.text,
}

/** The one base URL of a command line. */
export function urlOf([url, ...more]: readonly string[], command: string): string {
  if (url === undefined)
    throw new UsageError(`give ${command} the base URL of a target, as in http://127.0.0.1:8080.`)
  if (more.length > 0) throw new UsageError(`give ${command} one base URL: "${more[0]}" is one too many.`)
  return url
}

/** What explore, soak and scenario do their work with. */
export interface Walking {
  readonly profile: Profile
  /** Whether a probe has found the profile. */
  readonly probed: boolean
  /** Origins beside the target's own that are sent the profile's headers. */
  readonly origins: readonly string[]
  readonly signal: AbortSignal
  readonly progress: ProgressLine
}

/** The report of the work, and what is printed. */
interface Walked {
  readonly report: Report
  readonly told: string
}

/**
 * What explore and soak have in common around their work: that of all, and the reports.
 *
 * @param work gives the report, and what is printed
 * @returns the exit code
 */
export async function walkTarget(
  url: string,
  values: FileValues,
  work: (walking: Walking) => Promise<Walked>,
): Promise<number> {
  // Whether the files can be written is tried before the work.
  const files = filesIn(values)
  const origins = originsOf(values.origin)
  for (const { file } of files) tryToWrite(file)
  const none = { url, strict: false, started: new Date(), seconds: 0, planned: 1 }
  const faults = new Faults()
  const { report, told } = await withTarget(url, values, origins, {
    faults,
    work,
    unjudged: (why, known) => unjudged({ ...none, ...known }, why),
    failed: (error, { profile }) => ({ report: emptyReport({ ...none, profile }), told: toldOf(error) }),
  })
  const written = writeReports(
    withFaults(report, faults),
    files.map((each) => toFile(each, descriptions)),
  )
  process.stdout.write(told)
  return exitCodeOf(written)
}

/** What is known of a target before the work. */
type Known = Pick<Walking, 'profile' | 'probed'>

/** What comes of the work at a target, however it goes. */
interface Ends<T> {
  /** Takes note of what goes wrong within the kit. */
  readonly faults: Faults
  readonly work: (walking: Walking) => Promise<T>
  /** Where there is nothing to judge. */
  readonly unjudged: (why: string, known: Known) => T
  /** Where the kit itself failed, which is noted already. */
  readonly failed: (error: unknown, known: Known) => T
}

/** Work at a target: with the profile, the progress, being stopped, and faults of the kit. */
export async function withTarget<T>(
  url: string,
  values: TargetValues,
  origins: readonly string[],
  { faults, work, unjudged, failed }: Ends<T>,
): Promise<T> {
  const stopping = new AbortController()
  const { signal } = stopping
  const progress = progressOnStderr()
  const stop = () => stopping.abort()
  process.once('SIGINT', stop)
  try {
    const asked = await profileFor(url, values, origins, signal, progress)
    const { profile = DEFAULT_PROFILE, probed, notJudged } = asked
    const known = { profile, probed }
    const judge = async () => {
      if (notJudged !== undefined) return unjudged(notJudged, known)
      return work({ ...known, origins, signal, progress }).catch((error: unknown) => {
        if (!(error instanceof NotJudged)) throw error
        return unjudged(error.message, known)
      })
    }
    return await noting(faults, () =>
      faults.guardAsync('the work itself', judge, (error) => {
        if (!isUnexpected(error)) throw error
        return failed(error, known)
      }),
    )
  } finally {
    progress.end()
    process.off('SIGINT', stop)
  }
}

/** What is reported and printed where there was nothing to judge. */
function unjudged(run: Parameters<typeof emptyReport>[0], why: string): Walked {
  const report = emptyReport(run, why)
  return { report, told: `${verdictSentence(report)}\n` }
}

/** The last line where nothing was found. */
export function nothingFound({ results }: Report): string {
  const unsure = results.filter(({ status }) => status === 'inconclusive')
  const first = unsure.find(({ inconclusiveReason }) => inconclusiveReason === 'profile') ?? unsure[0]
  const open = first?.message
  return open === undefined ? 'Nothing was found that must not be.' : `Incomplete: ${open}.`
}

/** Lines for a terminal, of which some quote what a target said. */
export function shown(lines: readonly string[]): string {
  return lines.map((line) => `${printableLine(line)}\n`).join('')
}

/** What was not answered, where there was any, as a line. */
export function notAnswered({ results }: Report): string[] {
  return results.filter(({ id }) => id.endsWith(`.${ANSWERS.id}`)).map(({ message }) => `${message}.`)
}

/** The last line where something was found, which may rest on what the profile does not know. */
export function somethingFound(report: Report, sentence: string): string {
  return report.verdict === 'non-conformant' ? sentence : nothingFound(report)
}

function filesIn(values: FileValues): { readonly format: FileFormat; readonly file: string }[] {
  return FILE_FORMATS.flatMap((format) => {
    const file = values[format]
    return file === undefined ? [] : [{ format, file }]
  })
}

/** The target's profile: as given, or what a probe finds. */
async function profileFor(
  url: string,
  { profile: file, header }: TargetValues,
  origins: readonly string[],
  signal: AbortSignal,
  progress: ProgressLine,
): Promise<{ readonly profile?: Profile; readonly probed: boolean; readonly notJudged?: string }> {
  if (file !== undefined) return { profile: withHeaders(readProfile(file), header), probed: false }
  progress.probing()
  const given = { quick: false, origins, signal, profile: withHeaders(DEFAULT_PROFILE, header) }
  const known = await profileByProbe(url, given, (lines) => progress.say(lines))
  return { ...known, probed: true }
}
