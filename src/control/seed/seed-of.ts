import type { Broker } from '../../broker/broker.js'
import type { Message } from '../../broker/entities.js'
import { jsonParts } from '../input/streamed.js'
import { shownBody } from '../journal/exchange-record.js'
import type { Seed, SeedMessage } from './seed.js'

/**
 * A seed that makes the queues and pending messages of now again, so that a report of a defect can carry its broker.
 * What is held is pending in it: leases, addresses and the guids of messages that are gone are not.
 *
 * @param guidOf the guid that a message was sent with, where that is known
 */
export function seedOf(broker: Broker, guidOf: (message: Message) => string | undefined): Seed {
  return {
    queues: [...broker.parts.queues].map(({ name }) => name),
    messages: [...seedMessages(broker, guidOf)],
  }
}

/** The same as the text of a seed file, in pieces: all of it together may be longer than a text can be. */
export function seedText(
  broker: Broker,
  guidOf: (message: Message) => string | undefined,
): Generator<string, void> {
  const queues = [...broker.parts.queues].map(({ name }) => name)
  return jsonParts({ queues, messages: seedMessages(broker, guidOf) }, '\n')
}

/** Those of this moment, also where the last of them is asked for later. */
function* seedMessages(
  broker: Broker,
  guidOf: (message: Message) => string | undefined,
): Generator<SeedMessage> {
  const messages: Message[] = []
  for (const queue of broker.parts.queues) for (const message of queue.order.from(0)) messages.push(message)
  for (const message of messages) {
    const { body, contentType, contentEncoding, contentLanguage, properties } = message.content
    const { bytes: _, ...shown } = shownBody({ head: body, bytes: body.length })
    const guid = guidOf(message)
    yield {
      queue: message.queue.name,
      ...shown,
      ...(contentType !== undefined && { contentType }),
      ...(contentEncoding !== undefined && { contentEncoding }),
      ...(contentLanguage !== undefined && { contentLanguage }),
      ...(properties.size > 0 && { properties: Object.fromEntries(properties) }),
      ...(guid !== undefined && { guid }),
    }
  }
}
