import t from 'tap'
import { Inconclusive } from '../client/findings.js'
import { LeaseBudget } from './lease-budget.js'
import { answerOf } from './trial.test.helper.js'

/** A budget at a clock of its own, of a target that answers in 10 ms. */
function budgetAt() {
  const clock = { now: 0 }
  const exchanges: ReturnType<typeof answerOf>[] = []
  const budget = new LeaseBudget({ timing: { latency: 10, held: 0 }, exchanges, now: () => clock.now })
  const ask = (count: number) => {
    for (let asked = 0; asked < count; asked++) {
      exchanges.push({ ...answerOf(''), sentAt: clock.now, receivedAt: clock.now + 10 })
      clock.now += 10
    }
  }
  const spend = (milliseconds: number) =>
    budget.spend(async () => {
      clock.now += milliseconds
    })
  return { budget, clock, ask, spend }
}

t.test('what is left ends so early that a look is still answered while the lease surely lasts', (t) => {
  const { budget, clock } = budgetAt()
  t.equal(budget.left(), Number.POSITIVE_INFINITY)
  budget.watch('a', 2000, 0)
  budget.watch('b', 1000, 0)
  t.equal(budget.left(), 0.9 * 1000 - 50 - 30)
  clock.now = 850
  t.equal(budget.uncertain(), undefined)
  clock.now = 851
  t.match(budget.uncertain(), /^the lease of b \(1000 ms\) may have ended/)
  t.throws(() => budget.need(), { name: 'Inconclusive', message: /came when the lease of b/ })
  budget.giveUp()
  t.equal(budget.uncertain(), undefined, 'the check lets it end')
  t.end()
})

t.test(
  'a lease is too short by all that was asked in turn, looks as well as deeds, and all that was waited',
  async (t) => {
    const { budget, clock, ask, spend } = budgetAt()
    budget.watch('a', 1000, 0)
    ask(40)
    await spend(440)
    t.equal(budget.tooShort(), undefined, '840 ms of 850')
    ask(2)
    t.equal(
      budget.tooShort(),
      'the lease of a (1000 ms) is too short for the question: 42 requests in turn and 440 ms of settling take 860 ms, and 850 ms are sure',
    )
    const other = budgetAt()
    other.budget.watch('a', 1000, 0)
    await Promise.all([other.spend(400), other.spend(0)])
    other.clock.now = 2000
    other.ask(10)
    t.equal(other.budget.tooShort(), undefined, 'the time of nobody knows what is not its own')
    clock.now = 0
  },
)

t.test('what a wait would have needed counts', (t) => {
  const { budget, ask } = budgetAt()
  budget.watch('a', 1000, 0)
  ask(50)
  t.throws(() => budget.tooLittle(600), new Inconclusive('the lease leaves no time for the effect to show'))
  t.match(budget.tooShort(), /50 requests in turn and 630 ms of settling take 1130 ms/)
  t.end()
})

t.test('a lease that may have been over before it was used does not begin anew', (t) => {
  const { budget, clock } = budgetAt()
  const watch = budget.watch('a', 1000, 0)
  clock.now = 900
  watch.used()
  watch.renewed(900)
  t.match(budget.uncertain(), /the lease of a/)
  t.equal(watch.began, 0)
  t.end()
})

t.test('a lease of which nobody knows how long it is excuses, and hurries nothing', (t) => {
  const { budget, clock } = budgetAt()
  budget.watch('a', 1000, 0, false)
  t.equal(budget.left(), Number.POSITIVE_INFINITY)
  clock.now = 851
  budget.need()
  t.match(budget.uncertain(), /^the lease of a \(1000 ms\) may have ended/)
  t.equal(budget.tooShort(), undefined)
  t.end()
})
