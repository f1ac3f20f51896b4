import t from 'tap'
import { BROKEN_OFF, LEFT } from '../../client/exchange.js'
import { body, exchange } from '../report.test.helper.js'
import type { ReportedExchange } from '../result.js'
import { curlList, curlListOf } from './curl-list.js'

const url = (path: string) => `http://mq.test:1${path}`
const list = (exchanges: readonly ReportedExchange[]) => curlList(exchanges, { id: 'send.mine' })
/** The commands and comments of a list, without the functions before them. */
const requests = (exchanges: readonly ReportedExchange[]) => list(exchanges).split('\n\n')[1]!
const asked = (one: ReportedExchange) => requests([one]).split('\n')[1]

t.test('each method and body is asked for as the check did it', (t) => {
  const post = (of: Partial<ReportedExchange['request']['body']>) =>
    asked(exchange({ method: 'POST', url: url('/q'), body: body('', of) }))
  t.equal(asked(exchange({ url: url('/q') })), `ask 1 "$URL"'/q'`)
  t.equal(asked(exchange({ method: 'HEAD', url: url('/q') })), `ask 1 "$URL"'/q' --head`)
  t.equal(asked(exchange({ method: 'DELETE', url: url('/q') })), `ask 1 "$URL"'/q' -X 'DELETE'`)
  t.equal(post({}), `ask 1 "$URL"'/q' -X 'POST' -H 'Content-Length: 0'`)
  t.match(post({ data: 'ab', bytes: 2 }), "-H 'Content-Type:' --data-raw 'ab'")
  t.match(post({ data: 'AP8=', bytes: 2, encoding: 'base64' }), String.raw`printf '\000\377' | ask 1 `)
  t.match(
    post({ data: '100 %\n', bytes: 7, cut: true }),
    String.raw`{ printf '100 %%\012'; head -c 1 /dev/zero | tr '\0' x; } | ask 1 `,
    'what the report has cut off is made up',
  )
  t.end()
})

t.test('headers go as they went, and names are new', (t) => {
  const withHeader = (value: string) => asked(exchange({ url: url('/q'), headers: { 'X-A': value } }))
  t.match(withHeader('Z\u00c3\u00bcrich'), "-H 'X-A: Z\u00fcrich'", 'what is UTF-8 is not encoded twice')
  t.match(withHeader('Z\u00fcrich'), String.raw`-H "$(printf 'X-A: Z\374rich')"`)
  t.match(withHeader(''), "-H 'X-A;'")
  t.match(asked(exchange({ url: url('/queues/kit-0123456789-1') })), `"$URL"'/queues/kit-'"$R"'-1'`)
  t.match(
    asked(exchange({ url: url('/q?guid=01969390003973.0') })),
    `'/q?guid=0'"$(( 0x$R * 16 + 5 ))"'.0'`,
    'a number that is new in each run',
  )
  t.end()
})

t.test('who asks and what the check was answered stand beside each request', (t) => {
  const text = requests([
    exchange(
      { method: 'POST', url: url('/subscriptions') },
      { status: 201, headers: { location: '/s/1234567' } },
    ),
    exchange({ url: url('/s/1234567') }, { body: body('x'.repeat(200)) }, { at: 1, times: 3 }),
    exchange({ url: url('/s/1234567') }, { body: body('AA==', { encoding: 'base64' }) }, { at: 2 }),
    { ...exchange({ url: url('/q') }, {}, { at: 3, omitted: 7 }), response: null, error: 'reset\n\u001b' },
  ])
  t.match(text, '# 1. Consumer A\n')
  t.match(text, '# -> 201, Location: /s/1234567\n')
  t.match(text, '# 2. Consumer A, 3 times\n')
  t.match(text, `# -> 200: ${'x'.repeat(100)}…\n`)
  t.match(text, '# -> 200: 4 bytes\n')
  t.match(text, '# 7 requests stood here that the report does not hold.\n')
  t.match(text, '# -> reset⟨U+000A⟩⟨U+001B⟩', 'as one line that may be shown')
  t.match(list([]), '# What send.mine asked of . ')
  t.match(
    curlList([exchange({})], { id: 'a.b', scenario: 'create a; read A' }),
    '\n# Scenario: create a; read A\n',
  )
  t.end()
})

