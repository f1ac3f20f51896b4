import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { type Reply, serve } from '../../client/serve.test.helper.js'
import { body, exchange } from '../report.test.helper.js'
import type { ReportedExchange } from '../result.js'
import { cksum, LIKENESS_AWK, Likeness } from './likeness.js'
import { runScript } from './run-script.test.helper.js'
import { checkScript } from './script.js'
import { stepsOf } from './steps.js'

const RUN = 'kit-0123456789'
const told = { expected: 'one message', seen: "none of it's there" }

/** A queue, an address, a send, and a subscription whose feed has the message from its third reading on, or never. */
function broker(delivers: boolean) {
  let made = 100
  let readings = 0
  return serve(({ method, path, body }): Reply => {
    made += 1
    if (method === 'POST' && path === '/queues')
      return { status: 201, headers: { Location: `/queues/${body}` } }
    if (method === 'POST' && path === '/subscriptions') {
      return { status: 201, headers: { Location: `http://elsewhere.test/subs/${made}abcdef` } }
    }
    if (method === 'POST' && /^\/queues\/[^/]+$/.test(path))
      return { status: 201, headers: { 'Message-Id': `id${made}000` } }
    if (method === 'POST') return { status: 200 }
    if (method === 'DELETE') return { status: 200, headers: { 'X-Deleted': path.replace(/\d+/g, 'N') } }
    readings += 1
    const entry = delivers && readings > 2 ? `<entry><link href="/subs/x&amp;y/m${made}0000"/></entry>` : ''
    return {
      status: 200,
      headers: { 'Content-Type': 'application/atom+xml' },
      body: `<feed><id>u104</id>\n${entry}</feed>`,
    }
  })
}

function recorded(delivered: boolean): ReportedExchange[] {
  const url = (path: string) => `http://mq.test:1${path}`
  const entry = '<entry><link href="/subs/x&amp;y/m1070000"/></entry>'
  const feed = (has: boolean) => ({
    headers: { 'content-type': 'application/atom+xml' },
    body: body(`<feed><id>u104</id>\n${has ? entry : ''}</feed>`),
  })
  const reading = { url: url('/subs/103abcdef') }
  return [
    exchange(
      {
        method: 'POST',
        url: url('/queues'),
        headers: { 'Content-Type': 'text/plain' },
        body: body(`${RUN}-1`),
      },
      { status: 201, headers: { location: `/queues/${RUN}-1` } },
      { at: 0 },
    ),
    exchange(
      { method: 'POST', url: url(`/queues/${RUN}-1`) },
      { status: 201, headers: { 'message-id': 'id102000' } },
      { at: 0.01 },
    ),
    exchange(
      { method: 'POST', url: url('/send/id102000'), body: body('%é\u0001') },
      { status: 200 },
      { at: 0.02 },
    ),
    exchange(
      { method: 'POST', url: url('/subscriptions'), body: body(`destination=${RUN}-1&prefetch=5`) },
      { status: 201, headers: { location: 'http://elsewhere.test/subs/103abcdef' } },
      { at: 0.4 },
    ),
    exchange(reading, feed(false), { at: 0.41, times: 4 }),
    ...(delivered
      ? [
          exchange(reading, feed(true), { at: 1 }),
          exchange(
            { method: 'DELETE', url: url('/subs/x&y/m1070000') },
            { headers: { 'x-deleted': '/subs/x&y/mN' } },
            { at: 1.1 },
          ),
        ]
      : []),
  ]
}

t.test('a script asks by itself what the check asked, and tells whether the answers are alike', async (t) => {
  await using delivering = await broker(true)
  await using losing = await broker(false)
  const late = checkScript(recorded(true), told)
  const never = checkScript(recorded(false), told)
  const shown = await runScript(never, losing.url)
  t.equal(shown.code, 1, shown.out)
  t.match(shown.out, /^1\. Somebody: .*\n2\. A producer: [\s\S]*\n4\. Consumer A: .*\n5\. Consumer A: /)
  t.match(
    shown.out,
    /\nexpected: one message\nseen by the check: none of it's there\nseen now: the same answers as by the check\n$/,
  )
  const other = await runScript(never, delivering.url)
  t.match(other, { code: 0, out: /seen now: another answer to 5: its headers or body\n$/ })
  const again = await runScript(late, delivering.url)
  t.equal(again.code, 1, again.out)
  const refused = await runScript(late, losing.url)
  t.match(refused, { code: 0, out: /seen now: another answer to 5: / })
  const sent = losing.got.find(({ path }) => path.startsWith('/send/'))!
  t.match(sent.path, /^\/send\/id\d+$/, 'an id of a header')
  t.equal(String(sent.body), `%é${String.fromCharCode(1)}`)
  t.match(String(losing.got[0]!.body), /^kit-[\da-f]{10}-1$/)
  t.not(String(losing.got[0]!.body), `${RUN}-1`)
  t.match(
    delivering.got.filter(({ method }) => method === 'DELETE').map(({ path }) => path),
    [/^\/subs\/x&y\/m\d+$/],
  )
})

