import { connect, type Socket } from 'node:net'

/** Longest time that a test waits for bytes, in milliseconds; only a failing test reaches it. */
const PATIENCE = 20_000

/** A client that can say anything, HTTP or not. */
export class RawClient {
  readonly socket: Socket
  /** Everything received so far, each byte as one character. */
  received = ''
  /** Set by the error that ended the connection, if one did. */
  error: Error | undefined
  #onChange = () => {}
  #closed = false

  private constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    this.socket.setEncoding('latin1')
    this.socket.on('data', (text: string) => {
      this.received += text
      this.#onChange()
    })
    const close = () => {
      this.#closed = true
      this.#onChange()
    }
    this.socket.on('end', close)
    this.socket.on('close', close)
    this.socket.on('error', (error) => {
      this.error = error
    })
  }

  static async open(port: number): Promise<RawClient> {
    const client = new RawClient(port)
    await new Promise((resolve) => client.socket.once('connect', resolve))
    return client
  }

  /** Connects, says this, and returns everything until the server ends the connection. */
  static async exchange(port: number, text: string): Promise<string> {
    const client = await RawClient.open(port)
    client.say(text)
    const answer = await client.untilClosed()
    client.socket.destroy()
    return answer
  }

  say(text: string | Uint8Array): void {
    this.socket.write(typeof text === 'string' ? Buffer.from(text, 'latin1') : text)
  }

  /** Resolves with everything received once that matches. */
  until(pattern: RegExp): Promise<string> {
    return this.#wait(
      () => pattern.test(this.received),
      () => `nothing matched ${pattern}`,
    )
  }

  /** Resolves with everything received once the server has ended the connection. */
  untilClosed(): Promise<string> {
    return this.#wait(
      () => this.#closed,
      () => 'the connection was not closed',
    )
  }

  #wait(done: () => boolean, why: () => string): Promise<string> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new Error(`${why()}; received ${JSON.stringify(this.received)}`))
      }, PATIENCE)
      this.#onChange = () => {
        if (done()) {
          clearTimeout(timer)
          resolve(this.received)
        } else if (this.#closed) {
          clearTimeout(timer)
          reject(new Error(`${why()} before the end; received ${JSON.stringify(this.received)}`))
        }
      }
      this.#onChange()
    })
  }
}

/** A request head with a proper Host, and an optional body with its length. */
export function request(line: string, fields: readonly string[] = [], body?: string): string {
  const length = body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body, 'latin1')}`]
  return `${[`${line} HTTP/1.1`, 'Host: localhost', ...fields, ...length].join('\r\n')}\r\n\r\n${body ?? ''}`
}

/** The problem document of the last answer in a text of answers. */
export function problemIn(answers: string): { type: string; status: number; detail: string; limit?: number } {
  return JSON.parse(answers.slice(answers.lastIndexOf('\r\n\r\n')))
}
