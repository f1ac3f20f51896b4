import { writeFileSync } from 'node:fs'
import type { Profile } from '../client/profile.js'
import { EXPLORE_RULES } from '../explore/rules.js'
import { htmlReport } from '../report/html/report-page.js'
import { jsonReport } from '../report/json.js'
import { junitReport } from '../report/junit.js'
import { markdownReport } from '../report/markdown.js'
import type { Report } from '../report/result.js'
import { tapReport } from '../report/tap.js'
import { findClause } from '../requirements/index.js'
import { SOAK_RULES } from '../soak/rules.js'
import { tryToWrite } from './output-file.js'
import { profileByProbe } from './profile-by-probe.js'
import type { ProgressLine } from './progress-line.js'
import { readProfile } from './run-options.js'
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

/** Tries whether the files can be written, before the work. */
export function tryToWriteAll({ json, junit, html, tap, markdown }: FileValues): void {
  for (const file of [json, junit, html, tap, markdown]) if (file !== undefined) tryToWrite(file)
}

export function writeReports(report: Report, { json, junit, html, tap, markdown }: FileValues): void {
  if (json !== undefined) writeFileSync(json, jsonReport(report))
  if (junit !== undefined) writeFileSync(junit, junitReport(report, descriptions))
  if (html !== undefined) writeFileSync(html, htmlReport(report, descriptions))
  if (tap !== undefined) writeFileSync(tap, tapReport(report, descriptions))
  if (markdown !== undefined) writeFileSync(markdown, markdownReport(report, descriptions))
}

/** The one base URL of a command line. */
export function urlOf([url, ...more]: readonly string[], command: string): string {
  if (url === undefined)
    throw new UsageError(`give ${command} the base URL of a target, as in http://127.0.0.1:8080.`)
  if (more.length > 0) throw new UsageError(`give ${command} one base URL: "${more[0]}" is one too many.`)
  return url
}

/** The target's profile: as given, or what a probe finds; undefined where that is not enough. */
export async function profileFor(
  url: string,
  file: string | undefined,
  signal: AbortSignal,
  progress: ProgressLine,
): Promise<{ readonly profile?: Profile; readonly probed: boolean } | undefined> {
  if (file !== undefined) return { profile: readProfile(file), probed: false }
  progress.probing()
  const known = await profileByProbe(url, { quick: false, signal }, (lines) => progress.say(lines))
  if (known === undefined) return undefined
  return { ...(known.profile === undefined ? {} : { profile: known.profile }), probed: true }
}
