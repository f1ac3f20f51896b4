import { labels, texts } from './labels.js'
import { missing, needRoom, never, readBodies, repeated, shared } from './reading.js'
import type { Consumer, Sent, Trial } from './trial.js'
import { found, noneLacking, shownForGood, whileMoreCome } from './waiting.js'

/**
 * Judges that each of `messages` comes to one of `consumers`, in whatever reading.
 * @param expected what should have come, in words that fit the numbers 1, 2, … of `messages`
 */
export async function expectDelivered(
  trial: Trial,
  consumers: readonly Consumer[],
  messages: readonly Sent[],
  expected: string,
): Promise<void> {
  expectNothingLacking(trial, messages, await missing(trial, consumers, messages), expected)
}

/** Judges that none of `messages` is among those that did not come. */
export function expectNothingLacking(
  trial: Trial,
  messages: readonly Sent[],
  lacking: readonly Sent[],
  expected: string,
): void {
  trial.expect(lacking.length === 0, expected, () => `${labels(messages, texts(lacking))} did not come`)
}

/** Judges that none of `messages` is in a consumer's feed, now or when effects have settled. */
export async function expectWithheld(
  trial: Trial,
  consumer: Consumer,
  messages: readonly Sent[],
  expected: string,
): Promise<void> {
  const wrong = await never(trial, consumer, async () => {
    const bodies = await readBodies(trial, consumer)
    return found(texts(messages).filter((text) => bodies.includes(text)))
  })
  trial.expect(wrong === undefined, expected, () => `${labels(messages, wrong!)} came`)
}

/** Judges that each of `messages` is in a consumer's feed, now and when effects have settled. */
export async function expectKept(
  trial: Trial,
  consumer: Consumer,
  messages: readonly Sent[],
  expected: string,
): Promise<void> {
  const lost = await never(trial, consumer, async () => {
    const bodies = await readBodies(trial, consumer)
    return found(texts(messages).filter((text) => !bodies.includes(text)))
  })
  trial.expect(lost === undefined, expected, () => `${labels(messages, lost!)} left the feed`)
}

/** Judges that each of `messages` leaves a consumer's feed. */
export async function expectGone(
  trial: Trial,
  consumer: Consumer,
  messages: readonly Sent[],
  expected: string,
): Promise<void> {
  let left: string[] = []
  await trial.eventually(async () => {
    const bodies = await readBodies(trial, consumer)
    left = texts(messages).filter((text) => bodies.includes(text))
    return left.length === 0 ? true : undefined
  })
  trial.expect(left.length === 0, expected, () => `${labels(messages, left)} stayed in the feed`)
  await shownForGood(trial, [consumer])
}

/**
 * Judges that each of `messages` comes to one of `consumers`, and none to two. Nobody acknowledges or goes away
 * meanwhile, so that what different readings show adds up.
 */
export async function expectEachWithOne(
  trial: Trial,
  consumers: readonly Consumer[],
  messages: readonly Sent[],
): Promise<void> {
  needRoom(trial, consumers, messages.length)
  const views = consumers.map(() => new Set<string>())
  const look = async () => {
    const readings = await Promise.all(consumers.map((consumer) => readBodies(trial, consumer)))
    for (const [place, bodies] of readings.entries()) for (const body of bodies) views[place]!.add(body)
  }
  const lacking = () => messages.filter(({ text }) => !views.some((view) => view.has(text)))
  await whileMoreCome(
    trial,
    () => messages.length - lacking().length,
    async () => {
      await look()
      return noneLacking(trial, lacking())
    },
  )
  await look()
  await Promise.all(
    consumers.map(async (consumer) => {
      const bodies = repeated(await readBodies(trial, consumer))
      trial.expect(
        bodies.length === 0,
        'one entry for each message',
        () => `${labels(messages, bodies)} twice`,
      )
    }),
  )
  expectNothingLacking(trial, messages, lacking(), 'every message with one of the consumers')
  const both = shared(views.map((view) => [...view]))
  const seen = () => `${labels(messages, both)} in two feeds`
  trial.expect(both.length === 0, 'no message in the feeds of two consumers', seen)
}
