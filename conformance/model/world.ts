import type { ClauseId } from '../requirements/index.js'

/**
 * One way in which things may stand at a target, as plain data. No operation changes a world: each makes new ones.
 * What nobody outside can know is either left open in a world (a message without a holder waits, or is bound to a
 * consumer that has not read since), or there is a world for each way. Which of several consumers a message is bound to is left open
 * (`among`): a world for each way would be too many.
 */
export interface World {
  readonly queues: Table<Queue>
  /** By new-message address. */
  readonly addresses: Table<Place & { readonly message?: number }>
  /** From guid to message. */
  readonly guids: Table<number>
  readonly messages: readonly Message[]
  /** By subscription URI, or by the id that a consumer or a session of section 4.2 gives itself. */
  readonly consumers: Table<Consumer>
  /** By message URI. */
  readonly deliveries: Table<Delivery>
}

export type Table<T> = Readonly<Record<string, T>>

export interface Queue {
  /** Its address, where an answer has told it. */
  readonly address?: string | undefined
  readonly exists: boolean
  /** A request without an answer may still create it, or delete it. */
  readonly mayCome: boolean
  readonly mayGo: boolean
  /** How many queues have had this name, this one included. */
  readonly born: number
}

/** A queue, as the first of its name, the second, and so on. */
export interface Place {
  readonly queue: string
  readonly born: number
}

/** What is sent, with what a selector picks it by. */
export interface Content {
  readonly body: string
  readonly colour: string
}

export interface Message extends Content, Place {
  /** Bodies of other messages that were sent in its place, to its address or with its guid. */
  readonly others?: readonly string[]
  /**
   * - `unsure`: its send has no answer, so that it may be there, or may come yet.
   * - `pending`: it was sent, and not acknowledged.
   * - `ending`: it may be shown, to its holder alone where it has one, or never again: neither breaks anything, and it takes
   *   no place for sure. Its acknowledgement has no answer or came late, its queue may be gone, or a GET took it.
   * - `done`: it was acknowledged.
   */
  readonly life: 'unsure' | 'pending' | 'ending' | 'done'
  /** Whether its holder was told that it cannot be acknowledged: then it is not to be shown to it any more. */
  readonly isRefused?: true | undefined
  /** The consumer that was shown it, and is bound to it, or was when it was acknowledged. */
  readonly holder?: string | undefined
  /** The consumers of which one is bound to it, where it has no holder: others had room, and were not shown it. */
  readonly among?: readonly string[] | undefined
  /** How the consumer ended that gave it back. */
  readonly givenBack?: 'deleted' | 'expired' | undefined
}

/** What was shown under a message URI, and to whom. `past`: it was given back, and given again under another. */
export interface Delivery {
  readonly message: number
  readonly consumer: string
  readonly past?: boolean
}

/** What a consumer asks for (section 2). `selector` is the colour that it picks. */
export interface Subscribing {
  readonly destinations: readonly Destination[]
  readonly prefetch: number
  readonly selector?: string | undefined
  readonly lease: Lease
}

/** A queue, or any right below a prefix. */
export type Destination = { readonly queue: string; readonly born?: number } | { readonly below: string }

/** Milliseconds: its length, and how late a target may notice its end. */
export interface Lease {
  readonly length: number
  readonly grace: number
  readonly renewedBy: readonly ('read' | 'ack')[]
}

export interface Consumer extends Subscribing {
  /** For whatever reason, it may end from the one time on, and has by the other. An unanswered deletion moves only the first. */
  readonly endsFrom: number
  readonly endsBy: number
  readonly over?: 'deleted' | 'expired' | undefined
  /** Whether a lock call of its has no answer, so that it may hold messages of which nobody was told. */
  readonly mayHaveLocked?: boolean
  /** What becomes of acknowledgements in a POST of its: a place that does not take them may take no notice. Undefined before the first. */
  readonly acksInPost?: 'taken' | 'ignored'
}

/** What came of a request. */
export interface Answer {
  /** 0 where no answer came. */
  readonly status: number
  readonly location?: string | undefined
  /** Of a creation without `Location`, where what was made is for all that. */
  readonly told?: string | undefined
  /** What a feed shows, or what was handed out. A queue's feed gives no message URIs. */
  readonly entries?: readonly Entry[] | undefined
  /** Of a queue's feed that does not tell which messages they are, in place of its entries: how many there are. */
  readonly count?: number | undefined
  /** Whether what was done before has had the time to show. */
  readonly settled?: boolean
  /** Whether it was read in several pages, each at a moment of its own. */
  readonly inPages?: boolean
  /** When the request was sent, and when its answer was there: milliseconds of the target's time, as far as known. */
  readonly from: number
  readonly to: number
}

export interface Entry {
  readonly body: string
  readonly uri: string
  /** Whether it is a message that was sent in another story, to a queue of its own. */
  readonly isOthers?: true
}

/** The worlds that an answer leaves possible, or a clause that is broken by it. */
export type Step = readonly World[] | ClauseId

/** What may be so when a request that says this has had this answer. */
export type Operation<Said> = (world: World, said: Said, answer: Answer) => Step
