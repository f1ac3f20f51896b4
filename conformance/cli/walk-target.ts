import { writeFileSync } from 'node:fs'
import { DEFAULT_PROFILE } from '../client/parse-profile.js'
import type { Profile } from '../client/profile.js'
import { EXPLORE_RULES } from '../explore/rules.js'
import type { Report } from '../report/result.js'
import { EXIT_CODES } from '../report/verdicts.js'
import { findClause } from '../requirements/index.js'
import { SOAK_RULES } from '../soak/rules.js'
import { formatted } from './formatted.js'
import { tryToWrite } from './output-file.js'
import { profileByProbe } from './profile-by-probe.js'
import { type ProgressLine, progressOnStderr } from './progress-line.js'
import { FILE_FORMATS, type FileFormat, readProfile } from './run-options.js'
import { UsageError } from './usage-error.js'

/** The files that explore and soak write, as `run` does. */
export const FILE_OPTIONS = {
  profile: { type: 'string' },
  json: { type: 'string' },
  junit: { type: 'string' },
  html: { type: 'string' },
  tap: { type: 'string' },
  markdown: { type: 'string' },
} as const

type FileValues = { readonly [O in keyof typeof FILE_OPTIONS]?: string | undefined }

const titles = new Map([...EXPLORE_RULES, ...SOAK_RULES].map(({ id, title }) => [id, title]))

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

/** What explore and soak do their work with. */
export interface Walking {
  readonly profile: Profile
  readonly signal: AbortSignal
  readonly progress: ProgressLine
}

/**
 * What both have in common around their work: the profile, the progress, being stopped, and the reports.
 *
 * @param work gives the report, and what is printed
 * @returns the exit code
 */
export async function walkTarget(
  url: string,
  values: FileValues,
  work: (
    walking: Walking & { readonly probed: boolean },
  ) => Promise<{ readonly report: Report; readonly told: string }>,
): Promise<number> {
  // Whether the files can be written is tried before the work.
  const files = filesIn(values)
  for (const { file } of files) tryToWrite(file)
  const stopping = new AbortController()
  const { signal } = stopping
  const progress = progressOnStderr()
  const stop = () => stopping.abort()
  process.once('SIGINT', stop)
  try {
    const known = await profileFor(url, values.profile, signal, progress)
    if (known === undefined) return EXIT_CODES.incomplete
    const { profile = DEFAULT_PROFILE, probed } = known
    const { report, told } = await work({ profile, probed, signal, progress })
    progress.end()
    for (const { format, file } of files) writeFileSync(file, formatted(report, format, descriptions))
    process.stdout.write(told)
    return EXIT_CODES[report.verdict]
  } finally {
    progress.end()
    process.off('SIGINT', stop)
  }
}

/** The last line where nothing was found. */
export function nothingFound({ results }: Report): string {
  const unsure = results.filter(({ status }) => status === 'inconclusive')
  const first = unsure.find(({ inconclusiveReason }) => inconclusiveReason === 'profile') ?? unsure[0]
  const open = first?.message
  return open === undefined ? 'Nothing was found that must not be.' : `Incomplete: ${open}.`
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

/** The target's profile: as given, or what a probe finds; undefined where that is not enough. */
async function profileFor(
  url: string,
  file: string | undefined,
  signal: AbortSignal,
  progress: ProgressLine,
): Promise<{ readonly profile?: Profile; readonly probed: boolean } | undefined> {
  if (file !== undefined) return { profile: readProfile(file), probed: false }
  progress.probing()
  const known = await profileByProbe(url, { quick: false, signal }, (lines) => progress.say(lines))
  if (known === undefined) return undefined
  return { ...known, probed: true }
}
