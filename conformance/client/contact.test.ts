import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { skipIdleTime } from '../virtual-time.test.helper.js'
import { makeContact } from './contact.js'
import { HttpClient } from './http-client.js'
import { HttpTarget } from './http-target.js'
import { Pace } from './pace.js'
import { DEFAULT_PROFILE } from './parse-profile.js'
import { serve } from './serve.test.helper.js'
import { Sockets } from './sockets.js'

skipIdleTime()

/** A server that refuses with this status what comes while it has so many to answer. */
async function crowded(most: number, status: number, headers = {}) {
  const seen = { now: 0, most: 0, refused: 0, all: 0 }
  const served = await serve(async () => {
    seen.all += 1
    if (seen.now >= most) {
      seen.refused += 1
      return { status, headers }
    }
    seen.now += 1
    seen.most = Math.max(seen.most, seen.now)
    // Time passes when all have come that are on their way.
    await sleep(20)
    seen.now -= 1
    return { status: 200 }
  })
  return { ...served, seen }
}

t.test('what takes only so many requests at once is not asked for more, whoever asks', async (t) => {
  for (const [most, status, headers] of [
    [1, 503],
    [4, 503],
    [9, 429],
    [3, 503, { 'Retry-After': '1' }],
    [5, 429, { 'Retry-After': '1' }],
  ] as const) {
    await using server = await crowded(most, status, headers)
    const client = new HttpClient(new Sockets())
    t.teardown(() => client.close())
    const profile = DEFAULT_PROFILE
    const contact = await makeContact(server.url, profile, client, undefined)
    t.ok(contact.answers)
    t.ok(server.seen.refused > 0, `${most}: that was found out`)
    server.seen.refused = 0
    const target = new HttpTarget({ baseUrl: server.url, profile, client, answerTimeout: 5000 })
    const asked = Array.from({ length: 20 }, (_, at) => [
      target.request('GET', target.at('/queues')),
      target.request('POST', target.at('/queues'), { body: 'a', cut: 'answer' }),
      target.directly(target.at(`/${at}`), async (url) => (await fetch(url)).status),
    ])
    await Promise.all(asked.flat())
    t.equal(server.seen.refused, 0, `${most}: nothing is refused`)
    t.equal(server.seen.most, most)
  }
})

t.test('who takes what comes is asked for many, and whose pace is known for few', async (t) => {
  await using server = await crowded(100, 503)
  for (const [pace, least, most] of [
    [null, 16, 100],
    [500, 0, 15],
  ] as const) {
    Object.assign(server.seen, { most: 0, all: 0 })
    const client = new HttpClient(new Sockets(), new Pace(pace))
    t.teardown(() => client.close())
    await makeContact(server.url, DEFAULT_PROFILE, client, undefined)
    t.ok(server.seen.all >= least && server.seen.most <= most, `${JSON.stringify(server.seen)} at ${pace}`)
    if (pace === null) t.ok(server.seen.most >= least, 'all at once')
  }
})

t.test('what is refused for how many came in a second is left to the pace', async (t) => {
  for (const retry of ['1', '60']) {
    let [since, came] = [performance.now(), 0]
    await using server = await serve(async () => {
      if (performance.now() - since > 1000) [since, came] = [performance.now(), 0]
      return { status: ++came > 12 ? 429 : 200, headers: { 'Retry-After': retry } }
    })
    const client = new HttpClient(new Sockets())
    t.teardown(() => client.close())
    const limits: number[] = []
    client.turns.limit = (most) => limits.push(most)
    await makeContact(server.url, DEFAULT_PROFILE, client, 2)
    t.strictSame(limits, [Number.POSITIVE_INFINITY], `to come again after ${retry} s`)
  }
})

t.test('who is held up by connections that wait is asked by as few as are not', async (t) => {
  for (const [workers, limited] of [
    [5, [4]],
    [20, [Number.POSITIVE_INFINITY]],
    // Too far away to be asked.
    [0, []],
  ] as const) {
    let now = 0
    await using server = await serve(async () => {
      now += 1
      await sleep(10)
      if (now > workers) await sleep(300)
      now -= 1
      return { status: 200 }
    })
    const client = new HttpClient(new Sockets())
    t.teardown(() => client.close())
    const limits: number[] = []
    client.turns.limit = (most) => limits.push(most)
    await makeContact(server.url, DEFAULT_PROFILE, client, undefined)
    t.strictSame(limits, limited, `${workers} workers`)
  }
})
