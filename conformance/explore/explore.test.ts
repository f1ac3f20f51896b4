import t from 'tap'
import { DEFAULT_PROFILE, parseProfile } from '../client/parse-profile.js'
import type { Command } from './command.js'
import { commandsIn, counterexampleFile, replayCommand } from './counterexample-file.js'
import type { Counterexample, Exploration } from './explore.js'
import { type GenerateOptions, generate, prefetchesFor } from './generate.js'
import { queuesFor } from './queue-names.js'
import { Random } from './random.js'
import { explorationReport } from './report.js'
import { shrink } from './shrink.js'

import { citation } from './story.js'

const features = { ...DEFAULT_PROFILE.features }
const all = Object.fromEntries(Object.keys(features).map((feature) => [feature, true])) as typeof features
const none = Object.fromEntries(Object.keys(features).map((feature) => [feature, false])) as typeof features
const OPTIONS: GenerateOptions = {
  features: all,
  queues: { plain: ['a', 'ab', 'b', 'a/b', 'a/c'], odd: ['aB'] },
  guids: true,
  many: true,
  prefetches: [1, 2],
  waitsOneIn: 1,
}

const many = (options: GenerateOptions) =>
  Array.from({ length: 300 }, (_, run) => generate(7, run, options)).flat()
const kinds = (commands: readonly Command[]) => new Set(commands.map((each) => each.do))

t.test('a seed and a number give one sequence, and others give others', (t) => {
  t.same(generate(1, 2, OPTIONS), generate(1, 2, OPTIONS))
  t.notSame(generate(1, 2, OPTIONS), generate(1, 3, OPTIONS))
  t.notSame(generate(1, 2, OPTIONS), generate(2, 2, OPTIONS))
  t.end()
})

t.test('sequences have commands of every kind, and of no feature that is not claimed', (t) => {
  t.equal(kinds(many(OPTIONS)).size, 24)
  const plain = many({ ...OPTIONS, features: none, waitsOneIn: 1_000_000 })
  const alternatives = ['join', 'leave', 'next', 'lock', 'take', 'acknowledge in a post', 'wait']
  t.notOk(alternatives.some((each) => kinds(plain).has(each as Command['do'])))
  t.notOk(plain.some((each) => each.do === 'send' && each.by !== 'two-step'))
  t.notOk(plain.some((each) => each.do === 'subscribe' && (each.below !== undefined || each.selector)))
  t.ok(
    many(OPTIONS).some((each) => 'cut' in each),
    'some requests are cut',
  )
  t.end()
})

t.test('of the alternative mappings, a sequence has those that are claimed', (t) => {
  const own = {
    'single-path': ['take'],
    'one-at-a-time': ['acknowledge next', 'join', 'leave', 'next'],
    batch: ['acknowledge locked', 'fetch', 'join', 'leave', 'lock'],
  } as const
  const alternatives: readonly string[] = Object.values(own).flat()
  for (const [feature, expected] of Object.entries(own)) {
    const seen = kinds(many({ ...OPTIONS, features: { ...none, [feature]: true } }))
    t.same([...seen].filter((each) => alternatives.includes(each)).sort(), expected, feature)
  }
  t.end()
})

