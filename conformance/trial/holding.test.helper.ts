import { setTimeout as sleep } from 'node:timers/promises'
import { type Got, serve } from '../client/serve.test.helper.js'
import { type FakeBroker, fakeBroker } from './fake-broker.test.helper.js'

export interface Holding extends AsyncDisposable {
  readonly url: string
  readonly broker: FakeBroker
}

/** A broker behind one that holds each empty reading of a subscription for so long, though nobody asks for that. */
export async function holding(milliseconds: number, own?: FakeBroker): Promise<Holding> {
  const broker = own ?? (await fakeBroker())
  const front = await serve(async ({ method, path, headers, body }: Got) => {
    const type = headers['content-type'] ?? 'text/plain'
    // At the end of the test the broker is gone before who waits for it.
    const answer = await fetch(new URL(path, broker.url), {
      ...{ method, headers: { 'Content-Type': type } },
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    }).catch(() => undefined)
    if (answer === undefined) return { status: 502 }
    const text = await answer.text()
    const isEmpty =
      method === 'GET' && answer.ok && path.includes('subscriptions') && !text.includes('<entry>')
    if (isEmpty) await sleep(milliseconds)
    return { status: answer.status, headers: Object.fromEntries(answer.headers), body: text }
  })
  broker.origin = front.url
  return {
    ...{ broker, url: `${front.url}/mq` },
    async [Symbol.asyncDispose]() {
      await front[Symbol.asyncDispose]()
      await broker[Symbol.asyncDispose]()
    },
  }
}
