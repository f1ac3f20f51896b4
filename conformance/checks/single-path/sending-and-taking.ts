import { answered } from '../../client/answered.js'
import { refused, succeeded } from '../../client/exchange.js'
import { statusOf } from '../../trial/answers.js'
import { judgeAnyBodies } from '../../trial/any-bodies.js'
import type { CheckRecord } from '../../trial/check.js'
import { labels, texts } from '../../trial/labels.js'
import { SinglePath } from '../../trial/single-path-queue.js'
import type { Sent, Trial } from '../../trial/trial.js'
import { found, once } from '../../trial/waiting.js'

/** GETs at once. */
const AT_ONCE = 6

/** The single-path mapping: POST sends, and each GET gives another message. */
export const SINGLE_PATH: readonly CheckRecord[] = [
  {
    id: 'single-path.delivers',
    title: 'A POST to the path of a queue sends a message, and a GET of the same path gives it.',
    stimulus: 'Posts a message to `/queue/` and the name of a fresh queue, and asks for it there.',
    clauses: ['single-path.send', 'single-path.consume'],
    needs: ['queues.create'],
    async run(trial: Trial) {
      const path = await SinglePath.fresh(trial)
      const message = trial.freshMessage()
      const answer = await path.post(message.body)
      trial.expect(succeeded(answer), 'success for the message', answered(answer))
      const came = await trial.eventually(async () => found(await path.look([message])))
      trial.expect(came !== undefined, 'the message', 'it did not come')
    },
  },
  {
    id: 'single-path.slash-path',
    title: 'The destination can be a path of several segments.',
    stimulus: 'Posts a message to a queue of three segments and asks for it.',
    clauses: ['single-path.send', 'single-path.consume', 'queues.path'],
    needs: ['single-path.delivers'],
    async run(trial: Trial) {
      const { path } = await trial.createQueue(trial.freshName(3))
      const deep = new SinglePath(trial, path)
      const message = trial.freshMessage()
      const answer = await deep.post(message.body)
      trial.expect(succeeded(answer), `success for a message to ${path}`, answered(answer))
      const came = await trial.eventually(async () => found(await deep.look([message])))
      trial.expect(came !== undefined, 'the message', 'it did not come')
    },
  },
  {
    id: 'single-path.own-destination',
    title: 'A GET gives no message of another destination.',
    stimulus: 'Posts a message to each of two queues and asks at each for both.',
    clauses: ['single-path.consume'],
    needs: ['single-path.delivers'],
    async run(trial: Trial) {
      const paths = [await SinglePath.fresh(trial), await SinglePath.fresh(trial)]
      const messages = await Promise.all(paths.map((path) => path.send()))
      for (const [i, path] of paths.entries()) {
        const came = await trial.eventually(async () => found(await path.look(messages)))
        trial.expect(came !== undefined, `message ${i + 1} at its own path`, 'none')
        const own = came.length === 1 && came[0] === messages[i]
        trial.expect(own, `message ${i + 1} at its own path`, () => labels(messages, texts(came)))
      }
    },
  },
  {
    id: 'single-path.another',
    title: 'Each GET gives another message, until all have come.',
    stimulus: 'Posts four messages and asks for one after the other, and twice more.',
    clauses: ['single-path.another', 'single-path.consume'],
    needs: ['single-path.delivers'],
    async run(trial: Trial) {
      const path = await SinglePath.fresh(trial)
      const messages = await path.sendInOrder(4)
      const had = new Set<Sent>()
      await trial.eventually(async () => {
        for (let more = true; more && had.size < messages.length; ) {
          const came = await path.look(messages)
          note(trial, messages, had, came)
          more = came.length > 0
        }
        return once(had.size === messages.length)
      })
      expectAll(trial, messages, had)
      const again = await trial.never(async () => found(await path.look(messages)))
      trial.expect(again === undefined, 'no message twice', () => `${labels(messages, texts(again!))} again`)
    },
  },
  {
    id: 'single-path.same-body',
    title: 'Two messages of one body are two messages.',
    stimulus: 'Posts one body twice and asks for two messages.',
    clauses: ['single-path.send', 'single-path.another'],
    needs: ['single-path.delivers'],
    async run(trial: Trial) {
      const path = await SinglePath.fresh(trial)
      const { body } = await path.send()
      const again = await path.send(body)
      for (const which of ['first', 'second']) {
        const came = await trial.eventually(async () => found(await path.look([again])))
        trial.expect(came !== undefined, `the ${which} of two messages of one body`, 'it did not come')
      }
    },
  },
  {
    id: 'single-path.parallel',
    stimulus: 'Posts six messages, asks six times at once, and then for what is left.',
    clauses: ['single-path.exactly-one', 'single-path.another', 'consume.exactly-one'],
    needs: ['single-path.another'],
    async run(trial: Trial) {
      const path = await SinglePath.fresh(trial)
      const messages = await path.sendInOrder(AT_ONCE)
      const had = new Set<Sent>()
      await trial.eventually(async () => {
        const left = messages.length - had.size
        const answers = await Promise.all(Array.from({ length: left }, () => path.look(messages)))
        for (const came of answers) note(trial, messages, had, came)
        return once(had.size === messages.length)
      })
      expectAll(trial, messages, had)
    },
  },
  {
    id: 'single-path.sessions',
    title: 'GETs of two sessions never give the same message.',
    stimulus:
      'Posts two messages and asks with each of two values of jsessionId; then four more, with both at the same time, and two more, with one, without a session, and with all until every message has come.',
    clauses: ['single-path.session', 'single-path.exactly-one'],
    needs: ['single-path.another'],
    async run(trial: Trial) {
      const path = await SinglePath.fresh(trial)
      const sessions = [trial.freshName(), trial.freshName()]
      const messages: Sent[] = []
      const hands = new Map<Sent, string>()
      const send = async (count: number) => messages.push(...(await path.sendInOrder(count)))
      const look = async (session?: string) => {
        const asker = session ?? 'no session'
        for (const message of await path.look(messages, session)) {
          const holder = hands.get(message) ?? asker
          const seen = () => `${labels(messages, [message.text])} with both`
          trial.expect(holder === asker, 'each message with one session', seen)
          hands.set(message, asker)
        }
      }
      // Behind a session there may be a consumer with a buffer: then what others are not given comes to it by and by.
      const lookForAll = async (askers: readonly (string | undefined)[]) => {
        const hasAll = () => messages.every((message) => hands.has(message))
        await trial.eventually(async () => {
          for (const each of askers) if (!hasAll()) await look(each)
          return once(hasAll())
        })
        expectAll(trial, messages, new Set(hands.keys()))
      }
      await send(2)
      for (const session of sessions) await look(session)
      await lookForAll(sessions)
      await send(4)
      await Promise.all([...sessions, ...sessions].map(look))
      await Promise.all([...sessions, ...sessions].map(look))
      await send(2)
      await look(sessions[0])
      await lookForAll([undefined, ...sessions])
    },
  },
  {
    id: 'single-path.body',
    title: 'A message comes as it was sent, where the target accepts it.',
    stimulus: 'Posts messages with markup, other alphabets, line ends, of 66 kB, and bytes that are no text.',
    clauses: ['single-path.consume', 'send.body.text'],
    needs: ['single-path.delivers'],
    run: (trial: Trial) =>
      judgeAnyBodies(trial, 'single-path', async () => {
        const path = await SinglePath.fresh(trial)
        return {
          send: (body, headers) => path.post(body, headers),
          sendPlain: () => path.send(),
          take: () => path.get(),
        }
      }),
  },
  {
    id: 'single-path.body-empty',
    title:
      'A message without a byte that is sent by the single path is a message, where the target accepts it.',
    stimulus: 'Posts a message without a byte and one with, and counts them in the queue’s feed.',
    clauses: ['single-path.send', 'send.body.empty'],
    needs: ['single-path.delivers', 'browse.queue'],
    async run(trial: Trial) {
      const path = await SinglePath.fresh(trial)
      const answer = await path.post('')
      await path.send()
      trial.choose('single-path-no-byte', statusOf(answer))
      if (refused(answer)) return trial.observed(`Such a body is not taken: ${answered(answer)}`)
      const count = async () => (await trial.browse(path.queue)).entries.length
      let seen = 0
      await trial.eventually(async () => {
        seen = await count()
        return once(seen > 1)
      })
      if (seen === 0) return trial.observed('What the single path sends is not in the feed of its queue.')
      trial.expect(seen === 2, 'two messages in the queue, one of them without a byte', `${seen}`)
    },
  },
]

function note(trial: Trial, messages: readonly Sent[], had: Set<Sent>, came: readonly Sent[]): void {
  for (const message of came) {
    const seen = () => `${labels(messages, [message.text])} again`
    trial.expect(!had.has(message), 'each message once', seen)
    had.add(message)
  }
}

function expectAll(trial: Trial, messages: readonly Sent[], had: ReadonlySet<Sent>): void {
  const lacking = messages.filter((message) => !had.has(message))
  trial.expect(lacking.length === 0, 'every message', () => `without ${labels(messages, texts(lacking))}`)
}
