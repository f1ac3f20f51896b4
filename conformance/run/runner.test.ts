import fc from 'fast-check'
import t from 'tap'
import type { Outcome } from '../report/verdicts.js'
import type { Grade } from '../trial/check.js'
import { passed, play, type Script, type Yield } from './play.test.helper.js'

const failed: Outcome = { kind: 'failed', expected: 'good', seen: 'bad' }
const unsure: Outcome = { kind: 'inconclusive', why: 'slow' }
const blockedBy = (by: string): Outcome => ({ kind: 'blocked', by, seen: 'not so' })

t.test('outcomes become statuses', async (t) => {
  const { statuses } = await play({
    'a.pass': {},
    'a.fail': { outcomes: [failed] },
    'a.differs': { outcomes: [failed], grade: 'chosen' },
    'a.observed': { outcomes: [{ kind: 'observed', what: 'x' }] },
    'a.error': { outcomes: [{ kind: 'error', what: 'x' }] },
    'a.unclaimed': { feature: 'batch', grade: 'optional' },
  })
  t.strictSame(statuses, {
    'a.unclaimed': 'not-applicable',
    'a.pass': 'pass',
    'a.fail': 'fail',
    'a.differs': 'differs',
    'a.observed': 'observed',
    'a.error': 'error',
  })
  t.equal(
    (await play({ 'a.a': { outcomes: [failed], grade: 'chosen' } }, { strict: true })).statuses['a.a'],
    'fail',
  )
})

t.test('a check waits for what it needs, and is blocked at once where that did not pass', async (t) => {
  const { log, statuses, tries, of } = await play({
    'c.third': { needs: ['b.second'] },
    'b.second': { needs: ['a.first'] },
    'a.first': {},
    'd.bad': { outcomes: [failed] },
    'e.on-bad': { needs: ['a.first', 'd.bad'] },
    'f.on-that': { needs: ['e.on-bad'] },
    'g.elsewhere': { needs: ['not.in-this-run'] },
  })
  t.strictSame(
    log.filter((each) => /first|second|third/.test(each)),
    ['+a.first', '-a.first', '+b.second', '-b.second', '+c.third', '-c.third'],
  )
  t.match(statuses, { 'e.on-bad': 'blocked', 'f.on-that': 'blocked', 'g.elsewhere': 'pass' })
  t.notOk(tries['e.on-bad'], 'it never began')
  t.match(of('e.on-bad'), { outcome: { by: 'd.bad', seen: /status is fail/ }, attempt: undefined })
  t.match(of('f.on-that').outcome, { by: 'e.on-bad', seen: /status is blocked/ })
})

t.test('that a success has another status blocks nothing that builds on its effect', async (t) => {
  const at = { clause: 'ack.status', step: 0, scenario: 'create a', variation: '' }
  const failed = { kind: 'failed', expected: '200', seen: '204' } as const
  for (const [isStatusAlone, status] of [
    [true, 'fail'],
    [false, 'blocked'],
  ] as const)
    for (const judgeOn of [true, false]) {
      const { statuses } = await play(
        {
          base: { outcomes: [{ ...failed, at: { ...at, isStatusAlone } }] },
          above: { needs: ['base'], outcomes: [failed] },
        },
        { judgeOn },
      )
      t.strictSame(statuses, { base: 'fail', above: status })
    }
})

t.test('what a target does where the document is silent is told, whatever else has failed', async (t) => {
  const scripts = { base: { outcomes: [failed] }, above: { needs: ['base'], outcomes: [failed] } }
  const above = { ...scripts.above, grade: 'chosen' } as const
  const { statuses } = await play({ ...scripts, above }, { judgeOn: true })
  t.strictSame(statuses, { base: 'fail', above: 'differs' })
  const strict = await play({ ...scripts, above }, { judgeOn: true, strict: true })
  t.strictSame(strict.statuses, { base: 'fail', above: 'blocked' })
})

