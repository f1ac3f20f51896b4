import type { CheckRecord } from '../../trial/check.js'
import { missing, readBodies } from '../../trial/reading.js'
import type { Trial } from '../../trial/trial.js'

/** Destinations that are wildcards, where a target has them. */
export const SUBSCRIBE_WILDCARDS: readonly CheckRecord[] = [
  {
    id: 'subscribe.wildcard-segment',
    title: 'A `*` stands for exactly one segment, wherever it stands.',
    stimulus:
      'Subscribes with `*` in the middle and at the end; sends to queues that match and to shallower and deeper ones.',
    clauses: ['subscribe.wildcard.segment'],
    needs: ['subscribe.wildcard'],
    async run(trial: Trial) {
      const prefix = trial.freshName()
      await judgeCoverage(trial, `${prefix}/*`, [`${prefix}/a`, `${prefix}/b`], [`${prefix}/a/b`, prefix])
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
]

/** Judges that a destination covers the queues `inside` and none of `outside`. */
async function judgeCoverage(
  trial: Trial,
  destination: string,
  inside: string[],
  outside: string[],
): Promise<void> {
  const paths = [...inside, ...outside]
  const queues = []
  for (const path of paths) queues.push(await trial.createQueue(path))
  const messages = await Promise.all(queues.map((queue) => trial.send(queue)))
  const consumer = await trial.subscribe(destination)
  const expected = messages.slice(0, inside.length)
  await missing(trial, [consumer], expected)
  const bodies = await readBodies(trial, consumer)
  const seen = paths.filter((_, i) => bodies.includes(messages[i]!.text))
  trial.expect(
    seen.join() === inside.join(),
    `${destination} to cover ${inside.join(' and ')} only`,
    `it covers ${seen.join(', ') || 'none of the queues'}`,
  )
}
