import t from 'tap'
import { REFUSALS, Refusal, type RefusalKind } from '../broker/refusals.js'
import { PROBLEMS, Problem, problem, problemOf } from './problems.js'

const noDefect = (defect: unknown) => t.fail('a defect', { defect })

t.test('every refusal of the broker has its status', async (t) => {
  const family: [RegExp, number][] = [
    [/^bad-/, 400],
    [/^unknown-/, 404],
    [/^(?:address-expired|queue-deleted|subscription-ended|consumer-ended|delivery-released)$/, 410],
    [/^message-not-held$/, 422],
    [/^too-many-/, 429],
    [/^out-of-memory$/, 507],
  ]
  for (const kind of Object.keys(REFUSALS) as RefusalKind[]) {
    const status = family.find(([pattern]) => pattern.test(kind))?.[1]
    const reply = problemOf(new Refusal(kind, 'It is so.', { column: 3 }), noDefect)
    t.equal(reply.status, status, kind)
    t.same(JSON.parse(reply.body as string), {
      type: `urn:atom-mq:problem:${kind}`,
      title: REFUSALS[kind],
      status,
      detail: 'It is so.',
      column: 3,
    })
  }
})

t.test('no row is a server error but the three that may be, and the one that must not happen', async (t) => {
  const errors = [...PROBLEMS].filter(([, { status }]) => status >= 500).map(([kind]) => kind)
  t.same(errors, [
    'out-of-memory',
    'internal-error',
    'not-implemented',
    'overloaded',
    'shutting-down',
    'reset-meanwhile',
  ])
  for (const [kind, { status, title }] of PROBLEMS) {
    t.ok(status >= 400 && status < 508, kind)
    t.match(title, /^[A-Z].*\.$/)
  }
})

t.test('facts never replace what RFC 9457 says', async (t) => {
  const reply = problem(
    'unauthorized',
    'Say who you are.',
    { status: 1, type: 'x', realm: 'r' },
    { 'X-A': 'b' },
  )
  t.same(JSON.parse(reply.body as string), {
    type: 'urn:atom-mq:problem:unauthorized',
    title: 'The request does not say who is asking.',
    status: 401,
    detail: 'Say who you are.',
    realm: 'r',
  })
  t.same(reply.headers, {
    'Content-Type': 'application/problem+json',
    'Cache-Control': 'no-store',
    'X-A': 'b',
  })
})

t.test('a defect is reported and not shown', async (t) => {
  for (const defect of [new Error('secret'), 'secret', undefined, null]) {
    const defects: unknown[] = []
    const reply = problemOf(defect, (what) => defects.push(what))
    t.equal(reply.status, 500)
    t.notMatch(reply.body, /secret/)
    t.same(defects, [defect])
  }
  t.equal(problemOf(new Problem('forbidden', 'No.'), noDefect).status, 403)
})
