import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Credentials } from './credentials.js'
import { BROKEN_OFF, LEFT } from './exchange.js'
import { HttpClient, type Outgoing, refuseNoAddress, type TracedExchange, USER_AGENT } from './http-client.js'
import type { Pace } from './pace.js'

/**
 * Where a request is cut off: after its head, within its body, after its body, or when its answer begins to come. One without a
 * body has announced two bytes then, of which none comes, or one.
 */
export type Cut = 'head' | 'body' | 'sent' | 'answer'

/** Milliseconds in which a server that knows that a connection is closed is done with what it has of it. */
const A_MOMENT = 20

/** Within how many milliseconds a server closes a connection, too, that ended within a request: however busy it is. */
const CLOSES_WITHIN = 1000

const WORDS: Readonly<Record<Cut, string>> = {
  head: 'the client went away before the body',
  body: BROKEN_OFF,
  sent: LEFT,
  answer: 'the client did not read the answer',
}

/** A client that can go away in the middle of a request. */
export class CutClient extends HttpClient {
  /** Where the next request is cut off. */
  cutNext: Cut | undefined
  readonly #now: () => number

  constructor(now: () => number, pace: Pace, credentials?: Credentials) {
    super(now, pace, credentials)
    this.#now = now
  }

  protected override async sendAsIs(outgoing: Outgoing): Promise<TracedExchange> {
    const cut = this.cutNext
    this.cutNext = undefined
    refuseNoAddress(outgoing)
    // What is of another scheme is asked nowhere, so that nothing is cut off.
    if (cut === undefined || !/^https?:/i.test(outgoing.url)) return super.sendAsIs(outgoing)
    const sentAt = this.#now()
    await cutRequest(outgoing, cut)
    await sleep(A_MOMENT)
    return {
      ...{ method: outgoing.method, url: outgoing.url, requestHeaders: outgoing.headers },
      ...{ requestBody: outgoing.body, status: 0, headers: {}, body: Buffer.alloc(0), connected: true },
      ...{ error: WORDS[cut], sentAt, receivedAt: this.#now() },
    }
  }
}

/** Sends a request over a connection of its own, and closes that where it is to be cut. Never rejects. */
function cutRequest({ method, url, headers, body, timeout }: Outgoing, cut: Cut): Promise<void> {
  return new Promise((resolve) => {
    const ask = url.startsWith('https:') ? httpsRequest : httpRequest
    const isUnfinished = cut === 'head' || cut === 'body'
    const sent = isUnfinished && body.length === 0 ? Buffer.from('  ') : body
    const length = sent.length > 0 ? { 'Content-Length': String(sent.length) } : {}
    const request = ask(url, {
      method,
      headers: { 'User-Agent': USER_AGENT, ...length, ...headers },
      agent: false,
    })
    const end = () => {
      clearTimeout(timer)
      request.destroy()
      resolve()
    }
    let timer = setTimeout(end, timeout)
    /** Ends what is sent, and waits until the server has seen that: what comes next must not overtake it. */
    const leave = () => {
      clearTimeout(timer)
      timer = setTimeout(end, CLOSES_WITHIN)
      request.socket?.end()
    }
    for (const event of ['error', 'close', 'response']) request.on(event, end)
    if (cut === 'answer') request.end(sent)
    else if (cut === 'sent') request.end(sent, () => setImmediate(end))
    else {
      request.flushHeaders()
      request.write(sent.subarray(0, cut === 'head' ? 0 : Math.ceil(sent.length / 2)), () =>
        setImmediate(leave),
      )
    }
  })
}
