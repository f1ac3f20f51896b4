import { readFileSync } from 'node:fs'
import t from 'tap'
import { descriptions, notAnswered } from '../cli/walk-target.js'
import type { Exchange } from '../client/exchange.js'
import { DEFAULT_PROFILE, parseProfile } from '../client/parse-profile.js'
import { Unanswered } from '../client/unanswered.js'
import { htmlReport } from '../report/html/report-page.js'
import type { ClauseId } from '../requirements/index.js'
import { answerOf } from '../trial/trial.test.helper.js'
import type { Event } from './history.js'
import { sentenceOf, soakReport, timelineOf } from './report.js'
import { SOAK_RULES } from './rules.js'
import type { Soak } from './soak.js'

const soak: Soak = {
  ...{ started: new Date(0), seconds: 20, requests: 1000, sent: 100, acknowledged: 100, unknown: 30 },
  ...{ violation: undefined, unanswered: { count: 0, first: [] }, stopped: false, unconsumed: 0 },
}
const terms = {
  ...{ queues: ['a'], selector: undefined, prefetch: 2, lease: 1000, grace: 10, renewedBy: [] },
}
const events: Event[] = [
  {
    ...{ do: 'send', who: 'Producer 1', from: 1000, to: 1010, outcome: 'unknown', message: 1 },
    sending: { queue: 'a', colour: 'red', by: 'guid', isRepeat: true },
  },
  { do: 'subscribe', who: 'Consumer 1', from: 1000, to: 1002, outcome: 'yes', subscription: 1, terms },
  { do: 'read', who: 'Consumer 1', from: 1005, to: 1020, outcome: 'yes', subscription: 1, shown: [1, -1] },
  { do: 'acknowledge', who: 'Consumer 1', from: 1030, to: 1031, outcome: 'no', subscription: 1, message: 1 },
  { do: 'end', who: 'Consumer 1', from: 1040, to: 1041, outcome: 'yes', subscription: 1 },
  { do: 'browse', who: 'The <last> consumer', from: 61_000, to: 61_001, outcome: 'yes', shown: [] },
]
const violation = { clause: 'consume.all', seen: 'm1 is lost', message: 1, events } as const
const report = (more: Partial<Soak>) =>
  soakReport('http://127.0.0.1:1', DEFAULT_PROFILE, { ...soak, ...more }, false)

t.test('the verdict on a soak', (t) => {
  t.equal(report({}).verdict, 'conformant')
  t.equal(report({ violation }).verdict, 'non-conformant')
  t.equal(report({ violation, doubt: 'credentials were not sent' }).verdict, 'incomplete')
  for (const more of [
    { stopped: true },
    { unanswered: { count: 500, first: [answerOf('', {}, { status: 500 })] } },
    { acknowledged: 0 },
    { unconsumed: 1 },
  ]) {
    t.equal(report(more).verdict, 'incomplete', JSON.stringify(more))
  }
  t.end()
})

t.test('what rests on an unknown field of the profile is no violation, and names the field', (t) => {
  const unknown = { ...DEFAULT_PROFILE, unknown: ['subscription.leaseSeconds'] }
  const { verdict, results } = soakReport('http://127.0.0.1:1', unknown, { ...soak, violation }, true)
  t.equal(verdict, 'incomplete')
  t.match(
    results.find(({ id }) => id === 'soak.delivered'),
    {
      status: 'inconclusive',
      inconclusiveReason: 'profile',
      message: "the profile's subscription.leaseSeconds is unknown: fill it in; m1 is lost",
      clauses: ['consume.all'],
      story: [/sends m1 again/],
    },
  )
  t.end()
})

t.test('of what had a 5xx or no answer the first of each kind is shown, without credentials', (t) => {
  const profile = parseProfile({ headers: { Authorization: 'Bearer my-secret-token' } })
  const unanswered = new Unanswered()
  const asked = (url: string, body: string, more: Partial<Exchange>) =>
    unanswered.note({ ...answerOf(body), url, ...more })
  const long = `my-secret-token ${'long '.repeat(60)}`
  for (const number of [1, 22]) asked(`http://mq/${number}`, `row ${number} of <them>`, { status: 500 })
  asked('http://mq/3', long, { status: 502 })
  asked('http://mq/4', '', { status: 0, error: 'no answer within 5000 ms' })
  asked('http://mq/5', '', { status: 0, error: 'the client did not read the answer' })
  asked('http://mq/6', '', { status: 404 })
  const told = soakReport('http://mq', profile, { ...soak, unanswered }, false)
  t.equal(told.verdict, 'conformant', 'nobody knows what became of them')
  const [answers] = told.results.filter(({ status }) => status === 'observed')
  const words = `*** ${'long '.repeat(60)}`.slice(0, 200)
  t.equal(
    answers?.message,
    `4 of 1000 requests were answered with a 5xx or not at all; the first of each kind: POST http://mq/1 gave 500: "row 1 of <them>"; POST http://mq/3 gave 502: "${words}…"; POST http://mq/4 gave no answer within 5000 ms`,
  )
  t.same(answers?.exchanges.length, 3)
  t.notMatch(JSON.stringify(told), 'my-secret-token')
  const page = htmlReport(told, descriptions)
  t.match(page, 'row 1 of &#60;them&#62;')
  t.match(page, descriptions.title('soak.answers')!)
  t.same(notAnswered(told), [`${answers?.message}.`])
  for (let number = 0; number < 30; number++) asked('http://mq', 'x'.repeat(number + 1), { status: 500 })
  t.equal(unanswered.first.length, 10, 'and few of a target that says something else each time')
  t.end()
})

