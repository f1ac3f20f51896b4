import { SortedNames } from './collections/sorted-names.js'
import { type Destination, formatName } from './names.js'
import { firstPage, type Page, type PageRequest } from './page.js'
import type { Queue } from './queue.js'
import { Refusal } from './refusals.js'

/** One name in the hierarchy: a queue, a category (a prefix of queue names), or both. */
interface Node {
  readonly segment: string
  readonly name: string
  readonly parent: Node | undefined
  readonly children: Map<string, Node>
  /** The children's segments in order, for pages of a listing. */
  readonly sorted: SortedNames
  queue: Queue | undefined
  /** When a queue last came or went below; milliseconds since the epoch. */
  updatedAt: number
}

/** One row of a listing; a name that is both queue and category has two. */
export type ListingEntry =
  | { readonly kind: 'queue'; readonly name: string; readonly queue: Queue }
  | { readonly kind: 'category'; readonly name: string; readonly updatedAt: number }

/** The hierarchy of queues. A category is there exactly as long as there is a queue below it. */
export class QueueTree {
  #root: Node
  #count = 0

  /** @param now when the root came to be, in milliseconds since the epoch */
  constructor(now: number) {
    this.#root = newNode('', '', undefined, now)
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
      let child = node.children.get(segment)
      if (child === undefined) {
        child = newNode(segment, node === this.#root ? segment : `${node.name}/${segment}`, node, now)
        node.children.set(segment, child)
        node.sorted.add(segment)
      }
      child.updatedAt = now
      node = child
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
      if (parent !== undefined && node.queue === undefined && node.children.size === 0) {
        parent.children.delete(node.segment)
        parent.sorted.delete(node.segment)
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
  // clause: browse.subtree.reach
  list(segments: readonly string[], { cursor, limit }: PageRequest): Page<ListingEntry> {
    const node = this.#node(segments)
    if (node === undefined || (node.children.size === 0 && node !== this.#root)) {
      throw new Refusal('unknown-path', `There is nothing below ${JSON.stringify(formatName(segments))}.`)
    }
    return firstPage(entriesAfter(node, cursor), limit, node.updatedAt, cursorOf)
  }

  /** The queues that a destination covers, in the order of their names. */
  *matching({ segments }: Destination): Generator<Queue> {
    yield* matchesBelow(this.#root, segments, 0)
  }

  /** Every queue, in the order of their names. */
  *queues(): Generator<Queue> {
    yield* everyQueue(this.#root)
  }

  #node(segments: readonly string[]): Node | undefined {
    let node: Node | undefined = this.#root
    for (const segment of segments) {
      node = node.children.get(segment)
      if (node === undefined) return undefined
    }
    return node
  }
}

function newNode(segment: string, name: string, parent: Node | undefined, now: number): Node {
  return {
    segment,
    name,
    parent,
    children: new Map(),
    sorted: new SortedNames(),
    queue: undefined,
    updatedAt: now,
  }
}

/** A cursor is the kind's first letter and the segment of the last entry given: `qorders`, `cuk`. */
function cursorOf(entry: ListingEntry): string {
  return entry.kind.charAt(0) + entry.name.slice(entry.name.lastIndexOf('/') + 1)
}

function* entriesAfter(node: Node, cursor: string | undefined): Generator<ListingEntry> {
  if (cursor !== undefined && !/^[qc]./su.test(cursor)) throw new Refusal('bad-cursor')
  const after = cursor?.slice(1) ?? ''
  if (cursor?.startsWith('q')) {
    // A name that is both comes as a queue first: the page may have ended between the two.
    const child = node.children.get(after)
    if (child !== undefined && child.children.size > 0) yield categoryEntry(child)
  }
  for (const segment of node.sorted.after(after)) {
    const child = node.children.get(segment) as Node
    if (child.queue !== undefined) yield { kind: 'queue', name: child.name, queue: child.queue }
    if (child.children.size > 0) yield categoryEntry(child)
  }
}

function categoryEntry(node: Node): ListingEntry {
  return { kind: 'category', name: node.name, updatedAt: node.updatedAt }
}

function* matchesBelow(node: Node, segments: readonly string[], depth: number): Generator<Queue> {
  const segment = segments[depth]
  if (segment === undefined) {
    if (node.queue !== undefined) yield node.queue
  } else if (segment === '>') {
    for (const name of node.sorted.after('')) yield* everyQueue(node.children.get(name) as Node)
  } else if (segment === '*') {
    for (const name of node.sorted.after(''))
      yield* matchesBelow(node.children.get(name) as Node, segments, depth + 1)
  } else {
    const child = node.children.get(segment)
    if (child !== undefined) yield* matchesBelow(child, segments, depth + 1)
  }
}

function* everyQueue(node: Node): Generator<Queue> {
  if (node.queue !== undefined) yield node.queue
  for (const name of node.sorted.after('')) yield* everyQueue(node.children.get(name) as Node)
}
