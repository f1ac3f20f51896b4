import t from 'tap'
import type { Got, Reply } from '../client/serve.test.helper.js'
import { fakeBroker } from '../trial/fake-broker.test.helper.js'
import { findDestination } from './find-destination.js'
import { findPrefetch } from './find-prefetch.js'
import { noteOf, proberOf } from './prober.test.helper.js'

/** A broker that reads the forms of its subscriptions as this gives them, or answers what it gives instead. */
async function formsReadBy(read: (form: URLSearchParams) => URLSearchParams | Reply) {
  const broker = await fakeBroker()
  broker.intercept = (got: Got) => {
    if (got.method !== 'POST' || got.path !== '/mq/subscriptions') return undefined
    const result = read(new URLSearchParams(got.body.toString()))
    if (!(result instanceof URLSearchParams)) return result
    ;(got as { body: Buffer }).body = Buffer.from(result.toString())
    return undefined
  }
  return broker
}

/** The form of the broker, from one with other names; fields that it has not are refused. */
function strict(
  names: Readonly<Record<string, string>>,
  refuse: Reply,
  defaults: Record<string, string> = {},
) {
  return (form: URLSearchParams) => {
    const read = new URLSearchParams(defaults)
    for (const [name, value] of form) {
      const own = names[name]
      if (own === undefined) return refuse
      read.set(own, value)
    }
    return read.has('destination') ? read : refuse
  }
}

t.test('a field of another name is found by its effect', async (t) => {
  await using broker = await formsReadBy(
    strict({ topic: 'destination', credit: 'prefetch' }, { status: 400 }, { prefetch: '10' }),
  )
  using prober = proberOf(broker.url)
  prober.roomy = {}
  t.equal(await findDestination(prober), 'found')
  t.equal(prober.draft.subscription.parameters.destination, 'topic')
  t.equal(await findPrefetch(prober), true)
  t.equal(prober.draft.subscription.parameters.prefetch, 'credit')
  t.strictSame(prober.roomy, { credit: '10' })
})

t.test('a prefetch that a form cannot do without is given by the name that the profile knows', async (t) => {
  const read = strict({ from: 'destination', window: 'prefetch' }, { status: 400 })
  await using broker = await formsReadBy((form) => (form.has('window') ? read(form) : { status: 400 }))
  using prober = proberOf(broker.url)
  Object.assign(prober.draft.subscription.parameters, { destination: 'from', prefetch: 'window' })
  t.equal(await findDestination(prober), 'found')
  t.equal(prober.draft.subscription.parameters.destination, 'from')
  t.strictSame(prober.needed, { window: '10' })
})

t.test('a destination that begins with a slash is found, and its wildcard', async (t) => {
  for (const needed of [undefined, 'client']) {
    await using broker = await formsReadBy((form) => {
      const destination = form.get('destination')
      if (needed !== undefined && !form.has(needed))
        return { status: 400, body: `missing parameter ${needed}` }
      if (!destination?.startsWith('/')) return { status: 400, body: 'Begin with a slash.' }
      return new URLSearchParams({ destination: destination.slice(1), prefetch: '10' })
    })
    using prober = proberOf(broker.url)
    t.equal(await findDestination(prober), 'found')
    const { destination, wildcard } = prober.draft.subscription
    t.strictSame([destination, wildcard], ['/{path}', '/{prefix}/*'])
    t.strictSame(Object.keys(prober.needed), needed === undefined ? [] : [needed])
  }
})

t.test('a field that is taken and subscribes to nothing is not one', async (t) => {
  await using broker = await formsReadBy((form) => {
    const read = new URLSearchParams({ prefetch: '10' })
    if (form.has('queue')) read.set('destination', form.get('queue')!)
    return read
  })
  using prober = proberOf(broker.url)
  t.equal(await findDestination(prober), 'found')
  t.equal(prober.draft.subscription.parameters.destination, 'queue')
})

t.test('a target that gives everybody everything subscribes to no destination', async (t) => {
  const all: string[] = []
  await using broker = await formsReadBy(() => {
    const read = new URLSearchParams({ prefetch: '10' })
    for (const name of all) read.append('destination', name)
    return read
  })
  const own = broker.intercept
  broker.intercept = (got) => {
    if (got.method === 'POST' && got.path === '/mq/queues') all.push(got.body.toString())
    return own(got)
  }
  using prober = proberOf(broker.url)
  t.equal(await findDestination(prober), 'refused')
})

t.test('a field that a refusal names', async (t) => {
  const refuse = { status: 422, body: '{"errors":[{"field":"boxName"}]}' }
  await using broker = await formsReadBy(strict({ boxName: 'destination' }, refuse, { prefetch: '10' }))
  using prober = proberOf(broker.url)
  t.equal(await findDestination(prober), 'found')
  t.equal(prober.draft.subscription.parameters.destination, 'boxName')
})