t.test('where many are blocked, some are asked by themselves, and the rest where that helps', async (t) => {
  const many = (count: number, ...outcomes: Outcome[]) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`above.${at}`, { needs: ['base'], outcomes }]),
    )
  const base = { outcomes: [failed] }
  let cleared = 0
  const options = {
    judgeOn: true,
    clear: async () => {
      cleared += 1
    },
  }
  const helped = await play({ base, ...many(9, blockedBy('base'), passed) }, options)
  t.strictSame([...new Set(Object.values(helped.statuses))], ['fail', 'pass'])
  t.equal(helped.count, 10, 'each has one finding in the end')
  t.equal(cleared, 1)
  t.equal(helped.most, 8)
  t.ok(
    helped.log.slice(-18).every((each, at) => each[0] === (at % 2 === 0 ? '+' : '-')),
    'one after another',
  )

  const vain = await play({ base, ...many(9, blockedBy('base'), failed) }, options)
  t.strictSame(Object.values(vain.tries).toSorted(), [1, 1, 1, 1, 1, 1, 1, 2, 2, 2].toSorted())
  t.equal(vain.of('above.0').status, 'blocked')

  const few = await play({ base, ...many(5, blockedBy('base'), passed) }, options)
  t.strictSame([...new Set(Object.values(few.tries))], [1], 'a few are left as they are')

  const abort = new AbortController()
  const during = async () => abort.abort()
  const stopped = { ...many(6, blockedBy('base'), passed), last: { needs: ['above.5'], during } }
  const { statuses } = await play({ base, ...stopped }, { ...options, signal: abort.signal })
  t.equal(statuses['above.0'], 'blocked')
  t.equal(cleared, 2)
})

t.test('what a check builds on may be observed or not applicable, and nothing else but passed', async (t) => {
  const { statuses } = await play({
    'a.observed': { outcomes: [{ kind: 'observed', what: 'x' }] },
    'a.unclaimed': { feature: 'batch' },
    'a.error': { outcomes: [{ kind: 'error', what: 'x' }] },
    'a.unsure': { outcomes: [unsure] },
    'b.on-observed': { needs: ['a.observed'] },
    'b.on-unclaimed': { needs: ['a.unclaimed'] },
    'b.on-error': { needs: ['a.error'] },
    'b.on-unsure': { needs: ['a.unsure'] },
  })
  t.match(statuses, {
    'b.on-observed': 'pass',
    'b.on-unclaimed': 'pass',
    'b.on-error': 'blocked',
    'b.on-unsure': 'blocked',
  })
})

t.test(
  'what builds on a choice that the target does not share does not apply, if it is a choice too',
  async (t) => {
    const scripts: Record<string, Script> = {
      'a.choice': { outcomes: [failed], grade: 'chosen' },
      'b.choice': { needs: ['a.choice'], grade: 'chosen' },
      'b.thrown': { outcomes: [blockedBy('a.choice')], grade: 'chosen' },
      'b.stated': { needs: ['a.choice'] },
    }
    const { statuses, of } = await play(scripts)
    t.match(statuses, { 'b.choice': 'not-applicable', 'b.thrown': 'not-applicable', 'b.stated': 'blocked' })
    t.match(of('b.choice').outcome, { why: 'it builds on a.choice, where the target does otherwise' })
    t.match((await play(scripts, { strict: true })).statuses, {
      'b.choice': 'blocked',
      'b.thrown': 'blocked',
    })
  },
)

t.test('inconclusive is asked once more, alone, and those that need it wait', async (t) => {
  const { log, statuses, tries } = await play({
    'a.unsure': { outcomes: [unsure, passed] },
    'b.needs-it': { needs: ['a.unsure'] },
    'c.other': { during: () => new Promise((resolve) => setTimeout(resolve, 20)) },
    'd.never-sure': { outcomes: [unsure] },
    'e.too-much': { outcomes: [{ ...unsure, inconclusiveReason: 'limit' }] },
  })
  t.match(statuses, { 'a.unsure': 'pass', 'b.needs-it': 'pass', 'd.never-sure': 'inconclusive' })
  t.equal(statuses['e.too-much'], 'inconclusive')
  t.match(
    tries,
    { 'a.unsure': 2, 'd.never-sure': 2, 'c.other': 1, 'e.too-much': 1 },
    'more is there each time',
  )
  const again = log.lastIndexOf('+a.unsure')
  t.ok(again > log.indexOf('-c.other'), 'after all that could run')
  t.equal(log[again + 1], '-a.unsure', 'with nothing beside it')
  t.ok(log.indexOf('+b.needs-it') > again)
})