t.test('each kind of request has its sentence', (t) => {
  const event = (more: Partial<Event>): Event => ({ ...events[2]!, ...more })
  const told = [
    event({ do: 'create', queue: 'a' }),
    event({ do: 'delete', queue: 'a' }),
    event({ do: 'address', queue: 'a' }),
    event({ do: 'browse', queue: 'a' }),
    event({ do: 'subscribe', terms: { ...terms, mapping: 'batch' } }),
    event({ do: 'end', outcome: 'unknown', exchange: answerOf('', {}, { status: 503 }) }),
    event({
      ...{ do: 'end', outcome: 'unknown' },
      exchange: { ...answerOf('', {}, { status: 0 }), error: 'the client did not read the answer' },
    }),
  ].map((each) => sentenceOf(each, 1000).replace(/^Consumer 1 (.*) \(.*$/, '$1'))
  t.same(told, [
    'creates the queue a',
    'deletes the queue a',
    'asks a for a new-message address',
    'browses the queue a: m1, a strange body',
    'begins to consume by batch as 1',
    'deletes subscription 1, and is answered with 503',
    'deletes subscription 1, and is cut off: the client did not read the answer',
  ])
  t.end()
})

t.test('a violation is told and drawn by the requests that matter', (t) => {
  const failed = report({ violation }).results.find(({ status }) => status === 'fail')
  t.match(failed, { id: 'soak.delivered', clauses: ['consume.all'], seen: 'm1 is lost.' })
  t.same(failed?.story, [
    'Producer 1 sends m1 again, and gets no answer (0.000 s to 0.010 s).',
    'Consumer 1 begins subscription 1, prefetch 2 (0.000 s to 0.002 s).',
    'Consumer 1 reads subscription 1: m1, a strange body (0.005 s to 0.020 s).',
    'Consumer 1 acknowledges m1 of subscription 1, and is refused (0.030 s to 0.031 s).',
    'Consumer 1 deletes subscription 1 (0.040 s to 0.041 s).',
    'The <last> consumer browses: nothing (60.000 s to 60.001 s).',
  ])
  t.same(timelineOf(violation)[3], {
    ...{ who: 'Consumer 1', what: 'acknowledges m1 of subscription 1', from: 0.03, to: 0.031, outcome: 'no' },
  })
  const page = htmlReport(report({ violation }), { title: () => undefined, clause: () => undefined })
  t.match(page, 'The &#60;last&#62; consumer')
  const bars = [...page.matchAll(/<rect class="bar" x="([\d.]+)" y="\d+" width="([\d.]+)"/g)]
  t.equal(bars.length, events.length, 'a bar for each')
  const width = Number(/<svg width="([\d.]+)"/.exec(page)?.[1])
  const ends = bars.map(([, x, wide]) => Number(x) + Number(wide))
  t.ok(Math.max(...ends) <= width, `inside of the picture: ${ends}`)
  t.equal(page.match(/data-moment=/g)?.length, events.length, 'in the order in which they were sent')
  t.end()
})

t.test('every clause that the judge names is in a rule of soak', (t) => {
  const files = ['judge.ts', 'queue-judge.ts']
  const source = files
    .map((file) => readFileSync(new URL(`../../soak/${file}`, import.meta.url), 'utf8'))
    .join('\n')
  const named = new Set(
    [
      ...source.matchAll(
        /'((?:queues|send|dedup|subscribe|consume|prefetch|ack|lease|browse|one-at-a-time|batch)\.[a-z.\d-]+)'/g,
      ),
    ].map(([, id]) => id as ClauseId),
  )
  t.ok(named.size > 15)
  const ruled = new Set(SOAK_RULES.flatMap(({ clauses }) => clauses))
  t.same(
    [...named].filter((id) => !ruled.has(id)),
    [],
  )
  t.same(
    [...ruled].filter((id) => !named.has(id)),
    [],
  )
  t.end()
})
