import { spawnSync } from 'node:child_process'
import t from 'tap'
import { curlScript } from './curl.js'
import { body, exchange } from './report.test.helper.js'
import type { ReportedExchange } from './result.js'

const RUN = 'kit-0123456789'

/** Runs a script with a `curl` that tells its arguments and input, and answers with a Location of its own. */
function play(exchanges: readonly ReportedExchange[]): string[][] {
  const stub = `curl() {
    { printf 'CALL\\n'; for each in "$@"; do printf 'ARG %s\\n' "$each"; done
      case "$*" in *"--data-binary @-"*) printf 'STDIN %s\\n' "$(od -An -tx1 | tr -d ' \\n')";; esac
    } >&3
    printf 'HTTP/1.1 201 Created\\r\\nLocation: /fresh\\r\\n\\r\\n'
  }
  exec 3>&1 >/dev/null 2>/dev/null
  date() { printf 42; }
  `
  const { stdout, status } = spawnSync('sh', ['-c', stub + curlScript(exchanges)], { encoding: 'utf8' })
  t.equal(status, 0)
  const calls = stdout.split('CALL\n').slice(1)
  return calls.map((call) =>
    call
      .trimEnd()
      .split(/\n?^(?:ARG|STDIN) /m)
      .slice(1),
  )
}

t.test('the calls of a script', async (t) => {
  const [get, post, del, head, empty] = play([
    exchange({ url: 'http://mq.test/queues?a=b&c' }),
    exchange({ method: 'POST', headers: { 'X-A': "it's $HOME `x`" }, body: body('a\n"b" \'c\' $d') }),
    exchange({ method: 'DELETE' }),
    exchange({ method: 'HEAD' }),
    exchange({ method: 'POST' }, null),
  ])
  t.strictSame(get, ['-s', '-i', 'http://mq.test/queues?a=b&c'])
  t.strictSame(post!.slice(2, 6), ['-X', 'POST', '-H', "X-A: it's $HOME `x`"])
  t.strictSame(post!.slice(6, 8), ['--data-binary', 'a\n"b" \'c\' $d'])
  t.strictSame(del!.slice(2, 4), ['-X', 'DELETE'])
  t.strictSame(head!.slice(2, 3), ['--head'])
  t.strictSame(empty!.slice(4, 6), ['-H', 'Content-Length: 0'])
})

t.test('bytes that no argument can hold go by the input', async (t) => {
  const binary = body(Buffer.from([0, 255, 10]).toString('base64'), { encoding: 'base64', bytes: 3 })
  const [bytes, at] = play([
    exchange({ method: 'POST', body: binary }),
    exchange({ method: 'POST', body: body('@file') }),
  ])
  t.equal(bytes!.at(-1), '00ff0a')
  t.equal(at!.at(-1), Buffer.from('@file').toString('hex'))
})

t.test('names are new, and addresses are those of the new answers', async (t) => {
  const queue = `http://mq.test/queues/${RUN}-1`
  const calls = play([
    exchange(
      { method: 'POST', url: 'http://mq.test/queues', body: body(`${RUN}-1`) },
      { status: 201, headers: { location: `/queues/${RUN}-1` } },
    ),
    exchange({ method: 'POST', url: queue }, { status: 201, headers: { location: 'http://mq.test/new/9' } }),
    exchange({ method: 'POST', url: 'http://mq.test/new/9', body: body(`say ${RUN}-2 twice: ${RUN}-2`) }),
    exchange({ url: `${queue}/more?x` }, { headers: { location: 'http://[' } }),
    exchange({ url: `http://mq.test/queues/${RUN}-7` }),
  ])
  t.match(calls[0]!.at(-2), /^kit-42-\d+-1$/)
  const name = calls[0]!.at(-2)!.slice(0, -2)
  t.equal(calls[1]!.at(-1), 'http://mq.test/fresh')
  t.equal(calls[2]!.at(-1), 'http://mq.test/fresh')
  t.equal(calls[2]!.at(-2), `say ${name}-2 twice: ${name}-2`)
  t.equal(calls[3]!.at(-1), 'http://mq.test/fresh/more?x')
  t.equal(calls[4]!.at(-1), `http://mq.test/queues/${name}-7`)
})

t.test('what a person must put in is said', async (t) => {
  const script = curlScript([
    exchange(
      { headers: { Authorization: '***' } },
      { body: body('<link href="/subs/1/m/2"/>') },
      { times: 12 },
    ),
    exchange({ method: 'DELETE', url: 'http://mq.test/subs/1/m/2' }),
    exchange({ url: 'not a url' }),
  ])
  t.match(script, /^# put your credentials in place of \*\*\*$/m)
  t.match(script, /^# asked 12 times/m)
  t.match(
    script,
    /^# an address from an answer above: .*\ncurl -s -i -X 'DELETE' 'http:\/\/mq\.test\/subs\/1\/m\/2'$/m,
  )
  t.notMatch(curlScript([exchange({})]), /#/)
})
