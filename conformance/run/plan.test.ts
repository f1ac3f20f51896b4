import t from 'tap'
import { parseProfile } from '../client/parse-profile.js'
import type { Check } from '../trial/check.js'
import { makePlan, matchesGlob } from './plan.js'

function check(id: string, more: Partial<Check> = {}): Check {
  return { id, title: '', stimulus: '', clauses: [], grade: 'stated', run: async () => {}, ...more }
}

const ids = (checks: readonly Check[]) => checks.map(({ id }) => id)
const profile = parseProfile({})

t.test('globs', async (t) => {
  const yes = [
    ['*', 'a.b'],
    ['a.*', 'a.b-c'],
    ['a.b', 'a.b'],
    ['*.b', 'a.b'],
    ['a.?', 'a.b'],
    ['l*s*.x', 'leases.x'],
    ['a*b*c', 'aXbcbc'],
    ['a.b**', 'a.b'],
    ['*', ''],
  ]
  for (const [glob, id] of yes) t.ok(matchesGlob(glob!, id!), `${glob} ${id}`)
  const no = [
    ['a', 'a.b'],
    ['a.b', 'axb'],
    ['a.*', 'ba.c'],
    ['a.?', 'a.bc'],
    ['[a].b', 'a.b'],
    ['(a|b).*', 'a.b'],
    ['', 'a'],
    ['a*b', 'abc'],
    ['?', ''],
    // To try each star at each place would take for ever.
    [`${'*a'.repeat(50)}b`, 'a'.repeat(200)],
    [`${'*'.repeat(100_000)}x`, 'a'.repeat(200)],
  ]
  for (const [glob, id] of no) t.notOk(matchesGlob(glob!, id!), `${glob} ${id}`)
})

t.test('only and skip', async (t) => {
  const all = [check('a.one'), check('a.two'), check('b.one')]
  const chosen = (selection: object) => ids(makePlan(all, profile, selection).checks)
  t.strictSame(chosen({}), ['a.one', 'a.two', 'b.one'])
  t.strictSame(chosen({ only: ['a.*'] }), ['a.one', 'a.two'])
  t.strictSame(chosen({ only: ['a.two', 'b.*'] }), ['a.two', 'b.one'])
  t.strictSame(chosen({ skip: ['*.one'] }), ['a.two'])
  t.strictSame(chosen({ only: ['a.*'], skip: ['a.two'] }), ['a.one'])
  t.strictSame(chosen({ only: ['c.*'] }), [])
})

t.test('what is not claimed is planned, and not run', async (t) => {
  const all = [check('batch.a', { feature: 'batch' }), check('guid.a', { feature: 'guid' })]
  const plan = makePlan(all, profile, {})
  t.strictSame([ids(plan.checks), ids(plan.notApplicable)], [['guid.a'], ['batch.a']])
  t.strictSame(ids(makePlan(all, profile, { only: ['guid.*'] }).notApplicable), [])
})

t.test('what may be there, and nobody knows, is not left out', async (t) => {
  const all = [check('batch.a', { feature: 'batch' }), check('guid.a', { feature: 'guid' })]
  const plan = makePlan(all, parseProfile({ features: { batch: 'unknown', guid: false } }), {})
  t.strictSame([ids(plan.checks), ids(plan.notApplicable)], [['batch.a'], ['guid.a']])
})

t.test('first those that pass time, and all that they build on', async (t) => {
  const all = [
    check('z.other'),
    check('a.base'),
    check('b.mid', { needs: ['a.base', 'gone'] }),
    check('y.other'),
    check('lease.end', { needs: ['b.mid'], passesTime: true }),
  ]
  t.strictSame(ids(makePlan(all, profile, {}).checks), ['a.base', 'b.mid', 'lease.end', 'z.other', 'y.other'])
})

t.test('before these, those that ask again at the end, and all that they build on', async (t) => {
  const all = [
    check('a.base'),
    check('lease.end', { needs: ['a.base'], passesTime: true }),
    check('b.base'),
    check('b.late', { needs: ['b.base'], passesTime: true, asksLate: true }),
  ]
  t.strictSame(ids(makePlan(all, profile, {}).checks), ['b.base', 'b.late', 'a.base', 'lease.end'])
})

t.test('before these, those that read the root listing, and what they build on', async (t) => {
  const all = [
    check('z.other'),
    check('a.base'),
    check('lease.end', { needs: ['a.base'], passesTime: true }),
    check('browse.deep', { needs: ['browse.root'], readsRoot: true }),
    check('browse.root', { readsRoot: true }),
  ]
  t.strictSame(ids(makePlan(all, profile, {}).checks), [
    'browse.root',
    'browse.deep',
    'a.base',
    'lease.end',
    'z.other',
  ])
})

t.test('then those that the longest chains build on, and else the order of the list', async (t) => {
  const all = [
    check('z.alone'),
    check('y.alone'),
    check('c.third', { needs: ['b.second', 'a.first'] }),
    check('b.second', { needs: ['a.first'] }),
    check('a.first'),
    check('x.round', { needs: ['x.about'] }),
    check('x.about', { needs: ['x.round'] }),
  ]
  const plan = ids(makePlan(all, profile, {}).checks)
  t.equal(plan[0], 'a.first')
  t.strictSame(
    plan.filter((id) => !id.startsWith('x.')),
    ['a.first', 'b.second', 'z.alone', 'y.alone', 'c.third'],
  )
  t.equal(plan.length, all.length, 'a circle, too, comes to an end')
})

t.test('of those that no more build on, first those that take most steps', async (t) => {
  const all = [
    check('a.short', { steps: 3 }),
    check('b.program'),
    check('c.long', { steps: 250 }),
    check('d.base'),
    check('e.shorter', { steps: 2, needs: ['d.base'] }),
  ]
  t.strictSame(ids(makePlan(all, profile, {}).checks), [
    'd.base',
    'c.long',
    'b.program',
    'a.short',
    'e.shorter',
  ])
})

t.test('ids are unique', async (t) => {
  t.throws(() => makePlan([check('a'), check('a')], profile, {}), /same id/)
})
