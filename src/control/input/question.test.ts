import fc from 'fast-check'
import t from 'tap'
import {
  blamingCaller,
  difference,
  differences,
  FailedExpectation,
  fitsAll,
  nearest,
  type Question,
} from './question.js'

const asks = (at: string, wanted: string): Question<Record<string, string>> => ({
  ...{ at, wanted, says: wanted },
  fits: (shown) => shown[at] === wanted,
  seen: (shown) => shown[at],
})

t.test(
  'what fits all is nearest, then what fits most, then what looks most alike; of equals the latest',
  (t) => {
    const questions = [asks('method', 'POST'), asks('path', '/queues/orders')]
    const post = { method: 'POST', path: '/subscriptions' }
    const misspelt = { method: 'POST', path: '/queues/order' }
    const right = { method: 'POST', path: '/queues/orders' }
    t.equal(nearest(questions, [right, misspelt, post]), right)
    t.equal(nearest(questions, [misspelt, post]), misspelt)
    t.equal(nearest(questions, [{ ...post }, post]), post)
    t.equal(nearest(questions, [{ method: '', path: '' }]), undefined)
    t.equal(nearest(questions, []), undefined)
    t.equal(differences(questions, { method: 'POST' }), 'path is not there, not /queues/orders')
    t.equal(differences([asks('body', 'a')], { body: 'b'.repeat(300) }), `body is ${'b'.repeat(200)}…, not a`)
    t.end()
  },
)

t.test('a difference is empty just where everything fits', (t) => {
  const text = fc.constantFrom('', 'a', 'ab', 'b')
  fc.assert(
    fc.property(fc.dictionary(text, text), fc.dictionary(text, text), (wanted, shown) => {
      const questions = Object.entries(wanted).map(([at, value]) => asks(at, value))
      const { expected, actual } = difference(questions, shown)
      const same = JSON.stringify(expected) === JSON.stringify(actual)
      return same === fitsAll(questions)(shown) && same === (differences(questions, shown) === '')
    }),
  )
  t.end()
})

t.test(
  'runners know a failed expectation for an assertion, and print no more than its story and the difference',
  (t) => {
    const error = new FailedExpectation(
      'missing-message',
      'It is not there.',
      { expected: 1, actual: 2 },
      { more: 3 },
    )
    t.equal(error.code, 'ERR_ASSERTION')
    t.match(error.stack, /^AssertionError|^Error: It is not there/)
    t.same(Object.keys(error).sort(), ['actual', 'expected'])
    t.same(error.facts, { more: 3, expected: 1, actual: 2 })
    t.end()
  },
)

t.test('a failure points at the line that called, at once or later', async (t) => {
  const failure = () =>
    new FailedExpectation('missing-message', 'It is not there.', { expected: 1, actual: 2 })
  const fails = function inTheServer(): never {
    throw failure()
  }
  const here = /^AssertionError: It is not there\.\n {4}at .*question\.test/
  const atOnce = blamingCaller(fails)
  const later = blamingCaller(async () => {
    await new Promise((resolve) => setImmediate(resolve))
    return fails()
  })
  const stacks = [
    (() => {
      try {
        return atOnce()
      } catch (error) {
        return (error as Error).stack
      }
    })(),
    await later().catch((error: Error) => error.stack),
  ]
  for (const stack of stacks) {
    t.match(stack, here)
    t.notMatch(stack, /inTheServer/)
  }
  const other = new Error('otherwise')
  t.throws(
    blamingCaller(() => {
      throw other
    }),
    { message: 'otherwise' },
  )
  t.equal(blamingCaller((one: number) => one + 1)(1), 2)
})