t.test('time passes as it did for the check', (t) => {
  const at = (time: number, seconds: number, more: Partial<ReportedExchange> = {}) =>
    exchange({ url: url(`/${time}`) }, {}, { at: time, seconds, ...more })
  const text = requests([at(0, 0.1), at(2.1, 3), at(3, 0.1), at(3.5, 0.1), at(5.2, 0.1), at(5.4, 0.1)])
  t.same(
    text.split('\n').filter((line) => line !== '' && !line.startsWith('#')),
    [
      `ask 1 "$URL"'/0'`,
      'sleep 2.0',
      `ask 2 "$URL"'/2.1' &`,
      'sleep 0.9',
      `ask 3 "$URL"'/3' &`,
      'sleep 0.5',
      `ask 4 "$URL"'/3.5'`,
      'wait',
      `ask 5 "$URL"'/5.2'`,
      `ask 6 "$URL"'/5.4'`,
    ],
  )
  t.match(asked(at(0, 0.5, { error: LEFT })), `'/0' -m 0.510`)
  t.match(asked(at(0, 0, { error: BROKEN_OFF })), '# It ends within this request: GET http://mq.test:1/0')
  t.end()
})

t.test('a value is taken from where the target told it, and from nowhere else', (t) => {
  const taken = (told: Parameters<typeof exchange>[1], path: string) =>
    /^A1=\$\(([^)]*)\)$/m.exec(
      requests([exchange({ url: url('/q') }, told), exchange({ url: url(path) }, {}, { at: 1 })]),
    )?.[1]
  const link = (href: string) => `<link rel="edit" href="${href}"/>`
  t.equal(taken({ headers: { location: 'http://other/m/1' } }, '/m/1'), "header 1 'location'")
  t.equal(taken({ headers: { 'message-id': 'id1234567' } }, '/ack/id1234567'), "header 1 'message-id'")
  t.equal(taken({ headers: { "x'$(a": 'id1234567' } }, '/ack/id1234567'), undefined)
  t.equal(taken({ headers: { etag: 'id1234567' } }, '/ack/id1234567'), undefined)
  t.equal(
    taken({ body: body(`<feed>${link('/m/1')}\n${link('/m/2?a=1&amp;b=2')}</feed>`) }, '/m/2?a=1&b=2'),
    `behind 1 '<link rel="edit" href="' 2`,
  )
  t.equal(taken({ body: body('<id>/m/7</id>') }, '/m/7'), "behind 1 '<id>' 1")
  t.equal(taken({ body: body('/m/1\r\n/m/2\r\n') }, '/m/2'), "behind 1 '\n' 2")
  t.equal(taken({ body: body('["/m/1234567", "/m/8"]') }, '/m/8'), `behind 1 '", "' 1`, 'behind no id')
  t.equal(taken({ body: body('{"id": "id1234567"}') }, '/m/id1234567'), `behind 1 '{"id": "' 1`)
  t.equal(taken({ body: body('{"size": "1234567x"}') }, '/q/other'), undefined)
  t.equal(taken({ body: body('/m/1', { encoding: 'base64' }) }, '/m/1'), undefined)
  t.equal(taken({ body: body(link('http://[')) }, '/m/1'), undefined)
  const twice = requests([
    exchange({ url: url('/m/1') }, { headers: { location: '/m/1' } }),
    exchange({ url: url('/m/1') }, {}, { at: 1 }),
  ])
  t.notMatch(twice, 'A1=', 'what was asked before it was told')
  t.end()
})

t.test('what cannot be made is a fault of the kit, and one sentence', (t) => {
  const faults: unknown[] = []
  const broken = { id: 'send.bad', exchanges: [{ request: null }] } as never
  t.match(
    curlListOf(broken, { fault: (what) => faults.push(what) }),
    /^# There are no curl commands, by a fault of the kit: [^\n]+\n$/,
  )
  t.same(faults, ['the curl commands of send.bad'])
  t.end()
})

t.test('a list for answers with fields of any length is made in no time', (t) => {
  const said = Array.from({ length: 60 }, (_, at) =>
    exchange(
      { url: url(`/q/${at}`), headers: { 'x-a': 'a'.repeat(8000) } },
      { headers: { 'x-id': '1'.repeat(16_000) }, body: body('/m/1"'.repeat(1500)) },
      { at },
    ),
  )
  const began = process.cpuUsage().user
  t.ok(list(said).length > 1000)
  t.ok((process.cpuUsage().user - began) / 1000 < 5000)
  t.end()
})
