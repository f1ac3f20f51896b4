import { SortedList } from './collections/sorted-list.js'
import type { Queue } from './entities.js'
import type { MemoryBudget } from './memory-budget.js'
import { type Destination, formatName } from './names.js'
import { firstPage, type Page, type PageRequest } from './page.js'
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
  readonly sorted: SortedList<string, Node>
}

/** How many names may still be looked at; below 0 when they were not enough. */
export interface Looks {
  left: number
}

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

/** The hierarchy of queues. A category is there exactly as long as there is a queue below it. */
export class QueueTree {
  #root: Node
  #count = 0

  /** @param now when the root came to be, in milliseconds since the epoch */
  constructor(
    private readonly memory: MemoryBudget,
    now: number,
  ) {
    this.#root = { segment: '', parent: undefined, children: undefined, queue: undefined, updatedAt: now }
  }

  /** How many queues there are. */
  get size(): number {
    return this.#count
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
    }
    node.queue = queue
    this.#count++
  }

  /** Takes the queue out, and every category that is then empty. */
  // clause: queues.delete.unlisted queues.delete.others
  remove(queue: Queue, now: number): void {
    let node = this.#node(queue.segments)
    if (node?.queue !== queue) return
    node.queue = undefined
    this.#count--
    while (node !== undefined) {
      node.updatedAt = now
      const parent: Node | undefined = node.parent
      if (node.queue === undefined && node.children === undefined) this.#removeChild(parent, node)
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
   * The queues that a destination covers, in the order of their names.
   *
   * @param looks is counted down by each name that a wildcard is compared with; when they are not enough, the queues are not all
   */
  matching(
    { segments }: Pick<Destination, 'segments'>,
    looks: Looks = { left: Number.POSITIVE_INFINITY },
  ): Queue[] {
    const found: Queue[] = []
    collect(this.#root, segments, 0, looks, found)
    return found
  }

  /** Every queue, in the order of their names. */
  queues(): Queue[] {
    return this.matching({ segments: ['>'] })
  }

  #addChild(parent: Node, segment: string, now: number): Node {
    const child: Node = { segment, parent, children: undefined, queue: undefined, updatedAt: now }
    if (parent.children === undefined) {
      parent.children = { byName: new Map(), sorted: new SortedList(segmentOf) }
      this.memory.take(OVERHEAD.category)
    }
    parent.children.byName.set(segment, child)
    parent.children.sorted.add(child)
    return child
  }

  #removeChild(parent: Node | undefined, child: Node): void {
    if (parent?.children === undefined) return
    const { byName, sorted } = parent.children
    byName.delete(child.segment)
    sorted.delete(child)
    if (byName.size > 0) return
    parent.children = undefined
    this.memory.free(OVERHEAD.category)
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

function segmentOf({ segment }: Node): string {
  return segment
}

function nameOf(node: Node): string {
  const segments: string[] = []
  for (let at: Node | undefined = node; at?.parent !== undefined; at = at.parent) segments.push(at.segment)
  return formatName(segments.reverse())
}

/** A cursor is the kind's first letter and the segment of the last entry given: `qorders`, `cuk`. */
function cursorOf(entry: ListingEntry): string {
  return entry.kind.charAt(0) + entry.name.slice(entry.name.lastIndexOf('/') + 1)
}

// clause: browse.listing.both
function* entriesAfter(node: Node, cursor: string | undefined): Generator<ListingEntry> {
  if (cursor !== undefined && !/^[qc]./su.test(cursor)) throw new Refusal('bad-cursor')
  const after = cursor?.slice(1) ?? ''
  for (const child of node.children?.sorted.from(after) ?? []) {
    // A name that is both comes as a queue first: the page before may have ended between the two.
    const given = child.segment === after ? cursor?.charAt(0) : undefined
    const { queue } = child
    if (queue !== undefined && given === undefined) yield { kind: 'queue', name: queue.name, queue }
    if (child.children !== undefined && given !== 'c')
      yield { kind: 'category', name: nameOf(child), updatedAt: child.updatedAt }
  }
}

/** Collects the queues of a node, and of those below it, that the segments from a depth on lead to. */
// clause: subscribe.wildcard.segment subscribe.wildcard.tail
function collect(node: Node, segments: readonly string[], depth: number, looks: Looks, found: Queue[]): void {
  const segment = segments[depth]
  if (segment === undefined) {
    if (node.queue !== undefined) found.push(node.queue)
    return
  }
  if (segment !== '*' && segment !== '>') {
    const child = childOf(node, segment)
    if (child !== undefined) collect(child, segments, depth + 1, looks, found)
    return
  }
  for (const child of node.children?.sorted ?? []) {
    if (--looks.left < 0) return
    if (segment === '*') collect(child, segments, depth + 1, looks, found)
    else {
      // `>` stands for one segment or more.
      if (child.queue !== undefined) found.push(child.queue)
      collect(child, segments, depth, looks, found)
    }
  }
}
