import type { Subscription } from './entities.js'
import type { Destination } from './names.js'

interface Node {
  readonly children: Map<string, Node>
  /** Subscriptions with a destination that ends here. */
  readonly here: Set<Subscription>
}

/**
 * The destinations of all subscriptions as a tree by their segments, so that a new queue finds those that
 * cover it without asking every subscription.
 */
export class DestinationIndex {
  readonly #root: Node = newNode()

  add(destination: Destination, subscription: Subscription): void {
    let node = this.#root
    for (const segment of destination.segments) {
      let child = node.children.get(segment)
      if (child === undefined) {
        child = newNode()
        node.children.set(segment, child)
      }
      node = child
    }
    node.here.add(subscription)
  }

  remove(destination: Destination, subscription: Subscription): void {
    removeBelow(this.#root, destination.segments, 0, subscription)
  }

  /** How many destinations match a queue. */
  count(segments: readonly string[]): number {
    let count = 0
    visit(this.#root, segments, 0, (here) => {
      count += here.size
    })
    return count
  }

  /** @returns the subscriptions that cover a queue, oldest first, once for each destination that does */
  // clause: subscribe.wildcard.only
  matching(segments: readonly string[]): Subscription[] {
    const found: Subscription[] = []
    visit(this.#root, segments, 0, (here) => {
      for (const subscription of here) found.push(subscription)
    })
    // Of one destination too a consumer by an id may have come later than younger ones did.
    return found.sort((a, b) => a.ordinal - b.ordinal)
  }
}

function newNode(): Node {
  return { children: new Map(), here: new Set() }
}

/** @returns whether the node is empty then, so that its parent lets go of it */
function removeBelow(
  node: Node,
  segments: readonly string[],
  depth: number,
  subscription: Subscription,
): boolean {
  const segment = segments[depth]
  if (segment === undefined) {
    node.here.delete(subscription)
  } else {
    const child = node.children.get(segment)
    if (child !== undefined && removeBelow(child, segments, depth + 1, subscription))
      node.children.delete(segment)
  }
  return node.here.size === 0 && node.children.size === 0
}

/** Visits the ends of all destinations that match a queue. */
// clause: subscribe.wildcard.segment subscribe.wildcard.tail
function visit(
  node: Node,
  segments: readonly string[],
  depth: number,
  found: (here: ReadonlySet<Subscription>) => void,
): void {
  const segment = segments[depth]
  if (segment === undefined) {
    found(node.here)
    return
  }
  // `>` stands for this segment and all that follow. No queue's segment is `*` or `>` itself.
  const rest = node.children.get('>')
  if (rest !== undefined) found(rest.here)
  const same = node.children.get(segment)
  if (same !== undefined) visit(same, segments, depth + 1, found)
  const any = node.children.get('*')
  if (any !== undefined) visit(any, segments, depth + 1, found)
}
