import { SortedNames } from './collections/sorted-names.js'
import type { MemoryBudget } from './memory-budget.js'
import { type Destination, formatName } from './names.js'
import { firstPage, type Page, type PageRequest } from './page.js'
import type { Queue } from './queue.js'
import { Refusal } from './refusals.js'
import { OVERHEAD } from './storing.js'

/** One name in the hierarchy: a queue, a category (a prefix of queue names), or both. */
interface Node {
  readonly segment: string
  readonly parent: Node | undefined
  /** What is below it; most queues have nothing below, and that should cost nothing. */
  children: Children | undefined
  queue: Queue | undefined
  /** When a queue last came or went below; milliseconds since the epoch. */
  updatedAt: number
}

interface Children {
  readonly byName: Map<string, Node>
  /** In the order of their names, for pages of a listing. */
  readonly sorted: SortedNames<Node>
  /** How many of them are queues. */
  queues: number
  /** How many queues there are, they and all below them. */
  below: number
}

/** How many names may still be looked at. */
export interface Looks {
  left: number
}

/** Is shown a name that a walk passes, by its queue if it has one. @returns whether the walk goes on */
type Look = (queue: Queue | undefined) => boolean

/**
 * One row of a listing; a name that is both queue and category has two.
 *
 * @example
 * ```ts
 * const [entry]: readonly ListingEntry[] = mq.broker.listQueues('orders', { limit: 10 }).items
 * entry?.kind    // 'queue'
 * ```
 */
export type ListingEntry =
  | { readonly kind: 'queue'; readonly name: string; readonly queue: Queue }
  | { readonly kind: 'category'; readonly name: string; readonly updatedAt: number }

const EVERYTHING = { segments: ['>'] }

/** The hierarchy of queues. A category is there exactly as long as there is a queue below it. */
export class QueueTree {
  #root: Node
  #count = 0
  #inserted = 0

  readonly #memory: MemoryBudget

  /** @param now when the root came to be, in milliseconds since the epoch */
  constructor(memory: MemoryBudget, now: number) {
    this.#memory = memory
    this.#root = { segment: '', parent: undefined, children: undefined, queue: undefined, updatedAt: now }
  }

  /** How many queues there are. */
  get size(): number {
    return this.#count
  }

  /** The ordinal of the queue that came last. */
  get lastOrdinal(): number {
    return this.#inserted
  }

  find(segments: readonly string[]): Queue | undefined {
    return this.#node(segments)?.queue
  }

  /** The queue must not be there yet. */
  insert(queue: Queue, now: number): void {
    let node = this.#root
    node.updatedAt = now
    for (const segment of queue.segments) {
      node = childOf(node, segment) ?? this.#addChild(node, segment, now)
      node.updatedAt = now
      siblingsOf(node).below++
    }
    siblingsOf(node).queues++
    node.queue = queue
    queue.ordinal = ++this.#inserted
    this.#count++
  }

  /** Takes the queue out, and every category that is then empty. */
  // clause: queues.delete.unlisted queues.delete.others
  remove(queue: Queue, now: number): void {
    let node = this.#node(queue.segments)
    if (node?.queue !== queue) return
    node.queue = undefined
    siblingsOf(node).queues--
    this.#count--
    while (node !== undefined) {
      node.updatedAt = now
      const parent: Node | undefined = node.parent
      if (parent === undefined) return
      const siblings = siblingsOf(node)
      siblings.below--
      if (node.queue === undefined && node.children === undefined) {
        siblings.byName.delete(node.segment)
        siblings.sorted.delete(node.segment)
        if (siblings.byName.size === 0) {
          parent.children = undefined
          this.#memory.free(OVERHEAD.category)
        }
      }
      node = parent
    }
  }

