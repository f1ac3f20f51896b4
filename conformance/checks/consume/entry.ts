import { answered, kindOf } from '../../client/answered.js'
import { messageUriOf } from '../../trial/addresses.js'
import { elementsNamed } from '../../trial/answers.js'
import type { CheckRecord } from '../../trial/check.js'
import { holdOne } from '../../trial/held.js'
import { expectRaw } from '../../trial/raw-body.js'
import type { Trial } from '../../trial/trial.js'

/** What a message's entry and addresses give, where the document leaves it open. */
export const CONSUME_ENTRY: readonly CheckRecord[] = [
  {
    id: 'consume.edit-link',
    title: 'An entry has exactly one edit link, which is the address of its message.',
    stimulus: "Reads a message's entry and its links.",
    clauses: ['consume.edit-link'],
    needs: ['consume.delivers'],
    async run(trial: Trial) {
      const { entry } = await holdOne(trial)
      const edits = entry.links.filter((link) => link.rel === 'edit')
      trial.choose('message-address', edits.length > 0 ? 'link[rel=edit]' : trial.profile.messageUri)
      trial.expect(
        edits.length === 1 && edits[0]!.href === entry.messageUri,
        'one link of rel="edit", which is the address of the message',
        `${edits.length}: ${edits.map((link) => link.href).join(', ')}`,
      )
    },
  },
  {
    id: 'consume.raw-link',
    stimulus: "Reads a message's entry and looks at its enclosure link.",
    clauses: ['consume.raw-link'],
    needs: ['consume.delivers'],
    async run(trial: Trial) {
      const { consumer, sent } = await holdOne(trial)
      const links = elementsNamed(await consumer.get(), 'link')
      const raw = links.filter((link) => link.getAttribute('rel') === 'enclosure')
      trial.expect(raw.length === 1, 'one link of rel="enclosure"', `${raw.length}`)
      const [type, length] = ['type', 'length'].map((name) => raw[0]!.getAttribute(name) ?? 'none')
      trial.expect(type!.startsWith('text/plain'), 'the type of the body, text/plain', type!)
      trial.expect(length === `${sent.body.length}`, `the length ${sent.body.length}`, length!)
    },
  },
  {
    id: 'consume.message-entry',
    stimulus: "Gets a message's address.",
    clauses: ['consume.message.entry'],
    needs: ['consume.delivers', 'consume.message-uri'],
    async run(trial: Trial) {
      const { entry } = await holdOne(trial)
      const answer = await trial.target.request('GET', messageUriOf(entry))
      trial.choose('message-get', kindOf(answer))
      trial.expect(answer.status === 200, '200', answered(answer))
      const type = answer.headers['content-type'] ?? 'no media type'
      trial.expect(
        /^application\/atom\+xml\b.*type=["']?entry/i.test(type),
        'application/atom+xml;type=entry',
        type,
      )
      const text = answer.body.toString()
      trial.expect(text.includes(entry.id), `the entry ${entry.id}`, text.slice(0, 300))
    },
  },
  {
    id: 'consume.message-raw',
    stimulus: 'Sends bytes with a type, an encoding, a language and a property, and gets the enclosure link.',
    clauses: ['consume.message.raw'],
    needs: ['consume.delivers'],
    async run(trial: Trial) {
      const headers = {
        'Content-Type': 'application/octet-stream',
        'Content-Encoding': 'x-own',
        'Content-Language': 'de',
        'Property-Colour': 'red',
      }
      const { entry, sent } = await holdOne(trial, headers)
      await expectRaw(trial, entry, sent, headers)
    },
  },
]
