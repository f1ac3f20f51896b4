import { answered } from '../../client/answered.js'
import { createdAt } from '../../trial/addresses.js'
import { statusOf } from '../../trial/answers.js'
import type { CheckRecord } from '../../trial/check.js'
import { expectReadable } from '../../trial/expectations.js'
import { answersWith, eachAnswersWith } from '../../trial/status-check.js'
import type { Trial } from '../../trial/trial.js'

/** Expects that a name is refused with 400 where a sound one was taken a moment before. */
async function expectRefusedName(trial: Trial, what: string, path: string): Promise<void> {
  const exchange = await trial.tryCreateQueue(path)
  trial.choose(`queue-name-with-${what.replaceAll(' ', '-')}`, statusOf(exchange))
  trial.expect(exchange.status === 400, `400 for a queue name with ${what}`, answered(exchange))
}

/** One way in which the request that creates a queue may name it. */
function createdBy(
  id: string,
  request: (name: string) => { headers: Record<string, string>; body?: string },
): CheckRecord {
  return {
    id: `queues.create-by-${id}`,
    stimulus: 'Creates a queue in that way, and reads the feed at its address.',
    clauses: [`queues.create.${id}`],
    needs: ['queues.create'],
    async run(trial: Trial) {
      await trial.createQueue()
      const exchange = await trial.target.request(
        'POST',
        trial.target.at('/queues'),
        request(trial.freshName()),
      )
      const uri = createdAt(trial, exchange)
      trial.choose(`create-by-${id}`, uri === undefined ? statusOf(exchange) : 'accepted')
      trial.expect(uri !== undefined, '201 with a Location', answered(exchange))
      await expectReadable(trial, { path: '', uri }, '200 for the queue')
    },
  }
}

/** How a queue may be named, and how not: chosen, since the document does not show it. */
export const QUEUE_NAMES: readonly CheckRecord[] = [
  createdBy('text', (name) => ({
    headers: { 'Content-Type': 'text/plain' },
    body: name,
  })),
  createdBy('form', (name) => ({
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: `name=${name}`,
  })),
  createdBy('json', (name) => ({
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name }),
  })),
  createdBy('slug', (name) => ({
    headers: { Slug: name },
  })),
  {
    id: 'queues.create-media-type',
    stimulus: 'Posts the name of a queue to /queues as an image.',
    clauses: ['queues.create.media-type'],
    needs: ['queues.create'],
    run: answersWith(415, 'create-by-image', async (trial) => {
      await trial.createQueue()
      return trial.target.request('POST', trial.target.at('/queues'), {
        headers: { 'Content-Type': 'image/png' },
        body: trial.freshName(),
      })
    }),
  },
  {
    id: 'queues.create-nameless',
    stimulus: 'Posts an empty request to /queues.',
    clauses: ['queues.create.nameless'],
    needs: ['queues.create'],
    run: answersWith(400, 'create-nameless', async (trial) => {
      await trial.createQueue()
      return trial.target.request('POST', trial.target.at('/queues'))
    }),
  },
  {
    id: 'queues.reserved-names',
    stimulus: 'Creates a queue, and then others with such names.',
    clauses: ['queues.name.reserved'],
    needs: ['queues.create'],
    async run(trial: Trial) {
      const { path } = await trial.createQueue()
      // No control character: a target that takes it may never again list its queues in legal XML.
      const names = {
        'an empty segment': `${path}//b`,
        'an asterisk': `${path}/*`,
        'a greater-than sign': `${path}/>`,
      }
      for (const [what, name] of Object.entries(names)) await expectRefusedName(trial, what, name)
    },
  },
  {
    id: 'queues.long-names',
    title: 'A segment of a queue name has at most 255 bytes, and a name at most 1024.',
    stimulus: 'Creates queues with segments of 255 and 256 bytes, and with names of 1024 and more bytes.',
    clauses: ['queues.name.length'],
    needs: ['queues.create'],
    async run(trial: Trial) {
      const name = trial.freshName()
      const segment = name.padEnd(255, 'x')
      const full = [segment, segment, segment, segment].join('/')
      for (const path of [segment, `${full.slice(0, 1022)}/x`]) {
        const exchange = await trial.tryCreateQueue(path)
        trial.expect(exchange.status === 201, `201 for a name of ${path.length} bytes`, answered(exchange))
      }
      await expectRefusedName(trial, 'a segment of 256 bytes', `${segment}x`)
      await expectRefusedName(trial, '1025 bytes in all', `${full}/x`)
    },
  },
  {
    id: 'queues.escapes',
    stimulus: 'Reads a queue, and then paths with %zz and %ff in them.',
    clauses: ['queues.name.escapes'],
    needs: ['browse.queue'],
    run: eachAnswersWith(400, 'queue-path-with-', ['%zz', '%ff'], async (trial) => {
      const queue = await trial.createQueue()
      await trial.browse(queue)
      return (broken) => trial.target.request('GET', `${trial.target.queueUri(queue.path)}${broken}`)
    }),
  },
  {
    id: 'queues.any-character',
    title: 'A queue name may hold markup characters, spaces and characters beyond ASCII.',
    stimulus: 'Creates queues with such names, each with characters of one kind.',
    clauses: ['queues.name.unicode'],
    needs: ['queues.several-segments'],
    run: eachAnswersWith(
      201,
      'queue-name-with-',
      ['R&D', `<"it's"=`, 'a b', 'é', '漢', '🦊'],
      async (trial) => {
        await trial.createQueue()
        return (characters) => trial.tryCreateQueue(`${trial.freshName()}/${characters}`)
      },
    ),
  },
]
