import { answered } from '../../client/answered.js'
import { statusOf } from '../../trial/answers.js'
import type { CheckRecord } from '../../trial/check.js'
import { holdOne } from '../../trial/held.js'
import { expectPending, pendingBodies, untilPending } from '../../trial/pending.js'
import type { Trial } from '../../trial/trial.js'

/** What sending does where the document is silent. */
export const SEND_CHOICES: readonly CheckRecord[] = [
  {
    id: 'send.body-at-step-1',
    stimulus:
      'Posts a message to the queue’s own address, sends another in two steps, and reads the queue’s feed.',
    clauses: ['send.step-1.body'],
    needs: ['send.post', 'browse.queue'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const direct = trial.freshMessage()
      const exchange = await trial.post(queue.uri, direct.body)
      const message = await trial.send(queue)
      await untilPending(trial, queue, [message])
      const stored = (await pendingBodies(trial, queue, [message, direct])).includes(direct.text)
      trial.choose('body-at-step-1', `${statusOf(exchange)}, ${stored ? 'stored' : 'not stored'}`)
      trial.expect(exchange.status === 400, '400 for a body at step 1', answered(exchange))
      await expectPending(trial, queue, [message], 'no message by what was posted at step 1')
    },
  },
  {
    id: 'send.content-type',
    stimulus: 'Sends a message with the three headers, and asks for the raw body that its entry links to.',
    clauses: ['send.content-type'],
    needs: ['send.post', 'consume.delivers'],
    async run(trial: Trial) {
      const sent = {
        'content-type': 'application/x-kit; v=1',
        'content-encoding': 'x-kit',
        'content-language': 'mi',
      }
      const { sent: message, entry } = await holdOne(trial, sent)
      const raw = entry.links.find(({ rel }) => rel === 'enclosure')
      trial.choose('raw-body', raw ? 'linked by enclosure' : 'not linked by enclosure')
      trial.expect(raw !== undefined, 'an enclosure link in the entry', 'none')
      const { headers, body } = await trial.target.request('GET', raw.href)
      trial.expect(body.equals(message.body), 'the body as it was sent behind the link', String(body))
      const lost = Object.entries(sent).filter(([name, value]) => headers[name] !== value)
      trial.expect(lost.length === 0, 'the raw body with the headers that it was sent with', () =>
        lost.map(([name, value]) => `${name} is ${headers[name] ?? 'missing'} and was ${value}`).join('; '),
      )
    },
  },
  {
    id: 'send.properties',
    title:
      'A request header Property-<name> becomes a property of the message, - read as _, without regard to case.',
    stimulus: 'Sends a message with two such headers, and looks for the properties in its entry.',
    clauses: ['send.properties'],
    needs: ['send.post', 'browse.queue'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const headers = { 'Property-Colour': 'red', 'PROPERTY-UNIT-PRICE': '12.5' }
      const message = await trial.send(queue, undefined, headers)
      await untilPending(trial, queue, [message])
      const page = String((await trial.browse(queue)).pages[0]!.body)
      const shown = [...page.matchAll(/<(?:[\w-]+:)?property name="([^"<]*)"[^<>]*>([^<]*)</g)].map(
        ([, name, value]) => `${name}=${value}`,
      )
      trial.choose('properties', shown.join(', ') || 'not shown')
      trial.expect(
        shown
          .map((property) => property.toLowerCase())
          .toSorted()
          .join() === 'colour=red,unit_price=12.5',
        'the properties colour and unit_price in the entry',
        `${shown.join(', ') || 'none'}`,
      )
    },
  },
]
