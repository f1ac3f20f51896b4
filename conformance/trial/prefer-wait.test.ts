import t from 'tap'
import type { Exchange } from '../client/exchange.js'
import { judgeWoken, LONG_WAIT } from './prefer-wait.js'
import type { Trial } from './trial.js'

/** What is seen where an expectation does not hold. */
function judged(
  took: number,
  { status = 200, applied = 'wait=10', came = true, sending = 20 } = {},
  choose = (_point: string, _what: string) => {},
): string {
  const seen: string[] = []
  const trial = {
    target: { exchanges: [{ sentAt: 5000, receivedAt: 5000 + sending }] },
    choose,
    inconclusive(why: string): never {
      throw new Error(why)
    },
    expect(holds: boolean, expected: string) {
      if (!holds) seen.push(expected)
    },
  }
  const headers = { 'preference-applied': applied }
  const answer = { status, headers, sentAt: 0, receivedAt: took, body: Buffer.alloc(0) }
  judgeWoken(trial as unknown as Trial, answer as unknown as Exchange, came)
  return seen.join()
}

t.test('a wait is over when its message comes, and not when its time is', async (t) => {
  t.equal(judged(300), '')
  t.match(judged(LONG_WAIT * 1000), /^an answer before 10 s$/)
  t.throws(
    () => judged(LONG_WAIT * 1000, { sending: 2000 }),
    /^other answers took up to 2000 ms, and this one 10000$/,
    'a busy machine tells nothing',
  )
  t.match(judged(300, { status: 204 }), /^200 for/)
  t.match(judged(300, { came: false }), /^the message that was sent/)
  t.match(judged(300, { applied: 'none' }), /^Preference-Applied/)
})

t.test('who gives the message and says no word of waiting may only have been slow', async (t) => {
  const chosen = (how: { applied?: string; came?: boolean }) => {
    const choices: string[] = []
    judged(300, how, (point, what) => choices.push(`${point}: ${what}`))
    return choices
  }
  t.strictSame(chosen({}), ['wait: heeded'])
  t.strictSame(chosen({ applied: 'none' }), [])
  t.strictSame(chosen({ applied: 'none', came: false }), ['wait: not heeded'])
})