t.test('what refusals ask for is filled in, one field after another', async (t) => {
  await using broker = await formsReadBy((form) => {
    if (!form.has('destination')) return { status: 400, body: 'destination is required' }
    if (!form.has('client')) return { status: 400, body: 'client is required' }
    if (!/^(?:shared|alone)$/.test(form.get('mode') ?? ''))
      return { status: 400, body: 'the field mode is "shared" or "alone"' }
    return new URLSearchParams({ destination: form.get('destination')!, prefetch: '10' })
  })
  using prober = proberOf(broker.url)
  t.equal(await findDestination(prober), 'found')
  t.equal(prober.draft.subscription.parameters.destination, 'destination')
  t.strictSame(prober.needed, { client: 'kit', mode: 'shared' })
  t.match(noteOf(prober, 'subscription.fixed'), 'refusals ask for client=kit and mode=shared.')
})

t.test('a form that is refused without a prefetch keeps company, as little as it needs', async (t) => {
  await using broker = await formsReadBy((form) =>
    form.has('window') && form.has('ttl') ? renamed(form) : { status: 400 },
  )
  using prober = proberOf(broker.url)
  t.equal(await findDestination(prober), 'found')
  t.strictSame(prober.needed, { window: '10', ttl: '60' })
  t.equal(await findPrefetch(prober), true)
  t.equal(prober.draft.subscription.parameters.prefetch, 'window')
  t.strictSame(prober.needed, { ttl: '60' })
})

function renamed(form: URLSearchParams): URLSearchParams {
  const read = new URLSearchParams({ destination: form.get('destination') ?? '' })
  read.set('prefetch', form.get('window')!)
  return read
}

for (const [status, result] of [
  [404, 'absent'],
  [503, 'absent'],
  [409, 'refused'],
] as const) {
  t.test(`${status} to all forms: ${result}`, async (t) => {
    await using broker = await formsReadBy(() => ({ status }))
    using prober = proberOf(broker.url)
    t.equal(await findDestination(prober), result)
    const note = noteOf(prober, 'subscription.parameters.destination')
    t.match(note, /forms were tried, and none subscribed to a queue: destination and \d+ more gave \d+/)
    t.equal(note.includes('by hand'), result === 'refused')
  })
}

for (const status of [401, 403]) {
  t.test(`${status} to all forms: what subscribes wants credentials`, async (t) => {
    await using broker = await formsReadBy(() => ({ status, body: 'Who are you?' }))
    using prober = proberOf(broker.url)
    t.equal(await findDestination(prober), 'closed')
    t.match(noteOf(prober, 'headers'), `gave ${status} "Who are you?": the target wants credentials for it`)
    const forms = broker.got.filter(({ path }) => path === '/mq/subscriptions')
    t.ok(forms.length <= (status === 401 ? 1 : 16), `${forms.length} forms were tried`)
  })
}

t.test('403 to some forms is for what they say', async (t) => {
  await using broker = await formsReadBy(
    strict({ topic: 'destination' }, { status: 403 }, { prefetch: '10' }),
  )
  using prober = proberOf(broker.url)
  t.equal(await findDestination(prober), 'found')
  t.equal(prober.draft.subscription.parameters.destination, 'topic')
})

t.test('a prefetch is found by the name that refusals tell', async (t) => {
  const refuse = { status: 400, body: 'Fields: "destination", "places", "timeout".' }
  const names = { destination: 'destination', places: 'prefetch', timeout: 'timeout' }
  await using broker = await formsReadBy(strict(names, refuse, { prefetch: '10' }))
  using prober = proberOf(broker.url)
  prober.roomy = {}
  t.equal(await findPrefetch(prober), true)
  t.equal(prober.draft.subscription.parameters.prefetch, 'places')
})

t.test('a prefetch that nothing heeds', async (t) => {
  const ignoring = (form: URLSearchParams) =>
    new URLSearchParams({ destination: form.get('destination')!, prefetch: '40' })
  await using lenient = await formsReadBy(ignoring)
  using prober = proberOf(lenient.url)
  t.equal(await findPrefetch(prober), false, 'a target that takes any field may call it anything')
  t.match(noteOf(prober, 'subscription.parameters.prefetch'), /prefetch was ignored.*Fill it in by hand/)
  const known = (form: URLSearchParams) =>
    [...form.keys()].every((name) => name === 'destination' || name === 'buffer')
      ? ignoring(form)
      : { status: 400 }
  await using knowing = await formsReadBy(known)
  using other = proberOf(knowing.url)
  other.roomy = {}
  t.equal(
    await findPrefetch(other),
    true,
    'a field that is known, and does nothing, is for the checks to judge',
  )
  t.equal(other.draft.subscription.parameters.prefetch, 'buffer')
  t.match(noteOf(other, 'subscription.parameters.prefetch'), /buffer is a field that the target knows, but/)
})
