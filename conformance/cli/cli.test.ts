import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { checks } from '../checks/index.js'
import { checksOf } from '../checks/row-check.js'
import { serve } from '../client/serve.test.helper.js'
import type { Report } from '../report/result.js'
import { LEDGER } from '../requirements/index.js'
import type { CheckRecord } from '../trial/check.js'
import { fakeBroker, feed } from '../trial/fake-broker.test.helper.js'
import { VERSION } from '../version.js'
import { cli, endCli, MAIN, program } from './cli.test.helper.js'
import { versionProblem } from './node-version.js'
import { placeOfCheck } from './source-places.js'

t.teardown(endCli)

t.test('help and version', async (t) => {
  const help = await cli(['--help'])
  t.match(help, { code: 0, err: '', out: /Usage:[\s\S]*--keep-exchanges[\s\S]*Exit codes:/ })
  for (const args of [['-h'], ['run', '--help'], ['http://127.0.0.1:1', '--help'], ['probe', '--help']]) {
    t.strictSame(await cli(args), help, args.join(' '))
  }
  t.strictSame(await cli(['--version']), { code: 0, err: '', out: `${VERSION}\n` })
})

t.test('wrong usage is one sentence and exit code 2', async (t) => {
  const dir = t.testdir({
    'bad.json': '{"features":{"guid":1}}',
    'broken.json': '{',
    'a.scenario': 'create a',
    'twice.rows': 'queues.create: queues.create.status\n  create a\n',
    'bad.rows': 'queues.mine: queues.create.status\n  creat a\n',
    'none.rows': '# nothing\n',
    out: {},
  })
  const url = 'http://127.0.0.1:1'
  const cases: [string[], RegExp][] = [
    [[], /give the base URL/],
    [['run'], /give the base URL/],
    [['nonsense'], /"nonsense" is not a URL/],
    [['prob', url], /there is no command "prob"\. The nearest is probe\.$/m],
    [['Probe', '--quick', url], /there is no command "Probe"\. The nearest is probe\.$/m],
    [[url, 'http://b'], /"http:\/\/b" is one too many/],
    [[url, '--nope'], /: Unknown option '--nope'; see --help\.$/m],
    [[url, '--only'], /: Option '--only <value>' argument missing; see --help\.$/m],
    [[url, '--only', '--strict'], /: --only needs a value, .* stands behind "--only="; see --help\.$/m],
    [[url, '--only', 'no-such.*'], /no check matches "no-such\.\*"/],
    [[url, '--skip', 'no-such'], /no check matches "no-such"/],
    [[url, '--reporter', 'html'], /--reporter is one of pretty, tap, json/],
    [[url, '--jobs', '0'], /--jobs is a whole number from 1 to 1000, and not "0"/],
    [[url, '--timeout', '1.5'], /--timeout is a whole number/],
    [[url, '--remember', 'long'], /--remember is a whole number/],
    [[url, '--repeat', '0'], /--repeat is a whole number from 1 to 1000, and not "0"/],
    [[url, '--html', join(dir, 'out')], /out cannot be written/],
    [[url, '--markdown', '-'], /give a file to write; --reporter says what is printed/],
    [
      [url, '--scenarios', join(dir, 'gone.rows')],
      /scenarios .*gone\.rows cannot be read: there is no such file\.$/m,
    ],
    [[url, '--profile', join(dir, 'out')], /the profile .*out cannot be read: it is a folder\.$/m],
    [[url, '--scenarios', join(dir, 'twice.rows')], /twice\.rows, queues\.create is the id of another check/],
    [[url, '--scenarios', join(dir, 'bad.rows')], /bad\.rows, line 2, column 3: .*create/],
    [[url, '--scenarios', join(dir, 'none.rows')], /none\.rows have no row/],
    [[url, '--baseline', join(dir, 'none.json')], /baseline .*none\.json cannot be read/],
    [[url, '--baseline', join(dir, 'broken.json')], /baseline .*broken\.json is not JSON/],
    [[url, '--baseline', join(dir, 'bad.json')], /in the baseline .*bad\.json: it must hold "known"/],
    [[url, '--profile', join(dir, 'none.json')], /profile .*none\.json cannot be read/],
    [[url, '--profile', join(dir, 'broken.json')], /profile .*broken\.json is not JSON/],
    [[url, '--profile', join(dir, 'bad.json')], /bad\.json: features\.guid is 1, but must be true or false/],
    [[url, '--json', join(dir, 'out')], /out cannot be written/],
    [[url], /nothing answers at http:\/\/127\.0\.0\.1:1: .*ECONNREFUSED/],
    [['list', 'extra'], /extra/],
    [
      ['list', '--only', 'nothing.*'],
      /no check matches "nothing\.\*"; atom-mq-conformance list prints all of them/,
    ],
    [['probe'], /give probe the base URL/],
    [['probe', url, 'http://b'], /"http:\/\/b" is one too many/],
    [['probe', url], /nothing answers at/],
    [['probe', url, '--header', 'X-A'], /--header is given as 'Name: value', and not "X-A"/],
    [['probe', url, '--header', 'X A: b'], /headers\.X A cannot be sent/],
    [['probe', url, '--notes', join(dir, 'out')], /out cannot be written/],
    [[url, '--origin', 'nonsense'], /--origin is given as scheme, host and port, .* and not "nonsense"/],
    [['probe', url, '--origin', 'ftp://a'], /--origin is given as/],
    [['explore', url, '--origin', 'http://a/b'], /--origin is given as/],
    [['soak', url, '--origin', 'http://me:pw@a'], /--origin is given as/],
    [['scenario', url, join(dir, 'a.scenario'), '--origin', 'a'], /--origin is given as/],
    [['explain'], /give explain one id/],
    [['explain', 'a.a', 'b.b'], /give explain one id/],
    [['explain', 'no.such'], /no check and no clause has the id "no\.such"/],
  ]
  for (const [args, sentence] of cases) {
    const { code, err } = await cli(args)
    t.equal(code, 2, args.join(' '))
    t.match(err, sentence)
    t.match(err, /^atom-mq-conformance: [^\n]+\n$/, 'one line')
  }
  for (const args of [['nonsense'], [url]]) {
    t.strictSame(await program(args), await cli(args), `${args}, as a program`)
  }
})

