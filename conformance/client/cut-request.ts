import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Cut } from './cut.js'
import { sleep } from './stops.js'
import { type Outgoing, USER_AGENT } from './transport.js'

/** Milliseconds in which a server that knows that a connection is closed is done with what it has of it. */
const A_MOMENT = 20

/** Within how many milliseconds a server closes a connection, too, that ended within a request: however busy it is. */
const CLOSES_WITHIN = 1000

/** Sends a request over a connection of its own, and closes that where it is to be cut. Never rejects. */
export async function cutRequest(outgoing: Outgoing, cut: Cut): Promise<void> {
  await sendUntil(outgoing, cut)
  await sleep(A_MOMENT)
}

function sendUntil({ method, url, headers, body, timeout }: Outgoing, cut: Cut): Promise<void> {
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
