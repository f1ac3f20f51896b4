import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { fakeBroker } from '../trial/fake-broker.test.helper.js'
import { program } from './cli.test.helper.js'

/** Something of the kit's own that throws again and again, where nobody waits for it. */
const ODD =
  "const odd=()=>{if(process.listenerCount('uncaughtException')>LEAST)throw new TypeError('odd\\nthing')};setInterval(odd,20).unref()"
const odd = (least: number, more = {}) => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(ODD.replace('LEAST', String(least)))}`,
  ...more,
})

t.test('an exception that nobody expected ends the kit with 4 and a sentence', async (t) => {
  await using broker = await fakeBroker()
  broker.intercept = () => new Promise(() => {})
  const ended = await program(['probe', broker.url], undefined, odd(0))
  t.equal(ended.code, 4)
  t.equal(
    ended.err,
    'atom-mq-conformance: the kit itself failed, not the target: TypeError: odd; DEBUG=atom-mq-conformance in the environment shows where.\n',
  )
  const asked = await program(['probe', broker.url], undefined, odd(0, { DEBUG: 'atom-mq-conformance' }))
  t.match(asked, { code: 4, err: /TypeError: odd\nthing\n {4}at / })
})

t.test('what throws beside the checks of a run costs the run nothing', async (t) => {
  await using broker = await fakeBroker()
  let status = 201
  broker.intercept = async ({ path }) => {
    await new Promise((resolve) => setTimeout(resolve, 100))
    return path.endsWith('/queues') && status !== 201 ? { status } : undefined
  }
  const dir = t.testdir({ 'profile.json': '{}' })
  const json = join(dir, 'report.json')
  const args = [broker.url, '--profile', join(dir, 'profile.json'), '--only', 'queues.create', '--json', json]
  const good = await program(args, undefined, odd(1))
  t.match(good, {
    code: 4,
    out: /\nfailed within the kit.*\n {2}what went on beside the checks: TypeError: odd\n/,
  })
  t.match(JSON.parse(readFileSync(json, 'utf8')), {
    verdict: 'conformant',
    faults: [{ why: 'TypeError: odd' }],
  })
  status = 200
  t.equal((await program(args, undefined, odd(1))).code, 1, 'the target broke a clause')
})

t.test('what throws beside a scenario costs it nothing, and a broken clause counts more', async (t) => {
  await using broker = await fakeBroker()
  let status = 201
  broker.intercept = async ({ method, path, body }) => {
    await new Promise((resolve) => setTimeout(resolve, 100))
    if (method !== 'POST' || !path.endsWith('/queues') || status === 201) return undefined
    return { status, headers: { Location: `${path}/${body}` } }
  }
  const dir = t.testdir({ 'profile.json': '{}', 'a.scenario': 'create a' })
  const args = ['scenario', broker.url, join(dir, 'a.scenario'), '--profile', join(dir, 'profile.json')]
  const fault = 'what went on beside the checks'
  const good = await program(args, undefined, odd(1))
  t.equal(good.code, 4)
  t.match(good.out, `\nConformant.\nFailed within the kit: ${fault}: TypeError: odd.\n`)
  const json = await program([...args, '--json'], undefined, odd(1))
  t.match([json.code, JSON.parse(json.out)], [4, { verdict: 'conformant', faults: [{ part: fault }] }])
  status = 200
  t.equal((await program(args, undefined, odd(1))).code, 1, 'the target broke a clause')
})

t.test('a scenario that ends by a fault of the kit ends with 4 and a sentence', async (t) => {
  await using broker = await fakeBroker()
  const dir = t.testdir({ 'profile.json': '{}', 'a.scenario': 'create a' })
  const args = ['scenario', broker.url, join(dir, 'a.scenario'), '--profile', join(dir, 'profile.json')]
  const broken =
    "Map.prototype.set=new Proxy(Map.prototype.set,{apply(set,map,[key,value]){if(key==='a')throw new TypeError('odd');return set.call(map,key,value)}})"
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(broken)}` }
  t.match(await program(args, undefined, env), {
    code: 4,
    out: /^atom-mq-conformance: the kit itself failed, not the target: TypeError: odd; [^\n]*\n$/,
  })
  const json = await program([...args, '--json'], undefined, env)
  t.match([json.code, JSON.parse(json.out)], [4, { faults: [{ part: 'the work itself' }] }])
})
