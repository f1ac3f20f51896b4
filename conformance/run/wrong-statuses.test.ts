import t from 'tap'
import { checks } from '../checks/index.js'
import { parseProfile } from '../client/parse-profile.js'
import type { Got, Reply } from '../client/serve.test.helper.js'
import { runConformance } from '../judge.js'
import { fakeBroker } from '../trial/fake-broker.test.helper.js'
import { skipIdleTime } from '../virtual-time.test.helper.js'

skipIdleTime()

/** Of each operation several requests, in the order in which they are asked. */
const ONLY = [
  ...['queues.create', 'queues.delete', 'queues.own-address', 'queues.delete-unlisted'],
  ...[
    'send.address',
    'send.post',
    'send.repeat-status',
    'send.own-address',
    'dedup.send',
    'dedup.repeat-status',
  ],
  ...['subscribe.create', 'subscribe.own-address', 'subscribe.delete', 'subscribe.deleted-unreadable'],
  ...['subscribe.delete-spares-others', 'consume.feed', 'consume.entries'],
  ...['ack.succeeds', 'ack.any-order', 'browse.root', 'browse.queue'],
]

const matches = (method: string, path: RegExp) => (got: Got) => got.method === method && path.test(got.path)

/** Each operation, with the checks that ask for the status of its success. */
const OPERATIONS = [
  ['list', matches('GET', /^\/mq\/queues$/), ['browse.root']],
  ['browse', matches('GET', /^\/mq\/queues\/kit-[^-]+-[^-]+$/), ['browse.queue']],
  ['create', matches('POST', /^\/mq\/queues$/), ['queues.create']],
  ['delete', matches('DELETE', /^\/mq\/queues\//), ['queues.delete']],
  ['step 1', matches('POST', /^\/mq\/queues\/[^?]+$/), ['send.address']],
  ['step 2', matches('POST', /^\/mq\/new\//), ['send.post', 'send.repeat-status']],
  ['a send with a guid', matches('POST', /\?guid=/), ['dedup.send', 'dedup.repeat-status']],
  ['subscribe', matches('POST', /^\/mq\/subscriptions$/), ['subscribe.create']],
  ['consume', matches('GET', /^\/mq\/subscriptions\//), ['consume.feed']],
  ['end', matches('DELETE', /^\/mq\/subscriptions\/\d+$/), ['subscribe.delete']],
  ['acknowledge', matches('DELETE', /^\/mq\/subscriptions\/\d+\/\d+$/), ['ack.succeeds']],
] as const

/** The checks that fail where the answers to some requests have another status. */
async function failing(isOther: (got: Got) => boolean, status: number, only = ONLY): Promise<string[]> {
  await using broker = await fakeBroker()
  broker.intercept = async (got): Promise<Reply | undefined> => {
    if (got.headers.inner || !isOther(got)) return undefined
    const { method, path, headers, body } = got
    const type = headers['content-type']
    const answer = await fetch(new URL(path, broker.url), {
      method,
      headers: { inner: 'yes', ...(typeof type === 'string' && { 'Content-Type': type }) },
      ...(method === 'GET' ? {} : { body: new Uint8Array(body) }),
    })
    const content = await answer.text()
    const told = ['location', 'content-type'].flatMap((name) => {
      const value = answer.headers.get(name)
      return value === null ? [] : [[name, value] as const]
    })
    return { status: answer.ok ? status : answer.status, headers: Object.fromEntries(told), body: content }
  }
  const options = { checks, only, profile: parseProfile({}), jobs: 1 }
  const { results } = await runConformance(broker.url, options).report
  return results.filter(({ status }) => status === 'fail').map(({ id }) => id)
}

t.test('another status now and then is told by the check of that status alone', async (t) => {
  for (const [name, isOf, ids] of OPERATIONS) {
    let count = 0
    const eachThird = (got: Got) => isOf(got) && ++count % 3 === 0
    const failed = await failing(eachThird, 203)
    t.ok(failed.length > 0, name)
    t.strictSame(
      failed.filter((id) => !(ids as readonly string[]).includes(id)),
      [],
      name,
    )
  }
})

t.test('what a program sees of the root counts, too', async (t) => {
  let queues = 0
  const isLater = (got: Got) => {
    if (got.method === 'POST' && got.path === '/mq/queues') queues += 1
    return queues > 1 && got.method === 'GET' && got.path === '/mq/queues'
  }
  t.strictSame(await failing(isLater, 203, ['browse.root', 'browse.root-once']), ['browse.root'])
})

t.test('another status of the first answer, whatever a repeat is answered with', async (t) => {
  for (const [name, isOf, [id]] of OPERATIONS.filter(
    ([each]) => each === 'step 2' || each.includes('guid'),
  )) {
    const seen = new Set<string>()
    const isFirst = (got: Got) => {
      const isNew = isOf(got) && !seen.has(got.path)
      if (isOf(got)) seen.add(got.path)
      return isNew
    }
    t.strictSame(await failing(isFirst, 201), [id], name)
  }
})

t.test('the right statuses are nobody\u2019s fault', async (t) => {
  t.strictSame(await failing(() => false, 200), [])
})
