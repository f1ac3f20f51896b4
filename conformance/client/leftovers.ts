import { deleteAll } from './delete-queues.js'
import { succeeded } from './exchange.js'
import type { HttpClient } from './http-client.js'
import type { Profile } from './profile.js'

/** So few things of checks that are over are nobody's burden. */
const FEW = 5
/** Statuses that may well say that there is no room for more, and others that do where something was made once there was room. */
const NO_ROOM: readonly number[] = [403, 409, 413, 429, 503, 507]
const MAY_BE_NO_ROOM: readonly number[] = [...NO_ROOM, 400, 402, 422, 423]
const CLEANERS = 4
/** So many are deleted at once to find out whether that helps. */
const SOME = 8
/** Checks that are under way in any case. */
const FEWEST = 3
/** What a check makes, mostly less. */
const OF_A_CHECK = 5

/**
 * Queues and subscriptions that the checks of a run have made, and not deleted. They stay until the run is over, unless the
 * target takes only so many at once: from then on those of a check are deleted with its end.
 */
export class Leftovers {
  readonly #client: HttpClient
  readonly #profile: Profile
  /** Addresses, each with the check that made it, or nothing when that is over. */
  readonly #all = new Map<string, object | undefined>()
  /** How many there were when the target took no more. */
  #room: number | undefined
  /** With which status it refused, and took as much when there was room. */
  #status: number | undefined
  #clearing: Promise<unknown> | undefined
  /** Whether nothing stays of a check that is over, although there may be room. */
  #isCleared = false
  /** How many the target has said it will not delete, such as queues that have messages. */
  #kept = 0

  constructor(client: HttpClient, profile: Profile) {
    this.#client = client
    this.#profile = profile
  }

  /** How many checks may be under way: any number, until the target has refused to make more, and made it when some were deleted. */
  get checksAtOnce(): number {
    return this.#room === undefined
      ? Number.POSITIVE_INFINITY
      : Math.max(FEWEST, Math.floor(this.#room / OF_A_CHECK))
  }

  /** Whether an answer may say that there is no room for more, where that is known to happen. */
  isFull(status: number): boolean {
    return this.#room !== undefined && (NO_ROOM.includes(status) || status === this.#status)
  }

  /** Notes that the target refuses more at once, if checks have made more than a few. @returns whether they have */
  noteFull(): boolean {
    const isMuch = this.#all.size > FEW
    if (isMuch) this.#room ??= this.#all.size
    return isMuch
  }

  made(owner: object, address: string): void {
    this.#all.set(address, owner)
  }

  has(address: string | undefined): boolean {
    return address !== undefined && this.#all.has(address)
  }

  deleted(address: string): void {
    this.#all.delete(address)
  }

  /** How many are those of other checks, with those that the target will not delete. */
  ofOthers(owner: object): number {
    return this.#kept + [...this.#all.values()].filter((each) => each !== owner).length
  }

  /** A check is over, and needs nothing more of what it made. */
  async over(owner: object): Promise<void> {
    for (const [address, each] of this.#all) if (each === owner) this.#all.set(address, undefined)
    if (this.#room !== undefined || this.#isCleared) await this.#clear()
  }

  /** Deletes what checks have left that are over, and from now on what each leaves with its end. */
  async clearAlways(): Promise<void> {
    this.#isCleared = true
    await this.#clear()
  }

  /**
   * Makes room for what the target refused to make, if that may be due to what checks have left.
   *
   * @param again asks once more, and gives the status
   * @param isThere whether what is to be made is there: that takes no room
   */
  async makeRoom(status: number, again: () => Promise<number>, isThere = () => false): Promise<void> {
    const left = [...this.#all.values()].filter((owner) => owner === undefined).length
    const isLittle = this.#room === undefined ? left <= FEW : left === 0
    if (!MAY_BE_NO_ROOM.includes(status) || (isLittle && this.#clearing === undefined) || isThere()) return
    const before = this.#all.size
    // Most such refusals are of what was asked for: a few are deleted to see.
    await this.#clear(this.isFull(status) || NO_ROOM.includes(status) ? undefined : SOME)
    if (isThere() || !succeeded({ status: await again() })) return
    this.#room ??= before
    this.#status ??= status
  }

  /** @param most how many are deleted at most; all where it is left out */
  async #clear(most?: number): Promise<void> {
    const over = [...this.#all].filter(([, owner]) => owner === undefined)
    const left = over.slice(0, most).map(([address]) => address)
    for (const address of left) this.#all.delete(address)
    const deleted = deleteAll(this.#client, this.#profile, left, most ?? CLEANERS, undefined)
    const clearing = Promise.all([this.#clearing, deleted])
    this.#clearing = clearing
    const [, kept] = await clearing
    this.#kept += kept
    if (this.#clearing === clearing) this.#clearing = undefined
  }
}
