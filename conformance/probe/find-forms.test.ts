import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { Got, Reply } from '../client/serve.test.helper.js'
import { fakeBroker } from '../trial/fake-broker.test.helper.js'
import { findDestinationForm } from './find-destination-form.js'
import { findNameForms } from './find-name-forms.js'
import { findRoom } from './find-pace.js'
import { findPrefetch } from './find-prefetch.js'
import { findLongestMessage, findMessageForm } from './find-sending.js'
import { noteOf, proberOf } from './prober.test.helper.js'
import { findLongestLease, writtenTimeout } from './timeout-format.js'

/** A broker that reads what is posted to a path as this gives it, or refuses it with these words. */
async function reading(path: RegExp, read: (body: string, got: Got) => string | { refusal: string }) {
  const broker = await fakeBroker()
  broker.intercept = (got: Got): Reply | undefined => {
    if (got.method !== 'POST' || !path.test(got.path)) return undefined
    const result = read(got.body.toString(), got)
    if (typeof result !== 'string') return { status: 400, body: result.refusal }
    ;(got as { body: Buffer }).body = Buffer.from(result)
    return undefined
  }
  return broker
}

const SUBSCRIPTIONS = /^\/mq\/subscriptions$/

t.test('destinations with dots only are found, with what the target said to slashes', async (t) => {
  await using broker = await reading(SUBSCRIPTIONS, (body) => {
    const form = new URLSearchParams(body)
    if (form.get('destination')!.includes('/')) return { refusal: 'Dots, please.' }
    form.set('destination', form.get('destination')!.replaceAll('.', '/'))
    return form.toString()
  })
  using prober = proberOf(broker.url)
  await findDestinationForm(prober)
  t.equal(prober.draft.subscription.destination, '{dotted}')
  t.match(noteOf(prober, 'subscription.destination'), /Dots, please\./)
})

t.test('what can be a name and no destination is drafted as no name', async (t) => {
  for (const [dots, form, maxSegments] of [
    [true, 'dotted', null],
    [false, 'path', 1],
  ] as const) {
    await using broker = await reading(SUBSCRIPTIONS, (body) => {
      const destination = new URLSearchParams(body).get('destination')!
      if (destination.includes('/') || (!dots && destination.includes('.'))) return { refusal: 'Not so.' }
      return body
    })
    using prober = proberOf(broker.url)
    await findDestinationForm(prober)
    t.match(prober.draft.queueNames, { form, maxSegments })
    t.match(noteOf(prober, dots ? 'queueNames.form' : 'queueNames.maxSegments'), /Not so\./)
  }
})

t.test('how long a message may be is found by what is refused', async (t) => {
  let most = 5000
  await using broker = await reading(/^\/mq\/new\//, (body) =>
    body.length > most ? { refusal: 'Shorter, please.' } : body,
  )
  using prober = proberOf(broker.url)
  await findLongestMessage(prober)
  t.equal(prober.draft.message.maxBytes, 4096)
  t.match(noteOf(prober, 'message.maxBytes'), /Shorter, please\./)
  most = 200_000
  using other = proberOf(broker.url)
  await findLongestMessage(other)
  t.equal(other.draft.message.maxBytes, null)
})

t.test(
  'how many subscriptions there may be at once is found, and each is deleted when it is done with',
  async (t) => {
    await using broker = await fakeBroker()
    let [alive, room] = [0, 7]
    broker.intercept = ({ method, path }) => {
      if (!path.startsWith('/mq/subscriptions')) return undefined
      if (method === 'DELETE') alive -= 1
      if (method === 'POST' && alive === room) return { status: 503, body: 'Seven.' }
      if (method === 'POST') alive += 1
      return undefined
    }
    using prober = proberOf(broker.url)
    await findRoom(prober)
    t.strictSame([prober.room, alive], [7, 0])
    t.match(noteOf(prober, 'room'), /7 subscriptions at once.*Seven\./)
    room = 100
    using other = proberOf(broker.url)
    await findRoom(other)
    t.strictSame([other.room, alive], [undefined, 0])
  },
)

