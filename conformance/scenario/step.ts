/**
 * One step of a scenario: who does what, in names that the scenario itself gives. Queues and messages begin with a small
 * letter, consumers with a capital one. It never says what must come of it: that follows from the model.
 */
export type Step = Deed & Manner

/** What may be said of any step. */
export interface Manner {
  /**
   * Where the connection ends: before the request's body, within it, after it and before the answer, or when the answer begins
   * to come, which is left unread.
   */
  readonly cut?: Where
  /**
   * How its queue is written, in place of the address that its creation told: `/queues/` and its path, or that with dots. Such a
   * queue need not be there.
   */
  readonly at?: At
  /** Who does it in place of the owner. */
  readonly as?: Party
  /** From here on the clauses are at stake for which the scenario was written. */
  readonly own?: true
}

export const WHERE = ['before', 'within', 'after', 'unread'] as const
export type Where = (typeof WHERE)[number]

export const AT = ['path', 'dots'] as const
export type At = (typeof AT)[number]

/** Parties without permission, as the profile gives them: without credentials, and with somebody else's. */
export const PARTIES = ['nobody', 'another'] as const
export type Party = (typeof PARTIES)[number]

/** Ways to send; `each` stands for every one that the target has. */
export const WAYS = ['two-step', 'guid', 'single-path', 'each'] as const
export type Way = (typeof WAYS)[number]

/** How a subscription ends; `each` stands for both. */
export const ENDS = ['deletion', 'expiry', 'each'] as const
export type End = (typeof ENDS)[number]

/** In what a guid differs from another's: the case of its letters, something more at its end, or before it (the last three). */
export const DIFFERENCES = [
  'case',
  'end',
  'hyphen',
  'sign',
  'space',
  'fraction',
  'escape',
  'ampersand',
  'semicolon',
  'comma',
  'equals',
  'slash',
  'hash',
  'accent',
  'mark',
  'script',
  'emoji',
  'zero',
  'start',
  'indent',
] as const
export type Difference = (typeof DIFFERENCES)[number]
export type Guid = 'long' | 'number' | { readonly unlike: string; readonly in: Difference }

/** What a message is made of. */
export interface Made {
  /** What a selector picks it by. */
  readonly colour?: Colour
  /** Header fields with which it is posted, in place of those of the profile. */
  readonly headers?: readonly (readonly [name: string, value: string])[]
  /** Another message whose body it has. */
  readonly like?: string
  /** What it is, in place of a body of its own: a text, or one of which each character is a byte. */
  readonly body?: string
  readonly bytes?: string
  /** Whether it has each byte that there is. */
  readonly every?: true
  /** Bytes of its body, at least; what it is stands there again and again. */
  readonly size?: number
  /** Whether its body has no byte. */
  readonly empty?: true
}

export const COLOURS = ['red', 'blue'] as const
export type Colour = (typeof COLOURS)[number]

/** The order in which a consumer acknowledges all that it holds. */
export const ORDERS = ['backwards', 'mixed'] as const
export type Order = (typeof ORDERS)[number]

/**
 * Where a request goes: a path below the base URL, or the address of a queue, of a subscription, of a message as its consumer was
 * shown it, or to which a message is posted.
 */
export type Place =
  | { readonly path: string }
  | ((
      | { readonly queue: string }
      | { readonly consumer: string; readonly message?: string }
      | { readonly address: string }
    ) & {
      /** An address like it that nobody was given. */
      readonly beside?: true
    })

/** What steps of a verb say. */
export type Of<Verb extends Deed['do'], Each = Deed> = Each extends { readonly do: infer Own }
  ? Verb extends Own
    ? Each
    : never
  : never

export type Deed =
  | { readonly do: 'create' | 'delete' | 'browse'; readonly queue: string }
  /** From the root; with a path, the subtree below it. */
  | { readonly do: 'list'; readonly path?: string }
  | ({
      readonly do: 'send'
      readonly messages: readonly string[]
      readonly queue: string
      readonly by?: Way
      readonly guid?: Guid
    } & Made)
  /** The first step of a send alone, and the second. */
  | { readonly do: 'address'; readonly message: string; readonly queue: string }
  | ({ readonly do: 'post'; readonly message: string } & Made)
  /**
   * The last request of a send again; `changed`, with another body, which may have a size or be empty; `retyped`, as another content
   * type; with a guid, to another queue even.
   */
  | ({
      readonly do: 'repeat'
      readonly message: string
      readonly changed?: true
      readonly retyped?: true
      readonly queue?: string
    } & Pick<Made, 'size' | 'empty'>)
  /** A GET of the address that the first step of a send gave. */
  | { readonly do: 'visit'; readonly message: string }
  | {
      readonly do: 'subscribe'
      readonly consumer: string
      /** Queues, and `PATH/*` for all right below a path. */
      readonly to: readonly string[]
      readonly prefetch?: number
      /** As many as the target grants, and that at the most. */
      readonly atMost?: true
      readonly selector?: 'red'
      /** Milliseconds. */
      readonly timeout?: number
    }
  | { readonly do: 'end'; readonly consumer: string; readonly by?: End }
  /** `head`: a HEAD of what `read` gets. */
  | { readonly do: 'read' | 'head' | 'next'; readonly consumer: string }
  /**
   * Which messages: their names, `1st`, `2nd` and on among those that it holds, `last`, or `each` alone; `unknown`
   * is a message that nobody was shown. `reads`: in a POST to the subscription, which may answer with the next ones; `locks`: in
   * the body of a lock call for so many.
   */
  | {
      readonly do: 'ack'
      readonly consumer: string
      readonly messages: readonly string[]
      readonly order?: Order
      readonly reads?: true
      readonly locks?: number
    }
  /** Gets the address of a message, fetches one that is locked, acknowledges one that was locked or handed out, or `each`. */
  | { readonly do: 'look' | 'fetch' | 'done'; readonly consumer: string; readonly message: string }
  /** By the single path; with a consumer, in a session. */
  | { readonly do: 'take'; readonly queue: string; readonly consumer?: string }
  | { readonly do: 'join' | 'leave'; readonly consumer: string; readonly queue: string }
  | { readonly do: 'lock'; readonly consumer: string; readonly max: number }
  /** A part of a lease, or until it has ended: a consumer's, or that of all. */
  | { readonly do: 'wait'; readonly until: 'part' | 'end'; readonly consumer?: string }
  /** As long as it should be remembered what was done: in a run, until nothing else is left to be asked. */
  | { readonly do: 'wait'; readonly until: 'late' }
  /** Milliseconds. */
  | { readonly do: 'advance'; readonly time: number }
  /**
   * Another scenario begins: what is at stake may be offered by either. One that the target does not offer tells nothing where it
   * offers another.
   */
  | { readonly do: 'or' }
  /**
   * A request as it is written, which the model does not judge. In its texts `{a}` is the name of a queue, `{C}` the id of a consumer
   * of section 4.2, `{255}` a text of so many characters that nobody else has, and `{=ETag}` that header of the answer to the last one.
   */
  | {
      readonly do: 'request'
      readonly method: string
      readonly to: Place
      /** With its question mark. */
      readonly query?: string
      readonly headers?: readonly (readonly [name: string, value: string])[]
      readonly body?: string
      /** The data of a subscription; the value of `destination` is the name of a queue. */
      readonly form?: readonly (readonly [name: string, value: string])[]
    }
  /** All at the same moment. */
  | { readonly do: 'together'; readonly steps: readonly Step[] }
