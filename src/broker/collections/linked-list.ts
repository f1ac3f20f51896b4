/** A place in a {@link LinkedList}, which its owner keeps to leave the list again in constant time. */
export interface Place<T> {
  readonly value: T
  previous: Place<T> | undefined
  next: Place<T> | undefined
}

/** A doubly linked list: order that is joined, left and re-joined at any place in constant time. */
export class LinkedList<T> implements Iterable<T> {
  first: Place<T> | undefined
  last: Place<T> | undefined
  size = 0

  append(value: T): Place<T> {
    return this.insertAfter(this.last, value)
  }

  /** @param before the place to stand behind; undefined: at the very front */
  insertAfter(before: Place<T> | undefined, value: T): Place<T> {
    const place: Place<T> = { value, previous: undefined, next: undefined }
    this.#link(before, place)
    return place
  }

  remove(place: Place<T>): void {
    this.#unlink(place)
  }

  moveToEnd(place: Place<T>): void {
    if (this.last === place) return
    this.#unlink(place)
    this.#link(this.last, place)
  }

  clear(): void {
    this.first = undefined
    this.last = undefined
    this.size = 0
  }

  /** The place handed out last may be removed while iterating. */
  *[Symbol.iterator](): Iterator<T> {
    for (let place = this.first; place !== undefined; ) {
      const next: Place<T> | undefined = place.next
      yield place.value
      place = next
    }
  }

  #link(before: Place<T> | undefined, place: Place<T>): void {
    const after = before === undefined ? this.first : before.next
    place.previous = before
    place.next = after
    if (before === undefined) this.first = place
    else before.next = place
    if (after === undefined) this.last = place
    else after.previous = place
    this.size++
  }

  #unlink(place: Place<T>): void {
    if (place.previous === undefined) this.first = place.next
    else place.previous.next = place.next
    if (place.next === undefined) this.last = place.previous
    else place.next.previous = place.previous
    place.previous = undefined
    place.next = undefined
    this.size--
  }
}
