import t from 'tap'
import type { Trial } from '../trial/trial.js'
import { answerOf } from '../trial/trial.test.helper.js'
import { CLOCK_IS_NOT_MOVED, CLOCK_STANDS, StandingClock } from './standing-clock.js'

/** What a target tells at one moment: of a message that came just then, in its `Date`, and of a lease of a minute that begins. */
interface Moment {
  readonly updated: string
  readonly date?: string
  readonly ends?: string
}

function telling(...moments: Moment[]): Trial {
  let at = -1
  const asked = {
    profile: {},
    createQueue: async () => {
      at += 1
      return {}
    },
    send: async () => ({}),
    browse: async () => ({
      entries: moments.slice(at, at + 1),
      pages: [{ headers: { ...(moments[at]?.date && { date: moments[at]?.date }) } }],
    }),
    subscribe: async () => ({
      lease: 60_000,
      get: async () => answerOf(`<ends>${moments[at]?.ends}</ends>`),
      endIfActive: async () => {},
    }),
    eventually: (probe: () => Promise<unknown>) => probe(),
    elapse: async () => {},
  }
  return asked as unknown as Trial
}

const NOW = '2024-01-01T00:00:00Z'
const LATER = '2024-01-01T00:00:01.500Z'
const foundBy = async (trial: Trial) => (await new StandingClock().foundBy(trial)) === CLOCK_STANDS
const stands = (...moments: Moment[]) => foundBy(telling(...moments))

t.test('a clock stands still that tells one time of different moments in two ways', async (t) => {
  const [one, other] = ['Mon, 01 Jan 2024 00:00:00 GMT', 'Mon, 01 Jan 2024 00:00:01 GMT']
  t.equal(await stands({ updated: NOW, date: one }, { updated: NOW, date: one }), true)
  const ending = { updated: NOW, ends: '2024-01-01T00:01:00Z' }
  t.equal(await stands({ ...ending, date: one }, { ...ending, date: other }), true, 'ends follow from it')
  t.equal(await stands({ updated: NOW, date: one }, { updated: LATER, date: one }), false)
  t.equal(await stands(ending, { updated: LATER, ends: '2024-01-01T00:01:01.500Z' }), false)
})

t.test('a time that is the same in every feed says nothing of the clock', async (t) => {
  t.equal(await stands({ updated: NOW }, { updated: NOW }), false)
  const [date, later] = ['Tue, 02 Jan 2024 00:00:00 GMT', 'Tue, 02 Jan 2024 00:00:01 GMT']
  t.equal(await stands({ updated: NOW, date }, { updated: NOW, date: later }), false)
  const fixed = { updated: NOW, ends: '2025-06-01T00:00:00Z' }
  t.equal(await stands({ ...fixed, date }, { ...fixed, date: later }), false)
  t.equal(await stands({ updated: '' }, { updated: '' }), false)
  t.equal(await stands(), false)
})

t.test('it is asked once, and not found where asking fails', async (t) => {
  const standing = new StandingClock()
  const moment = { updated: NOW, date: 'x' }
  t.equal(await standing.foundBy(telling(moment, moment)), CLOCK_STANDS)
  t.equal(await standing.foundBy(telling()), CLOCK_STANDS)
  const broken = { profile: {}, createQueue: () => Promise.reject(new Error('gone')) } as unknown as Trial
  t.equal(await new StandingClock().foundBy(broken), undefined)
})

/**
 * A lease that is over as soon as so much time has passed, by the clock of the kit and by that which an advance moves; where it is
 * `read`, since it was read.
 */
function leasing(
  lease: number,
  over: { readonly real?: number; readonly advanced?: number; readonly read?: true },
): Trial {
  const began = performance.now()
  let advanced = 0
  let isRead = over.read === undefined
  const isOver = () =>
    performance.now() - began >= (over.real ?? Infinity) || advanced >= (over.advanced ?? Infinity)
  const asked = {
    profile: { clock: {} },
    timing: { leaseGrace: 10 },
    createQueue: async () => ({}),
    subscribe: async () => ({
      lease,
      get: async () => {
        const status = isRead && isOver() ? 410 : 200
        isRead = true
        return { status }
      },
    }),
    elapse: async (milliseconds: number) => {
      if (isRead) advanced += milliseconds
    },
  }
  return asked as unknown as Trial
}

t.test('a clock is not moved where a lease ends by the clock of the kit alone', async (t) => {
  const found = (...lease: Parameters<typeof leasing>) => new StandingClock().foundBy(leasing(...lease))
  t.equal(await found(40, { real: 40 }), CLOCK_IS_NOT_MOVED)
  t.equal(await found(40, { real: 40, advanced: 40 }), undefined)
  t.equal(await found(40, {}), undefined, 'one that never ends says nothing')
  const unread = { real: 40, advanced: 40, read: true } as const
  t.equal(await found(40, unread), undefined, 'nor one that ends only where it is read')
  t.equal(await found(30_000, { real: 0 }), undefined, 'one is not waited for as long as that')
})
