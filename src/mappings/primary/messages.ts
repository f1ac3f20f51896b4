import { deliveryDocument, messageDocument } from '../../atom/entry.js'
import { ENTRY_TYPE } from '../../atom/names.js'
import type { Message } from '../../broker/entities.js'
import { conditionalReply, listsETag, makeETag } from '../../http/conditional.js'
import type { Reply, Request } from '../../http/exchange.js'
import type { TargetState } from '../../http/preconditions.js'
import { rawMessage } from '../content.js'
import { type Act, linksOf } from '../context.js'

/** Acknowledge: DELETE of the message URI. The message has been processed. */
// clause: ack.status ack.delete
export const acknowledge: Act = ({ broker }, _, subscription, delivery) => {
  broker.acknowledge(subscription, delivery)
  return { status: 200 }
}

/** The entry document of a message that a consumer holds (`chosen`). */
// clause: consume.message.entry
export const readDelivery: Act = (context, request, subscription, id) => {
  const delivery = context.broker.delivery(subscription, id)
  const links = linksOf(context, request)
  return entryReply(request, makeETag(id), () => deliveryDocument(delivery, links))
}

/** The body of a message that a consumer holds, as it was sent (`chosen`). */
// clause: consume.message.raw
export const readDeliveryBody: Act = ({ broker }, request, subscription, id) => {
  return bodyReply(request, broker.delivery(subscription, id).message)
}

/** The entry document of a pending message, whoever holds it (`chosen`). */
// clause: browse.message
export const readMessage: Act = (context, request, id) => {
  const message = context.broker.message(id)
  const links = linksOf(context, request)
  return entryReply(request, messageETag(message), () => messageDocument(message, links))
}

/** The body of a pending message, as it was sent (`chosen`). */
export const readMessageBody: Act = ({ broker }, request, id) => {
  return bodyReply(request, broker.message(id))
}

/** What stands at a message URI, for preconditions. */
export const stateOfDelivery: Act<TargetState> = ({ broker }, _, subscription, id) => {
  const { message } = broker.delivery(subscription, id)
  return { etags: [makeETag(id)], modifiedAt: message.updatedAt }
}

/** What stands at the address of a pending message, for preconditions. */
export const stateOfMessage: Act<TargetState> = ({ broker }, _, id) => {
  const message = broker.message(id)
  return { etags: [messageETag(message)], modifiedAt: message.updatedAt }
}

/** What stands at the address of the body of a message that a consumer holds, for preconditions. */
export const stateOfDeliveryBody: Act<TargetState> = ({ broker }, _, subscription, id) => {
  return stateOfBody(broker.delivery(subscription, id).message)
}

/** What stands at the address of the body of a pending message, for preconditions. */
export const stateOfMessageBody: Act<TargetState> = ({ broker }, _, id) => {
  return stateOfBody(broker.message(id))
}

function stateOfBody(message: Message): TargetState {
  return { etags: [makeETag(message.id)], modifiedAt: message.publishedAt }
}

function messageETag({ id, deliveries, holder }: Message): string {
  return makeETag(id, deliveries, holder === undefined ? 'ready' : 'held')
}

const CACHING = { 'Cache-Control': 'private, no-cache' }

function entryReply(request: Request, etag: string, make: () => string): Reply {
  return conditionalReply(request, etag, { 'Content-Type': ENTRY_TYPE, ...CACHING }, make)
}

function bodyReply(request: Request, message: Message): Reply {
  // It never changes.
  const etag = makeETag(message.id)
  if (listsETag(request.headers['if-none-match'], etag)) {
    return { status: 304, headers: { ETag: etag, ...CACHING } }
  }
  return rawMessage(message, { ETag: etag, ...CACHING })
}
