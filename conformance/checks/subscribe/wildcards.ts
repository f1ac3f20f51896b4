import { wildcardBelow } from '../../client/subscription-request.js'
import type { CheckRecord } from '../../trial/check.js'
import { createTaken } from '../../trial/queues.js'
import { missing, readBodies } from '../../trial/reading.js'
import type { QueueHandle, Trial } from '../../trial/trial.js'

/** Last segments of names that a pattern of ASCII letters may miss. */
const ANY_NAMES = ['aAb', 'a b', '漢字é', '42', `${'x'.repeat(80)}1`, "a'b"]

/** Destinations that are wildcards, where a target has them. */
export const SUBSCRIBE_WILDCARDS: readonly CheckRecord[] = [
  {
    id: 'subscribe.wildcard-segment',
    title: 'A `*` stands for exactly one segment, wherever it stands.',
    stimulus:
      'Subscribes with `*` in the middle and at the end; sends to queues that match, to shallower and deeper ones, and to one whose name ends like one that matches, where such is taken.',
    clauses: ['subscribe.wildcard.segment'],
    needs: ['subscribe.wildcard'],
    async run(trial: Trial) {
      const prefix = trial.freshName()
      const elsewhere = `${trial.freshName()}/${prefix}/a`
      await judgeCoverage(
        trial,
        `${prefix}/*`,
        [`${prefix}/a`, `${prefix}/b`],
        [`${prefix}/a/b`, prefix],
        [elsewhere],
      )
      const inner = trial.freshName()
      await judgeCoverage(
        trial,
        `${inner}/*/x`,
        [`${inner}/a/x`, `${inner}/b/x`],
        [`${inner}/a/y`, `${inner}/x`],
      )
    },
  },
  {
    id: 'subscribe.wildcard-tail',
    stimulus:
      'Subscribes with `>` at the end; sends to queues one and two segments below the prefix, to the prefix itself, and to one below a longer name.',
    clauses: ['subscribe.wildcard.tail'],
    needs: ['subscribe.wildcard'],
    async run(trial: Trial) {
      const prefix = trial.freshName()
      await judgeCoverage(trial, `${prefix}/>`, [`${prefix}/a`, `${prefix}/a/b`], [prefix, `${prefix}x/a`])
    },
  },
  {
    id: 'subscribe.wildcard-dots',
    title: 'A wildcard can be written with dots.',
    stimulus:
      'Subscribes to `prefix.*`, and sends to a queue below the prefix and to one below a longer name.',
    clauses: ['subscribe.wildcard.dots'],
    needs: ['subscribe.wildcard'],
    async run(trial: Trial) {
      const prefix = trial.freshName()
      await judgeCoverage(trial, `${prefix}.*`, [`${prefix}/a`], [`${prefix}x/a`])
    },
  },
  {
    id: 'subscribe.wildcard-of-any-names',
    title: 'A wildcard covers queues whatever characters their names have.',
    stimulus:
      'Creates queues whose names have capital letters, a space, another script, digits alone, 81 characters or a quote, as far as such are taken; sends a message to each, subscribes to all of them by a wildcard, and reads.',
    clauses: ['subscribe.wildcard'],
    needs: ['subscribe.wildcard'],
    async run(trial: Trial) {
      const category = trial.freshName()
      const queues = await createTaken(
        trial,
        ANY_NAMES.map((name) => `${category}/${name}`),
      )
      if (queues.length === 0) trial.observed('The target takes no such names.')
      await judgeCovered(trial, wildcardBelow(trial.profile, category), queues, queues)
    },
  },
]

/** Judges that a destination covers the queues `inside` and none of `outside`, nor of those `beside` that are taken. */
async function judgeCoverage(
  trial: Trial,
  destination: string,
  inside: string[],
  outside: string[],
  beside: string[] = [],
): Promise<void> {
  const queues: QueueHandle[] = []
  for (const path of [...inside, ...outside]) queues.push(await trial.createQueue(path))
  queues.push(...(await createTaken(trial, beside)))
  await judgeCovered(trial, destination, queues, queues.slice(0, inside.length))
}

/** Judges that of these queues a destination covers some, which come first, and no other. */
async function judgeCovered(
  trial: Trial,
  destination: string,
  queues: readonly QueueHandle[],
  inside: readonly QueueHandle[],
): Promise<void> {
  const messages = await Promise.all(queues.map((queue) => trial.send(queue)))
  const consumer = await trial.subscribe(destination)
  await missing(trial, [consumer], messages.slice(0, inside.length))
  const bodies = await readBodies(trial, consumer)
  const seen = queues.flatMap(({ path }, i) => (bodies.includes(messages[i]!.text) ? [path] : []))
  const paths = inside.map(({ path }) => path)
  trial.expect(
    seen.join() === paths.join(),
    `${destination} to cover ${paths.join(' and ')} only`,
    `it covers ${seen.join(', ') || 'none of the queues'}`,
  )
}
