import { readFileSync } from 'node:fs'
import { parseProfile } from '../client/parse-profile.js'
import type { Profile } from '../client/profile.js'
import { ProfileError } from '../client/profile-fields.js'
import { type Baseline, BaselineError, parseBaseline } from '../report/baseline.js'
import { parseReport, ReportError } from '../report/parse-report.js'
import type { Report } from '../report/result.js'
import { Mistake } from '../scenario/parse.js'
import { UsageError } from './usage-error.js'

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
    throw new UsageError(`${what} cannot be read: ${(error as Error).message}.`)
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

function readJson(what: string, file: string): unknown {
  const text = readText(`${what} ${file}`, file)
  try {
    return JSON.parse(text)
  } catch (error) {
    // What is quoted of a file may go over several lines.
    const why = (error as Error).message.replace(/\s+/g, ' ')
    throw new UsageError(`${what} ${file} is not JSON: ${why}.`)
  }
}

/** A report that `--json` has written. @throws {UsageError} where the file is none */
export function readReport(file: string): Report {
  const value = readJson('the report', file)
  return parsed(
    () => parseReport(value),
    (message) => `${file} ${message}.`,
  )
}

export function readProfile(file: string): Profile {
  const value = readJson('the profile', file)
  return parsed(
    () => parseProfile(value),
    (message) => `in the profile ${file}: ${message}`,
  )
}

export function readBaseline(file: string): Baseline {
  const value = readJson('the baseline', file)
  return parsed(
    () => parseBaseline(value),
    (message) => `in the baseline ${file}: ${message}.`,
  )
}
