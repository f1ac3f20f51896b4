import t from 'tap'
import { inBursts } from './bursts.js'
import { answerOf } from './trial.test.helper.js'

/** Counts what is sent at once. */
function counted(statusOf: (sent: number, atOnce: number) => number, took = 1) {
  const bursts: number[] = []
  let sent = 0
  let atOnce = 0
  const send = async () => {
    atOnce += 1
    sent += 1
    const status = statusOf(sent, atOnce)
    if (atOnce === 1) queueMicrotask(() => bursts.push(atOnce))
    await new Promise(setImmediate)
    atOnce = 0
    return [{ ...answerOf('', {}, { status }), receivedAt: took }]
  }
  return { bursts, send }
}

t.test('all are sent, and none beyond', async (t) => {
  const { bursts, send } = counted(() => 200)
  await inBursts(100, send)
  t.strictSame(bursts, [45, 45, 10])
})

t.test('where any is refused, fewer are sent at once until all are taken', async (t) => {
  const { bursts, send } = counted((_, atOnce) => (atOnce > 20 ? 503 : 200))
  await inBursts(80, send)
  t.strictSame(bursts, [45, 22, 11, 11, 11, 7])
})

t.test('where one alone is refused, that is the end, and each refusal is told', async (t) => {
  const { bursts, send } = counted((sent) => (sent > 50 ? 507 : 200))
  let told = 0
  await inBursts(500, send, async () => {
    told += 1
  })
  t.strictSame(bursts, [45, 45, 22, 11, 5, 2, 1])
  t.equal(told, 6)
})

t.test('where answers take long, fewer have to do', async (t) => {
  const { bursts, send } = counted(() => 200, 3000)
  await inBursts(500, send)
  t.strictSame(bursts, [45, 45, 45])
})
