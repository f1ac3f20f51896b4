import t from 'tap'
import type { Trial } from '../trial/trial.js'
import { StandingClock } from './standing-clock.js'

/** A target that tells these times of the messages that it is sent, one after another. */
function telling(...times: string[]): Trial {
  const asked = {
    createQueue: async () => ({}),
    send: async () => ({}),
    browse: async () => ({ entries: times.length === 0 ? [] : [{ updated: times.shift() }] }),
    eventually: (probe: () => Promise<unknown>) => probe(),
    elapse: async () => {},
  }
  return asked as unknown as Trial
}

t.test('a clock stands still that tells one time of messages from different times', async (t) => {
  const standing = new StandingClock()
  t.equal(await standing.isFoundBy(telling('2024-01-01T00:00:00Z', '2024-01-01T00:00:00Z')), true)
  t.equal(await standing.isFoundBy(telling('a', 'b')), true, 'it is asked once')
  for (const times of [['2024-01-01T00:00:00Z', '2024-01-01T00:00:01Z'], ['', ''], []])
    t.equal(await new StandingClock().isFoundBy(telling(...times)), false, times.join())
  const broken = { createQueue: () => Promise.reject(new Error('gone')) } as unknown as Trial
  t.equal(await new StandingClock().isFoundBy(broken), false)
})
