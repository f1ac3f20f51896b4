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
import { citation } from '../scenario/tell.js'
import { SOAK_RULES } from '../soak/report.js'
import { knownOf, stoppable } from './at-target.js'
import { descriptionsOf } from './descriptions.js'
import { readProfile } from './input.js'
import type { ProgressLine } from './progress-line.js'
import { type FileFormat, filesIn, originsOf, tryToWrite } from './target-options.js'
import { noting, toldOf } from './unexpected.js'
import { toFile, writeReports } from './write-reports.js'

interface TargetValues {
  readonly profile?: string | undefined
  readonly header: readonly string[]
  readonly origin: readonly string[]
}

type FileValues = TargetValues & { readonly [F in FileFormat]?: string | undefined }

/** What the rules of both are called, and what the clauses say. */
export const descriptions = descriptionsOf([
  ...EXPLORE_RULES,
  ...SOAK_RULES,
  ...['explore', 'soak'].map((command) => ({ id: `${command}.${ANSWERS.id}`, title: ANSWERS.title })),
])

/** What explore, soak and scenario do their work with. */
export interface Walking {
  readonly profile: Profile
  /** The base URL that is asked: where the one that was given sends on to, or that itself. */
  readonly url: string
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
  for (const { file } of files) tryToWrite(file)
  const none = { url, strict: false, started: new Date(), seconds: 0, planned: 1 }
  const faults = new Faults()
  const { report, told } = await withTarget(url, values, {
    faults,
    work,
    unjudged: (why, known) => {
      const report = emptyReport({ ...none, ...known }, why)
      return { report, told: `${verdictSentence(report)}\n` }
    },
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
export function withTarget<T>(
  url: string,
  { profile: file, header, origin }: TargetValues,
  { faults, work, unjudged, failed }: Ends<T>,
): Promise<T> {
  const origins = originsOf(origin)
  const given = file === undefined ? undefined : readProfile(file)
  return stoppable(async (signal, progress) => {
    const asked = await knownOf(url, given, header, { quick: false, origins, signal }, progress)
    const { base, profile = DEFAULT_PROFILE, probed = false, notJudged } = asked
    const known = { profile, probed }
    const judge = async () => {
      if (notJudged !== undefined) return unjudged(notJudged, known)
      return work({ ...known, url: base, origins, signal, progress }).catch((error: unknown) => {
        if (!(error instanceof NotJudged)) throw error
        return unjudged(error.message, known)
      })
    }
    return noting(faults, () =>
      faults.guardAsync('the work itself', judge, (error) => {
        if (!isUnexpected(error)) throw error
        return failed(error, known)
      }),
    )
  })
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

/** The last lines where something was found, which may rest on what the profile does not know. */
export function somethingFound(
  report: Report,
  { clause, expected, seen }: { readonly clause: string; readonly expected: string; readonly seen: string },
): string[] {
  if (report.verdict !== 'non-conformant') return ['', nothingFound(report)]
  return ['', `Expected: ${expected}. Seen: ${seen}.`, `That breaks this: ${citation(clause)}`]
}