t.test('rows of a file are asked beside the checks of the kit', async (t) => {
  await using broker = await fakeBroker()
  const dir = t.testdir({
    'own.rows': 'queues.mine: queues.create.status\n  ! create a\n',
    'more.rows': 'queues.again: queues.create.again.location\n  create a; create a\n',
    'profile.json': '{}',
  })
  const own = ['own.rows', 'more.rows'].flatMap((name) => ['--scenarios', join(dir, name)])
  const only = ['queues.mine', 'queues.again', 'queues.create'].flatMap((id) => ['--only', id])
  const run = await cli([broker.url, '--profile', join(dir, 'profile.json'), ...own, ...only, '--verbose'])
  t.match(run, { code: 0, out: /✓ queues\.mine[\s\S]*3 of 3 checks passed/ })
})

t.test('a conformant run: exit code 0, every format', async (t) => {
  await using broker = await fakeBroker()
  const dir = t.testdir({ 'profile.json': '\ufeff{"name":"mine"}', 'old.json': 'old' })
  const files = { json: join(dir, 'old.json'), junit: join(dir, 'j.xml'), tap: join(dir, 't.tap') }
  const args = ['run', broker.url, '--only', 'queues.create', '--profile', join(dir, 'profile.json')]
  const outputs = [
    '--json',
    files.json,
    '--junit',
    files.junit,
    '--tap',
    files.tap,
    '--keep-exchanges',
    '--jobs',
    '1',
  ]
  const { code, out, err } = await cli([...args, ...outputs])
  t.strictSame([code, err], [0, ''])
  t.match(out, ` --profile ${join(dir, 'profile.json')}\n\n1 pass in`, 'a next step as it was run')
  t.match(out, /mine at http.*[\s\S]*\nqueues +1 pass\n[\s\S]*\nconformant: 1 of 1 checks passed/)
  t.notOk(out.includes('\u001b'), 'no colour where it is not a terminal')
  const report = JSON.parse(readFileSync(files.json, 'utf8')) as Report
  t.match(report, { verdict: 'conformant', planned: 1, target: { name: 'mine' } })
  t.ok(report.results[0]!.exchanges.length > 0)
  t.match(readFileSync(files.junit, 'utf8'), /<testcase classname="queues" name="queues\.create: /)
  t.match(readFileSync(files.tap, 'utf8'), /^ok 1 - queues\.create /m)
  const again = [broker.url, '--only', 'queues.create', '--profile', join(dir, 'profile.json')]
  t.match(await cli([...again, '--reporter', 'tap']), {
    code: 0,
    out: /^TAP version 14\n1\.\.1\n/,
  })
  const json = await cli([...again, '--reporter', 'json'])
  t.equal((JSON.parse(json.out) as Report).verdict, 'conformant')
})

t.test('exit codes 1 and 3', async (t) => {
  await using server = await serve(({ method, path }) =>
    method === 'GET' && path === '/queues' ? feed([]) : { status: 404 },
  )
  const failed = await cli([server.url, '--only', 'queues.create'])
  t.match(failed, {
    code: 1,
    err: '',
    out: /its requests as curl commands[\s\S]*non-conformant: 1 of 1 checks failed\.\n$/,
  })
  const blocked = await cli([server.url, '--only', 'consume.delivers'])
  t.match(blocked, { code: 3, out: /incomplete: nothing failed, but 1 blocked\.\n$/ })
})

t.test('a file that cannot be written is told before the target is asked', async (t) => {
  await using server = await serve(() => ({ status: 404 }))
  const file = join(t.testdir(), 'missing', 'report.json')
  t.equal((await cli([server.url, '--json', file])).code, 2)
  t.equal(server.got.length, 0)
})

t.test('without a profile the target is probed, and stderr told what was found', async (t) => {
  await using broker = await fakeBroker()
  const { code, out, err } = await cli([broker.url, '--only', 'queues.create'])
  t.equal(code, 0)
  t.match(out, /conformant: 1 of 1 checks passed/)
  t.match(out, `\nnext\n  1. Keep what the probe found as a profile`)
  t.match(out, `\n       npx atom-mq-conformance probe ${broker.url} > profile.json\n`)
  t.match(out, `\n  2. Ask everything: this was 1 of ${checks.length} checks:\n`)
  t.match(
    err,
    /^atom-mq-conformance: no profile was given; a probe of the target found dotted-names, guid\.\natom-mq-conformance: the length of a lease could not be seen[^\n]*\n$/,
  )
  await using closed = await serve(() => ({ status: 401 }))
  const unjudged = await cli([closed.url])
  t.match(unjudged, {
    code: 3,
    err: '',
    out: /^incomplete: .* was not judged: the target wants credentials.*"atom-mq-conformance probe http.*\n$/,
  })
})

t.test('probe: a draft on stdout, notes on stderr or in a file', async (t) => {
  await using broker = await fakeBroker()
  const dir = t.testdir({ 'known.json': '{"name":"mine","headers":{"X-A":"known"}}' })
  const told = await cli(['probe', broker.url, '--quick'])
  t.equal(told.code, 0)
  t.match(told.err, /^createQueue: text\/plain \{name\}: 201/m)
  t.match(JSON.parse(told.out), { features: { guid: true, batch: false }, name: '' })
  writeFileSync(join(dir, 'draft.json'), told.out)
  const run = await cli([broker.url, '--only', 'queues.create', '--profile', join(dir, 'draft.json')])
  t.match(run, { code: 0, err: '' }, 'the draft is a profile as it is')
  const notes = join(dir, 'notes.txt')
  await using nothing = await serve(() => ({ status: 404 }))
  const known = ['--profile', join(dir, 'known.json'), '--header', 'X-B: b: c', '--header', 'X-A:own']
  const none = await cli(['probe', nothing.url, ...known, '--notes', notes])
  t.strictSame([none.code, none.err], [3, ''])
  t.match(JSON.parse(none.out), { name: 'mine', headers: { 'X-A': 'own', 'X-B': 'b: c' } })
  t.match(nothing.got[0]!.headers, { 'x-a': 'own', 'x-b': 'b: c' })
  t.match(readFileSync(notes, 'utf8'), /^base URL: GET \/queues gave 404[^\n]*\ncreateQueue: \d+ definitions/)
})

t.test('an interrupted run still reports', async (t) => {
  let child: ReturnType<typeof spawn> | undefined
  await using server = await serve(() => {
    child?.kill('SIGINT')
    return undefined
  })
  const { code, out } = await program([server.url, '--only', 'queues.*', '--reporter', 'json'], (started) => {
    child = started
  })
  t.equal(code, 3)
  t.match(JSON.parse(out), { verdict: 'incomplete', executed: 0 })
})

t.test('list', async (t) => {
  const text = await cli(['list'])
  t.equal(text.code, 0)
  const lines = text.out.trimEnd().split('\n')
  t.equal(lines.filter((line) => /^\S/.test(line)).length, checks.length)
  t.match(text.out, /^queues\.create {2}\(stated\)\n {4}A POST to `\/queues`/m)
  t.strictSame(
    lines.filter((line) => line.length > 80),
    [],
    'it fits a terminal',
  )
  t.match((await cli(['list', '--only', 'ack.*'])).out, /^(?:ack\.| {4})/)
  const misspelt = await cli(['explain', 'send.repeat-atonce'])
  t.equal(misspelt.code, 2)
  t.match(misspelt.err, /nearest are send\.repeat-at-once,/)
  t.match((await cli(['explain', 'send.broken-off'])).out, /is at: {2}\S+framed\.[jt]s:\d+/)
  const { out, code } = await cli(['list', '--json'])
  t.equal(code, 0)
  const rows = JSON.parse(out) as Record<string, unknown>[]
  t.strictSame(
    rows.map(({ id }) => id),
    checks.map(({ id }) => id),
  )
  t.strictSame(Object.keys(rows[0]!), ['id', 'title', 'stimulus', 'clauses', 'grade', 'feature', 'needs'])
})

t.test('rows are listed as they can be given again', async (t) => {
  const said = ({ id, clauses, scenario, says, runsAlone }: CheckRecord) => ({
    ...{ id, clauses, scenario, says, runsAlone },
  })
  const { out } = await cli(['list', '--scenarios'])
  t.same(checksOf(out).map(said), checks.filter(({ scenario }) => scenario !== undefined).map(said))
})

t.test('a reader that has seen enough is no failure', async (t) => {
  const { code, err } = await program(['list', '--json'], (child) => child.stdout!.destroy())
  t.strictSame([code, err], [0, ''])
})

t.test('explain', async (t) => {
  const check = checks.find(({ id, needs }) => id !== 'queues.create' && needs?.length)!
  const about = await cli(['explain', check.id])
  t.equal(about.code, 0)
  for (const part of [check.title, check.stimulus, ...check.clauses, ...check.needs!])
    t.ok(about.out.includes(part), part)
  const clause = await cli(['explain', check.clauses[0]!])
  t.match(clause.out, `clause ${check.clauses[0]} (section `)
  t.match(clause.out, `proved by: ${check.id}: ${check.title}`)
  const unchecked = LEDGER.find((each) => each.unchecked !== undefined && each.feature === undefined)!
  t.match((await cli(['explain', unchecked.id])).out, `unchecked: ${unchecked.unchecked}`)
  const featured = checks.find(({ feature }) => feature !== undefined)!
  t.match((await cli(['explain', featured.id])).out, `where the target claims ${featured.feature}`)
})

t.test('explain tells where a clause is said, done, proved and broken', async (t) => {
  const { out } = await cli(['explain', 'send.step-2.status'])
  t.match(
    out,
    /stands in: \S*docs\/interface\/4-send\.md:\d+\n {2}done at: {3}\S*src\/mappings\/\S+\.ts:\d+\n/,
  )
  t.match(out, /proved by: send\.post: [^\n]+ \(\S+two-step\.[jt]s:\d+\)/)
  t.match(out, /broken by: \S*wrong-servers\/send\.ts:\d+\n/)
  const chosen = await cli(['explain', 'lease.unknown'])
  t.match(
    chosen.out,
    /stands in: \S*docs\/interpretations\.md:\d+\n {2}done at: {3}\S*subscriptions\.ts:\d+\n/,
  )
  const base = 'https://mq.test/spec/'
  const there = await program(['explain', 'send.step-2.status'], undefined, { ATOM_MQ_SPECIFICATION: base })
  t.match(there.out, `page:      ${base}#send.step-2.status\n`)
})

t.test('the place of every check is found', async (t) => {
  t.strictSame(
    checks.filter(({ id }) => placeOfCheck(id) === undefined).map(({ id }) => id),
    [],
  )
})

t.test('versions of Node', async (t) => {
  for (const good of ['20.19.0', '20.20.1', '22.0.0', '100.0.0'])
    t.equal(versionProblem(good), undefined, good)
  for (const bad of ['20.18.3', '18.20.0', '8.0.0']) {
    t.equal(versionProblem(bad), `atom-mq-conformance needs Node 20.19 or later; this is ${bad}.`)
  }
  const copy = join(t.testdir(), 'main.mjs')
  const source = readFileSync(MAIN, 'utf8')
  // An old Node, as the entry sees it, with nothing of the kit beside it but the question of the version.
  const where = new URL('./node-version.js', import.meta.url).href
  writeFileSync(
    copy,
    source.replace("'./node-version.js'", `'${where}'`).replace('process.versions.node', "'18.0.0'"),
  )
  const old = await new Promise<number | null>((resolve) =>
    spawn(process.execPath, [copy]).on('close', resolve),
  )
  t.equal(old, 2)
})