  /**
   * The immediate children of a category in the order of their names, a page at a time. The cursor names the
   * last entry given, so that what comes or goes meanwhile makes no other entry appear twice or not at all.
   *
   * @param segments the category; none is the root
   * @throws Refusal `unknown-path`, `bad-cursor`, `bad-parameter`
   */
  // clause: browse.root.once browse.subtree.queues browse.subtree.categories browse.subtree.only
  // clause: browse.subtree.reach browse.listing.immediate browse.paging.steady
  list(segments: readonly string[], { cursor, limit }: PageRequest): Page<ListingEntry> {
    const node = this.#node(segments)
    if (node === undefined || (node.children === undefined && node !== this.#root)) {
      throw new Refusal('unknown-path', `There is nothing below ${JSON.stringify(formatName(segments))}.`)
    }
    return firstPage(entriesAfter(node, cursor), limit, node.updatedAt, cursorOf)
  }

  /**
   * How many queues a destination covers. Only for a wildcard that other segments follow are names looked at.
   *
   * @param looks how many names may be; is counted down
   * @returns undefined when there are more to look at
   */
  count({ segments }: Destination, looks: Looks): number | undefined {
    return countMatches(this.#root, segments, 0, looks)
  }

  /** The queues that a destination covers, in the order of their names. */
  matching(destination: Pick<Destination, 'segments'>): Queue[] {
    const found: Queue[] = []
    this.walk(destination, undefined, (queue) => {
      if (queue !== undefined) found.push(queue)
      return true
    })
    return found
  }

  /**
   * Goes past the names that a destination leads to, in their order: each queue that it covers, and what stands for a
   * `*` on the way there.
   *
   * @param behind where an earlier walk stopped, to go on behind it, also when names came or went since
   * @returns the segments of the name at which this one was stopped; undefined when it came to the end
   */
  walk(
    { segments }: Pick<Destination, 'segments'>,
    behind: readonly string[] | undefined,
    look: Look,
  ): readonly string[] | undefined {
    const stop = walkMatches(this.#root, segments, 0, behind, look)
    return stop && segmentsOf(stop)
  }

  /** Every queue, in the order of their names. */
  queues(): Queue[] {
    return this.matching(EVERYTHING)
  }

  #addChild(parent: Node, segment: string, now: number): Node {
    const child: Node = { segment, parent, children: undefined, queue: undefined, updatedAt: now }
    if (parent.children === undefined) {
      parent.children = { byName: new Map(), sorted: new SortedNames(), queues: 0, below: 0 }
      this.#memory.take(OVERHEAD.category)
    }
    parent.children.byName.set(segment, child)
    parent.children.sorted.add(child)
    return child
  }

  #node(segments: readonly string[]): Node | undefined {
    let node: Node | undefined = this.#root
    for (const segment of segments) {
      node = childOf(node, segment)
      if (node === undefined) return undefined
    }
    return node
  }
}

function childOf(node: Node, segment: string): Node | undefined {
  return node.children?.byName.get(segment)
}

/** A node that is not the root, and those beside it. */
function siblingsOf(node: Node): Children {
  return node.parent?.children as Children
}

/** The children of a node in the order of their names, from behind one on. */
function childrenAfter({ children }: Node, name: string): Iterable<Node> {
  return children === undefined ? [] : children.sorted.after(name)
}

function nameOf(node: Node): string {
  return formatName(segmentsOf(node))
}

function segmentsOf(node: Node): string[] {
  const segments: string[] = []
  for (let at: Node | undefined = node; at?.parent !== undefined; at = at.parent) segments.push(at.segment)
  return segments.reverse()
}

/** A cursor is the kind's first letter and the segment of the last entry given: `qorders`, `cuk`. */
function cursorOf(entry: ListingEntry): string {
  return entry.kind.charAt(0) + entry.name.slice(entry.name.lastIndexOf('/') + 1)
}

// clause: browse.listing.both
function* entriesAfter(node: Node, cursor: string | undefined): Generator<ListingEntry> {
  if (cursor !== undefined && !/^[qc]./su.test(cursor)) throw new Refusal('bad-cursor')
  const after = cursor?.slice(1) ?? ''
  if (cursor?.startsWith('q')) {
    // A name that is both comes as a queue first: the page may have ended between the two.
    const child = childOf(node, after)
    if (child?.children !== undefined) yield categoryEntry(child)
  }
  for (const child of childrenAfter(node, after)) {
    if (child.queue !== undefined) yield { kind: 'queue', name: child.queue.name, queue: child.queue }
    if (child.children !== undefined) yield categoryEntry(child)
  }
}

function categoryEntry(node: Node): ListingEntry {
  return { kind: 'category', name: nameOf(node), updatedAt: node.updatedAt }
}

function countMatches(
  node: Node,
  segments: readonly string[],
  depth: number,
  looks: Looks,
): number | undefined {
  if (looks.left-- <= 0) return undefined
  const segment = segments[depth]
  const { children, queue } = node
  if (segment === undefined) return queue === undefined ? 0 : 1
  if (children === undefined) return 0
  if (segment === '>') return children.below
  if (segment !== '*') {
    const child = children.byName.get(segment)
    return child === undefined ? 0 : countMatches(child, segments, depth + 1, looks)
  }
  if (depth === segments.length - 1) return children.queues
  let count = 0
  for (const child of children.byName.values()) {
    const below = countMatches(child, segments, depth + 1, looks)
    if (below === undefined) return undefined
    count += below
  }
  return count
}

/** Names come before those below them. @param behind what lies before this, and this itself, was passed already */
// clause: subscribe.wildcard.segment subscribe.wildcard.tail
function walkMatches(
  node: Node,
  segments: readonly string[],
  depth: number,
  behind: readonly string[] | undefined,
  look: Look,
): Node | undefined {
  const segment = segments[depth]
  if (segment === undefined) return behind !== undefined || look(node.queue) ? undefined : node
  if (segment === '>') return walkBelow(node, depth, behind, look)
  if (segment !== '*') {
    const child = childOf(node, segment)
    return child && walkMatches(child, segments, depth + 1, behind, look)
  }
  const last = depth === segments.length - 1
  const from = behind?.[depth] ?? ''
  const first = childOf(node, from)
  if (first !== undefined) {
    const rest = last || (behind as readonly string[]).length > depth + 1 ? behind : undefined
    const stop = walkMatches(first, segments, depth + 1, rest, look)
    if (stop !== undefined) return stop
  }
  for (const child of childrenAfter(node, from)) {
    if (!last && !look(undefined)) return child
    const stop = walkMatches(child, segments, depth + 1, undefined, look)
    if (stop !== undefined) return stop
  }
  return undefined
}

function walkBelow(
  node: Node,
  depth: number,
  behind: readonly string[] | undefined,
  look: Look,
): Node | undefined {
  const from = behind?.[depth] ?? ''
  const first = childOf(node, from)
  if (first !== undefined) {
    const stop = walkBelow(first, depth + 1, behind, look)
    if (stop !== undefined) return stop
  }
  for (const child of childrenAfter(node, from)) {
    if (!look(child.queue)) return child
    const stop = walkBelow(child, depth + 1, undefined, look)
    if (stop !== undefined) return stop
  }
  return undefined
}
