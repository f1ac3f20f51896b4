import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { Report } from '../report/result.js'
import { fakeBroker } from '../trial/fake-broker.test.helper.js'
import { cli, endCli } from './cli.test.helper.js'
import { dispatch } from './dispatch.js'

t.teardown(endCli)

const KEY = {
  headers: { 'X-Key': 'the-owner' },
  createQueue: { headers: { 'X-Kind': 'queue' }, body: '{name}' },
}

t.test('replay judges again what failed, as the report says it was judged', async (t) => {
  await using broker = await fakeBroker()
  let broken = true
  broker.intercept = ({ method, path, headers }) => {
    if (headers['x-key'] !== 'the-owner') return { status: 403 }
    if (method !== 'POST') return undefined
    if (path.endsWith('/queues') && headers['x-kind'] !== 'queue') return { status: 400 }
    return broken && path.endsWith('/subscriptions') ? { status: 204 } : undefined
  }
  const dir = t.testdir({ 'profile.json': JSON.stringify(KEY) })
  const [profile, before, after] = ['profile.json', 'before.json', 'after.json'].map((name) =>
    join(dir, name),
  )
  const only = ['--only', 'queues.create', '--only', 'subscribe.create']
  t.equal((await cli([broker.url, '--profile', profile!, ...only, '--strict', '--json', before!])).code, 1)

  const key = ['--header', 'X-Key: the-owner']
  const again = await cli(['replay', before!, ...key, '--json', after!])
  t.equal(again.code, 1, again.err)
  const report = JSON.parse(readFileSync(after!, 'utf8')) as Report
  t.strictSame(
    report.results.map(({ id, status }) => [id, status]),
    [['subscribe.create', 'fail']],
    'what passed is not asked again',
  )
  t.equal(report.strict, true)
  broken = false
  const named = ['--check', 'queues.create', '--check', 'subscribe.create']
  const mended = await cli(['replay', before!, ...named, ...key, '--json', after!])
  t.match(mended, { code: 0, out: /\nconformant: 2 of 2/ })

  const cases: [string[], RegExp][] = [
    [[], /give replay a report/],
    [[before!, after!], /give replay one report: ".*after\.json" is one too many/],
    [[before!], /before\.json does not hold the header X-Key: give it with --header 'X-Key: \.\.\.'/],
    [[after!, ...key], /nothing in .*after\.json has failed: name a check with --check/],
    [[before!, ...key, '--check', 'no.such'], /no check matches "no\.such"/],
    [[before!, '--no-such'], /Unknown option '--no-such'/],
    [[profile!], /profile\.json is not a report/],
  ]
  for (const [args, sentence] of cases) {
    const written = t.capture(process.stderr, 'write')
    t.equal(await dispatch(['replay', ...args]), 2, args.join(' '))
    t.match(String(written()[0]?.args[0]), sentence)
    written.restore()
  }
})

t.test("what a report of anybody's says reaches a terminal as it may be shown only", async (t) => {
  await using broker = await fakeBroker()
  const hostile = '\u001b]0;owned\u0007\u009b2J\u202e\n'
  const dir = t.testdir({ 'profile.json': '{}' })
  const file = join(dir, 'report.json')
  await cli([broker.url, '--profile', join(dir, 'profile.json'), '--only', 'queues.create', '--json', file])
  const report = JSON.parse(readFileSync(file, 'utf8'))
  report.profile.name = report.target.name = hostile
  report.results[0] = { ...report.results[0], status: 'fail', message: hostile, seen: hostile }
  report.choices = { [hostile]: hostile }
  writeFileSync(file, JSON.stringify(report))
  const unknown = { ...report, results: [{ ...report.results[0], id: hostile }] }
  writeFileSync(join(dir, 'unknown.json'), JSON.stringify(unknown))
  writeFileSync(join(dir, 'none.json'), JSON.stringify({ ...report, kit: { ...report.kit, name: hostile } }))
  for (const id of ['--keep-queues', '*a'.repeat(20_000)]) {
    const strange = join(dir, 'strange.json')
    writeFileSync(strange, JSON.stringify({ ...report, results: [{ ...report.results[0], id }] }))
    const { err, code } = await cli(['replay', strange])
    t.equal(code, 2)
    t.match(err, `no check matches "${id}"`)
  }
  const commands = [
    ['replay', file],
    ...['tap', 'json', 'pretty'].map((form) => ['replay', file, '--reporter', form]),
    ['replay', join(dir, 'unknown.json')],
    ['replay', join(dir, 'none.json')],
    ['compare', file, file],
    ['explain', hostile],
  ]
  for (const command of commands) {
    const { out, err } = await cli(command)
    t.notMatch(out + err, /(?!\n)\p{Cc}|\u202e/u, command.join(' '))
    if (!command.includes('tap')) t.match(out + err, /U\+001B|\\\\u001b|\\u001b/, 'and is told')
  }
})
