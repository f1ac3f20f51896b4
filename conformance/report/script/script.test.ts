import t from 'tap'
import { BROKEN_OFF, LEFT } from '../../client/exchange.js'
import { changingBytes } from '../../trial/sending.js'
import { body, exchange } from '../report.test.helper.js'
import type { ReportedExchange } from '../result.js'
import { Likeness } from './likeness.js'
import { checkScript } from './script.js'

const url = (path: string) => `http://mq.test:1${path}`
const told = { expected: 'this', seen: 'that' }

/** The line of a script that asks for an exchange. */
function asked(one: ReportedExchange): string {
  const [line] =
    checkScript([one], told).match(/^.*\n?.*\b(?:ask|broken|again \w+ '[^']*' \d+ \d+) 1 '.*$/m) ?? []
  return line ?? 'nothing'
}

t.test('each method and body is asked for as the check did it', (t) => {
  const post = (of: Partial<ReportedExchange['request']['body']>, more: Partial<ReportedExchange> = {}) =>
    asked(exchange({ method: 'POST', url: url('/q'), body: body('', of) }, {}, more))
  t.match(asked(exchange({ method: 'HEAD', url: url('/q') })), `"$URL"'/q' --head`)
  t.match(asked(exchange({ method: 'DELETE', url: url('/q') })), "-X 'DELETE'")
  t.match(post({}), "-H 'Content-Length: 0'")
  const withHeader = (value: string) => asked(exchange({ url: url('/q'), headers: { 'X-A': value } }))
  t.match(withHeader('Z\u00c3\u00bcrich'), "-H 'X-A: Z\u00fcrich'", 'what is UTF-8 is not encoded twice')
  t.match(withHeader('Z\u00fcrich'), String.raw`-H "$(printf 'X-A: Z\374rich')"`)
  t.match(
    asked(exchange({ url: url('/q?guid=01969390003973.0') })),
    `'/q?guid=0'"$(( 0x$R * 16 + 5 ))"'.0'`,
    'a number that is new in each run',
  )
  t.match(withHeader(''), "-H 'X-A;'")
  t.match(post({ data: 'ab', bytes: 2 }), "-H 'Content-Type:' --data-raw 'ab'")
  t.match(
    post({ data: '100 %\n', bytes: 7, cut: true }),
    String.raw`{ printf '100 %%\012'; head -c 1 /dev/zero`,
  )
  t.match(post({ data: 'AP8=', bytes: 2, encoding: 'base64' }), String.raw`printf '\000\377' >"$D/sent1"`)
  t.match(
    post({ data: 'ab'.repeat(50), bytes: 5000, cut: true }),
    "yes 'ab' | tr -d '\\n' | head -c 5000 >\"$D/sent1\"",
  )
  t.match(
    post({ data: `one: ${'ab'.repeat(50)}`, bytes: 5000, cut: true }),
    "{ printf 'one: '; yes 'ab' | tr -d '\\n'; } | head -c 5000 >",
  )
  const changing = changingBytes(300).toString('base64')
  t.match(
    post({ data: changing, bytes: 5000, cut: true, encoding: 'base64' }),
    'for (at = 0; at < 5000; at++)',
  )
  t.match(post({ data: 'no unit', bytes: 5000, cut: true }), 'head -c 4993 /dev/zero')
  t.end()
})

t.test('what was asked until another answer came is asked so again', (t) => {
  const entries = { body: body('<feed><entry>1</entry><atom:entry>2</atom:entry></feed>') }
  const reading = (more: Partial<ReportedExchange>, response: Parameters<typeof exchange>[1] = {}) =>
    exchange({ url: url('/q') }, response, more)
  t.match(asked(reading({ times: 3 }, entries)), "again while '200 2' 2 3")
  const bytes = { body: body('AA==', { encoding: 'base64' }) }
  t.match(asked(reading({ times: 3 }, bytes)), "again while '200 0'")
  t.match(asked(reading({ times: 3 }, null)), "again while '000 0'")
  const [first, last] = [reading({}), reading({ at: 1 }, entries)]
  t.match(checkScript([first, last], told), "again until '200 2' 3 2 1 ")
  t.end()
})

t.test('what a script cannot do, it says', (t) => {
  const chunks = {
    method: 'POST',
    url: url('/q'),
    headers: { 'Transfer-Encoding': 'chunked' },
    body: body('half'),
  }
  const length = { method: 'POST', url: url('/q'), headers: { 'Content-Length': '9' }, body: body('ab') }
  const cut = { method: 'POST', url: url('/q'), body: body('no unit', { bytes: 5000, cut: true }) }
  const tells = (one: ReportedExchange) => /for ([^:]*): judge it again/.exec(checkScript([one], told))?.[1]
  t.match(tells(exchange({ url: url('/q') }, {}, { omitted: 1 })), 'not in the report')
  t.match(tells(exchange(cut)), 'bodies that are not whole')
  const broken = exchange(length, null, { error: BROKEN_OFF })
  t.match(asked(broken), /--data-raw 'ab' -m 1$/)
  t.match(
    asked(exchange(chunks, null, { error: BROKEN_OFF })),
    /printf 'half'; sleep 2; } \| broken .* -T -$/,
  )
  const left = exchange(length, null, { error: LEFT, seconds: 0.0234 })
  t.match(asked(left), /--data-raw 'ab' -m 0.033$/)
  for (const one of [broken, left])
    t.notMatch(checkScript([one], told), /^1 \S+ \S+/m, 'its answer is not compared')
  t.end()
})