t.test('what ran out of its leases is asked again before it is blocked', async (t) => {
  const ranOut: Outcome = { ...unsure, inconclusiveReason: 'times', mayFit: true }
  const { statuses } = await play(
    { 'a.base': { outcomes: [ranOut] }, 'b.on-it': { needs: ['a.base'], outcomes: [ranOut, passed] } },
    { judgeOn: true },
  )
  t.strictSame(statuses, { 'a.base': 'inconclusive', 'b.on-it': 'pass' })
})

t.test('what ran out of its leases is asked twice more, alone, unless they are too short', async (t) => {
  const ranOut = (mayFit: boolean): Outcome => ({ ...unsure, inconclusiveReason: 'times', mayFit })
  const { log, statuses, tries } = await play({
    'a.third': { outcomes: [ranOut(true), ranOut(true), passed] },
    'b.never': { outcomes: [ranOut(true)] },
    'c.too-short': { outcomes: [ranOut(true), ranOut(false), passed] },
    'd.other': {},
    'e.stalled': { outcomes: [{ ...unsure, inconclusiveReason: 'times' }] },
  })
  t.match(statuses, { 'a.third': 'pass', 'b.never': 'inconclusive', 'c.too-short': 'inconclusive' })
  t.match(tries, { 'a.third': 3, 'b.never': 3, 'c.too-short': 2, 'e.stalled': 2 })
  const last = log.slice(log.lastIndexOf('-d.other') + 1).filter((each) => !each.startsWith('+'))
  t.strictSame(last.slice(-6), ['-a.third', '-b.never', '-c.too-short', '-e.stalled', '-a.third', '-b.never'])
  t.ok(log.slice(-12).every((each, at) => at % 2 === 0 || `+${each.slice(1)}` === log.slice(-12)[at - 1]))
})

for (const ownClock of [false, true]) {
  t.test(
    `what runs alone comes last, one by one, its waits too${ownClock ? ', at a clock of its own' : ''}`,
    async (t) => {
      const during = (yieldPermit: Yield) =>
        yieldPermit(() => new Promise<void>((resolve) => setTimeout(resolve, 5)))
      const { log, statuses } = await play(
        {
          'a.alone': { runsAlone: true, passesTime: true, needs: ['c.long'], during },
          'b.alone': { runsAlone: true, during },
          'c.long': { passesTime: true, during: () => new Promise((resolve) => setTimeout(resolve, 20)) },
          'd.after': { needs: ['a.alone'] },
        },
        { ownClock },
      )
      t.strictSame(Object.values(statuses), ['pass', 'pass', 'pass', 'pass'])
      t.strictSame(log.slice(0, 4), ['+c.long', '-c.long', '+a.alone', '-a.alone'])
      const second = log.indexOf('+b.alone')
      t.equal(log[second + 1], '-b.alone')
    },
  )
}

t.test('inconclusive is asked once more, too, where something that it builds on has failed', async (t) => {
  const scripts: Record<string, Script> = {
    'a.base': { outcomes: [failed] },
    'b.unsure': { needs: ['a.base'], outcomes: [unsure, passed] },
    'c.never-sure': { needs: ['a.base'], outcomes: [unsure] },
  }
  const { statuses, of } = await play(scripts, { judgeOn: true })
  t.match(statuses, { 'b.unsure': 'pass', 'c.never-sure': 'blocked' })
  t.match(of('c.never-sure').outcome, { by: 'a.base' })
})

t.test('inconclusive where nothing counts is asked once', async (t) => {
  const scripts = { 'a.choice': { outcomes: [unsure, passed], grade: 'chosen' as const } }
  const { statuses, tries } = await play(scripts)
  t.match(statuses, { 'a.choice': 'inconclusive' })
  t.match(tries, { 'a.choice': 1 })
  t.match((await play(scripts, { strict: true })).statuses, { 'a.choice': 'pass' })
})

