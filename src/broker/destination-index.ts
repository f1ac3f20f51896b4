import type { Destination } from './names.js'
import type { Subscription } from './subscription.js'

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

  /**
   * @returns the subscriptions that cover a queue, in the order of their creation, each with the number of its
   * destinations that do
   */
  // clause: subscribe.wildcard.only
  matching(segments: readonly string[]): Map<Subscription, number> {
    const found: Subscription[] = []
    collect(this.#root, segments, 0, found)
    found.sort((a, b) => a.ordinal - b.ordinal)
    const counts = new Map<Subscription, number>()
    for (const subscription of found) counts.set(subscription, (counts.get(subscription) ?? 0) + 1)
    return counts
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

function collect(node: Node, segments: readonly string[], depth: number, found: Subscription[]): void {
  const segment = segments[depth]
  if (segment === undefined) {
    for (const subscription of node.here) found.push(subscription)
    return
  }
  // `>` stands for this segment and all that follow. No queue's segment is `*` or `>` itself.
  for (const subscription of node.children.get('>')?.here ?? []) found.push(subscription)
  for (const name of [segment, '*']) {
    const child = node.children.get(name)
    if (child !== undefined) collect(child, segments, depth + 1, found)
  }
}
