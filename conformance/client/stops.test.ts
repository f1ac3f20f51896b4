import t from 'tap'
import { onStop, sleep } from './stops.js'

t.test('one listener stops all that is to stop with a signal', (t) => {
  const stopping = new AbortController()
  let listeners = 0
  const listen = stopping.signal.addEventListener.bind(stopping.signal)
  stopping.signal.addEventListener = (...args: Parameters<typeof listen>) => {
    listeners += 1
    listen(...args)
  }
  const stopped: number[] = []
  const forget = [1, 2, 3].map((each) => onStop(stopping.signal, () => stopped.push(each)))
  forget[1]!()
  stopping.abort()
  t.strictSame({ listeners, stopped }, { listeners: 1, stopped: [1, 3] })
  onStop(stopping.signal, () => stopped.push(4))
  t.strictSame(stopped, [1, 3, 4], 'what comes too late is stopped at once')
  onStop(undefined, () => stopped.push(5))()
  t.strictSame(stopped, [1, 3, 4])
  t.end()
})

t.test('a sleep ends when its time is over, or with its signal', async (t) => {
  const stopping = new AbortController()
  await sleep(1)
  await sleep(1, stopping.signal)
  const long = sleep(60_000, stopping.signal)
  let isOver = false
  const longest = sleep(2 ** 40, stopping.signal).then(() => {
    isOver = true
  })
  await sleep(5)
  t.notOk(isOver, 'a timer would take so long a time for none')
  stopping.abort()
  await t.rejects(longest, { name: 'AbortError' })
  await t.rejects(long, { name: 'AbortError' })
  await t.rejects(sleep(60_000, stopping.signal), { name: 'AbortError' })
})