t.test('blocked by itself is failed', async (t) => {
  const { of } = await play({ 'send.post': { outcomes: [blockedBy('send.post')] } })
  t.match(of('send.post'), { status: 'fail', outcome: { expected: 'send.post holds', seen: 'not so' } })
})

t.test('blocked by a check that failed, or that is not in the run', async (t) => {
  const { statuses, of, tries } = await play({
    'a.bad': { outcomes: [failed] },
    'b.thrown': { outcomes: [blockedBy('a.bad')] },
    'c.outside': { outcomes: [blockedBy('x.y')] },
    'd.unclaimed': { feature: 'batch' },
    'e.on-unclaimed': { outcomes: [blockedBy('d.unclaimed')] },
  })
  t.match(statuses, { 'b.thrown': 'blocked', 'c.outside': 'blocked', 'e.on-unclaimed': 'blocked' })
  t.match(of('b.thrown').outcome, { by: 'a.bad', seen: 'not so' })
  t.ok(of('b.thrown').attempt, 'it did begin')
  t.equal(tries['b.thrown'], 1)
})

t.test('blocked by a check that passed is asked once more, and then is a failure', async (t) => {
  const { of, statuses, tries } = await play({
    'a.good': {},
    'b.twice': { outcomes: [blockedBy('a.good')] },
    'c.once': { outcomes: [blockedBy('a.good'), passed] },
    'd.choice': { outcomes: [blockedBy('a.good')], grade: 'chosen' },
  })
  t.match(tries, { 'b.twice': 2, 'c.once': 2 })
  t.match(statuses, { 'b.twice': 'fail', 'c.once': 'pass', 'd.choice': 'differs' })
  t.match(of('b.twice').outcome, {
    seen: 'not so; a.good, which asks that, passed',
    expected: 'here, too: a.good holds (a.good)',
  })
})

t.test(
  'what is seen beside the question costs nothing where the check that asks it has failed',
  async (t) => {
    const aside = (by: string): Outcome => ({ kind: 'blocked', by, seen: 'not so', isAside: true })
    const { of, statuses, tries } = await play({
      'a.good': {},
      'a.bad': { outcomes: [failed] },
      'b.told': { outcomes: [aside('a.bad')] },
      'b.outside': { outcomes: [aside('x.y')] },
      'b.twice': { outcomes: [aside('a.good')] },
      'b.once': { outcomes: [aside('a.good'), passed] },
    })
    t.match(statuses, { 'b.told': 'pass', 'b.outside': 'pass', 'b.twice': 'fail', 'b.once': 'pass' })
    t.match(tries, { 'b.told': 1, 'b.twice': 2, 'b.once': 2 })
    t.match(of('b.twice').outcome, { seen: 'not so; a.good, which asks that, passed' })
  },
)

t.test('blocked by a check that is not done yet is decided when it is', async (t) => {
  const slowly = () => new Promise<void>((resolve) => setTimeout(resolve, 20))
  const { statuses, tries } = await play({
    'a.slow-good': { during: slowly },
    'a.slow-bad': { during: slowly, outcomes: [failed] },
    'b.on-good': { outcomes: [blockedBy('a.slow-good'), passed] },
    'b.on-bad': { outcomes: [blockedBy('a.slow-bad')] },
    'c.needs': { needs: ['b.on-good'] },
  })
  t.match(statuses, { 'b.on-good': 'pass', 'b.on-bad': 'blocked', 'c.needs': 'pass' })
  t.match(tries, { 'b.on-good': 2, 'b.on-bad': 1 })
})

