import type { Broker } from '../../broker/broker.js'
import type { Message } from '../../broker/entities.js'
import { given } from '../../broker/limits.js'
import { shownBody } from '../journal/exchange-record.js'
import type { MessageLog } from '../messages/message-log.js'
import type { SeedMessage } from './seed.js'

/**
 * A seed that makes the queues and pending messages of now again, so that a report of a defect can carry its broker.
 * What is held is pending in it: leases, addresses and the guids of messages that are gone are not.
 *
 * @param log knows the guids that messages were sent with
 * @returns its messages are made while they are read: all of it together may be longer than a text can be
 */
export function seedOf(
  broker: Broker,
  log: MessageLog,
): { readonly queues: readonly string[]; readonly messages: Iterable<SeedMessage> } {
  const queues = [...broker.parts.queues]
  const messages = queues.flatMap(({ order }) => [...order.from(0)])
  return { queues: queues.map(({ name }) => name), messages: seedMessages(messages, log) }
}

function* seedMessages(messages: readonly Message[], log: MessageLog): Generator<SeedMessage> {
  for (const message of messages) {
    const { body, contentType, contentEncoding, contentLanguage, properties } = message.content
    const { bytes: _, ...shown } = shownBody({ head: body, bytes: body.length })
    yield given({
      queue: message.queue.name,
      ...shown,
      contentType,
      contentEncoding,
      contentLanguage,
      properties: properties.size > 0 ? Object.fromEntries(properties) : undefined,
      guid: log.guidOf(message),
    }) as SeedMessage
  }
}
