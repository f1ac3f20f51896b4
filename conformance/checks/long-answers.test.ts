import t from 'tap'
import { fakeBroker } from '../trial/fake-broker.test.helper.js'
import { trialOf } from '../trial/trial-of.test.helper.js'
import { checks } from './index.js'

/** As long as a header may be that the kit reads: what takes its square takes half a minute. */
const LONG = 200_000

t.test('answers of any length are judged in no time', async (t) => {
  await using broker = await fakeBroker()
  const run = async (id: string) => {
    const check = checks.find((each) => each.id === id)!
    const started = performance.now()
    const outcome = await check.run(trialOf(broker)).then(
      () => 'passed',
      (error: Error) => error.message,
    )
    t.ok(performance.now() - started < 5000, `${id}: ${performance.now() - started} ms`)
    return outcome
  }
  broker.intercept = (got) => {
    const control = `private,${' '.repeat(LONG)}no-cache`
    const { headers, ...answer } = broker.answer(got)
    return { ...answer, headers: { ...headers, ETag: '"1"', 'Cache-Control': control } }
  }
  t.equal(await run('browse.caching'), 'passed')

  let problem: object = {}
  broker.intercept = (got) => {
    const answer = broker.answer(got)
    if ((answer.status ?? 200) < 400) return answer
    const headers = { 'Content-Type': 'application/problem+json' }
    return { status: 404, headers, body: JSON.stringify({ status: 404, ...problem }) }
  }
  const detail = `a${' '.repeat(2 * LONG)}b`
  problem = { detail }
  t.match(await run('http.problem'), /a sentence in detail for an unknown queue/)
  problem = { detail: `${detail}.`, type: 'urn :no uri' }
  t.match(await run('http.problem'), /a stable type for an unknown queue/)
  problem = { detail: `${detail}.`, type: `http://${'\u00e9'.repeat(LONG)}/` }
  t.notMatch(await run('http.problem'), /for an unknown queue/)

  const name = '<property name="'
  const text = `<!-- ${name.repeat((3 * LONG) / name.length)} -->`
  broker.intercept = (got) => {
    const answer = broker.answer(got)
    const isFeed = got.method === 'GET' && /^\/mq\/queues\/[^/]+$/.test(got.path)
    return isFeed ? { ...answer, body: `${answer.body}${text}` } : answer
  }
  t.match(await run('send.properties'), /200 holding property colour=red and property unit_price=12.5/)
})
