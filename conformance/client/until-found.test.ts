import t from 'tap'
import { untilFound } from './until-found.js'

/** Looks at a time that passes only by waiting. @returns what was found, and when it was looked for */
async function looked(milliseconds: number, foundAt: number) {
  let time = 0
  const looks: number[] = []
  const probe = async () => {
    looks.push(time)
    return time >= foundAt ? time : undefined
  }
  const rest = async (passed: number) => {
    time += passed
  }
  return { found: await untilFound(probe, milliseconds, { pause: 20, rest, now: () => time }), looks }
}

t.test(
  'what shows late is looked for soon, then more and more seldom, and once when the time is over',
  async (t) => {
    t.strictSame(await looked(100, 60), { found: 95, looks: [0, 20, 50, 95] })
    const { found, looks } = await looked(2000, Number.POSITIVE_INFINITY)
    t.equal(found, undefined)
    t.equal(looks.at(-1), 2000)
    const pauses = looks.slice(1).map((look, at) => look - looks[at]!)
    t.equal(Math.max(...pauses), 250)
    t.ok(looks.length < 15, `${looks.length} looks`)
  },
)
