/** What stands in a {@link LinkedList}; the fields are the list's own. It stands in one list at a time. */
export interface Linked<T> {
  previous: T | undefined
  next: T | undefined
}

/** A doubly linked list: order that is joined and left at any place in constant time. */
export class LinkedList<T extends Linked<T>> implements Iterable<T> {
  first: T | undefined
  last: T | undefined
  size = 0

  /** The item must stand in no list. */
  append(item: T): void {
    item.previous = this.last
    if (this.last === undefined) this.first = item
    else this.last.next = item
    this.last = item
    this.size++
  }

  /** The item must stand in this list. */
  remove(item: T): void {
    const { previous, next } = item
    if (previous === undefined) this.first = next
    else previous.next = next
    if (next === undefined) this.last = previous
    else next.previous = previous
    item.previous = undefined
    item.next = undefined
    this.size--
  }

  moveToEnd(item: T): void {
    if (this.last === item) return
    this.remove(item)
    this.append(item)
  }

  /** The item handed out last may be removed while iterating. */
  *[Symbol.iterator](): Iterator<T> {
    for (let item = this.first; item !== undefined; ) {
      const next: T | undefined = item.next
      yield item
      item = next
    }
  }
}
