import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Principal } from '../auth/principal.js'
import type { Request } from './exchange.js'
import { parseForm } from './form.js'
import type { Head } from './head.js'

/** A request off the wire. What a handler may not need is read when it is asked for. */
export class LiveRequest implements Request {
  readonly method: string
  readonly headOnly: boolean
  readonly path: string
  readonly segments: readonly string[]
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  principal: Principal | undefined
  readonly #rawQuery: string
  readonly #socket: Socket
  readonly #response: ServerResponse
  #query: URLSearchParams | undefined

  constructor(head: Head, message: IncomingMessage, response: ServerResponse, body: Buffer) {
    this.method = head.method
    this.headOnly = message.method === 'HEAD'
    this.path = head.path
    this.segments = head.path.slice(1).split('/')
    this.headers = message.headers
    this.body = body
    this.#rawQuery = head.query
    this.#socket = message.socket
    this.#response = response
  }

  get query(): URLSearchParams {
    this.#query ??= new URLSearchParams(parseForm(this.#rawQuery))
    return this.#query
  }

  whenGone(callback: () => void): () => void {
    const response = this.#response
    const socket = this.#socket
    let waiting = true
    const stop = () => {
      waiting = false
      response.off('close', onClose)
      socket.off('close', onClose)
    }
    const onClose = () => {
      const gone = waiting && !response.writableEnded
      stop()
      if (gone) callback()
    }
    if (socket.destroyed) queueMicrotask(onClose)
    // An answer that stands behind others on its connection is not told of the connection's end.
    socket.once('close', onClose)
    response.once('close', onClose)
    return stop
  }
}
