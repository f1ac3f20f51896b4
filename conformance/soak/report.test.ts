import t from 'tap'
import { descriptions, notAnswered } from '../cli/walk-target.js'
import type { Exchange } from '../client/exchange.js'
import { DEFAULT_PROFILE, parseProfile } from '../client/parse-profile.js'
import { Unanswered } from '../client/unanswered.js'
import { htmlReport } from '../report/html/report-page.js'
import { answerOf } from '../trial/trial.test.helper.js'
import type { Violation } from './history.js'
import {
  acknowledge,
  acknowledgeInPost,
  address,
  at,
  browse,
  create,
  end,
  history,
  join,
  lock,
  read,
  refused,
  remove,
  send,
  subscribe,
  unanswered,
} from './history.test.helper.js'
import { SOAK_RULES, sentenceOf, soakReport, timelineOf } from './report.js'
import type { Soak } from './soak.js'

const soak: Soak = {
  ...{ started: new Date(0), seconds: 20, requests: 1000, sent: 100, acknowledged: 100, unknown: 30 },
  ...{ violation: undefined, unanswered: { count: 0, first: [] }, stopped: false, unconsumed: 0 },
}
const subscribing = {
  destinations: [{ queue: 'a' }],
  prefetch: 2,
  lease: { length: 1000, grace: 10, renewedBy: [] },
}
const consumer = '/s/1'
const events = history(
  { ...send(1, { ...unanswered, ...at(1000, 1010) }), who: 'Producer 1' },
  { ...subscribe(1, subscribing, at(1000)), who: 'Consumer 1' },
  { ...read(1, [1, -1], at(1005, 1020)), who: 'Consumer 1' },
  { ...acknowledge(1, 1, { ...refused, ...at(1030, 1031) }), who: 'Consumer 1' },
  { ...end(1, at(1040, 1041)), who: 'Consumer 1' },
  { ...browse([], at(61_000, 61_001)), who: 'The <last> consumer' },
)
const violation: Violation = {
  ...{ clause: 'consume.delivered', expected: 'm1', seen: 'm1 is lost', events },
}
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
    results.find(({ id }) => id === 'soak.consume'),
    {
      status: 'inconclusive',
      inconclusiveReason: 'profile',
      message: "the profile's subscription.leaseSeconds is unknown: fill it in; m1 is lost",
      clauses: ['consume.delivered'],
      story: [/sends m1/],
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
  const cut = { ...answerOf('', {}, { status: 0 }), error: 'the client did not read the answer' }
  const told = history(
    create('a'),
    remove('a'),
    address('/1'),
    browse([1, -1]),
    acknowledgeInPost(1, [1, 2]),
    join(1),
    lock(1, [1]),
    { ...lock(1, []), request: { do: 'nextMessage', consumer } },
    end(1, { answer: { status: 503 } }),
    end(1, { ...unanswered, exchange: cut }),
  ).map((each) => sentenceOf(each, 0).replace(/^somebody (.*) \(.*$/, '$1'))
  t.same(told, [
    'creates the queue a',
    'deletes the queue a',
    'asks a for a new-message address',
    'browses the queue a: m1, what nobody sent',
    'acknowledges m1, m2 of subscription 1',
    'begins to consume from a as 1',
    'locks up to 4 messages as 1: m1',
    'asks for the next message as 1: nothing',
    'deletes subscription 1, and is answered with 503',
    'deletes subscription 1, and is cut off: the client did not read the answer',
  ])
  t.end()
})

t.test('a violation is told and drawn by the requests that matter', (t) => {
  const failed = report({ violation }).results.find(({ status }) => status === 'fail')
  t.match(failed, { id: 'soak.consume', clauses: ['consume.delivered'], seen: 'm1 is lost.' })
  t.same(failed?.story, [
    'Producer 1 sends m1, and gets no answer (0.000 s to 0.010 s).',
    'Consumer 1 begins subscription 1, prefetch 2 (0.000 s to 0.002 s).',
    'Consumer 1 reads subscription 1: m1, what nobody sent (0.005 s to 0.020 s).',
    'Consumer 1 acknowledges m1 of subscription 1, and is refused (0.030 s to 0.031 s).',
    'Consumer 1 deletes subscription 1 (0.040 s to 0.041 s).',
    'The <last> consumer browses the queue a: nothing (60.000 s to 60.001 s).',
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

t.test('a soak speaks of nothing that it never asks for', (t) => {
  const clauses = SOAK_RULES.flatMap((rule) => rule.clauses)
  t.ok(SOAK_RULES.every((rule) => rule.id.startsWith('soak.') && rule.clauses.length > 0))
  t.same(
    clauses.filter((clause) => /^(auth|single-path|browse\.root|browse\.subtree)/.test(clause)),
    [],
  )
  t.ok(clauses.includes('consume.exactly-one') && clauses.includes('batch.ack'))
  t.end()
})