t.test('a value is taken from where the target told it, and from nowhere else', (t) => {
  const using = (response: Parameters<typeof exchange>[1], used: string) =>
    checkScript([exchange({ url: url('/q') }, response), exchange({ url: used }, {}, { at: 1 })], told)
  const location = (where: string) => ({ status: 201, headers: { location: where } })
  t.match(using(location('/ids/abc123'), url('/ids/abc123')), 'A1=$(location 1)')
  t.match(using(location('http://[bad'), url('/bad')), `ask 2 'Somebody' "$URL"'/bad'`, 'no address')
  t.match(using(location('mailto:a@b'), url('/x')), `ask 2 'Somebody' "$URL"'/x'`, 'one of another kind')
  t.match(using({ headers: { 'x-id': 'abc123' } }, url('/ids/abc123')), "A1=$(id 1 'x-id')")
  const among = using({ headers: { 'x-id': 'abc123; of=q' } }, url('/ids/abc123'))
  t.notMatch(among, 'A1=', 'a part of a field is not taken')
  t.match(using({ body: body('<id>/ids/abc123</id>') }, url('/ids/abc123')), /A1=\$\(found 1 .* 1\)/)
  const both = { status: 201, headers: { location: '/ids/abc123', 'x-id': 'abc123' } }
  t.match(
    using(both, url('/of?id=abc123')),
    /A1=\$\(location 1\)\nask 2 .*A1##/,
    'the last segment of an address',
  )
  t.notMatch(using(both, url('/of?id=xabc123')), 'A1=', 'a part of a word is another')
  t.end()
})

t.test('answers that differ by the time alone are alike', (t) => {
  const answers = (first: number, second: number, isAboutTags: boolean) => {
    const likeness = new Likeness([], [], isAboutTags)
    return [first, second].map((seconds) => {
      const date = new Date(seconds * 1000)
      const headers = { 'x-of': date.toUTCString(), 'x-at': String(seconds), etag: `"v${seconds}"` }
      return likeness.of(
        exchange({ url: url('/q') }, { headers, body: body(`<updated>${date.toISOString()}</updated>`) }),
      )
    })
  }
  t.strictSame(answers(1795381068, 1795381068, false), answers(1795381068, 1795381999, false))
  const [before, after] = answers(1795381068, 1795381999, true)
  t.not(before!.like, after!.like, 'where a check is about tags, they count')
  t.end()
})

t.test('what was sent at one moment is sent so again, and what its order decides is not compared', (t) => {
  const text = { 'content-type': 'text/plain' }
  const post = (name: string, told: string, at: number) =>
    exchange(
      { method: 'POST', url: url('/queues'), body: body(name) },
      { status: 201, headers: { ...text, location: told } },
      { at, seconds: 1 },
    )
  const script = checkScript(
    [post('kit-0123456789-1', '/a/1', 0), post('kit-0123456789-1', '/a/2', 0.01)],
    told,
  )
  t.match(script, /^at_once 1 'Somebody' .*\\\n {2}--next 2 'Somebody' /m)
  t.match(script, "gist '1:a0 2:a0' '' >1-2.gist")
  t.match(script, /^1-2 - gist \d+$/m)
  const sum = (...all: Parameters<typeof checkScript>[0]) =>
    /^1-\d - gist (\d+)$/m.exec(checkScript(all, told))?.[1]
  const [one, two] = [post('a', '/a/1', 0), post('b', '/a/2', 0)]
  t.equal(sum(one, two), sum(post('a', '/a/2', 0), post('b', '/a/1', 0)), 'whoever is given which')
  t.not(sum(one, two), sum(one, post('b', '/a/1', 0)), 'one address for two is another thing')
  const read = (path: string, ...messages: number[]) =>
    exchange(
      { url: url(path) },
      {
        headers: text,
        body: body(
          `<feed>of kit-0123456789-1${messages.map((each) => `<entry>kit-0123456789-${each}</entry>`)}</feed>`,
        ),
      },
      { at: 0, seconds: 1 },
    )
  const reads = (first: number[], second: number[]) =>
    sum(
      read('/s/kit-0123456789-1', ...first),
      read('/s/kit-0123456789-1', ...first),
      read('/t', ...second),
      read('/t', ...second),
    )
  t.equal(reads([2, 3], [4]), reads([4], [2, 3]), 'whoever holds which messages')
  t.not(reads([2, 3], [4]), reads([2, 3], [3]), 'one message that two hold is another thing')
  t.equal(reads([2], [2]), reads([2, 3, 4], [2, 4]), 'however many they are')
  t.end()
})

t.test('a script for answers with fields of any length is made in no time', (t) => {
  // A name of a host that is not ASCII takes the square of its length to be read.
  const strange = String.fromCharCode(
    ...Array.from({ length: 60_000 }, (_, n) => 0x4e00 + ((n * 7919) % 20_000)),
  )
  for (const headers of [{ location: `http://${strange}/` }, { 'x-trace': 'a'.repeat(200_000) }]) {
    const started = performance.now()
    checkScript([exchange({ url: url('/q') }, { headers }), exchange({ url: url('/q') })], told)
    t.ok(performance.now() - started < 3000, `${Object.keys(headers)}: ${performance.now() - started} ms`)
  }
  t.end()
})
