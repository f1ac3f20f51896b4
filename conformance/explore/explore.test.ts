import t from 'tap'
import { DEFAULT_PROFILE, parseProfile } from '../client/parse-profile.js'
import { parse } from '../scenario/parse.js'
import { print } from '../scenario/print.js'
import { DIFFERENCES, type Step } from '../scenario/step.js'
import { flat, needsOf } from '../scenario/variations.js'
import { answerOf } from '../trial/trial.test.helper.js'
import type { Counterexample, Exploration } from './explore.js'
import { generate, prefetchesFor } from './generate.js'
import { queuesFor } from './queue-names.js'
import { Random } from './random.js'
import { explorationReport } from './report.js'
import { shrink } from './shrink.js'
import type { GenerateOptions } from './single-steps.js'

const features = { ...DEFAULT_PROFILE.features }
const all = Object.fromEntries(Object.keys(features).map((feature) => [feature, true])) as typeof features
const none = Object.fromEntries(Object.keys(features).map((feature) => [feature, false])) as typeof features
const OPTIONS: GenerateOptions = {
  features: all,
  queues: { plain: ['a', 'ab', 'b', 'a/b', 'a/c'], alike: [['ab', 'aB']] },
  parties: [{}, { Authorization: 'Bearer another' }],
  guids: true,
  anyBodies: true,
  many: true,
  prefetches: [1, 2],
  mostPrefetch: 1000,
  waitsOneIn: 1,
  lease: 30_000,
}

const many = (options: GenerateOptions) =>
  Array.from({ length: 300 }, (_, run) => generate(7, run, options)).flat()
const kinds = (steps: readonly Step[]) => new Set(steps.map((each) => each.do))

t.test('a seed and a number give one scenario, and others give others', (t) => {
  t.same(generate(1, 2, OPTIONS), generate(1, 2, OPTIONS))
  t.notSame(generate(1, 2, OPTIONS), generate(1, 3, OPTIONS))
  t.notSame(generate(1, 2, OPTIONS), generate(2, 2, OPTIONS))
  t.end()
})

t.test('scenarios have steps of every kind, and need no feature that is not claimed', (t) => {
  t.equal(kinds(many(OPTIONS)).size, 25)
  const plain = many({ ...OPTIONS, features: none, waitsOneIn: 1_000_000, lease: undefined })
  t.same(needsOf(plain), [])
  t.notOk(kinds(plain).has('wait'))
  t.notOk(kinds(plain).has('advance'), 'and time passes only where it can be moved')
  const cuts = many(OPTIONS).flatMap(({ cut }) => cut ?? [])
  t.same([...new Set(cuts)].sort(), ['after', 'before', 'unread', 'within'], 'some requests are cut')
  const parties = many(OPTIONS).flatMap(({ as }) => as ?? [])
  t.same([...new Set(parties)].sort(), ['another', 'nobody'])
  t.end()
})

t.test('any two operations meet, and messages are few or thousands', (t) => {
  const scenarios = Array.from({ length: 2000 }, (_, run) => generate(7, run, OPTIONS))
  const meetings = scenarios
    .flat()
    .flatMap((step) => (step.do === 'together' ? [new Set(step.steps.map((each) => each.do))] : []))
  const meet = (one: Step['do'], other: Step['do']) =>
    meetings.some((kinds) => kinds.has(one) && kinds.has(other) && (one !== other || kinds.size === 1))
  for (const [one, other] of [
    ['delete', 'send'],
    ['end', 'read'],
    ['lock', 'lock'],
    ['take', 'take'],
    ['ack', 'end'],
    ['subscribe', 'send'],
    ['create', 'delete'],
    ['next', 'done'],
    ['send', 'repeat'],
  ] as const)
    t.ok(meet(one, other), `${one} beside ${other}`)
  const sizes = scenarios.map((steps) =>
    Math.max(...steps.map((step) => (step.do === 'send' ? step.messages.length : 0))),
  )
  t.same(
    [1, 30, 110, 1100, 2100].filter((size) => !sizes.includes(size)),
    [],
  )
  t.end()
})

