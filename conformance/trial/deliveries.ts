import { labels, texts } from './labels.js'
import { missing, never, readBodies } from './reading.js'
import type { Consumer, Sent, Trial } from './trial.js'
import { found } from './waiting.js'

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
  const lacking = await missing(trial, consumers, messages)
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
