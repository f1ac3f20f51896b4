import type { State } from './model.js'
import type { World } from './world.js'

// Where everything is, as far as it is so in every world. No rule of the interface stands here.

/** A message by its place in all worlds, and by its body. */
export interface Whereabout {
  readonly message: string
  readonly body: string
  /** A queue, a consumer by its subscription URI or its id, or nowhere any more. */
  readonly place: { readonly queue: string } | { readonly consumer: string } | 'acknowledged'
}

export interface Whereabouts {
  readonly queues: readonly string[]
  /** By subscription URI or id. */
  readonly consumers: readonly string[]
  readonly messages: readonly Whereabout[]
}

export function whereabouts(state: State): Whereabouts {
  const [first, ...others] = state
  const inAll = <T>(of: (world: World) => readonly T[]): T[] => {
    const rest = others.map((world) => new Set(of(world).map((each) => JSON.stringify(each))))
    return of(first!).filter((each) => rest.every((all) => all.has(JSON.stringify(each))))
  }
  return {
    queues: inAll(({ queues }) => Object.keys(queues).filter((name) => queues[name]!.exists)),
    consumers: inAll(({ consumers }) =>
      Object.keys(consumers).filter((key) => consumers[key]!.over === undefined),
    ),
    messages: inAll(({ messages }) =>
      messages.flatMap(({ body, queue, life, holder }, at): Whereabout[] => {
        const own = { message: `${at} ${body}`, body }
        if (life === 'done') return [{ ...own, place: 'acknowledged' }]
        if (life !== 'pending') return []
        return [{ ...own, place: holder !== undefined ? { consumer: holder } : { queue } }]
      }),
    ),
  }
}
