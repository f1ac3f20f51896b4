import * as batch from '../client/batch.js'
import { type Exchange, succeeded } from '../client/exchange.js'
import { messagesIn } from '../client/message-in.js'
import { createdAt, lastSegment } from './addresses.js'
import { statusOf } from './answers.js'
import { NextConsumer } from './next-message.js'
import type { QueueHandle, Sent, Trial } from './trial.js'
import { noneLacking, once, whileMoreCome } from './waiting.js'

/** A message that a consumer has locked. */
export interface Locked {
  readonly message: Sent
  /** The address that the lock call returned. */
  readonly uri: string
}

/** A consumer of the batch mapping. */
export class LockConsumer {
  readonly id: string
  readonly #trial: Trial
  /** Whether its way to subscribe is one that the target has. */
  readonly #isKnownWay: boolean
  /** The most that it asks for at once, as far as the target has refused more. */
  #most = Number.POSITIVE_INFINITY

  private constructor(trial: Trial, id: string, isKnownWay: boolean) {
    this.#trial = trial
    this.id = id
    this.#isKnownWay = isKnownWay
  }

  /**
   * A consumer of these queues. The document does not say how one of the batch mapping comes to its messages: it
   * subscribes as in one-at-a-time delivery, and where that or its lock calls are refused, by a subscription, whose id it then is.
   */
  static async of(trial: Trial, ...queues: readonly QueueHandle[]): Promise<LockConsumer> {
    if (!(await areSubscriptions(trial))) {
      const named = new NextConsumer(trial)
      const answers = []
      for (const { path } of queues) answers.push(await named.subscribe(path))
      if (answers.every((answer) => succeeded(answer))) return new LockConsumer(trial, named.id, true)
    }
    const subscription = await trial.subscribe(queues, {})
    return new LockConsumer(trial, lastSegment(subscription.uri), await areSubscriptions(trial))
  }

  /** The consumer of this id, which has subscribed by `/subscribe`. */
  static named(trial: Trial, id: string): LockConsumer {
    return new LockConsumer(trial, id, true)
  }

  /** POST of a lock call, whatever comes. `acks` are addresses of messages that it acknowledges. */
  async lock(max: number | undefined, acks: readonly string[] = []): Promise<batch.LockCall> {
    const most = max === undefined ? undefined : Math.min(max, this.#most)
    return batch.lock(this.#trial, this.id, most, acks)
  }

  /** Address of its lock calls. */
  address(query = ''): string {
    return batch.addressOf(this.#trial, this.id) + query
  }

  /** The message URLs in an answer: those of the shape that section 4.2 has, or such that lead to a message. */
  urisIn(answer: Exchange): Promise<readonly string[]> {
    return batch.urisIn(this.#trial, this.id, answer)
  }

  /** GET of a message that was locked, whatever comes: where a returned URL is not that of section 4.2, of that too. */
  fetch(uri: string): Promise<Exchange> {
    return batch.fetchLocked(this.#trial, this.id, uri)
  }

  /** Which of `messages` the addresses lead to. Addresses that give none of them are left out. */
  async fetchAll(uris: readonly string[], messages: readonly Sent[]): Promise<Locked[]> {
    const answers = await Promise.all(uris.map((uri) => this.fetch(uri)))
    const held = await Promise.all(answers.map((answer) => messagesIn(this.#trial, answer, messages)))
    return uris.flatMap((uri, i) => held[i]!.map((message) => ({ message, uri })))
  }

  /** Locks and fetches once: fewer than `max` where the target takes no such number. */
  async look(max: number, messages: readonly Sent[]): Promise<Locked[]> {
    const call = await batch.lockUpTo(Math.min(max, this.#most), (most) => this.lock(most))
    if (call.max < max) this.#most = call.max
    return this.fetchAll(call.uris, messages)
  }

  /**
   * Locks until it has each of `messages`. Blocked by `batch.locks` where they do not come; where the target has no
   * known way for a consumer to subscribe, by the check of that.
   */
  async lockAll(messages: readonly Sent[], max = messages.length): Promise<Locked[]> {
    const locked = new Map<Sent, Locked>()
    await whileMoreCome(
      this.#trial,
      () => locked.size,
      async () => {
        for (const each of await this.look(max, messages)) locked.set(each.message, each)
        return noneLacking(
          this.#trial,
          messages.filter((message) => !locked.has(message)),
        )
      },
    )
    const seen = `lock calls of ${this.id} led to ${locked.size} of ${messages.length} messages`
    this.precondition(locked.size === messages.length, seen)
    return messages.map((message) => locked.get(message)!)
  }

  /** What a check needs of lock calls that is not itself the question. */
  precondition(holds: boolean, seen: string): asserts holds {
    this.#trial.precondition(holds, this.#isKnownWay ? 'batch.locks' : 'one-at-a-time.delivers', seen)
  }

  /** DELETE that acknowledges a locked message, whatever comes. */
  tryAck({ uri }: Pick<Locked, 'uri'>): Promise<Exchange> {
    return batch.acknowledge(this.#trial, this.id, uri)
  }

  /** Acknowledges. Blocked by `batch.acknowledges` unless that succeeds. */
  async ack(locked: Pick<Locked, 'uri'>): Promise<void> {
    const answer = await this.tryAck(locked)
    const seen = `DELETE ${answer.url} gave ${statusOf(answer)}`
    this.#trial.precondition(succeeded(answer), 'batch.acknowledges', seen)
  }
}

/** Whether the target takes lock calls of subscriptions, and refuses those of consumers that subscribed by `/subscribe`. */
function areSubscriptions(trial: Trial): Promise<boolean> {
  const ask = async () => !(await takesNamed(trial)) && takesSubscriptions(trial)
  return trial.onceInRun('batches are for subscriptions', ask)
}

/** True also where there are no such consumers at all. */
async function takesNamed(trial: Trial): Promise<boolean> {
  const queue = await trial.createQueue()
  const consumer = new NextConsumer(trial)
  if (!succeeded(await consumer.subscribe(queue.path))) return true
  const takes = await takesLockCalls(trial, consumer.id, queue)
  await consumer.unsubscribe(queue.path)
  return takes
}

async function takesSubscriptions(trial: Trial): Promise<boolean> {
  const queue = await trial.createQueue()
  const uri = createdAt(trial, await trial.trySubscribe(queue))
  return uri !== undefined && takesLockCalls(trial, lastSegment(uri), queue)
}

/** Whether a lock call succeeds when there is a message: that there is none may be told by a refusal, too. */
async function takesLockCalls(trial: Trial, id: string, queue: QueueHandle): Promise<boolean> {
  await trial.send(queue)
  const consumer = LockConsumer.named(trial, id)
  const takes = await trial.eventually(async () => once(succeeded((await consumer.lock(1)).answer)))
  return takes === true
}
