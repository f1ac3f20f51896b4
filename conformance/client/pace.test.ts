import t from 'tap'
import { Pace, retryAfter } from './pace.js'

t.test('requests keep the pace of the profile', async (t) => {
  let now = 0
  const pace = new Pace(10, () => now)
  t.strictSame([pace.turn(), pace.turn(), pace.turn()], [0, 105, 210])
  now = 1000
  t.equal(pace.turn(), 0)
  t.equal(new Pace(null, () => 0).turn(), 0)
  t.equal(new Pace(null).requestsPerSecond, undefined)
})

t.test('a refusal holds all requests back, and teaches a slower pace', async (t) => {
  let now = 0
  const pace = new Pace(null, () => now)
  t.ok(pace.refused(429, 0, now))
  t.equal(pace.requestsPerSecond, undefined, 'before anything was taken it says nothing')
  for (let count = 0; count < 200; count++) {
    now += 10
    t.equal(pace.turn(), 0)
    pace.answered()
  }
  t.ok(pace.refused(429, 1000, now))
  t.equal(pace.requestsPerSecond, 81)
  t.ok(pace.refused(429, 1000, now))
  t.equal(pace.requestsPerSecond, 81, 'what was under way together says one thing')
  t.equal(pace.turn(), 1000)
  now += 5000
  t.ok(pace.refused(429, 0, now))
  t.equal(pace.requestsPerSecond, 65, 'and a slower one where that is too much, too')
})

t.test('refusals for something else do not slow a pace that is known down for ever', async (t) => {
  let now = 0
  const pace = new Pace(100, () => now)
  t.equal(pace.requestsPerSecond, 95)
  for (let n = 0; n < 30; n++) {
    pace.answered()
    now += 1000
    t.ok(pace.refused(429, 0, now))
  }
  t.equal(pace.requestsPerSecond, 24)
})

t.test('nor one that was found', async (t) => {
  let now = 0
  const pace = new Pace(null, () => now)
  for (let n = 0; n < 40; n++) {
    for (let count = 0; count < 22; count++) {
      now += Math.max(10, pace.turn())
      pace.answered()
    }
    t.ok(pace.refused(429, 1000, now))
  }
  t.equal(pace.requestsPerSecond, 4, 'a quarter of the 22 that it took')
})

t.test('a moment of unavailability says nothing of the pace', async (t) => {
  const now = 0
  const pace = new Pace(null, () => now)
  t.ok(pace.refused(503, 500, now))
  t.equal(pace.requestsPerSecond, undefined)
  t.equal(pace.turn(), 500)
})

t.test('who refuses for ever, or for long, is not waited for', async (t) => {
  const now = 0
  const pace = new Pace(null, () => now)
  t.notOk(pace.refused(503, 60_000, now))
  const answers = Array.from({ length: 60 }, () => pace.refused(503, 0, now))
  t.notOk(answers.at(-1))
  pace.answered()
  t.ok(pace.refused(503, 0, now))
})

t.test('when to come again', async (t) => {
  const after = (status: number, headers: Readonly<Record<string, string>>) => retryAfter({ status, headers })
  t.equal(after(429, { 'retry-after': '2' }), 2000)
  t.equal(after(503, { 'retry-after': '0' }), 0)
  t.equal(after(503, { 'retry-after': 'soon' }), 1000)
  t.ok(after(503, { 'retry-after': new Date(Date.now() + 5000).toUTCString() })! > 3000)
  const [date, later] = [-3_600_000, -3_595_000].map((ahead) => new Date(Date.now() + ahead).toUTCString())
  t.equal(after(503, { date: date!, 'retry-after': later! }), 5000, 'by a clock that is an hour late')
  t.equal(after(200, { 'retry-after': '2' }), undefined)
  t.equal(after(503, {}), undefined)
})
