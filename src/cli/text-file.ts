import { readFileSync } from 'node:fs'

/** What a file cannot be read for, as people say it. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file.',
  EISDIR: 'this is a folder, not a file.',
  EACCES: 'this process may not read it.',
}

/**
 * Reads a file that a person wrote: as UTF-8, without the mark that some editors put before it.
 *
 * @throws Error whose message is a sentence
 */
export function readTextFile(path: string): string {
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    throw new Error(REASONS[code] ?? message)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Error('it is not UTF-8; save it as that.')
  }
}
