import { renameSync, rmSync, writeFileSync } from 'node:fs'

/**
 * A file that is there exactly while the port is open, with the port's number as its one line, for scripts that start
 * a server at a free port.
 */
export class PortFile {
  readonly #path: string

  /** @param path a file of this name, from a server before, is removed: it would name a port of the past */
  constructor(path: string) {
    this.#path = path
    rmSync(path, { force: true })
  }

  /** Appears in one piece, so that who waits for it never reads half of it. */
  write(port: number): void {
    const whole = `${this.#path}.${process.pid}.tmp`
    writeFileSync(whole, `${port}\n`)
    renameSync(whole, this.#path)
  }

  remove(): void {
    rmSync(this.#path, { force: true })
  }
}