t.test('a sequence keeps to what a profile allows', (t) => {
  t.same(queuesFor(DEFAULT_PROFILE).plain, ['a', 'ab', 'b', 'a/b', 'a/c'])
  t.same(queuesFor(parseProfile({ queueNames: { maxSegments: 1 } })).plain, ['a', 'ab', 'b'])
  t.same(queuesFor(parseProfile({ queueNames: { characters: 'a-z0-9' } })).odd, [])
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

t.test('a failing sequence is made as short and as simple as it can be', async (t) => {
  const noise: Command[] = Array.from({ length: 30 }, () => ({ do: 'list' }))
  const send: Command = { do: 'send', queue: 'a', message: 'm1', by: 'guid', like: 'm0', cut: 'body' }
  const read: Command = {
    do: 'together',
    commands: [{ do: 'read', consumer: 'A' }, { do: 'list' }, { do: 'list' }],
  }
  const subscribe: Command = { do: 'subscribe', consumer: 'A', to: ['a', 'b'], prefetch: 1 }
  const long = [...noise, send, ...noise, subscribe, read, ...noise]
  const has = (commands: readonly Command[], what: Command['do']): boolean =>
    commands.some((each) => each.do === what || (each.do === 'together' && has(each.commands, what)))
  let asked = 0
  const short = await shrink(
    long,
    async (commands) => {
      asked += 1
      return has(commands, 'send') && has(commands, 'read') && has(commands, 'subscribe')
    },
    500,
  )
  t.same(short, [
    { do: 'send', queue: 'a', message: 'm1', by: 'two-step' },
    { do: 'subscribe', consumer: 'A', to: ['a'], prefetch: 1 },
    { do: 'read', consumer: 'A' },
  ])
  t.ok(asked < 200, `asked ${asked} times`)
  t.same(await shrink(long, async () => true, 0), long, 'and left alone where nothing may be asked')
})

t.test('queues and consumers become one, and what belongs together goes together', async (t) => {
  const long: Command[] = [
    { do: 'create', queue: 'a' },
    { do: 'create', queue: 'b' },
    { do: 'send many', queue: 'b', message: 'm', count: 110 },
    { do: 'delete', queue: 'b' },
    { do: 'create', queue: 'b' },
    { do: 'subscribe', consumer: 'A', to: ['a'], below: 'a', prefetch: 1, selector: true },
    { do: 'repeat', message: 'm1', queue: 'a', changed: true },
    { do: 'acknowledge', consumer: 'A', nth: 3 },
    { do: 'read', consumer: 'B' },
  ]
  const count = (commands: readonly Command[], what: Command['do']) =>
    commands.filter((each) => each.do === what).length
  // Some queue is there, many messages are, and somebody reads who has subscribed.
  const short = await shrink(long, async (commands) => {
    const many = commands.find((each) => each.do === 'send many')
    const kept = ['subscribe', 'repeat', 'acknowledge', 'read'] as const
    const isWhole = kept.every((each) => count(commands, each) === 1)
    return isWhole && count(commands, 'create') === count(commands, 'delete') + 1 && (many?.count ?? 0) > 20
  })
  t.same(short, [
    { do: 'create', queue: 'a' },
    { do: 'send many', queue: 'a', message: 'm', count: 21 },
    { do: 'subscribe', consumer: 'A', to: ['a'], prefetch: 1 },
    { do: 'repeat', message: 'm1' },
    { do: 'acknowledge', consumer: 'A', nth: 0 },
    { do: 'read', consumer: 'A' },
  ])
})

const counterexample: Counterexample = {
  clause: 'ack.final.other',
  commands: [{ do: 'create', queue: 'a' }],
  told: [
    { who: 'Somebody', what: 'creates the queue a', came: '201' },
    { who: 'Time', what: 'goes on', came: '' },
  ],
  ...{ exchanges: [], run: 3, began: 0 },
}
const exploration: Exploration = {
  ...{ seed: 1, started: new Date(0), seconds: 1, planned: 5, walked: 5, commands: 100, unanswered: 0 },
  ...{ counterexample: undefined, unconfirmed: [], stopped: false },
}

t.test('a counterexample is saved, and read again', (t) => {
  const saved = JSON.parse(counterexampleFile(exploration, counterexample))
  t.same(commandsIn(saved), counterexample.commands)
  t.same(saved.story, ['Somebody creates the queue a: 201.', 'Time goes on.'])
  t.match(commandsIn({ ...saved, format: 2 }), /format 2/)
  t.match(commandsIn({ ...saved, commands: [{ do: 'fly' }] }), /does not know/)
  const command = (profile?: string) => replayCommand('http://127.0.0.1:1', 'explore-1-3.json', profile)
  t.match(command(), /^\S+ explore http:\/\/127\.0\.0\.1:1 --replay explore-1-3\.json$/)
  t.match(command('my server.json'), / --profile 'my server\.json' --replay /, 'by the same profile')
  for (const other of [undefined, 7, {}, { kit: 'another', commands: [] }])
    t.match(commandsIn(other), /is not a/)
  t.match(citation('ack.final.other'), /another consumer\. \(ack\.final\.other, section 4\.1\)/)
  t.end()
})

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
  t.match(failed, { clauses: ['ack.final.other'], seen: 'Time goes on.', story: { length: 2 } })
  const unsure = parseProfile({ features: { batch: 'unknown' } })
  const open = explorationReport('http://127.0.0.1:1', unsure, exploration, false)
  t.equal(open.verdict, 'incomplete')
  const unasked = open.results.filter(({ status }) => status === 'inconclusive')
  t.match(unasked, [{ id: 'explore.batch', message: /features\.batch is unknown: fill it in/ }])
  for (const more of [{ walked: 4 }, { unanswered: 50 }, { unconfirmed: ['ack.status'] }] as const) {
    t.equal(report(more).verdict, 'incomplete', JSON.stringify(more))
  }
  t.end()
})