t.test('nobody there, and credentials', async (t) => {
  const gone = await runScript(checkScript([exchange({})], told), 'http://127.0.0.1:1')
  t.match(gone, { code: 0, out: /another answer to 1: 000 instead of 200/ })
  const headers = [{ Authorization: '***' }, { Authorization: '*** (unauthorized 2)' }]
  const guarded = checkScript(
    headers.map((each) => exchange({ headers: each })),
    told,
  )
  await using asked = await serve(() => ({}))
  t.match(await runScript(guarded, asked.url, { OWNER_AUTHORIZATION: 'Bearer mine' }), {
    code: 2,
    out: /UNAUTHORIZED_2_AUTHORIZATION=\.\.\. sh THIS\n$/,
  })
  const env = { OWNER_AUTHORIZATION: 'Bearer mine', UNAUTHORIZED_2_AUTHORIZATION: 'Basic "x$y' }
  const { out } = await runScript(guarded, asked.url, env)
  t.strictSame(
    asked.got.map((got) => got.headers.authorization),
    ['Bearer mine', 'Basic "x$y'],
  )
  t.notMatch(out, /mine|x\$y/, 'and are not printed')
  await using silent = await serve(() => ({}))
  const cut = exchange({ method: 'POST', body: body('long', { bytes: 9000, cut: true }) })
  const parts = await runScript(checkScript([cut], told), silent.url)
  t.match(parts, {
    code: 2,
    out: /nobody can tell, for bodies that are not whole in the report: judge it again by replay\n$/,
  })
  t.match(String(silent.got[0]!.body), /^longx{8996}$/, 'what was cut off in the report is made up')
  const few = await runScript(checkScript([exchange({}, {}, { omitted: 7 })], told), silent.url)
  t.match(few, { code: 2, out: /for requests of the check that are not in the report/ })
  t.notMatch(checkScript([], { expected: '', seen: '' }), /expected/)
})

t.test('what becomes a step', async (t) => {
  const get = { url: 'http://mq.test/a' }
  const wait = exchange(get, {}, { at: 0, seconds: 2 })
  const post = (at: number, more = {}) => exchange({ method: 'POST' }, {}, { at, ...more })
  const of = (...all: ReportedExchange[]) =>
    stepsOf(all).map(({ pause, again, besideNext, afterAll, isOfMany }) => [
      pause,
      again,
      besideNext,
      afterAll,
      isOfMany,
    ])
  t.strictSame(of(wait, post(1), post(3)), [
    [0, undefined, true, false, false],
    [0, undefined, false, false, false],
    [2, undefined, false, true, false],
  ])
  t.strictSame(
    of(post(0, { seconds: 1 }), post(0.001, { seconds: 1 })).map(([, , , , many]) => many),
    [true, true],
  )
  t.equal(of(post(0, { times: 3 })).length, 3, 'what changes something is repeated as often')
  t.strictSame(of(exchange(get, {}, { at: 0 }), exchange(get, { status: 404 }, { at: 3 })), [
    [0, { seconds: 5, until: true }, false, false, false],
  ])
  t.strictSame(
    of(post(0, { advanced: 5 }), post(5.01))[1]![0],
    0,
    'time that the clock was moved by is no pause',
  )
})

t.test('answers are made alike here as in awk, and sums are those of cksum', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'likeness-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const piece = fc.oneof(
    fc.constantFrom(
      '<a b="',
      '0123456789abcdef',
      '12',
      '123',
      '2026-11-22T01:02:03.4Z',
      ' ',
      'é',
      `${RUN}-3`,
      '\n',
      '\r\n',
      'entry',
      '0123456789abcdeg',
    ),
    fc.stringMatching(/^[ -~]{0,12}$/),
  )
  const text = fc.array(piece, { maxLength: 30 }).map((all) => all.join(''))
  fc.assert(
    fc.property(
      fc.array(fc.tuple(text, fc.stringMatching(/^[!-~]{0,20}$/)), { minLength: 1, maxLength: 4 }),
      (answers) => {
        const likeness = new Likeness(['0123456789'])
        const expected = answers.map(([data, header], index) => {
          const headers = { date: 'now', 'x-a': header }
          writeFileSync(
            join(folder, String(index)),
            `HTTP/1.1 200 OK\r\nDate: now\r\nX-A: ${header}\r\n\r\n${data}`,
          )
          return likeness.of(exchange({}, { headers, body: body(data) }))!
        })
        const names = answers.map((_, index) => String(index))
        const { stderr } = spawnSync('awk', ['-v', 'run=0123456789', LIKENESS_AWK, ...names], {
          cwd: folder,
          env: { ...process.env, LC_ALL: 'C' },
        })
        const made = names.map((name) => readFileSync(join(folder, `${name}.like`), 'latin1'))
        const sums = names.map((name) =>
          Number(
            spawnSync('cksum', [join(folder, `${name}.like`)], { encoding: 'utf8' }).stdout.split(' ')[0],
          ),
        )
        t.strictSame([String(stderr), made, sums], ['', expected, expected.map(cksum)])
      },
    ),
    { numRuns: 15 },
  )
  const silent = new Likeness([])
  t.strictSame(
    [silent.of(exchange({}, null)), silent.of(exchange({}, { body: body('AA==', { encoding: 'base64' }) }))],
    [undefined, undefined],
  )
  t.end()
})
