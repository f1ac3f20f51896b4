import t from 'tap'
import { Problem } from '../../http/problems.js'
import { testInTime } from './test-in-time.js'

const ENDLESS = () => /(a+)+$/
const TEXT = `${'a'.repeat(60_000)}!`

function outcome(expression: RegExp, text = TEXT): boolean | string {
  try {
    return testInTime(expression, text)
  } catch (error) {
    return (error as Problem).kind
  }
}

t.test('what fits is found, with repetition and without', async (t) => {
  t.same(
    [/^a/, /b|!$/, /^b/, /^a+!$/, /^(?:a*)b/].map((expression) => outcome(expression)),
    [true, true, false, true, false],
  )
})

t.test(
  'an expression that would not come to an end is refused, soon, and at once from then on',
  async (t) => {
    const endless = ENDLESS()
    const before = process.cpuUsage()
    t.equal(outcome(endless), 'malformed-request')
    const { user } = process.cpuUsage(before)
    t.ok(user < 500_000, `${user} µs`)
    t.throws(() => testInTime(endless, 'a'), Problem)
    t.equal(outcome(/^a+!$/), true, 'others are not concerned')
  },
)

t.test('what takes little for any text may be asked as often as there are texts', async (t) => {
  for (const expression of [/^order-\d+$/, /^order-(1|2)$/i, /^[a-z]*-.+$/])
    for (let n = 0; n < 20_000; n++) testInTime(expression, 'order-2')
  t.equal(outcome(/^(?:order)+-2$/, 'order-2'), true, 'there is time left for others')
})

t.test('many of them take no longer together than one turn of the event loop may', async (t) => {
  const before = process.cpuUsage()
  t.same(
    Array.from({ length: 100 }, () => outcome(ENDLESS())),
    Array(100).fill('malformed-request'),
  )
  t.throws(
    () => testInTime(/(a)+/, TEXT),
    { message: /together; look for texts/ },
    'this one alone is not to blame',
  )
  const { user } = process.cpuUsage(before)
  t.ok(user < 1_000_000, `${user} µs`)
  await new Promise((resolve) => setImmediate(resolve))
  t.equal(outcome(/^a+!$/), true, 'the next turn has time again')
})