t.test('whatever a step may say, some scenario says', (t) => {
  const steps = flat(Array.from({ length: 2000 }, (_, run) => generate(7, run, OPTIONS)).flat())
  const says = (what: string, is: (step: Step) => boolean) => t.ok(steps.some(is), what)
  says('a message without a byte', (step) => step.do === 'send' && step.empty === true)
  says('one of each byte', (step) => step.do === 'send' && step.every === true)
  says('one that is no text', (step) => step.do === 'send' && step.bytes !== undefined)
  says('one of more than a mebibyte', (step) => step.do === 'send' && (step.size ?? 0) > 2 ** 20)
  says('another of its body', (step) => step.do === 'send' && step.like !== undefined)
  says('another in its place', (step) => step.do === 'repeat' && step.changed === true)
  says('another type', (step) => step.do === 'repeat' && step.retyped === true)
  for (const each of DIFFERENCES)
    says(each, (step) => step.do === 'send' && typeof step.guid === 'object' && step.guid.in === each)
  for (const guid of ['long', 'number'])
    says(`a ${guid} guid`, (step) => step.do === 'send' && step.guid === guid)
  says('a wildcard', (step) => step.do === 'subscribe' && step.to.some((each) => each.endsWith('/*')))
  says('a selector', (step) => step.do === 'subscribe' && step.selector === 'red')
  says('as many as are granted', (step) => step.do === 'subscribe' && step.atMost === true)
  says('an ack of what nobody was shown', (step) => step.do === 'ack' && step.messages.includes('unknown'))
  says('the same of a consumer by id', (step) => step.do === 'done' && step.message === 'unknown')
  says('acks in a POST', (step) => step.do === 'ack' && step.reads === true)
  says('acks in a lock call', (step) => step.do === 'ack' && step.locks !== undefined)
  says('acks backwards', (step) => step.do === 'ack' && step.order === 'backwards')
  says('the end of one lease', (step) => step.do === 'wait' && 'consumer' in step)
  says('a category', (step) => step.do === 'list' && step.path !== undefined)
  t.end()
})

t.test('many acknowledgements of one consumer meet', (t) => {
  const bursts = many(OPTIONS).flatMap((step) => (step.do === 'together' ? [step.steps] : []))
  const most = bursts.map((steps) => {
    const acked = steps.flatMap((each) => (each.do === 'ack' ? `${each.consumer} ${each.messages}` : []))
    return new Set(acked).size
  })
  t.equal(Math.max(...most), 4)
  t.end()
})

t.test('a queue comes below a wildcard, and more messages than its consumer asked for', (t) => {
  const scenarios = Array.from({ length: 1000 }, (_, run) => generate(7, run, OPTIONS))
  const comes = scenarios.some((steps) =>
    steps.some((step, at) => {
      if (step.do !== 'subscribe' || step.to.length > 1 || !step.to[0]!.endsWith('/*')) return false
      const [create, send] = steps.slice(at + 1, at + 3)
      const isNew =
        create?.do === 'create' &&
        !steps.slice(0, at).some((each) => 'queue' in each && each.queue === create.queue)
      return (
        isNew &&
        send?.do === 'send' &&
        send.queue === create.queue &&
        send.messages.length > (step.prefetch ?? 0)
      )
    }),
  )
  t.ok(comes)
  t.end()
})

t.test('a scenario is text that says the same', (t) => {
  for (let run = 0; run < 300; run++) {
    const scenario = generate(7, run, OPTIONS)
    t.same(parse(print(scenario)), scenario)
  }
  t.end()
})

t.test('of the alternative mappings, a scenario has those that are claimed', (t) => {
  const own = {
    'single-path': ['take'],
    'one-at-a-time': ['done', 'join', 'leave', 'next'],
    batch: ['done', 'fetch', 'join', 'leave', 'lock'],
  } as const
  const alternatives: readonly string[] = Object.values(own).flat()
  for (const [feature, expected] of Object.entries(own)) {
    const seen = kinds(many({ ...OPTIONS, features: { ...none, [feature]: true } }))
    t.same([...seen].filter((each) => alternatives.includes(each)).sort(), expected, feature)
  }
  t.end()
})

t.test('a scenario keeps to what a profile allows', (t) => {
  t.same(queuesFor(DEFAULT_PROFILE).plain, ['a', 'ab', 'b', 'a/b', 'a/c', 'c/a', 'c/b/a', 'c/b/b'])
  t.same(queuesFor(parseProfile({ queueNames: { maxSegments: 1 } })).plain, ['a', 'ab', 'b'])
  const { alike } = queuesFor(parseProfile({ queueNames: { characters: 'a-z0-9' } }))
  t.notOk(alike.flat().some((name) => /[^a-z0-9/-]/.test(name)))
  t.match(alike, [['a/b', 'ab/b']])
  t.same(prefetchesFor(DEFAULT_PROFILE).slice(0, 3), [1, 2, 3])
  const own = parseProfile({ subscription: { parameters: { prefetch: null }, maxPrefetch: 7 } })
  t.same(prefetchesFor(own), [7])
  t.end()
})

t.test('numbers of a seed are spread, and each as likely as its weight', (t) => {
  const random = new Random(3)
  const drawn = Array.from({ length: 4000 }, () =>
    random.weighted([
      [3, 'much'],
      [1, 'little'],
      [0, 'never'],
    ]),
  )
  const part = drawn.filter((each) => each === 'much').length / drawn.length
  t.ok(part > 0.7 && part < 0.8, `${part}`)
  t.notOk(drawn.includes('never'))
  t.throws(() => random.weighted([]))
  t.end()
})

