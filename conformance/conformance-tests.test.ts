import t from 'tap'
import { Unreachable } from './client/contact.js'
import { parseProfile } from './client/parse-profile.js'
import { FEATURES } from './client/profile.js'
import { conformanceTests, NonConformance } from './conformance-tests.js'
import type { ConformanceOptions } from './judge.js'
import type { Check } from './trial/check.js'
import { fakeBroker } from './trial/fake-broker.test.helper.js'
import type { Trial } from './trial/trial.js'

function check(id: string, run: (trial: Trial) => Promise<void>, more: Partial<Check> = {}): Check {
  const title = `${id} holds.`
  return { id, title, stimulus: 's', clauses: ['send.step-1.status'], grade: 'stated', run, ...more }
}

const wrong = async (trial: Trial) => {
  await trial.createQueue()
  trial.expect(false, 'this to be so', 'that it is not')
}
const open = async (trial: Trial) => trial.inconclusive('the clock stood still')

/** What became of each test: `ok`, why it was skipped, or what it threw. */
async function outcomes(url: string, options: ConformanceOptions): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for await (const { name, skip, run } of conformanceTests(url, options)) {
    found[name] = skip !== false ? `skipped: ${skip}` : await run().then(() => 'ok', String)
  }
  return found
}

t.test('what is as it should be passes, and so does the verdict, which comes last', async (t) => {
  await using broker = await fakeBroker()
  const found = await outcomes(broker.url, {
    checks: [
      check('queues.create', async (trial) => void (await trial.createQueue())),
      check('http.free', async (trial) => trial.observed('sees one'), { grade: 'chosen' }),
      check('http.other', wrong, { grade: 'chosen' }),
      check('http.open', open, { grade: 'chosen' }),
      check('batch.none', wrong, { grade: 'optional', feature: 'batch' }),
    ],
    profile: parseProfile({ features: Object.fromEntries(FEATURES.map((feature) => [feature, false])) }),
  })
  t.strictSame(found, {
    'batch.none: batch.none holds.': 'skipped: the target does not claim batch',
    'queues.create: queues.create holds.': 'ok',
    'http.free: http.free holds.': 'ok',
    'http.other: http.other holds.': 'ok',
    'http.open: http.open holds.': found['http.open: http.open holds.'],
    'the verdict is: conformant': 'ok',
  })
  t.match(found['http.open: http.open holds.'], /^skipped: inconclusive: .*the clock stood still/)
  t.equal(Object.keys(found).at(-1), 'the verdict is: conformant')
})

t.test('what is not fails, with all that helps to see why', async (t) => {
  await using broker = await fakeBroker()
  const checks = [check('send.wrong', wrong), check('ack.after', wrong, { needs: ['send.wrong'] })]
  const found = await outcomes(broker.url, { checks })
  const failure = found['send.wrong: send.wrong holds.']
  t.match(failure, /^NonConformance: .*send\.wrong holds\./)
  t.match(failure, /clause send\.step-1\.status: .*201/)
  t.match(failure, /expected: this to be so\n\s+seen: {5}that it is not/)
  t.match(failure, /its requests, for curl:\n {6}#!\/bin\/sh\n[\s\S]*\n {6}# 1\. Somebody\n {6}ask 1 /)
  t.match(
    found['ack.after: ack.after holds.'],
    /blocked: .*send\.wrong/,
    'what could not be asked is no pass',
  )
  t.match(found['the verdict is: conformant'], /non-conformant: 1 of 2 checks failed/)
})

t.test('strictly, what the document leaves open counts', async (t) => {
  await using broker = await fakeBroker()
  const checks = [
    check('http.other', wrong, { grade: 'chosen' }),
    check('http.open', open, { grade: 'chosen' }),
  ]
  const found = await outcomes(broker.url, { checks, strict: true })
  t.match(found['http.other: http.other holds.'], /NonConformance/)
  t.match(found['http.open: http.open holds.'], /NonConformance.*\n.*\n.*the clock stood still/)
})

t.test("a fault of the kit's own, and a run that asks nothing, are no success", async (t) => {
  await using broker = await fakeBroker()
  const checks = [
    check('send.defect', async () => {
      throw new TypeError('a defect')
    }),
  ]
  const found = await outcomes(broker.url, { checks })
  t.match(found['send.defect: send.defect holds.'], /the kit failed, not the target: .*a defect/)
  t.match(found['the verdict is: conformant'], /incomplete: nothing failed, but 1 error/)
  t.match(await outcomes(broker.url, { checks, only: ['none'] }), {
    'the verdict is: conformant': /incomplete: no check was chosen/,
  })
})

t.test('the stack is the message alone', async (t) => {
  t.equal(new NonConformance('it is not').stack, 'NonConformance: it is not')
})

t.test('where nothing answers there are no tests', async (t) => {
  const broker = await fakeBroker()
  await broker[Symbol.asyncDispose]()
  await t.rejects(outcomes(broker.url, {}), Unreachable)
})
