import { readFileSync } from 'node:fs'
import { parseProfile } from '../client/parse-profile.js'
import type { Profile } from '../client/profile.js'
import { ProfileError } from '../client/profile-fields.js'
import { type Baseline, BaselineError, parseBaseline } from '../report/baseline.js'
import { parseReport, ReportError } from '../report/parse-report.js'
import type { Report } from '../report/result.js'
import { Mistake } from '../scenario/parse.js'
import { UsageError } from './usage-error.js'

/** What a file cannot be read for, as people say it. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'this process may not read it',
}

/**
 * What a file holds, or standard input where there is none.
 *
 * @param what it is to the reader, as in "the profile FILE"
 * @throws {UsageError} where it cannot be read
 */
export function readText(what: string, file: string | undefined): string {
  try {
    return readFileSync(file ?? 0, 'utf8').replace(/^\ufeff/, '')
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    throw new UsageError(`${what} cannot be read: ${REASONS[code] ?? message}.`)
  }
}

/** What a parser makes of an input. What it finds wrong there is a wrong usage, told by `tell`. @throws {UsageError} */
export function parsed<T>(parse: () => T, tell: (message: string) => string): T {
  try {
    return parse()
  } catch (error) {
    const isOfInput = [ProfileError, BaselineError, ReportError, Mistake].some(
      (each) => error instanceof each,
    )
    throw isOfInput ? new UsageError(tell((error as Error).message)) : error
  }
}

/** What a parser makes of a file of JSON. @throws {UsageError} as {@link parsed} does, and where it is no JSON */
function readJson<T>(
  what: string,
  file: string,
  parse: (value: unknown) => T,
  tell: (message: string) => string,
): T {
  const text = readText(`${what} ${file}`, file)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    // What is quoted of a file may go over several lines.
    const why = (error as Error).message.replace(/\s+/g, ' ')
    throw new UsageError(`${what} ${file} is not JSON: ${why}.`)
  }
  return parsed(() => parse(value), tell)
}

/** A report that `--json` has written. @throws {UsageError} where the file is none */
export function readReport(file: string): Report {
  return readJson('the report', file, parseReport, (message) => `${file} ${message}.`)
}

export function readProfile(file: string): Profile {
  return readJson('the profile', file, parseProfile, (message) => `in the profile ${file}: ${message}`)
}

export function readBaseline(file: string): Baseline {
  return readJson('the baseline', file, parseBaseline, (message) => `in the baseline ${file}: ${message}.`)
}
