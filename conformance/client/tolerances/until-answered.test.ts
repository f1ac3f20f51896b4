import t from 'tap'
import { isRepeatable, untilAnswered, untilTaken } from './until-answered.js'

/** Asks three times at most. */
const THRICE = {
  async eventually<T>(probe: () => Promise<T | undefined>): Promise<T | undefined> {
    for (let tries = 0; tries < 3; tries++) {
      const found = await probe()
      if (found !== undefined) return found
    }
    return undefined
  },
}

function answering(...statuses: number[]) {
  const asked: number[] = []
  const ask = async () => {
    asked.push(statuses[asked.length] ?? statuses.at(-1)!)
    return { status: asked.at(-1)!, error: undefined } as never
  }
  return { asked, ask }
}

t.test('a send is repeated after what says, or leaves open, that it is not done', (t) => {
  const repeated = [0, 100, 200, 202, 400, 404, 408, 409, 413, 429, 499, 500, 503].filter((status) =>
    isRepeatable({ status, error: undefined }),
  )
  t.strictSame(repeated, [0, 408, 429, 500, 503])
  t.notOk(isRepeatable({ status: 0, error: 'the client went away before the answer' }))
  t.ok(isRepeatable({ status: 0, error: 'connection closed before the answer' }))
  t.end()
})

t.test('it is repeated while its answers ask for that, and as long as they are waited for', async (t) => {
  for (const [statuses, last, count] of [
    [[503, 0, 201], 201, 3],
    [[404], 404, 1],
    [[503], 503, 3],
  ] as const) {
    const { asked, ask } = answering(...statuses)
    t.strictSame([(await untilAnswered(THRICE, ask, isRepeatable)).status, asked.length], [last, count])
  }
})

t.test('after another success it is repeated once', async (t) => {
  for (const [statuses, last, count] of [
    [[200, 500], 200, 1],
    [[204, 200], 200, 2],
    [[204, 409], 204, 2],
  ] as const) {
    const { asked, ask } = answering(...statuses)
    t.strictSame([(await untilTaken(THRICE, ask)).status, asked.length], [last, count])
  }
})
