/**
 * What a picture of lanes is drawn from. Whoever watches a broker or a target makes these from what it knows: the server from
 * its broker's events, the kit from the answers of a target.
 */

/** A row of the picture. The name is the one that people read. Of a client just its requests are known, each in a row of its own. */
export interface Lane {
  readonly kind: 'producer' | 'queue' | 'consumer' | 'client'
  readonly name: string
}

/** Something that happened. */
export type LaneEvent =
  /** A queue was created, or the lease of a consumer began. */
  | { readonly is: 'begun'; readonly lane: Lane }
  /** A queue was deleted, or a lease ended; messages that wait in the queue are gone with it. */
  | { readonly is: 'ended'; readonly lane: Lane; readonly how: 'deleted' | 'expired' }
  /**
   * A message came into a queue, or to a consumer, or is gone. `by`: the producer of one that is new.
   */
  | {
      readonly is: 'moved'
      /** Tells it from all others. */
      readonly message: string
      /** What people call it; by default `message`. */
      readonly name?: string
      readonly to: Lane | 'acknowledged' | 'gone'
      readonly by?: string
    }
  /** A request of a lane's owner that moved nothing, or not only that. */
  | {
      readonly is: 'asked'
      readonly lane: Lane
      readonly what: string
      readonly answer: 'done' | 'refused' | 'lost'
      /** Until when it was under way: a place among the moments, as 3.5 between the fourth and the fifth; default: at once. */
      readonly until?: number
    }

/** What happened at one moment: in a step of a scenario, in a request, or when a clock was advanced. */
export interface Moment {
  /** What was done, as a line of text. */
  readonly label: string
  /** Milliseconds since the beginning, at its end. */
  readonly time: number
  readonly events: readonly LaneEvent[]
  /** Whether what was answered breaks a rule. */
  readonly isBroken?: boolean
}

/** How the picture is made. */
export interface PictureOptions {
  /** Pixels that are there for all moments together; default 720. It is wider where there are many of them. */
  readonly width?: number
  /** What the picture shows, for who does not see it. */
  readonly label: string
}
