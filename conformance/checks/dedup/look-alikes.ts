import { answered } from '../../client/answered.js'
import { refused, succeeded } from '../../client/exchange.js'
import { statusOf } from '../../trial/answers.js'
import type { CheckRecord } from '../../trial/check.js'
import { expectPending } from '../../trial/pending.js'
import { IGNORED, sendWith, sentWith } from '../../trial/sending.js'
import type { Trial } from '../../trial/trial.js'

/** A check that two guids which look alike are two: each makes its message, and a repeat of each makes none. */
function distinct(
  id: string,
  title: string | undefined,
  stimulus: string,
  make: (guid: string) => readonly string[],
): CheckRecord {
  return {
    id: `dedup.${id}`,
    ...(title && { title }),
    stimulus,
    clauses: id === 'case' ? ['dedup.case'] : ['dedup.distinct'],
    needs: ['dedup.repeat'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      await sentWith(trial, await trial.createQueue(), trial.freshGuid())
      const outcomes = await Promise.all(
        make(trial.freshGuid()).map(async (guid) => {
          const message = trial.freshMessage()
          const exchange = await trial.postWithGuid(queue, guid, message.body)
          if (refused(exchange)) return exchange
          if (!succeeded(exchange)) await sendWith(trial, queue, guid, message)
          await sendWith(trial, queue, guid, message, IGNORED)
          return message
        }),
      )
      const messages = outcomes.filter((outcome) => 'text' in outcome)
      await expectPending(trial, queue, messages, 'one message for each guid')
      const refusal = outcomes.find((outcome) => 'status' in outcome)
      if (refusal) {
        // Which strings are guids, beyond being strings, the document leaves open.
        trial.choose(`guids-${id}`, statusOf(refusal))
        trial.observed(`Such a guid is refused: ${answered(refusal)}`)
      }
    },
  }
}

/** Which guids are one and which are two: section 4.1, rule 1. */
export const DEDUP_LOOK_ALIKES: readonly CheckRecord[] = [
  distinct(
    'case',
    undefined,
    'Sends messages with guids of which one has small letters where the other has capitals.',
    (guid) => [`${guid}-abc`, `${guid}-ABC`, `${guid}-Abc`],
  ),
  distinct(
    'alike',
    'Guids that share a long beginning or end are different guids.',
    'Sends messages with guids of 70 characters that differ in their first or last character only, or in a space there.',
    (guid) => {
      const long = `${guid}-${'x'.repeat(60)}`
      return [`${long}1`, `${long}2`, `1${long}`, `2${long}`, long, `${long} `, ` ${long}`]
    },
  ),
  distinct(
    'numbers',
    'Guids that are one number, written in several ways, are different guids.',
    'Sends messages with guids that are a number, the same with a zero before it and with a fraction of none, and the next number.',
    (guid) => {
      const digits = BigInt(`0x${guid.replace(/[^0-9a-f]/gi, '')}`)
      return [`${digits}`, `0${digits}`, `${digits}.0`, `${digits + 1n}`]
    },
  ),
  distinct(
    'special-characters',
    'Guids with characters that a URI escapes are told apart as the strings that they are.',
    'Sends messages with guids that hold hyphen, space, plus sign, percent-escape, ampersand, slash, other scripts and both forms of an accent.',
    (guid) =>
      ['', '-', ' ', '+', '%20', '&guid=x', '=', '/', '#', 'é', 'e\u0301', '漢', '🦊'].map(
        (special) => `${guid}${special}z`,
      ),
  ),
]
