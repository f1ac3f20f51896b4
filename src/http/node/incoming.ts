import { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'

/** Who is given what comes of a body. */
export interface BodySink {
  take(chunk: Buffer): void
  /** The body is over. */
  end(): void
}

/**
 * A request whose body goes to its reader in the turn in which it comes: Node's stream would keep it for two turns of its
 * own. What comes before somebody asks for it waits in the stream, as ever.
 */
export class Incoming extends IncomingMessage {
  #sink: BodySink | undefined
  /** Whether a sink has had all of it. */
  taken = false

  /** Gives the body to a sink: what has come of it, and what is still to come. */
  giveTo(sink: BodySink): void {
    this.#sink = sink
    while (this.readableLength > 0 && this.#sink === sink) sink.take(this.read() as Buffer)
    if (this.complete && this.#sink === sink) this.push(null)
  }

  /** What is still to come goes through the stream. */
  takeBack(): void {
    this.#sink = undefined
  }

  /** Called by `node:http` with each piece, and with null at the end. */
  override push(chunk: Buffer | null): boolean {
    if (this.#sink === undefined) return super.push(chunk)
    if (chunk !== null) this.#sink.take(chunk)
    else if (!this.taken) {
      this.taken = true
      this.#sink.end()
    }
    return true
  }

  /** `node:http` sees to it that each body is read to its end; a sink does that by itself. */
  override resume(): this {
    return this.#sink === undefined ? super.resume() : this
  }
}

// TypeScript lets no accessor stand where its base has a property. `node:http` keeps a request until this says true.
const streamEnded = Reflect.getOwnPropertyDescriptor(Readable.prototype, 'readableEnded')
  ?.get as () => boolean
Object.defineProperty(Incoming.prototype, 'readableEnded', {
  get(this: Incoming) {
    return this.taken || streamEnded.call(this)
  },
})
