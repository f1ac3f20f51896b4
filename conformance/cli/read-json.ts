import { readFileSync } from 'node:fs'
import { UsageError } from './usage-error.js'

/**
 * What a JSON file holds.
 *
 * @param what the file is to the reader, as in "the profile"
 * @throws {UsageError} where it cannot be read, or is not JSON
 */
export function readJson(what: string, file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8').replace(/^\ufeff/, ''))
  } catch (error) {
    const problem = error instanceof SyntaxError ? 'is not JSON' : 'cannot be read'
    // What is quoted of a file may go over several lines.
    const why = (error as Error).message.replace(/\s+/g, ' ')
    throw new UsageError(`${what} ${file} ${problem}: ${why}.`)
  }
}
