/** What a producer handed over, as far as an entry shows it. */
export interface ContentView {
  readonly body: Uint8Array
  /** The body as text, where it is known to be plain ASCII, without control characters but tabs and line ends. */
  readonly ascii?: string | undefined
  readonly contentType?: string | undefined
  readonly contentEncoding?: string | undefined
  readonly properties: ReadonlyMap<string, string>
}

/** A queue, as far as a feed shows it. Times are in milliseconds since the epoch. */
export interface QueueView {
  readonly id: string
  readonly name: string
  readonly createdAt: number
  readonly updatedAt: number
  readonly pending: number
  readonly held: number
  readonly subscriptions: number
}

/** A message, as far as an entry shows it. */
export interface MessageView {
  readonly id: string
  readonly sequence: number
  readonly queue: QueueView
  readonly content: ContentView
  readonly publishedAt: number
  readonly updatedAt: number
  readonly deliveries: number
  readonly holder: object | undefined
}

/** A message that a subscription holds. */
export interface DeliveryView {
  readonly id: string
  readonly message: MessageView
  readonly subscription: SubscriptionView
}

/** A subscription, as far as its feed shows it. */
export interface SubscriptionView {
  readonly id: string
  readonly destinations: readonly string[]
  readonly prefetch: number
  readonly selector: string | undefined
  readonly updatedAt: number
  readonly leaseEndsAt: number
}

/** One child in a listing; names are canonical and whole. */
export type ListingEntryView =
  | { readonly kind: 'queue'; readonly name: string; readonly queue: QueueView }
  | { readonly kind: 'category'; readonly name: string; readonly updatedAt: number }

/** One page of something, and where the next begins. */
export interface PageView<T> {
  readonly items: readonly T[]
  readonly next: string | undefined
  readonly updatedAt: number
}
