import { closeSync, openSync } from 'node:fs'
import { UsageError } from './usage-error.js'

/**
 * Tries whether a file can be written, before the work, so that nobody waits for a report that then has no place.
 * What it holds is left as it is.
 *
 * @throws {UsageError} where it cannot
 */
export function tryToWrite(file: string): void {
  try {
    closeSync(openSync(file, 'a'))
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${(error as Error).message}.`)
  }
}