t.test('names without slashes, and of a length, are found by what is refused', async (t) => {
  await using broker = await reading(/^\/mq\/queues$/, (name) => {
    if (/[/.]/.test(name)) return { refusal: 'One word.' }
    return name.length > 64 ? { refusal: 'At most 64.' } : name
  })
  using prober = proberOf(broker.url)
  await findNameForms(prober)
  t.match(prober.draft.queueNames, { form: 'path', maxSegments: 1, maxLength: 64 })
  t.match(noteOf(prober, 'queueNames.maxLength'), /At most 64\./)
})

t.test(
  'what a feed shows without a prefetch is found, and null where refusals name all fields, and none is one',
  async (t) => {
    const none = 'No such field: there is "destination" and "timeout".'
    for (const [prefetch, refusal, isNone, granted] of [
      ['3', none, true, 3],
      ['40', none, true, 10],
      ['3', 'No such field.', false, 3],
      ['3', 'No such field: there is "destination" and "places".', false, 3],
      ['3', undefined, false, 3],
      ['10', undefined, false, 10],
      ['40', undefined, false, 10],
    ] as const) {
      await using broker = await reading(SUBSCRIPTIONS, (body) => {
        const form = new URLSearchParams(body)
        const fields = [...form.keys()].filter((field) => field !== 'destination')
        if (refusal !== undefined && fields.length > 0) return { refusal }
        return new URLSearchParams({ destination: form.get('destination')!, prefetch }).toString()
      })
      using prober = proberOf(broker.url)
      prober.roomy = {}
      t.equal(await findPrefetch(prober), isNone)
      const { parameters, maxPrefetch } = prober.draft.subscription
      t.strictSame([parameters.prefetch, maxPrefetch], [isNone ? null : 'prefetch', granted])
      const isOpen = isNone && prefetch === '40'
      t.strictSame(prober.draft.unknown, isOpen ? ['subscription.maxPrefetch'] : [])
      t.equal(noteOf(prober, 'subscription.parameters.prefetch').includes('by hand'), !isNone)
    }
  },
)

t.test('a timeout as 30s and the longest lease are found by what is refused', async (t) => {
  for (const most of [60, 10]) {
    await using broker = await reading(SUBSCRIPTIONS, (body) => {
      const form = new URLSearchParams(body)
      const timeout = form.get('timeout')
      if (timeout === null) return body
      const seconds = /^(\d+)s$/.exec(timeout)?.[1]
      if (seconds === undefined || Number(seconds) > most) return { refusal: `As 30s, up to ${most}s.` }
      form.set('timeout', seconds)
      return form.toString()
    })
    using prober = proberOf(broker.url)
    const found = await writtenTimeout(prober, ['lease', 'timeout'])
    t.match(found, { name: 'timeout', format: '{s}s', refusal: /As 30s/ })
    prober.draft.subscription.timeoutFormat = found!.format
    await findLongestLease(prober)
    t.equal(prober.draft.subscription.maxLeaseSeconds, most)
  }
})

t.test('messages that have to be JSON are found; where no form is taken, that is said', async (t) => {
  let isTaken = true
  await using broker = await reading(/^\/mq\/(?!queues$|queues\/|subscriptions)/, (body, { headers }) =>
    isTaken && headers['content-type'] === 'application/json' ? body : { refusal: 'JSON.' },
  )
  using prober = proberOf(broker.url)
  await findMessageForm(prober)
  t.equal(prober.draft.message.body, '{"text":"{text}"}')
  isTaken = false
  using other = proberOf(broker.url)
  await findMessageForm(other)
  t.strictSame(other.draft.unknown, ['message'])
  t.match(noteOf(other, 'message'), /JSON\./)
})

t.test('a queue is not deleted before a message to it was answered', async (t) => {
  await using broker = await fakeBroker()
  broker.intercept = async ({ method, path }) => {
    if (method !== 'POST' || !path.startsWith('/mq/new/')) return undefined
    await sleep(20)
    return broker.got.some((each) => each.method === 'DELETE') ? { status: 410 } : undefined
  }
  using prober = proberOf(broker.url)
  await findMessageForm(prober)
  t.strictSame(prober.notes, [])
})
