import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/** What a file cannot be written for, as people say it. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'the folder that it is to be in is not there; make it first.',
  ENOTDIR: 'the folder that it is to be in is a file; choose another place.',
  EISDIR: 'this is a folder; give the name of a file.',
  ERR_FS_EISDIR: 'this is a folder; give the name of a file.',
  EACCES: 'this process may not write there; choose another place.',
}

/**
 * A file that is there exactly while the port is open, with the port's number as its one line, for scripts that start
 * a server at a free port.
 */
export class PortFile {
  readonly #path: string
  /** What stands in it; undefined while it is not there. */
  #text: string | undefined

  /**
   * @param path a file of this name, from a server before, is removed: it would name a port of the past
   * @throws Error whose message is a sentence
   */
  constructor(path: string) {
    this.#path = path
    try {
      rmSync(path, { force: true })
    } catch (error) {
      throw refused(path, error)
    }
  }

  /**
   * Appears in one piece, so that who waits for it never reads half of it.
   *
   * @throws Error whose message is a sentence
   */
  write(port: number): void {
    const whole = `${this.#path}.${process.pid}.tmp`
    const text = `${port}\n`
    try {
      writeFileSync(whole, text)
      renameSync(whole, this.#path)
    } catch (error) {
      rmSync(whole, { force: true })
      throw refused(this.#path, error)
    }
    this.#text = text
  }

  /** Leaves alone what is another server's by now, or is gone. */
  remove(): void {
    try {
      if (readFileSync(this.#path, 'utf8') === this.#text) rmSync(this.#path, { force: true })
    } catch {
      // Whoever took it away, it is not there.
    }
  }
}

function refused(path: string, error: unknown): Error {
  const { code = '', message } = error as NodeJS.ErrnoException
  return new Error(`--port-file ${path}: ${REASONS[code] ?? message}`)
}