t.test(
  'what relied on a way of which another finds that it is broken is asked once more, and twice at most',
  async (t) => {
    const late = () => new Promise<void>((resolve) => setTimeout(resolve, 20))
    const { statuses, tries } = await play(
      {
        'a.way': { outcomes: [failed], reliedOn: ['a.way'], during: late },
        'b.blocked': { outcomes: [blockedBy('a.way'), passed], reliedOn: ['a.way'] },
        'b.failed': { outcomes: [failed, passed], reliedOn: ['a.way'], needs: ['a.way'] },
        'b.fails': { outcomes: [failed], reliedOn: ['a.way', 'a.other'], needs: ['a.way'] },
        'b.passed': { reliedOn: ['a.way'], needs: ['a.way'] },
        'b.unconcerned': { outcomes: [failed], reliedOn: ['a.other'] },
        'a.other': {},
      },
      { judgeOn: true },
    )
    t.strictSame(statuses, {
      'a.way': 'fail',
      'b.blocked': 'pass',
      'b.failed': 'pass',
      'b.fails': 'blocked',
      'b.passed': 'pass',
      'b.unconcerned': 'fail',
      'a.other': 'pass',
    })
    const again = Object.entries(tries).filter(([, count]) => count > 1)
    t.strictSame(Object.fromEntries(again), { 'b.blocked': 2, 'b.failed': 2, 'b.fails': 3 })
  },
)

t.test('what came to nothing on a way is judged when the check of that way is over', async (t) => {
  const late = () => new Promise<void>((resolve) => setTimeout(resolve, 20))
  const { statuses, tries } = await play(
    {
      'a.way': { outcomes: [failed], during: late },
      'a.good': { during: late },
      'b.failed': { outcomes: [failed, passed], reliedOn: ['a.way', 'a.good'] },
      'b.needs': { outcomes: [failed, passed], reliedOn: ['a.way'], needs: ['b.failed'] },
      'b.fails': { outcomes: [failed], reliedOn: ['a.good'] },
      'c.one': { outcomes: [failed], reliedOn: ['c.other'] },
      'c.other': { outcomes: [failed], reliedOn: ['c.one'] },
    },
    { judgeOn: true },
  )
  t.strictSame(statuses, {
    ...{ 'a.way': 'fail', 'a.good': 'pass', 'b.failed': 'pass', 'b.needs': 'pass', 'b.fails': 'fail' },
    ...{ 'c.one': 'fail', 'c.other': 'fail' },
  })
  t.match(tries, { 'b.failed': 2, 'b.needs': 2, 'b.fails': 1 })
})

t.test('circles end', async (t) => {
  const thrown = await play({ 'a.a': { outcomes: [blockedBy('b.b')] }, 'b.b': { needs: ['a.a'] } })
  t.strictSame(thrown.statuses, { 'a.a': 'blocked', 'b.b': 'blocked' })
  const needed = await play({ 'a.a': { needs: ['b.b'] }, 'b.b': { needs: ['a.a'] }, 'c.c': {} })
  t.match(needed.statuses, { 'a.a': 'error', 'b.b': 'error', 'c.c': 'pass' })
  t.match(needed.of('a.a').outcome, { what: 'its needs form a circle: b.b' })
})

t.test(
  'where all that prove a clause find it broken before they judge it, they are blocked by it',
  async (t) => {
    const at = { clause: 'consume.delivered', step: 0, scenario: 'create a', variation: '' }
    const script = {
      clauses: ['consume.delivered'],
      outcomes: [{ kind: 'blocked', by: at.clause, seen: 'not so', at } as const],
    }
    const { of } = await play({ 'a.a': script, 'b.b': script })
    for (const id of ['a.a', 'b.b'])
      t.match(of(id), { status: 'blocked', outcome: { by: 'consume.delivered' } })
  },
)

t.test('no more at once than there are permits', async (t) => {
  const scripts = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`a.c${index}`, {}]))
  t.equal((await play(scripts, { jobs: 3 })).most, 3)
  t.equal((await play(scripts, { jobs: 1 })).most, 1)
  t.equal((await play({}, {})).count, 0, 'an empty plan ends too')
})

