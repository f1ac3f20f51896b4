import { closeSync, existsSync, openSync, unlinkSync } from 'node:fs'
import { UsageError } from './usage-error.js'

/**
 * Tries whether a file can be written, before the work, so that nobody waits for a report that then has no place.
 * What it holds is left as it is, and where there is none, there is none afterwards.
 *
 * @throws {UsageError} where it cannot
 */
export function tryToWrite(file: string): void {
  try {
    const isNew = !existsSync(file)
    closeSync(openSync(file, 'a'))
    if (isNew) unlinkSync(file)
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${(error as Error).message}.`)
  }
}
