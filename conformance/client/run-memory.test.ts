import t from 'tap'
import { RunMemory } from './run-memory.js'

t.test('one of several that want to know asks, and each is told', async (t) => {
  const memory = new RunMemory()
  let asked = 0
  const ask = async () => ++asked === 1
  t.strictSame(await Promise.all([memory.once('a', ask), memory.once('a', ask)]), [true, true])
  t.equal(await memory.once('b', ask), false, 'another question')
  t.equal(asked, 2)
})

t.test('what could not be found out is asked again', async (t) => {
  const memory = new RunMemory()
  const fail = () => Promise.reject(new Error('ended'))
  const [first, second] = [memory.once('a', fail), memory.once('a', async () => true)]
  await t.rejects(first, { message: 'ended' })
  t.equal(await second, true)
  t.equal(await memory.once('a', fail), true)
})
