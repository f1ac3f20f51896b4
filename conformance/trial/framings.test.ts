import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { checks } from '../checks/index.js'
import { Inconclusive } from '../client/findings.js'
import { parseProfile } from '../client/parse-profile.js'
import { runConformance } from '../judge.js'
import { skipIdleTime } from '../virtual-time.test.helper.js'
import { type FakeBroker, fakeBroker } from './fake-broker.test.helper.js'
import { judgeContinued } from './framings.js'
import { inTwoSteps } from './repeats.js'
import { trialOf } from './trial-of.test.helper.js'

skipIdleTime()

const UNANSWERED = ['send.unanswered', 'dedup.unanswered']

async function judge({ url }: FakeBroker, only: string[]): Promise<(readonly [string, string])[]> {
  const profile = parseProfile({ features: { guid: true } })
  const { results } = await runConformance(url, { checks, only, profile }).report
  return results.map(({ id, status }) => [id, status] as const)
}

t.test(
  'a message whose client did not read the answer is one, where it is stored or sent again',
  async (t) => {
    await using broker = await fakeBroker()
    t.strictSame(
      await judge(broker, UNANSWERED),
      UNANSWERED.map((id) => [id, 'pass']),
    )
  },
)

t.test('a send that is known, and whose message was never stored, is told', async (t) => {
  await using broker = await fakeBroker()
  const known = new Set<string>()
  broker.intercept = ({ path, headers }) => {
    if (!/\/new\/|guid=/.test(path)) return undefined
    // What comes over a connection of its own is given up.
    const isGivenUp = headers.connection === 'close' && !known.has(path)
    if (isGivenUp) known.add(path)
    return known.has(path) ? {} : undefined
  }
  t.strictSame(
    await judge(broker, UNANSWERED),
    UNANSWERED.map((id) => [id, 'fail']),
  )
})

t.test('a message without a Content-Type may be refused, and not be lost', async (t) => {
  const only = ['send.body-however-it-comes', 'dedup.body-however-it-comes']
  for (const [answer, status] of [
    [{ status: 415 }, 'pass'],
    [{ status: 200 }, 'fail'],
  ] as const) {
    await using broker = await fakeBroker()
    broker.intercept = ({ path, headers }) =>
      /\/new\/|guid=/.test(path) && headers['content-type'] === undefined ? answer : undefined
    t.strictSame(
      await judge(broker, only),
      only.map((id) => [id, status]),
    )
  }
})

t.test('what is refused for now over a connection of its own is sent again', async (t) => {
  await using broker = await fakeBroker()
  const refused = new Set<string>()
  broker.intercept = ({ path, headers }) => {
    if (!/\/new\//.test(path) || headers.connection !== 'close' || refused.has(path)) return undefined
    refused.add(path)
    return { status: 429 }
  }
  const only = ['send.body-however-it-comes', 'send.body-chunked']
  t.strictSame((await judge(broker, only)).toSorted(), only.map((id) => [id, 'pass']).toSorted())
})

t.test('a target that knows names of header fields in one case only is told', async (t) => {
  for (const unknown of [/^content-length:/m, /^CONTENT-LENGTH:/m]) {
    await using broker = await fakeBroker()
    const before = createServer((client) => {
      client.once('data', (head) => {
        if (unknown.test(head.toString())) client.end('HTTP/1.1 411 \r\nContent-Length: 0\r\n\r\n')
        else {
          const behind = connect(Number(new URL(broker.url).port), '127.0.0.1')
          behind.write(head)
          client.pipe(behind).pipe(client)
        }
      })
    })
    await once(before.listen(0, '127.0.0.1'), 'listening')
    const { port } = before.address() as AddressInfo
    const { pathname } = new URL(broker.url)
    const only = ['send.body-however-it-comes']
    const { results } = await runConformance(`http://127.0.0.1:${port}${pathname}`, { checks, only }).report
    before.close()
    t.match(results, [{ status: 'fail', seen: '411' }])
  }
})

t.test('what comes over a connection of its own is given the time of every request', async (t) => {
  for (const [after, status] of [
    [3000, 'pass'],
    [35_000, 'inconclusive'],
  ] as const) {
    await using broker = await fakeBroker()
    broker.intercept = async ({ path, headers }) => {
      if (/\/new\/|guid=/.test(path) && headers.connection === 'close') await sleep(after)
      return undefined
    }
    const id = 'send.body-however-it-comes'
    t.strictSame(await judge(broker, [id]), [[id, status]], `answered after ${after} ms`)
  }
})

t.test(
  'connections of their own lead to where the target is reached, whatever it calls itself',
  async (t) => {
    await using broker = await fakeBroker()
    broker.origin = 'http://127.0.0.1:1'
    const only = ['send.body-chunked', 'send.unanswered', 'send.body-continued', 'dedup.unanswered']
    const own: string[] = []
    broker.intercept = ({ headers }) => {
      const { connection, expect, 'transfer-encoding': chunked } = headers
      if (connection === 'close') own.push(expect ?? chunked ?? 'whole')
      return undefined
    }
    t.strictSame(
      (await judge(broker, only)).toSorted(),
      only.toSorted().map((id) => [id, 'pass']),
    )
    t.strictSame([...new Set(own)].toSorted(), ['100-continue', 'chunked', 'whole'])
  },
)

t.test('where nobody takes a connection, nothing is said', async (t) => {
  await using broker = await fakeBroker()
  const trial = trialOf(broker)
  trial.target.directly = async () => undefined
  await t.rejects(judgeContinued(trial, inTwoSteps), Inconclusive)
})

t.test('a request in chunks is told apart from one that has a trailer, too', async (t) => {
  for (const refuses of ['trailer', 'transfer-encoding']) {
    await using broker = await fakeBroker()
    broker.intercept = ({ headers }) => (headers[refuses] === undefined ? undefined : { status: 400 })
    const { results, choices } = await runConformance(broker.url, { checks, only: ['send.body-chunked'] })
      .report
    const isAll = refuses !== 'trailer'
    t.match(results, [{ status: isAll ? 'observed' : 'pass' }])
    t.equal(choices['chunks-with-a-trailer'], isAll ? undefined : '400')
    if (isAll) t.match(results[0]!.message, 'A request in chunks is answered with 400.')
  }
})

t.test('a long request in chunks may be refused', async (t) => {
  await using broker = await fakeBroker()
  broker.intercept = ({ body }) => (body.length > 100_000 ? { status: 413 } : undefined)
  t.strictSame(await judge(broker, ['send.body-chunked']), [['send.body-chunked', 'pass']])
})