t.test('checks that wait give their place away, so that all waits are side by side', async (t) => {
  // Each waits until all six do, and the others are done: one that kept its place would wait for ever.
  let [waits, done] = [0, 0]
  let goOn = () => {}
  const over = new Promise<void>((resolve) => {
    goOn = () => {
      if (waits === 6 && done === 6) resolve()
    }
  })
  const wait = () => {
    waits += 1
    goOn()
    return over
  }
  const waiting = Array.from({ length: 6 }, (_, index): [string, Script] => [
    `lease.w${index}`,
    { passesTime: true, during: (yieldPermit) => yieldPermit(wait) },
  ])
  const act = async () => {
    done += 1
    goOn()
  }
  const others = Array.from({ length: 6 }, (_, index): [string, Script] => [`ack.o${index}`, { during: act }])
  const { log, most } = await play(Object.fromEntries([...others, ...waiting]), { jobs: 2 })
  t.equal(most, 2)
  t.strictSame(log.slice(0, 6).filter((each) => each.startsWith('+lease')).length, 6, 'they start first')
})

t.test('where the root listing is slow, who reads it is done before others begin', async (t) => {
  const scripts = {
    'a.other': {},
    'a.needed': {},
    'a.root': { needs: ['a.needed'], readsRoot: true },
    'a.late': { needs: ['a.needed'] },
  }
  const slow = await play(scripts, { isRootSlow: () => true })
  t.strictSame(slow.log.slice(0, 4), ['+a.needed', '-a.needed', '+a.root', '-a.root'])
  t.equal(slow.count, 4)
  t.strictSame((await play(scripts)).log[0], '+a.needed')
  t.equal((await play(scripts)).log[1], '+a.other', 'and otherwise beside them')
})

t.test('with a clock of the target, checks that pass time run after the others, side by side', async (t) => {
  const slowly = () => new Promise<void>((resolve) => setTimeout(resolve, 10))
  const scripts = {
    'lease.a': { passesTime: true, during: slowly },
    'lease.b': { passesTime: true, during: slowly },
    'lease.c': { passesTime: true, needs: ['ack.c'] },
    'ack.a': { during: slowly },
    'ack.b': { during: slowly },
    'ack.c': { needs: ['lease.b'] },
  }
  const { log } = await play(scripts, { ownClock: true })
  t.strictSame(log.slice(0, 2), ['+ack.a', '+ack.b'])
  t.strictSame(log.slice(4, 6), ['+lease.b', '+lease.a'])
  t.strictSame(log.slice(8), ['+ack.c', '-ack.c', '+lease.c', '-lease.c'])
  const waited = await play(scripts, { ownClock: false })
  t.strictSame(waited.log.slice(0, 4), ['+lease.b', '+lease.a', '+ack.a', '+ack.b'])
})

t.test('a stopped run gives every check its finding', async (t) => {
  const stopping = new AbortController()
  const { statuses, tries } = await play(
    {
      'a.unsure': { outcomes: [unsure, passed] },
      'b.stops': { during: async () => stopping.abort(), needs: ['a.unsure-not-here'] },
      'c.later': { needs: ['b.stops'] },
      'd.undecided': { outcomes: [blockedBy('c.later')] },
    },
    { signal: stopping.signal },
  )
  t.strictSame(Object.keys(statuses).sort(), ['a.unsure', 'b.stops', 'c.later', 'd.undecided'])
  t.match(statuses, { 'a.unsure': 'inconclusive', 'c.later': 'inconclusive', 'd.undecided': 'blocked' })
  t.equal(tries['a.unsure'], 1)
})

t.test(
  'whatever checks need and however they come out, each gets one finding, and none runs too early',
  async (t) => {
    const outcome = fc.oneof(
      fc.constantFrom(passed, failed, unsure, { kind: 'error', what: 'x' } as const),
      fc.nat({ max: 9 }).map((index) => blockedBy(`a.c${index}`)),
    )
    const script = fc.record({
      outcomes: fc.array(outcome, { minLength: 1, maxLength: 3 }),
      needs: fc.array(
        fc.nat({ max: 9 }).map((index) => `a.c${index}`),
        { maxLength: 2 },
      ),
      passesTime: fc.boolean(),
      grade: fc.constantFrom<Grade>('stated', 'chosen'),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(script, { minLength: 1, maxLength: 8 }),
        fc.boolean(),
        fc.integer({ min: 1, max: 4 }),
        async (list, ownClock, jobs) => {
          const scripts = Object.fromEntries(list.map((each, index) => [`a.c${index}`, each]))
          const { statuses, count, log } = await play(scripts, { ownClock, jobs })
          const began = (id: string) => log.indexOf(`+${id}`)
          const inOrder = Object.entries(scripts).every(
            ([id, { needs }]) =>
              began(id) === -1 ||
              needs.every((need) => !(need in scripts) || log.lastIndexOf(`-${need}`) < began(id)),
          )
          return count === list.length && Object.keys(statuses).length === list.length && inOrder
        },
      ),
      { numRuns: 300 },
    )
    t.pass()
  },
)

