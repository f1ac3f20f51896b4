import { ServerResponse } from 'node:http'
import type { Incoming } from './incoming.js'

/** An answer that tells when it has left, or its connection has ended, without a listener made for each. */
export class Answer extends ServerResponse<Incoming> {
  onClose: (() => void) | undefined

  constructor(message: Incoming) {
    super(message)
    this.on('close', tellClose)
  }

  /** Whether it may leave by itself, see {@link writeWhole}: its turn has come, and the connection goes on after it. */
  get mayLeaveWhole(): boolean {
    const { method, headers } = this.req
    return this.socket !== null && this.shouldKeepAlive && method !== 'HEAD' && headers.expect === undefined
  }

  /**
   * Sends it in one write, of which `node:http` makes two, and does what `node:http` waits for: it finishes.
   *
   * @param text head and body, of which each character is one byte
   */
  writeWhole(text: string): void {
    this.socket?.write(text, 'latin1', (error) => {
      if (!error) this.emit('finish')
    })
  }
}

function tellClose(this: Answer): void {
  this.onClose?.()
}
