/** What feeds and entries show of what the broker keeps, so that a golden document needs no broker. */
import type { Content } from '../broker/content.js'
import type { Message, Queue, Subscription } from '../broker/entities.js'

/** What a producer handed over. */
export interface ContentView
  extends Pick<Content, 'body' | 'contentType' | 'contentEncoding' | 'properties'> {
  /** The body as text, where it is known to be plain ASCII, without control characters but tabs and line ends. */
  readonly ascii?: string | undefined
}

export type QueueView = Pick<
  Queue,
  'id' | 'name' | 'createdAt' | 'updatedAt' | 'pending' | 'held' | 'subscriptions'
>

export interface MessageView
  extends Pick<Message, 'id' | 'sequence' | 'publishedAt' | 'updatedAt' | 'deliveries'> {
  readonly queue: QueueView
  readonly content: ContentView
  readonly holder: object | undefined
}

/** A message that a subscription holds. */
export interface DeliveryView {
  readonly id: string
  readonly message: MessageView
  readonly subscription: SubscriptionView
}

export type SubscriptionView = Pick<
  Subscription,
  'id' | 'destinations' | 'prefetch' | 'selector' | 'updatedAt' | 'leaseEndsAt'
>

/** One child in a listing; names are canonical and whole. */
export type ListingEntryView =
  | { readonly kind: 'queue'; readonly name: string; readonly queue: QueueView }
  | { readonly kind: 'category'; readonly name: string; readonly updatedAt: number }
