import type { ClauseId } from '../requirements/index.js'
import type { CheckRecord } from '../trial/check.js'
import * as framings from '../trial/framings.js'
import { inTwoSteps, type MakeRepeatable, withAGuid } from '../trial/repeats.js'
import type { Trial } from '../trial/trial.js'

const WAYS = {
  send: { make: inTwoSteps, message: 'a message in two steps', plain: 'send.post' },
  dedup: { make: withAGuid, message: 'a message with a guid', plain: 'dedup.send' },
}

interface Case {
  readonly name: string
  /** What comes of a message; its clause's own words where it is left out. */
  readonly title?: string
  /** What is done beside sending it. */
  readonly does: string
  readonly judge: (trial: Trial, make: MakeRepeatable) => Promise<void>
  /** Whether it is sent again. */
  readonly repeats?: true
  readonly clauses: Readonly<Record<keyof typeof WAYS, ClauseId>>
}

const CASES: readonly Case[] = [
  {
    name: 'broken-off',
    does: 'ends the connection at half of it, once with a length and once in chunks; then sends it whole.',
    judge: framings.judgeBrokenOff,
    repeats: true,
    clauses: { send: 'send.step-2.broken-off', dedup: 'dedup.broken-off' },
  },
  {
    name: 'unanswered',
    does: 'goes away after the whole body and before the answer, six times, and sends it again each time.',
    judge: framings.judgeUnanswered,
    repeats: true,
    clauses: { send: 'send.step-2.unanswered', dedup: 'dedup.unanswered' },
  },
  {
    name: 'body-chunked',
    title: 'whose request is sent in chunks is stored whole.',
    does: 'does so in three chunks, twice, also with a long one and one with a trailer, and compares what is in the queue.',
    judge: framings.judgeChunked,
    clauses: { send: 'send.body.chunked', dedup: 'dedup.body' },
  },
  {
    name: 'body-however-it-comes',
    title: 'is stored whole however its request is written.',
    does: 'does so in two halves with a pause between them, with names of header fields in other case, over HTTP/1.0 and without a Content-Type, and compares what is in the queue.',
    judge: framings.judgeManners,
    clauses: { send: 'send.body.text', dedup: 'dedup.body' },
  },
  {
    name: 'body-continued',
    title: 'whose client asks whether to go on is stored whole.',
    does: 'asks by `Expect: 100-continue` whether to go on before its body, and sends it again.',
    judge: framings.judgeContinued,
    repeats: true,
    clauses: { send: 'send.body.continued', dedup: 'dedup.body' },
  },
]

/** The checks of messages whose body does not come in one piece with their head, of one way to send. */
export function framedChecks(topic: keyof typeof WAYS): readonly CheckRecord[] {
  const { make, message, plain } = WAYS[topic]
  return CASES.map(({ name, title, does, judge, repeats, clauses }) => ({
    id: `${topic}.${name}`,
    ...(title === undefined ? {} : { title: `A${message.slice(1)} ${title}` }),
    stimulus: `Sends ${message}, and ${does}`,
    clauses: [clauses[topic]],
    needs: repeats ? [`${topic}.repeat`] : [plain, 'browse.queue'],
    run: (trial: Trial) => judge(trial, make),
  }))
}
