import t from 'tap'
import type { Exchange } from '../client/exchange.js'
import { lockCallCarrier, subscriptionCarrier } from './ack-carriers.js'
import type { QueueHandle, Sent } from './trial.js'
import { answerOf, readingTrial } from './trial.test.helper.js'

const BASE = 'http://target.test/mq'
const QUEUE: QueueHandle = { path: 'q', uri: `${BASE}/queues/q` }
const sent = (text: string): Sent => ({ body: Buffer.from(text), text, address: undefined })
const [FIRST, SECOND] = [sent('kit-ab-1'), sent('kit-ab-2')]
const LIST = { 'content-type': 'text/uri-list' }
const feed = (inside: string) => `<feed xmlns="http://www.w3.org/2005/Atom">${inside}</feed>`

/** A target that answers acknowledgements with this, and shows its messages at their addresses. */
function trial(answer: Exchange) {
  const reading = readingTrial()
  const at = (path: string) => BASE + path
  const pages: Record<string, string> = { one: FIRST.text, two: SECOND.text }
  const request = async (method: string, url: string) => {
    const text = pages[url.split('/').at(-1)!]
    if (method === 'GET') return text ? answerOf(text) : answerOf('', {}, { status: 404 })
    return { ...answer, url }
  }
  const subscribe = async () => ({ uri: `${BASE}/subscriptions/anna` })
  return {
    ...reading,
    freshName: () => 'anna',
    freshGuid: () => 'anna',
    createQueue: async () => QUEUE,
    send: async () => FIRST,
    eventually: async (probe: () => Promise<unknown>) => probe(),
    onceInRun: (_: string, ask: () => Promise<boolean>) => ask(),
    subscribe,
    bodies: async (entries: { body(): Promise<Buffer> }[]) =>
      (await Promise.all(entries.map((entry) => entry.body()))).map(String),
    target: { ...reading.target, at, request },
  } as unknown as Parameters<typeof lockCallCarrier>[0]
}

async function nextOf(make: typeof lockCallCarrier, answer: Exchange, acked: string) {
  const carrier = await make(trial(answer), QUEUE, 2)
  const { next } = await carrier.acknowledge([{ uri: acked }], [FIRST, SECOND])
  return next?.map(({ message }) => message)
}

const ONE = `${BASE}/message/anna/one`
const TWO = `${BASE}/message/anna/two`

t.test('the next batch of a lock call, in whatever list', async (t) => {
  const next = (answer: Exchange) => nextOf(lockCallCarrier, answer, ONE)
  t.strictSame(await next(answerOf(`${TWO}\r\n`, LIST)), [SECOND])
  t.strictSame(await next(answerOf(JSON.stringify({ next: [TWO] }))), [SECOND])
  t.strictSame(await next(answerOf('', LIST)), [], 'an empty list is a list')
  t.strictSame(await next(answerOf('[]', { 'content-type': 'application/json' })), [])
  t.strictSame(await next(answerOf(feed(''))), [])
  t.strictSame(await next(answerOf(`${BASE}/message/anna/three`, LIST)), [], 'a batch that leads nowhere')
  t.strictSame(await next(answerOf(ONE, LIST)), [FIRST], 'what was acknowledged, handed out again')
})

t.test('an answer to acknowledgements that has no form for messages', async (t) => {
  const next = (answer: Exchange) => nextOf(lockCallCarrier, answer, `${BASE}/message/anna/gone`)
  const none = {
    'no content': answerOf('', {}, { status: 204 }),
    'an empty body with the media type that a server puts to everything': answerOf('', {
      'content-type': 'text/html; charset=utf-8',
    }),
    'a word of thanks': answerOf('Thank you.', { 'content-type': 'text/plain' }),
    'JSON without a list': answerOf('{"ok":true}', { 'content-type': 'application/json' }),
    'a report of what failed': answerOf('{"acknowledged":2,"failed":[]}', {
      'content-type': 'application/json',
    }),
    'a report with a link': answerOf('{"self":"/lockNextMessage/anna","acknowledged":2}', {
      'content-type': 'application/json',
    }),
    'other XML': answerOf('<thanks/>', { 'content-type': 'application/xml' }),
    'the addresses that were acknowledged': answerOf(
      JSON.stringify({ done: [`${BASE}/message/anna/gone`] }),
      { 'content-type': 'application/json' },
    ),
  }
  for (const [what, answer] of Object.entries(none)) t.equal(await next(answer), undefined, what)
})

t.test('a POST to a subscription may answer with its feed', async (t) => {
  const next = (answer: Exchange) => nextOf(subscriptionCarrier, answer, ONE)
  const entry = `<entry><id>urn:x:2</id><link rel="edit" href="/m/2"/><content>${SECOND.text}</content></entry>`
  t.strictSame(await next(answerOf(feed(entry))), [SECOND])
  t.strictSame(await next(answerOf(feed(''))), [])
  t.strictSame(await next(answerOf(`${TWO}\r\n`, LIST)), [SECOND], 'or with addresses')
  t.strictSame(await next(answerOf(JSON.stringify({ messages: [TWO] }))), [SECOND])
  t.strictSame(await next(answerOf('', LIST)), [])
  t.strictSame(await next(answerOf('[]')), [])
  const unknown = { next: [`${BASE}/message/anna/three`], self: TWO.replace('message/', '') }
  t.equal(await next(answerOf(JSON.stringify(unknown))), undefined, 'addresses that give no message')
  const report = JSON.stringify({ acknowledged: [ONE], failed: [] })
  t.equal(await next(answerOf(report)), undefined, 'a report')
  t.equal(await next(answerOf('<ok/>', { 'content-type': 'application/xml' })), undefined)
  t.equal(await next(answerOf('', {}, { status: 204 })), undefined)
})