t.test('a failing scenario is made as short and as simple as it can be', async (t) => {
  const noise: Step[] = Array.from({ length: 30 }, () => ({ do: 'list' }))
  const send: Step = { do: 'send', queue: 'a', messages: ['m1'], by: 'guid', like: 'm0', cut: 'within' }
  const read: Step = {
    do: 'together',
    steps: [{ do: 'read', consumer: 'A' }, { do: 'list' }, { do: 'list' }],
  }
  const subscribe: Step = { do: 'subscribe', consumer: 'A', to: ['a', 'b'], prefetch: 1 }
  const long = [...noise, send, ...noise, subscribe, read, ...noise]
  const has = (steps: readonly Step[], what: Step['do']) => flat(steps).some((each) => each.do === what)
  let asked = 0
  const short = await shrink(
    long,
    async (steps) => {
      asked += 1
      return has(steps, 'send') && has(steps, 'read') && has(steps, 'subscribe')
    },
    500,
  )
  t.equal(print(short), 'send m1 to a\nsubscribe A to a\nread A\n')
  t.ok(asked < 200, `asked ${asked} times`)
  t.same(await shrink(long, async () => true, 0), long, 'and left alone where nothing may be asked')
  const thousands = Array.from({ length: 5_000 }, (): Step => ({ do: 'list' }))
  t.same(
    await shrink(thousands, async () => false, 10),
    thousands,
    'without a look at each pair of thousands',
  )
})

t.test('queues and consumers become one, and what belongs together goes together', async (t) => {
  const long = parse(
    "create a; create b; send m1..m110 to b; delete b; create b; subscribe A to a,a/* prefetch 1 selector colour = 'red'; " +
      'repeat m1 changed to a; ack A 3rd; ack A each backwards; done X last; read B',
  )
  const count = (steps: readonly Step[], what: Step['do']) => steps.filter((each) => each.do === what).length
  // Some queue is there, many messages are, and somebody reads who has subscribed.
  const short = await shrink(long, async (steps) => {
    const many = steps.find((each) => each.do === 'send')
    const kept = ['subscribe', 'repeat', 'done', 'read'] as const
    const isWhole = kept.every((each) => count(steps, each) === 1) && count(steps, 'ack') === 2
    return (
      isWhole && count(steps, 'create') === count(steps, 'delete') + 1 && (many?.messages.length ?? 0) > 20
    )
  })
  const shortest =
    'create a; send m1..m21 to a; subscribe A to a; repeat m1; ack A 1st; ack A each backwards; done A 1st; read A'
  t.same(short, parse(shortest))
})

const counterexample: Counterexample = {
  ...{ clause: 'ack.final.other', expected: 'nothing', seen: 'm1' },
  scenario: [{ do: 'create', queue: 'a' }],
  told: [
    {
      ...{
        step: { do: 'create', queue: 'a' },
        came: '201',
        passedOver: 'no',
        actions: [],
        answered: undefined,
      },
      ...{ exchanged: 1, time: 0, worlds: 1, expects: () => '201', stands: () => [], nameOf: (key) => key },
      whereabouts: () => ({ queues: ['a'], consumers: [], messages: [] }),
    },
  ],
  ...{ exchanges: [], run: 3, began: 0 },
}
const exploration: Exploration = {
  ...{ seed: 1, started: new Date(0), seconds: 1, planned: 5, walked: 5, requests: 100 },
  ...{ unanswered: { count: 0, first: [] } },
  ...{ counterexample: undefined, unconfirmed: [], stopped: false },
}

t.test('the report of an exploration', (t) => {
  const report = (more: Partial<Exploration>) =>
    explorationReport('http://127.0.0.1:1', DEFAULT_PROFILE, { ...exploration, ...more }, false)
  const statuses = (more: Partial<Exploration>) =>
    Object.fromEntries(report(more).results.map(({ id, status }) => [id, status]))
  t.equal(report({}).verdict, 'conformant')
  t.match(statuses({}), { 'explore.ack': 'pass', 'explore.batch': 'not-applicable' })
  t.equal(report({ counterexample }).verdict, 'non-conformant')
  t.match(statuses({ counterexample }), { 'explore.ack': 'fail', 'explore.send': 'inconclusive' })
  const failed = report({ counterexample }).results.find(({ status }) => status === 'fail')
  t.match(failed, { clauses: ['ack.final.other'], expected: 'nothing', seen: 'm1', story: ['create a: 201'] })
  t.equal(failed?.scenario, 'create a')
  const unsure = parseProfile({ features: { batch: 'unknown' } })
  const open = explorationReport('http://127.0.0.1:1', unsure, exploration, false)
  t.equal(open.verdict, 'incomplete')
  const unasked = open.results.filter(({ status }) => status === 'inconclusive')
  t.match(unasked, [{ id: 'explore.batch', message: /features\.batch is unknown: fill it in/ }])
  for (const more of [
    { walked: 4 },
    { unanswered: { count: 50, first: [answerOf('', {}, { status: 500 })] } },
    { unconfirmed: ['ack.status'] },
    { counterexample, doubt: 'x' },
  ] as const) {
    t.equal(report(more).verdict, 'incomplete', JSON.stringify(more))
  }
  t.end()
})
