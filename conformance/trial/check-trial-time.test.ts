import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { Blocked, Inconclusive } from '../client/findings.js'
import { skipIdleTime } from '../virtual-time.test.helper.js'
import { fakeBroker, feed } from './fake-broker.test.helper.js'
import { trialOf } from './trial-of.test.helper.js'

skipIdleTime()

t.test('eventually asks until there is something, and until its timeout', async (t) => {
  await using broker = await fakeBroker()
  const trial = trialOf(broker)
  let asked = 0
  t.equal(await trial.eventually(async () => (++asked === 3 ? 'x' : undefined)), 'x')
  t.equal(await trial.eventually(async () => 0), 0, 'what is falsy is something')
  const start = performance.now()
  asked = 0
  t.equal(await trial.eventually(async () => void asked++, 60), undefined)
  const took = performance.now() - start
  t.ok(took >= 59 && took < 1000, String(took))
  t.ok(asked >= 3)
})

t.test('eventually asks once more where the answers were slower than its timeout', async (t) => {
  await using broker = await fakeBroker()
  const trial = trialOf(broker)
  const start = performance.now()
  const probe = async () => {
    const shown = performance.now() - start > 40
    await sleep(80)
    return shown || undefined
  }
  t.equal(await trial.eventually(probe, 50), true, 'what showed while it was still being asked')
})

t.test('never asks again after the settling time', async (t) => {
  await using broker = await fakeBroker()
  const trial = trialOf(broker, {}, { settle: 50 })
  const times: number[] = []
  const probe = async () => void times.push(performance.now())
  t.equal(await trial.never(probe), undefined)
  t.equal(times.length, 2)
  t.ok(times[1]! - times[0]! >= 49)
  t.equal(await trial.never(async () => 'at once'), 'at once')
  let asked = 0
  t.equal(await trial.never(async () => (++asked === 2 ? 'later' : undefined)), 'later')
})

t.test('what has settled while something else was looked for is not waited for again', async (t) => {
  await using broker = await fakeBroker()
  const trial = trialOf(broker, {}, { settle: 3000 })
  const queue = await trial.createQueue()
  const look = async () => void (await trial.target.request('GET', queue.uri))
  const took = async (act: () => Promise<unknown>) => {
    const start = performance.now()
    await act()
    return performance.now() - start
  }
  t.ok((await took(() => trial.never(look))) > 2900)
  t.ok((await took(() => trial.never(look))) < 2000, 'looking is no deed')
  await trial.target.request('GET', queue.uri)
  t.ok((await took(() => trial.never(look))) > 2900, 'whatever a check asks is one')
})

t.test('time passes by waiting, in which the place is free', async (t) => {
  await using broker = await fakeBroker()
  const trial = trialOf(broker)
  const start = trial.now()
  await trial.elapse(40)
  t.ok(trial.now() - start >= 39)
  t.ok(trial.surelyNow() - start >= 39)
  t.equal(trial.waits.yielded, 1)
  t.ok(trial.waits.idle >= 1)
})

t.test('a check that lets effects settle gives its place away meanwhile, unless a lease runs', async (t) => {
  await using broker = await fakeBroker()
  const nothing = async () => undefined
  const waitsOf = async (trial: ReturnType<typeof trialOf>) => {
    await trial.never(nothing)
    await trial.eventually(nothing, 5)
    return trial.waits.yielded > 1
  }
  const chosen = trialOf(broker)
  await chosen.subscribe('q', { lease: 'long' })
  t.equal(await waitsOf(chosen), true, 'the long leases of the kit outlive all waiting')
  const short = trialOf(broker)
  await short.subscribe('q', { lease: 'short' })
  t.equal(await waitsOf(short), false)
  const foreign = { subscription: { parameters: { timeout: null } } }
  t.equal(await waitsOf(trialOf(broker, foreign)), false, 'nobody knows how short the target makes them')
  t.equal(await waitsOf(trialOf(broker, { ...foreign, clock: {} })), true, 'its clock stands still')
})

