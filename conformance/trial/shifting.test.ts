import t from 'tap'
import type { Entry, Feed } from '../client/feed.js'
import { amissIn, countIn, type Look } from './shifting.js'
import type { Trial } from './trial.js'
import { answerOf } from './trial.test.helper.js'

const entry = (id: string) => ({ id, title: '', links: [] as Entry['links'] }) as Entry

/** A listing of these pages. */
function listing(...pages: string[][]): Feed {
  const sizes = pages.map(({ length }) => length)
  const entries = pages.flat().map(entry)
  return { uri: 'urn:root', entries, sizes, pages: pages.map(() => answerOf('')) } as unknown as Feed
}

/** What `amissIn` says of readings one after another, the last of which stays: `a` is wanted once. */
async function said(...readings: Feed[]): Promise<string | undefined> {
  const left = [...readings]
  const trial = {
    async eventually(probe: () => Promise<unknown>) {
      for (let tries = 0; tries < 4; tries++) if ((await probe()) !== undefined) return true
      return undefined
    },
    inconclusive(why: string) {
      throw new Error(why)
    },
  } as unknown as Trial
  const look = async (): Promise<Look> => {
    const feed = left.length > 1 ? left.shift()! : left[0]!
    const { count, isSure } = countIn(feed, ({ id }) => id === 'a')
    return { feeds: [feed], amiss: count === 1 ? undefined : `${count} entries`, isSure }
  }
  return amissIn(trial, look).catch((error: Error) => error.message)
}

t.test('what is amiss in a listing counts only where nobody can have shifted its pages', async (t) => {
  const uncertain = /^\d entries; but the listing changed whenever its pages were read$/
  const twice = listing(['x', 'a'], ['a', 'y'])
  t.equal(await said(listing(['x'])), '0 entries', 'one page is what it is')
  t.equal(await said(twice), '2 entries', 'the same pages again')
  t.equal(
    await said(listing(['a', 'a'], ['1']), listing(['a', 'a'], ['2'])),
    '2 entries',
    'twice on one page',
  )
  t.equal(await said(twice, listing(['w', 'x'], ['a', 'y'])), undefined, 'one clean reading is enough')
  const shifting = [1, 2, 3, 4].map((n) => listing([`new ${n}`, 'a'], ['a', 'y']))
  t.match(await said(...shifting), uncertain, 'each time something else is on the pages')
  const missing = [1, 2, 3, 4].map((n) => listing([`new ${n}`], ['y']))
  t.match(await said(...missing), uncertain)
  const moved = [listing(['x', 'a'], ['a']), listing(['x'], ['a', 'a', 'y'])]
  t.equal(await said(...moved), '2 entries')
})
