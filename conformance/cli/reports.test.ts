import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { serve } from '../client/serve.test.helper.js'
import { reportOf, result } from '../report/report.test.helper.js'
import type { Report } from '../report/result.js'
import { fakeBroker } from '../trial/fake-broker.test.helper.js'
import { cli, endCli, program } from './cli.test.helper.js'

t.teardown(endCli)

/** A profile, so that the target is not probed for one. */
const PLAIN = '{}'

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Report

t.test('the report as a page', async (t) => {
  await using broker = await fakeBroker()
  const dir = t.testdir({ 'profile.json': PLAIN })
  const file = join(dir, 'report.html')
  const profile = ['--profile', join(dir, 'profile.json')]
  t.equal((await cli([broker.url, ...profile, '--only', 'queues.create', '--html', file])).code, 0)
  t.match(
    readFileSync(file, 'utf8'),
    /^<!DOCTYPE html>[\s\S]*A POST to `\/queues` that names a new queue is answered with 201/,
  )
  t.match(
    readFileSync(file, 'utf8'),
    / --profile profile\.json<\/pre>/,
    'without the directories of this machine',
  )
})

t.test('a baseline: known failures do not count, stale entries do', async (t) => {
  await using broker = await fakeBroker()
  let broken = true
  broker.intercept = ({ method, path }) =>
    broken && method === 'POST' && path.endsWith('/queues') ? { status: 200 } : undefined
  const dir = t.testdir({
    'profile.json': PLAIN,
    'known.json': '{"known":{"queues.create":"issue 7"}}',
    'gone.json': '{"known":{"queues.create":"issue 7","queues.no-such":"issue 8"}}',
    'other.json': '{"known":{"send.repeat-at-once":"not chosen for this run"}}',
  })
  const plain = [broker.url, '--only', 'queues.create', '--profile', join(dir, 'profile.json')]
  const run = (baseline: string, ...more: string[]) =>
    cli([...plain, '--baseline', join(dir, baseline), ...more])
  t.equal((await cli(plain)).code, 1)

  const json = join(dir, 'report.json')
  const known = await run('known.json', '--json', json)
  t.equal(known.code, 3, 'nothing has failed that counts, and nothing has passed')
  t.match(known.out, /\n {2}queues\.create: issue 7\n/)
  t.match(read(json), { verdict: 'incomplete', baseline: { stale: [] }, results: [{ known: 'issue 7' }] })

  const gone = await run('gone.json')
  t.equal(gone.code, 3, 'nothing has passed')
  t.match(gone.out, /stale entries of the baseline: take them out\n {2}queues\.no-such: no check has this id/)
  t.equal((await run('other.json')).code, 1, 'it does not know this failure')

  broken = false
  const mended = await run('known.json')
  t.equal(mended.code, 2)
  t.match(mended.out, /queues\.create: it does not fail any more \(issue 7\)[\s\S]*\nconformant: 1 of 1/)
  t.equal((await run('other.json')).code, 0)
})

t.test('repeated: the worst counts, and the rate is told', async (t) => {
  await using broker = await fakeBroker()
  let created = 0
  broker.intercept = ({ method, path }) =>
    method === 'POST' && path.endsWith('/queues') && ++created === 3 ? { status: 200 } : undefined
  const dir = t.testdir({ 'profile.json': PLAIN })
  const file = join(dir, 'report.json')
  const args = [broker.url, '--only', 'queues.create', '--profile', join(dir, 'profile.json'), '--json', file]
  const { code, out } = await cli([...args, '--repeat', '3'])
  t.equal(code, 1)
  t.match(out, /\nnot the same in each of 3 runs\n {2}queues\.create: 33 % \(pass 2, fail 1\)\n/)
  t.match(read(file).repeat, { runs: 3, flaky: [{ id: 'queues.create', statuses: { pass: 2, fail: 1 } }] })
  const once = await cli(args)
  t.equal(once.code, 0)
  t.notOk('repeat' in read(file), 'once is not repeated')
})

t.test('an interrupted repetition ends with the run that was under way', async (t) => {
  let kill = () => {}
  await using server = await serve(() => {
    kill()
    return undefined
  })
  const profile = join(t.testdir({ 'profile.json': PLAIN }), 'profile.json')
  const args = ['--only', 'queues.create', '--repeat', '1000', '--reporter', 'json', '--profile', profile]
  const { code, out } = await program([server.url, ...args], (child) => {
    kill = () => child.kill('SIGINT')
  })
  t.equal(code, 3)
  t.notOk('repeat' in JSON.parse(out))
})

t.test('compare', async (t) => {
  const good = reportOf([result('queues.a')])
  const dir = t.testdir({
    'good.json': JSON.stringify(good),
    'bad.json': JSON.stringify(reportOf([result('queues.a', { status: 'fail' })])),
    'broken.json': '{"kit":\n',
    'other.json': '{"kit":"mine"}',
    'newer.json': JSON.stringify({ ...good, format: 2 }),
    'damaged.json': JSON.stringify({ ...good, results: [{ id: 1 }] }),
    out: {},
  })
  const at = (name: string) => join(dir, name)
  const page = at('compare.html')
  const { code, out, err } = await cli(['compare', at('good.json'), at('bad.json'), '--html', page])
  t.strictSame([code, err], [0, ''], 'failures of targets are no failure to compare')
  t.match(out, /^mq\.test \(.*good\.json\): conformant: [\s\S]*\nqueues\.a +pass +fail\n$/)
  t.match(readFileSync(page, 'utf8'), /^<!DOCTYPE html>[\s\S]*2 targets compared/)
  t.match(await cli(['compare', at('good.json')]), { code: 0, out: /^mq\.test: conformant/ })

  const cases: [string[], RegExp][] = [
    [[], /give compare the reports to compare/],
    [[at('none.json')], /the report .*none\.json cannot be read/],
    [[at('broken.json')], /the report .*broken\.json is not JSON/],
    [[at('other.json')], /other\.json is not a report: it does not say which kit wrote it\./],
    [[at('newer.json')], /newer\.json is a report of version .* with format 2, but only format 1 is known/],
    [[at('good.json'), at('damaged.json')], /damaged\.json is not a report: results\[0\]\.id is 1/],
    [[at('good.json'), '--html', at('out')], /out cannot be written/],
    [[at('good.json'), '--json', 'x'], /Unknown option '--json'/],
  ]
  for (const [args, sentence] of cases) {
    const ended = await cli(['compare', ...args])
    t.equal(ended.code, 2, args.join(' '))
    t.match(ended.err, sentence)
    t.match(ended.err, /^atom-mq-conformance: [^\n]+\n$/, 'one line')
    t.equal(ended.out, '')
  }
  writeFileSync(page, 'kept')
  await cli(['compare', at('other.json'), '--html', page])
  t.equal(readFileSync(page, 'utf8'), 'kept', 'a page is not touched where there is nothing to show')
})