t.test('time passes by the clock of a target that has one', async (t) => {
  await using broker = await fakeBroker()
  const trial = trialOf(broker, { clock: { advance: { body: '{"by":{ms}}', path: '/tick' } } })
  broker.intercept = ({ path }) => (path === '/mq/tick' ? { status: 204 } : undefined)
  const start = trial.now()
  const sure = trial.surelyNow()
  await trial.elapse(59_999.5)
  t.ok(trial.now() - start >= 60_000)
  t.equal(Math.round(trial.surelyNow() - sure), 60_000, 'such a clock may stand still while the check works')
  t.ok(trial.now() - start < 70_000)
  t.equal(trial.waits.yielded, 1)
  t.match(broker.got.at(-1), {
    method: 'POST',
    path: '/mq/tick',
    headers: { 'content-type': 'application/json' },
  })
  t.equal(broker.got.at(-1)!.body.toString(), '{"by":60000}')
  broker.intercept = () => ({ status: 404 })
  await t.rejects(
    trial.elapse(1),
    new Inconclusive("the target's clock could not be advanced: POST /tick gave 404", 'clock'),
  )
})

t.test('a lease that may have ended underneath is told', async (t) => {
  await using broker = await fakeBroker()
  const short = { lease: 500 }
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  const fixed = trialOf(broker, { subscription: { renewedBy: [] } }, short)
  const consumer = await fixed.subscribe('q', { lease: 'short' })
  t.equal(fixed.uncertainLease(), undefined)
  await wait(420)
  t.match(fixed.uncertainLease(), /^the lease of http.* \(500 ms\) may have ended underneath the check$/)
  await consumer.end()
  t.equal(fixed.uncertainLease(), undefined, 'it was ended on purpose')

  const over = trialOf(broker, { subscription: { renewedBy: [] } }, short)
  const gone = await over.subscribe('q', { lease: 'short' })
  await wait(420)
  broker.intercept = () => ({ status: 410 })
  await t.rejects(gone.end(), new Blocked('subscribe.delete', `DELETE ${gone.uri} gave 410 instead of 200`))
  t.ok(over.uncertainLease(), 'the refusal may be due to its end')
  await gone.endIfActive()
  t.equal(over.uncertainLease(), undefined, 'it holds nothing any more')
  broker.intercept = () => undefined

  const late = trialOf(broker, { subscription: { renewedBy: [] } }, short)
  await late.subscribe('q', { lease: 'short' })
  await late.elapse(510)
  t.equal(late.uncertainLease(), undefined, 'the check let it end')

  const read = trialOf(broker, { subscription: { renewedBy: ['read'] } }, { lease: 400 })
  const reader = await read.subscribe('q', { lease: 'short' })
  await wait(250)
  await reader.read()
  await wait(150)
  t.equal(read.uncertainLease(), undefined, 'reading began it anew')
  await wait(300)
  t.ok(read.uncertainLease())
  broker.intercept = () => feed([])
  await reader.read()
  t.ok(read.uncertainLease(), 'a gap that was too long stays one')
})

t.test('what shows counts while the leases surely last that the check relies on', async (t) => {
  await using broker = await fakeBroker()
  const fixed = (lease: number) =>
    trialOf(broker, { subscription: { renewedBy: [] } }, { lease, timeout: 1500 })
  const healed = fixed(400)
  const consumer = await healed.subscribe('q', { lease: 'short' })
  const began = performance.now()
  t.equal(
    await healed.eventually(async () => (performance.now() - began > 400 ? 'back' : undefined)),
    undefined,
  )
  t.equal(healed.uncertainLease(), undefined, 'it asks no longer than that')
  await consumer.end()
  t.equal(await healed.eventually(async () => (performance.now() - began > 400 ? 'back' : undefined)), 'back')

  const slow = fixed(60)
  await slow.subscribe('q', { lease: 'short' })
  const late = () => new Promise<string>((resolve) => setTimeout(resolve, 60, 'back'))
  await t.rejects(slow.eventually(late), { name: 'Inconclusive', message: /came when the lease of http/ })
  await t.rejects(
    slow.eventually(async () => undefined),
    { name: 'Inconclusive', message: /no time for the effect/ },
  )
})

t.test(
  'late is three and a half seconds at least, and by a clock that is moved more than a minute',
  async (t) => {
    await using broker = await fakeBroker()
    const waited = await trialOf(broker).late()
    t.ok(waited >= 3500 && waited < 7000, String(waited))
    const clock = { advance: { method: 'POST', path: '/_clock', body: '{ms}' } }
    broker.intercept = ({ path }) => (path === '/mq/_clock' ? { status: 200 } : undefined)
    const moved = await trialOf(broker, { clock }).late()
    t.ok(moved >= 100_000 && moved < 105_000, String(moved))
  },
)
