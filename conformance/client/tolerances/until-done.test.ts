import t from 'tap'
import { skipIdleTime } from '../../virtual-time.test.helper.js'
import { answering, outgoing } from './sending.test.helper.js'
import { untilDone } from './until-done.js'

skipIdleTime()

const BASE = 'http://a.test'

function asking(answers: readonly number[], path = '/a') {
  const { asked, send } = answering((_, count) => ({ status: answers[count - 1] ?? answers.at(-1)! }))
  const neverDone = new Set<string>()
  const ask = untilDone(send, { base: BASE, settle: 0, neverDone })
  const idle = <T>(pause: () => Promise<T>) => pause()
  const status = async (method: string) => (await ask(outgoing(method, BASE + path, { idle }))).status
  return { asked, neverDone, status }
}

t.test('what is answered with 202 is repeated until it is done', async (t) => {
  const { asked, status } = asking([202, 202, 200])
  t.equal(await status('POST'), 200)
  t.equal(asked.length, 3)
})

t.test('of a deletion the 202 counts where what it is about is gone', async (t) => {
  t.equal(await asking([202, 404]).status('DELETE'), 202)
  t.equal(await asking([202, 404]).status('POST'), 404)
})

t.test('what section 4.2 has is asked once', async (t) => {
  const { asked, status } = asking([202, 200], '/lockNextMessage/a')
  t.equal(await status('POST'), 202)
  t.equal(asked.length, 1)
  t.equal(await status('DELETE'), 200, 'but for a deletion')
})

t.test('what is never done is waited for once', async (t) => {
  const { asked, neverDone, status } = asking([202])
  t.equal(await status('POST'), 202)
  t.equal(neverDone.size, 1)
  const before = asked.length
  t.equal(await status('POST'), 202)
  t.equal(asked.length, before + 2)
})
