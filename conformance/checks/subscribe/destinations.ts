import { refused } from '../../client/exchange.js'
import { nameProblem } from '../../client/queue-names.js'
import { writtenDestination } from '../../client/subscription-request.js'
import { comparable, createdAt, deleteMade } from '../../trial/addresses.js'
import type { CheckRecord } from '../../trial/check.js'
import { never, readBodies } from '../../trial/reading.js'
import { wildcard } from '../../trial/subscription-form.js'
import type { QueueHandle, Sent, Trial } from '../../trial/trial.js'
import { settled, unlessBlocked } from '../../trial/waiting.js'

/** Names with one character each that some language of patterns takes as more than itself, and names that such a pattern matches. */
const LOOK_LIKE_PATTERNS: readonly (readonly [name: string, others: readonly string[]])[] = [
  ['a_b', ['axb']],
  ['a%b', ['axyb', 'ab']],
  ['a?b', ['axb', 'b']],
  ['a[xy]b', ['axb']],
  ['ax+b', ['axxb']],
  ['(a|b)', ['a', 'b']],
]
/** Those of them that stand for themselves in every language in which a wildcard is an asterisk or another such sign by itself. */
const IN_NO_WILDCARD = LOOK_LIKE_PATTERNS.filter(([name]) => ['a_b', 'a%b', 'ax+b'].includes(name))
/** A wildcard that is a segment of its own: `{prefix}/*`, `{dottedPrefix}.>`. */
const PLAIN_WILDCARD = /^\{(?:prefix\}\/|dottedPrefix\}\.)[*>#]{1,2}$/
const CASES: typeof LOOK_LIKE_PATTERNS = [['abc', ['ABC', 'Abc']]]

/** That the name of a queue, as a destination, is that queue: section 2, "which destinations the subscription applies to". */
export const SUBSCRIBE_DESTINATIONS: readonly CheckRecord[] = [
  {
    id: 'subscribe.name-is-no-pattern',
    stimulus:
      'Subscribes to queues with _, %, ?, [ and the like in their names, as far as such names are taken and are no wildcards, beside queues that a pattern of that look would match.',
    clauses: ['subscribe.destinations.name'],
    needs: ['consume.only-its-destinations', 'queues.several-segments'],
    async run(trial: Trial) {
      const { features, subscription } = trial.profile
      // In which language wildcards are written is open: a `?` or a bracket may be part of it.
      if (features.wildcards && !PLAIN_WILDCARD.test(subscription.wildcard))
        return trial.observed(`What a name beside ${subscription.wildcard} may mean is the target's own.`)
      const names = features.wildcards ? IN_NO_WILDCARD : LOOK_LIKE_PATTERNS
      await judgeNames(trial, names, 'queue-name-like-a-pattern')
    },
  },
  {
    id: 'subscribe.name-in-its-case',
    title: 'A destination covers no queue whose name differs from its own in case.',
    stimulus:
      'Subscribes to one of three queues whose names differ only in case, where that makes three queues.',
    clauses: ['subscribe.destinations.name'],
    needs: ['consume.only-its-destinations', 'queues.several-segments'],
    run: (trial: Trial) => judgeNames(trial, CASES, 'queue-names-that-differ-in-case'),
  },
  {
    id: 'subscribe.wildcard-below-any-name',
    title: 'A wildcard covers what is below its name and below no other, whatever characters the name holds.',
    stimulus:
      'Subscribes by wildcard to what is below names with _, % or + in them, and below one of three names that differ only in case, as far as such names are taken, beside queues below names that a pattern of that look would match.',
    clauses: ['subscribe.wildcard.only', 'subscribe.wildcard'],
    needs: ['subscribe.wildcard-only-matching', 'subscribe.name-is-no-pattern'],
    async run(trial: Trial) {
      const { wildcard: written } = trial.profile.subscription
      // What else stands for others beside the wildcard of the profile is open where that is of such a language.
      if (!PLAIN_WILDCARD.test(written))
        return trial.observed(`What a name below ${written} may mean is the target's own.`)
      await judgeNames(trial, [...IN_NO_WILDCARD, ...CASES], 'wildcard-below-a-name', judgeCategory)
    },
  },
]

/** As {@link judgeName}, of one way to write a destination. */
type JudgeName = (trial: Trial, names: (typeof LOOK_LIKE_PATTERNS)[number]) => Promise<boolean>

async function judgeNames(
  trial: Trial,
  names: typeof LOOK_LIKE_PATTERNS,
  point: string,
  judge: JudgeName = judgeName,
): Promise<void> {
  const tried = await Promise.all(names.map((pair) => judge(trial, pair)))
  const judged = names.filter((_, i) => tried[i]).map(([name]) => name)
  trial.choose(point, judged.length === 0 ? 'not taken' : judged.join(' '))
  if (judged.length === 0) trial.observed('The target takes no such names.')
}

/**
 * Judges a subscription to a queue by its name. @returns false where such a name, or such a destination, is not taken: what may
 * be in a name is left open
 */
async function judgeName(
  trial: Trial,
  [name, others]: (typeof LOOK_LIKE_PATTERNS)[number],
): Promise<boolean> {
  const category = trial.freshName()
  const paths = [name, ...others].map((each) => `${category}/${each}`)
  return judgeDestination(trial, name, paths, ({ queue }) => queue)
}

/** As {@link judgeName}, of a wildcard below a category of that name. */
async function judgeCategory(
  trial: Trial,
  [name, others]: (typeof LOOK_LIKE_PATTERNS)[number],
): Promise<boolean> {
  const above = trial.freshName()
  const destination = wildcard(trial, `${above}/${name}`)
  const paths = [name, ...others].map((each) => `${above}/${each}/one`)
  return judgeDestination(trial, wildcard(trial, name), paths, () => destination)
}

/** @param paths those of the queue that a destination covers, and of others beside it */
async function judgeDestination(
  trial: Trial,
  name: string,
  [path, ...others]: readonly string[],
  destinationOf: (queue: Sendable) => QueueHandle | string,
): Promise<boolean> {
  const queue = await sendable(trial, path!)
  if (queue === undefined || hasSeparator(trial, destinationOf(queue))) return false
  const made = await Promise.all(others.map((each) => sendable(trial, each)))
  const beside: Sendable[] = []
  for (const other of made)
    if (other !== undefined && !(await isSameQueue(trial, queue.queue, other.queue))) beside.push(other)
  const attempt = await trial.trySubscribe(destinationOf(queue))
  if (refused(attempt)) return false
  await deleteMade(trial, attempt)
  const consumer = await trial.subscribe(destinationOf(queue))
  // Where no consumer is given what waited for it, its own queue shows in what comes later.
  const { text } = trial.isBroken('consume.delivers') ? await trial.send(queue.queue) : queue.sent
  let bodies: string[] = []
  await trial.eventually(async () => {
    bodies = await readBodies(trial, consumer)
    return bodies.includes(text) || undefined
  })
  trial.expect(
    bodies.includes(text),
    `the message of the queue ${path} with a consumer of the destination ${name}`,
    'it does not come',
  )
  const strange = await never(trial, consumer, async () => {
    const read = await readBodies(trial, consumer)
    return beside.find(({ sent }) => read.includes(sent.text))
  })
  await consumer.endIfActive()
  trial.expect(
    strange === undefined,
    `of the destination ${name} the messages of the queue ${path} alone, since a character that stands for others has no place in a name`,
    () => `the message of ${strange!.queue.path}`,
  )
  return beside.length > 0
}

/**
 * Whether the other name is one more of the same queue. A target may compare names without regard to case, and give each the address
 * that it was asked for: then what was sent to one is with the other.
 */
async function isSameQueue(trial: Trial, queue: QueueHandle, other: QueueHandle): Promise<boolean> {
  if (comparable(other.uri) === comparable(queue.uri)) return true
  if (other.path.toLowerCase() !== queue.path.toLowerCase()) return false
  if (trial.timing.settle > 0) await settled(trial)
  const feed = await unlessBlocked(() => trial.browse(other))
  return feed !== undefined && feed.entries.length > 1
}

interface Sendable {
  readonly queue: QueueHandle
  readonly sent: Sent
}

/** A queue of this name with a message in it; undefined where the target does not take the name, or cannot be sent to by it. */
async function sendable(trial: Trial, path: string): Promise<Sendable | undefined> {
  if (nameProblem(trial.profile, path) !== undefined) return undefined
  const uri = createdAt(trial, await trial.tryCreateQueue(path))
  if (uri === undefined) return undefined
  const queue = { path, uri }
  const sent = await unlessBlocked(() => trial.send(queue))
  return sent && { queue, sent }
}

/** Whether a destination holds what parts several of them. */
function hasSeparator({ profile }: Trial, destination: QueueHandle | string): boolean {
  const { separator } = profile.subscription
  return separator !== null && writtenDestination(profile, destination).includes(separator)
}
