import t from 'tap'
import { skipIdleTime } from '../virtual-time.test.helper.js'
import { fakeBroker } from './fake-broker.test.helper.js'
import { missing, needRoom } from './reading.js'
import { trialOf } from './trial-of.test.helper.js'

skipIdleTime()

t.test('what comes one by one is waited for as long as more comes', async (t) => {
  await using broker = await fakeBroker()
  broker.perReading = 1
  const trial = trialOf(broker)
  const filled = async () => {
    const queue = await trial.createQueue()
    const messages = await trial.sendMany(queue, 8)
    return { messages, consumer: await trial.subscribe(queue) }
  }
  const received = await filled()
  t.equal((await received.consumer.receive(received.messages)).length, 8)
  t.equal((await (await filled()).consumer.receiveCount(8)).length, 8)
  const read = await filled()
  t.strictSame(await missing(trial, [read.consumer], read.messages), [])
})

t.test('where no more comes, it is said what did', async (t) => {
  await using broker = await fakeBroker()
  const trial = trialOf(broker)
  const queue = await trial.createQueue()
  await trial.sendMany(queue, 2)
  const consumer = await trial.subscribe(queue)
  await t.rejects(consumer.receiveCount(3), { message: /the feed has 2 entries instead of 3/ })
  await t.rejects(consumer.receive([trial.freshMessage()]), {
    message: /the feed has 2 entries, and none is/,
  })
})

t.test(
  'a prefetch that nobody knows is said to be that, and one that is not granted to be that',
  async (t) => {
    await using broker = await fakeBroker()
    for (const [prefetch, name, why] of [
      [null, 'NotApplicable', /^it needs /],
      [
        'unknown',
        'Inconclusive',
        /^the profile's subscription\.parameters\.prefetch is unknown: fill it in; it needs /,
      ],
    ] as const) {
      const trial = trialOf(broker, { subscription: { parameters: { prefetch } } })
      const queue = await trial.createQueue()
      await t.rejects(trial.subscribe(queue, { prefetch: 2 }), { name, message: why })
      const consumer = await trial.subscribe(queue)
      t.throws(() => needRoom(trial, [consumer], 20), { name, message: why })
    }
  },
)
