import t from 'tap'
import type { Check } from '../../trial/check.js'
import { brokerBehind, outcomeAt } from '../alternatives.test.helper.js'
import { checksOf } from '../row-check.js'
import { BATCH_CHOICES } from './choices.js'
import { BATCH_ROWS } from './rows.js'

/** The batch mapping, whose consumers are those of `/subscribe`, or subscriptions, beside one-at-a-time delivery. */
const batchBroker = (areSubscriptions: boolean) =>
  brokerBehind(async (gateway, [verb, id = '', what = ''], { path, method }) => {
    if (verb === 'subscribe') return gateway.subscribe(id, what, 10)
    if (verb === 'unsubscribe') return {}
    const isNamed = gateway.has(verb === 'lockNextMessage' || verb === 'message' ? id : verb!)
    if (areSubscriptions === isNamed && /lockNextMessage|\/message\//.test(path)) return { status: 404 }
    if (verb === 'lockNextMessage') {
      const max = Number(/max=(\d+)/.exec(path)?.[1] ?? 10)
      const held = (await gateway.held(id)).slice(0, max)
      return { body: held.map((each) => `/mq/message/${id}/${each.id}\n`).join('') }
    }
    if (verb === 'message') {
      const held = (await gateway.held(id)).find((each) => each.id === what)
      return held ? { body: held.text } : { status: 404 }
    }
    const isAck = method === 'DELETE' && id === 'messages'
    return isAck ? gateway.acknowledge(verb!, what) : undefined
  })

/** Of a message that is known by nothing but its text. */
const OF_OWN_TEXT = checksOf(`
batch.own-text: batch.fetch
  create a; join C to a
  ! send m1 to a body "R&D {14}"
  lock C 1; fetch C 1st
`)

const CLAIMS = { features: { batch: true, 'one-at-a-time': true } }

const asked = (
  id: string,
  areSubscriptions: boolean,
  checks: readonly Pick<Check, 'id' | 'run'>[] = BATCH_ROWS,
) =>
  batchBroker(areSubscriptions).then(async (broker) => {
    await using at = broker
    return await outcomeAt(at, checks, id, CLAIMS)
  })

t.test('the consumers of lock calls may be subscriptions, beside those of /subscribe', async (t) => {
  for (const areSubscriptions of [false, true])
    for (const id of ['batch.locks', 'batch.acknowledges', 'batch.ack-final'])
      t.equal(await asked(id, areSubscriptions), undefined, `${id}, ${areSubscriptions}`)
})

t.test('that /subscribe makes no consumer of lock calls differs from the reference', async (t) => {
  t.equal(await asked('batch.consumers', false, BATCH_CHOICES), undefined)
  t.match(await asked('batch.consumers', true, BATCH_CHOICES), { seen: 'it did not come' })
})

t.test('every answer may have links, and lists other addresses beside those of messages', async (t) => {
  for (const isShaped of [true, false]) {
    await using broker = await batchBroker(false)
    const inner = broker.intercept
    let last = ''
    broker.intercept = async (got) => {
      if (got.method === 'POST' && got.path === '/mq/queues') last = `/mq/queues/${got.body}`
      const own = isShaped ? got.path : got.path.replace(/^\/mq\/m\/([^/]+)\//, '/mq/message/$1/')
      const reply = await inner({ ...got, path: own })
      if (reply === undefined) return undefined
      const Link = `<${last}>; rel="collection", </help>; rel="help", <${got.path}>; rel="self"`
      const uris = String(reply.body ?? '')
        .split('\n')
        .filter((line) => line !== '')
      const messages = isShaped ? uris : uris.map((uri) => uri.replace('/message/', '/m/'))
      const isCall = got.path.includes('lockNextMessage')
      const body = isCall
        ? JSON.stringify({ self: got.path, queue: last, help: '/help', messages })
        : reply.body
      return { ...reply, headers: { ...reply.headers, Link }, ...(body === undefined ? {} : { body }) }
    }
    for (const id of ['batch.locks', 'batch.acknowledges', 'batch.ack-only', 'batch.exclusive'])
      t.equal(await outcomeAt(broker, BATCH_ROWS, id, CLAIMS), undefined, `${id}, ${isShaped}`)
    t.equal(await outcomeAt(broker, OF_OWN_TEXT, 'batch.own-text', CLAIMS), undefined, `a text, ${isShaped}`)
  }
})
