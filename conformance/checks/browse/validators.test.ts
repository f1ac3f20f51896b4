import { createHash } from 'node:crypto'
import t from 'tap'
import { entry, type FakeBroker, fakeBroker, feed } from '../../trial/fake-broker.test.helper.js'
import { trialOf } from '../../trial/trial-of.test.helper.js'
import { skipIdleTime } from '../../virtual-time.test.helper.js'
import { BROWSE_VALIDATORS } from './validators.js'

skipIdleTime()

const run = BROWSE_VALIDATORS.find(({ id }) => id === 'browse.root-validator')!.run

/** A listing of pages of two queues, whose ETag is by this rule; how often it is asked whether it has changed. */
function listed(
  broker: FakeBroker,
  etagOf: (names: readonly string[], changedAt: number) => string | undefined,
) {
  const names: string[] = ['a', 'b', 'c']
  const asked = { times: 0 }
  let changedAt = performance.now()
  broker.intercept = ({ method, path, headers, body }) => {
    const [, name, page = '0'] = /^\/mq\/queues\/?([^?]*)(?:\?(\d))?$/.exec(path) ?? []
    if (method === 'POST') names.push(String(body))
    if (method === 'DELETE') names.splice(names.indexOf(name!), 1)
    if (method !== 'GET') changedAt = performance.now()
    if (method === 'POST') return { status: 201, headers: { Location: `/mq/queues/${body}` } }
    if (method === 'DELETE') return {}
    const here = names.slice(2 * Number(page), 2 * Number(page) + 2)
    const next =
      names.length > 2 * Number(page) + 2 ? `<link rel="next" href="/mq/queues?${Number(page) + 1}"/>` : ''
    const etag = etagOf(here, changedAt)
    if (headers['if-none-match'] !== undefined) asked.times += 1
    if (etag !== undefined && headers['if-none-match'] === etag)
      return { status: 304, headers: { ETag: etag } }
    const reply = feed(
      here.map((each) => entry(each, `<link href="/mq/queues/${each}"/>`)),
      next,
    )
    return { ...reply, headers: { ...reply.headers, ...(etag === undefined ? {} : { ETag: etag }) } }
  }
  return asked
}

t.test('the page that lists a queue has another validator without it', async (t) => {
  await using broker = await fakeBroker()
  const asked = listed(broker, (names) => `"${names.join()}"`)
  await run(trialOf(broker))
  t.equal(asked.times, 3)
  listed(broker, () => '"same"')
  await t.rejects(run(trialOf(broker)), { name: 'Failed', expected: /after a queue was created/ })
  listed(broker, (names) => (names.length === 1 ? '"one"' : '"two"'))
  await t.rejects(run(trialOf(broker)), { name: 'Failed', expected: /after a queue was deleted/ })
  let created = ''
  listed(broker, (names) => {
    created ||= names.find((name) => name.startsWith('kit')) ?? ''
    return names.includes(created) || created === '' ? `"${names.join()}"` : `"c,${created}"`
  })
  await t.rejects(run(trialOf(broker)), { name: 'Failed', expected: /after a queue was deleted/ })
})

t.test('a weak validator may be told by the second', async (t) => {
  await using broker = await fakeBroker()
  listed(broker, (_, changedAt) => `W/"${Math.floor(changedAt / 1000)}"`)
  await run(trialOf(broker))
  listed(broker, () => 'W/"same"')
  await t.rejects(run(trialOf(broker)), { name: 'Failed' })
})

t.test('a time of the last change may be told by the second, and has to change', async (t) => {
  await using broker = await fakeBroker()
  const since = (modifiedOf: (changedAt: number) => number) => {
    listed(broker, (names) => `"${names.join()}"`)
    let changedAt = performance.now()
    const inner = broker.intercept!
    broker.intercept = async (got) => {
      if (got.method !== 'GET') changedAt = performance.now()
      const modified = new Date(modifiedOf(changedAt)).toUTCString()
      const headers = { 'Last-Modified': modified }
      if (got.method === 'GET' && got.headers['if-modified-since'] === modified)
        return { status: 304, headers }
      const reply = await inner(got)
      return reply && { ...reply, headers: { ...reply.headers, ...headers } }
    }
  }
  since((changedAt) => changedAt)
  await run(trialOf(broker))
  since(() => 0)
  await t.rejects(run(trialOf(broker)), {
    name: 'Failed',
    expected: /with If-Modified-Since: Thu, 01 Jan 1970/,
  })
})

t.test('a listing without validators, or without the queue itself, has nothing to be judged', async (t) => {
  await using broker = await fakeBroker()
  listed(broker, () => undefined)
  const trial = trialOf(broker)
  await run(trial)
  t.match(trial.observation, /no ETag/)
  broker.intercept = ({ method }) =>
    method === 'GET'
      ? { ...feed([]), headers: { ETag: '"1"', 'Content-Type': 'application/atom+xml' } }
      : undefined
  await run(trial)
  t.match(trial.observation, /what is above/)
})

t.test('the feed of a queue need not show which of its messages is left', async (t) => {
  await using broker = await fakeBroker()
  broker.showsContents = false
  broker.intercept = (got) => {
    const reply = broker.answer(got)
    if (got.method !== 'GET' || !got.path.startsWith('/mq/queues/')) return reply
    const etag = `"${createHash('sha1').update(String(reply.body)).digest('hex')}"`
    const headers = { ...reply.headers, ETag: etag }
    return got.headers['if-none-match'] === etag
      ? { status: 304, headers: { ETag: etag } }
      : { ...reply, headers }
  }
  const trial = trialOf(broker)
  await BROWSE_VALIDATORS.find(({ id }) => id === 'browse.validator')!.run(trial)
  t.equal(trial.observation, undefined)
})

t.test('the listing of a subtree may be there a moment after its first queue', async (t) => {
  await using broker = await fakeBroker()
  const created = new Map<string, number>()
  broker.intercept = ({ method, path, headers, body }) => {
    const name = path.replace('/mq/queues/', '')
    if (method === 'POST') {
      created.set(String(body), performance.now())
      return { status: 201, headers: { Location: `/mq/queues/${body}` } }
    }
    if (method === 'DELETE') return { status: created.delete(name) ? 200 : 404 }
    const shown = [...created].filter(([, at]) => performance.now() - at > 100).map(([each]) => each)
    const below = shown.filter((each) => each.startsWith(`${name}/`))
    if (below.length === 0) return { status: 404 }
    const ETag = `"${below.join()}"`
    if (headers['if-none-match'] === ETag) return { status: 304, headers: { ETag } }
    const reply = feed(below.map((each) => entry(each, `<link href="/mq/queues/${each}"/>`)))
    return { ...reply, headers: { ...reply.headers, ETag } }
  }
  const subtree = BROWSE_VALIDATORS.find(({ id }) => id === 'browse.subtree-validator')!
  await subtree.run(trialOf(broker, { settleSeconds: 0.2 }))
  t.equal(created.size, 3)
})
