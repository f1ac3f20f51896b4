/** Run by `bounds.long.test.ts` in a process with a small heap: floods a broker in one way until it says no, or for long. */
import { type Broker, createBroker } from './broker.js'
import { refusalOf, text } from './harness.test.kit.js'
import { violations } from './invariants.test.kit.js'

/** A text that is a part of a much longer one. */
function partOf(text: string, padding: number): string {
  return `${'p'.repeat(padding)}${text}`.slice(padding)
}

const long = (number: number) => `${number}`.padStart(20, 'x')

/** One flood: each step is given its number. */
export const FLOODS: Readonly<Record<string, (broker: Broker, step: number) => unknown>> = {
  'messages of one byte': (broker) => broker.send('q', text('x')),
  'bodies that are parts of bigger ones': (broker) =>
    broker.send('q', { ...text(''), body: new Uint8Array(100_000).subarray(0, 300) }),
  'properties without a value': (broker, step) => {
    const names = Array.from({ length: 1000 }, (_, index) => [`p${step}-${index}`, ''] as const)
    broker.send('q', { ...text(''), properties: new Map(names) })
  },
  'properties that are parts of longer texts': (broker, step) =>
    broker.send('q', text('', { [partOf(long(step), 10_000)]: partOf('v'.repeat(500), 10_000) })),
  'guids that are parts of longer texts': (broker, step) => {
    broker.sendOnce('q', partOf(long(step), 10_000), text('x'))
    broker.take('q')
  },
  'names that are parts of longer texts': (broker, step) => broker.createQueue(partOf(long(step), 100_000)),
  'names of many segments': (broker, step) => broker.createQueue(`${step}${'/a'.repeat(60)}`),
  'consumers whose ids are parts of longer texts': (broker, step) =>
    broker.subscribeConsumer(partOf(long(step), 10_000), 'q'),
  'sessions whose ids are parts of longer texts': (broker, step) => {
    broker.send('q', text('x'))
    broker.takeFor(partOf(long(step), 10_000), 'q')
  },
  'subscriptions of long destinations': (broker, step) =>
    broker.subscribe({
      destinations: Array.from({ length: 50 }, (_, index) =>
        partOf(`${step}/${index}${'/a'.repeat(60)}`, 1000),
      ),
    }),
  'subscriptions with long selectors': (broker, step) =>
    broker.subscribe({
      destinations: ['q'],
      selector: partOf(
        Array.from({ length: 500 }, (_, index) => `a=${(step + index) % 10}`).join(' OR '),
        10_000,
      ),
    }),
  'subscriptions with selectors of short patterns': (broker) =>
    broker.subscribe({
      destinations: ['q'],
      selector: Array.from({ length: 310 }, () => "a LIKE'_'").join(' OR '),
    }),
  'subscriptions with selectors of long sums': (broker) =>
    broker.subscribe({ destinations: ['q'], selector: `a=${'1+'.repeat(2000)}1` }),
  'subscriptions of all queues': (broker, step) => {
    if (step < 1000) broker.createQueue(`many/${step}`)
    else broker.subscribe({ destinations: ['many.>'] })
  },
  'queues below wildcards': (broker, step) => {
    if (step < 1000) broker.subscribe({ destinations: ['many.>'] })
    else broker.createQueue(`many/${step}`)
  },
  'new-message addresses': (broker) => broker.newAddress('q'),
  'new-message addresses of queues that are deleted': (broker, step) => {
    const name = `${step}${'/a'.repeat(15)}/${'b'.repeat(200)}`
    broker.createQueue(name)
    broker.newAddress(name)
    broker.deleteQueue(name)
  },
  'new-message addresses that are parts of longer texts': (broker) => {
    broker.post(partOf(broker.newAddress('q'), 10_000), text('x'))
    broker.take('q')
  },
  'subscriptions that end': (broker) => broker.unsubscribe(broker.subscribe({ destinations: ['q'] }).id),
  'deliveries that are settled': (broker) => {
    broker.send('q', text('x'))
    const { id } = broker.subscribe({ destinations: ['q'] })
    broker.acknowledgeAll(id, [...broker.subscription(id).held.keys()])
    broker.unsubscribe(id)
  },
}

/** What a flood came to. */
export interface Flooded {
  /** The refusal that ended it; undefined when it was let go on. */
  readonly refusal: string | undefined
  /** What it was said to take at the end of it, in bytes. */
  readonly counted: number
  /** What is still counted when everything is deleted, without what is only remembered. */
  readonly left: number
  readonly violations: readonly string[]
}

const MOST_STEPS = 30_000

function flood(name: string): Flooded {
  const broker = createBroker({
    limits: { maxMemory: 16 * 1024 * 1024, maxBindings: 50_000, maxSegments: 64 },
  })
  broker.createQueue('q')
  const step = FLOODS[name] as (broker: Broker, step: number) => unknown
  let refusal: string | undefined
  for (let number = 0; number < MOST_STEPS && refusal === undefined; number++) {
    refusal = refusalOf(() => step(broker, number))?.kind
  }
  const counted = broker.memory
  const found = name.includes('wildcards') || name.includes('all queues') ? [] : violations(broker)
  for (const each of [...broker.parts.subscriptions]) broker.parts.subscriptions.end(each, 'deleted')
  for (const { name } of [...broker.parts.queues]) broker.deleteQueue(name)
  broker.createQueue('q')
  const id = broker.send('q', text('served on')).id
  if (broker.take('q')?.id !== id) found.push('it serves on')
  broker.deleteQueue('q')
  const open = broker.parts.deduplication.openAddresses
  const left = open > 0 ? 0 : broker.memory - broker.parts.memory.remembered
  broker.close()
  return { refusal, counted, left, violations: found }
}

console.log(JSON.stringify(flood(process.argv[2] as string)))
