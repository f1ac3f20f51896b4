import { deliveryDocument, messageDocument } from '../../atom/entry.js'
import { ENTRY_TYPE } from '../../atom/names.js'
import type { Message } from '../../broker/entities.js'
import { conditionalReply, listsETag, makeETag } from '../../http/conditional.js'
import type { Reply, Request } from '../../http/exchange.js'
import type { TargetState } from '../../http/preconditions.js'
import { bodyETag, rawMessage } from '../content.js'
import { linksOf, type MappingContext } from '../context.js'

/** Acknowledge: DELETE of the message URI. The message has been processed. */
// clause: ack.status ack.delete
export function acknowledge(
  { broker }: MappingContext,
  _: Request,
  subscription: string,
  delivery: string,
): Reply {
  broker.acknowledge(subscription, delivery)
  return { status: 200 }
}

/** The entry document of a message that a consumer holds (`chosen`). */
// clause: consume.message.entry
export function readDelivery(
  context: MappingContext,
  request: Request,
  subscription: string,
  id: string,
): Reply {
  const delivery = context.broker.delivery(subscription, id)
  const links = linksOf(context, request)
  return entryReply(request, makeETag(id), () => deliveryDocument(delivery, links))
}

/** The body of a message that a consumer holds, as it was sent (`chosen`). */
// clause: consume.message.raw
export function readDeliveryBody(
  { broker }: MappingContext,
  request: Request,
  subscription: string,
  id: string,
): Reply {
  return bodyReply(request, broker.delivery(subscription, id).message)
}

/** The entry document of a pending message, whoever holds it (`chosen`). */
// clause: browse.message
export function readMessage(context: MappingContext, request: Request, id: string): Reply {
  const message = context.broker.message(id)
  const links = linksOf(context, request)
  return entryReply(request, messageETag(message), () => messageDocument(message, links))
}

/** The body of a pending message, as it was sent (`chosen`). */
export function readMessageBody({ broker }: MappingContext, request: Request, id: string): Reply {
  return bodyReply(request, broker.message(id))
}

/** What stands at a message URI, for preconditions. */
export function stateOfDelivery(
  { broker }: MappingContext,
  _: Request,
  subscription: string,
  id: string,
): TargetState {
  const { message } = broker.delivery(subscription, id)
  return { etags: [makeETag(id)], modifiedAt: message.updatedAt }
}

/** What stands at the address of a pending message, for preconditions. */
export function stateOfMessage({ broker }: MappingContext, _: Request, id: string): TargetState {
  const message = broker.message(id)
  return { etags: [messageETag(message)], modifiedAt: message.updatedAt }
}

/** What stands at the address of the body of a message that a consumer holds, for preconditions. */
export function stateOfDeliveryBody(
  { broker }: MappingContext,
  _: Request,
  subscription: string,
  id: string,
): TargetState {
  return stateOfBody(broker.delivery(subscription, id).message)
}

/** What stands at the address of the body of a pending message, for preconditions. */
export function stateOfMessageBody({ broker }: MappingContext, _: Request, id: string): TargetState {
  return stateOfBody(broker.message(id))
}

function stateOfBody(message: Message): TargetState {
  return { etags: [bodyETag(message)], modifiedAt: message.publishedAt }
}

function messageETag({ id, deliveries, holder }: Message): string {
  return makeETag(id, deliveries, holder === undefined ? 'ready' : 'held')
}

const CACHING = { 'Cache-Control': 'private, no-cache' }

function entryReply(request: Request, etag: string, make: () => string): Reply {
  return conditionalReply(request, etag, { 'Content-Type': ENTRY_TYPE, ...CACHING }, make)
}

function bodyReply(request: Request, message: Message): Reply {
  const etag = bodyETag(message)
  if (listsETag(request.headers['if-none-match'], etag)) {
    return { status: 304, headers: { ETag: etag, ...CACHING } }
  }
  return rawMessage(message, { ETag: etag, ...CACHING })
}
