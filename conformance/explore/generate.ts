import type { Profile } from '../client/profile.js'
import type { Step } from '../scenario/step.js'
import { Random } from './random.js'
import { type GenerateOptions, SingleSteps } from './single-steps.js'
import { Stories } from './stories.js'

/** The longest scenario. */
const LONGEST = 36
/** One in so many scenarios has more messages than a target may remember. */
const LARGE_ONE_IN = 100
/** What the weight of each kind of step is multiplied by in one scenario: so scenarios differ in what they are made of. */
const SWARM = [0, 1, 1, 1, 4] as const

/** What a consumer may ask of a target for a prefetch, the likeliest first. */
export function prefetchesFor({ subscription }: Profile): readonly number[] {
  const { maxPrefetch, parameters } = subscription
  if (parameters.prefetch === null) return [maxPrefetch]
  return [...new Set([1, 2, 3, 5, 10, 30].map((each) => Math.min(each, maxPrefetch)))]
}

/** The scenario of a seed and a number. The same two give the same scenario. */
export function generate(seed: number, run: number, options: GenerateOptions): Step[] {
  const random = Random.ofRun(seed, run)
  const waits = random.oneIn(options.waitsOneIn)
  const one = new SingleSteps(random, options)
  const stories = new Stories(random, options, one)
  // Every second of the large ones is sent with guids.
  const large = options.many ? run % (2 * LARGE_ONE_IN) : 0
  if (large % LARGE_ONE_IN === LARGE_ONE_IN / 2)
    return stories.many(large < LARGE_ONE_IN ? 'guid' : 'two-step')
  if (random.oneIn(15)) return stories.many()
  const length = 10 + random.below(LONGEST - 9)
  const first = one.home === undefined ? one.names : [one.home]
  const steps: Step[] = first.flatMap((queue) => stories.creating(queue))
  // Its queue may be the second of that name.
  const [queue] = first
  if (random.oneIn(8)) steps.push({ do: 'delete', queue: queue! }, one.create(queue))
  if (random.oneIn(2)) steps.push(...stories.creating())
  for (let left = random.below(4); left > 0; left--) steps.push(one.sendSome(10))
  const mayRead = one.subscribers.length > 0
  if (mayRead && (!one.hasAlternatives || random.oneIn(2))) steps.push(one.subscribe())
  if (one.hasAlternatives) steps.push(...stories.joining())
  const kinds = kindsOf(random, options, one, stories, waits)
  // Which are likelier or less likely than usual.
  const swarm = kinds.map(() => random.pick(SWARM))
  while (steps.length < length) {
    const all = kinds.map(([weigh, make]) => [Number(weigh()), make] as const)
    const likely = all.map(([weight, make], at) => [weight * swarm[at]!, make] as const)
    steps.push(...random.weighted(likely.some(([weight]) => weight > 0) ? likely : all)())
  }
  // What was done shows at the end.
  const browses = [...one.queues].map((queue): Step => ({ do: 'browse', queue }))
  for (const consumer of one.consumers) steps.push({ do: 'read', consumer })
  steps.push(...browses)
  const after = [...stories.draining(), ...(random.oneIn(2) ? stories.succeeding() : [])]
  return [...steps, ...(after.length > 0 ? [...after, ...browses] : []), one.list()]
}

type Kind = readonly [weight: () => number, make: () => Step[]]

/** All that a scenario may go on with; what has the weight 0 is not possible now. */
function kindsOf(
  random: Random,
  { features, guids, lease }: GenerateOptions,
  one: SingleSteps,
  stories: Stories,
  waits: boolean,
): readonly Kind[] {
  const always = (weight: number) => () => weight
  const where = (weight: number, holds: () => boolean) => () => (holds() ? weight : 0)
  const reader = () => one.consumers.size > 0
  const sent = () => one.messages.length > 0
  const subscribing = () => {
    if (one.subscribers.length === 0) return 0
    return one.consumers.size < Math.min(2, one.subscribers.length) ? 7 : 2
  }
  return [
    [where(10, () => one.maySend), () => stories.sending()],
    [() => subscribing(), () => [one.subscribe()]],
    [where(10, reader), () => [{ do: 'read', consumer: one.consumer() }]],
    [where(14, reader), () => stories.consuming()],
    [where(4, sent), () => [one.repeat()]],
    [where(3, reader), () => stories.ending()],
    [where(1, () => reader() && one.maySend), () => stories.refilling()],
    [where(1, () => reader() && one.maySend), () => stories.lingering()],
    [where(1, reader), () => stories.looking()],
    [where(1, () => one.maySend), () => stories.apart()],
    [where(1, () => reader() && sent()), () => stories.wandering()],
    [
      where(4, () => reader() && sent()),
      () => [one.acknowledge(one.consumer(), random.pick(one.messages).name)],
    ],
    [where(2, () => reader() && features.auth), () => [one.trespass()]],
    [always(2), () => [{ do: 'browse', queue: one.queue() }]],
    [always(1), () => [one.list()]],
    [always(1), () => stories.creating()],
    [always(2), () => stories.deleting()],
    [where(4, () => one.maySend && one.subscribers.length > 0), () => stories.coming()],
    [where(3, () => waits && reader()), () => [{ do: 'wait', until: random.oneIn(2) ? 'end' : 'part' }]],
    [where(2, () => waits && reader()), () => stories.staying()],
    [where(2, () => waits && reader()), () => stories.lapsing()],
    [where(4, () => reader() && sent() && lease !== undefined), () => stories.passing(lease!)],
    [where(2, () => waits && reader()), () => stories.outlasting()],
    [where(6, () => sent() && (reader() || one.hasAlternatives)), () => stories.together()],
    [where(2, () => one.maySend), () => stories.crowding()],
    [where(1, () => features.guid && guids), () => stories.guidsAlike()],
    [where(1, () => features.guid && one.maySend), () => stories.early()],
    [where(3, () => reader() && features['ack-in-post']), () => stories.acknowledgingInPost()],
    [where(50, () => one.hasAlternatives), () => stories.alternative()],
  ]
}