t.test('what cannot be asked is inconclusive at once, and blocks what builds on it', async (t) => {
  const { statuses, of, tries } = await play(
    { 'a.root': {}, 'a.leaf': { needs: ['a.root'] }, 'a.other': {} },
    { skipReason: ({ id }) => (id === 'a.root' ? 'nobody knows.' : undefined) },
  )
  t.strictSame(statuses, { 'a.root': 'inconclusive', 'a.leaf': 'blocked', 'a.other': 'pass' })
  t.strictSame(of('a.root').outcome, {
    kind: 'inconclusive',
    why: 'nobody knows.',
    inconclusiveReason: 'profile',
  })
  t.strictSame(tries, { 'a.other': 1 })
})

t.test('what waits until the others are over goes on when nothing else is left to be asked', async (t) => {
  const late: Script = { during: (rest, othersAreOver) => rest(othersAreOver) }
  const others = Object.fromEntries(['c', 'd', 'e'].map((id) => [`${id}.other`, {}]))
  for (const options of [{ jobs: 1 }, { jobs: 8 }]) {
    const { log, count } = await play({ 'a.late': late, 'b.late': late, ...others }, options)
    t.equal(count, 5)
    t.strictSame(
      [log.slice(0, 2), log.slice(-2).sort()],
      [
        ['+a.late', '+b.late'],
        ['-a.late', '-b.late'],
      ],
    )
  }
  const alone = await play({
    'a.late': late,
    'b.alone': { runsAlone: true },
    'c.other': { outcomes: [unsure, passed] },
  })
  t.equal(alone.log.at(-1), '-a.late', 'nor alone, nor again')
  const few = await play({ 'a.late': late, 'b.other': {} }, { atMost: () => 1 })
  t.strictSame(few.log, ['+a.late', '-a.late', '+b.other', '-b.other'], 'or where nothing else may begin')
  const again = await play({ 'a.late': { ...late, outcomes: [unsure, passed] }, 'b.other': {} })
  t.match(again, { statuses: { 'a.late': 'pass' }, tries: { 'a.late': 2 } })
})

t.test(
  'what runs alone when the others are over does so by itself, before all else that waits for that',
  async (t) => {
    const seen: string[] = []
    const late = (id: string, own: Script = {}): Record<string, Script> => ({
      [id]: {
        asksLate: true,
        during: async (rest, othersAreOver) => {
          await rest(othersAreOver)
          seen.push(`+${id}`)
          await rest(() => new Promise((resolve) => setTimeout(resolve, 5)))
          seen.push(`-${id}`)
        },
        ...own,
      },
    })
    const scripts = {
      ...late('a.late'),
      ...late('b.alone-late', { runsAlone: true }),
      ...late('c.alone-late', { runsAlone: true }),
      'd.other': { outcomes: [unsure, passed] },
    }
    const { log } = await play(scripts, { onLate: () => seen.push('late') })
    t.strictSame(log.slice(0, 3), ['+a.late', '+b.alone-late', '+c.alone-late'], 'all begin with the others')
    const [first, second] = [seen[0]!.slice(1), seen[2]!.slice(1)]
    t.strictSame([first, second].sort(), ['b.alone-late', 'c.alone-late'])
    const alone = [`+${first}`, `-${first}`, `+${second}`, `-${second}`]
    t.strictSame(seen, [...alone, 'late', '+a.late', '-a.late'])

    const clock = await play({ 'b.other': {}, ...late('a.alone', { runsAlone: true }) }, { ownClock: true })
    t.strictSame(
      clock.log,
      ['+b.other', '-b.other', '+a.alone', '-a.alone'],
      'by a clock, from its beginning on',
    )
  },
)
