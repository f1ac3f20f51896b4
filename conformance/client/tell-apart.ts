import { comparable, withGuid } from './addresses.js'
import { answered, kindOf, wordsOf } from './answered.js'
import { type Contact, longestAnswer, makeContact } from './contact.js'
import { type Exchange, refused, succeeded } from './exchange.js'
import { unlessBlocked, unlessNotApplicable } from './findings.js'
import { rootOf } from './forms.js'
import { measureTiming } from './held-reading.js'
import { type Meeting, Newcomer } from './newcomer.js'
import type { Sent } from './sent.js'
import { sleep } from './stops.js'
import type { Timing } from './timing.js'

/**
 * Nothing that is there can be told from what is not: there is nothing to judge. The message says why, without the beginning
 * and the full stop of a sentence.
 *
 * @example
 * ```ts
 * const isPage = (error: unknown) => error instanceof NotJudged
 * ```
 */
export class NotJudged extends Error {
  override readonly name = 'NotJudged'
}

/** How long effects are waited for, besides the time that they take to settle: milliseconds. */
const PATIENCE = 1000
const POLL = 100
/** Characters of an answer that are quoted. */
const WORDS = 60

/**
 * Asks what only an implementation can tell apart, before anything is judged: a queue that was created and one that was not, two
 * queues by their addresses, a queue with a message and one without, a subscription that was deleted and one that was not. One
 * difference is enough, since a faulty implementation may lack any of them; what comes first is what most targets show.
 *
 * @returns why there is nothing to judge, as a sentence without its beginning and its full stop; undefined where there is something
 */
export async function whyNotJudged(
  contact: Pick<Contact, 'latency' | 'answers'>,
  meeting: Meeting,
): Promise<string | undefined> {
  const { signal } = meeting
  const newcomer = new Newcomer(meeting, longestAnswer(contact))
  try {
    if (await new Questions(newcomer).areAnswered()) return undefined
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    if (!signal.aborted) await newcomer.end()
  }
  return signal.aborted ? undefined : reasonIn(newcomer.target.exchanges)
}

/**
 * Gets to know a target: how long it takes, if there is anything to judge.
 *
 * @param jobs how many requests at once it is to bear
 * @throws {Unreachable} where nothing takes a connection
 * @throws {NotJudged} where nothing that is there can be told from what is not
 */
export async function meet(meeting: Meeting, jobs: number): Promise<Timing> {
  const { baseUrl, profile, client, signal } = meeting
  const contact = await makeContact(baseUrl, profile, client, jobs, signal)
  const why = await whyNotJudged(contact, meeting)
  if (why !== undefined) throw new NotJudged(why)
  return measureTiming(contact, meeting)
}

/** What the first answers were, and what that may be due to. */
function reasonIn(exchanges: readonly Exchange[]): string {
  const shown = exchanges.filter(({ status }) => status !== 0)
  const [created, ...read] = exchanges
  if (shown.length === 0) return `it takes connections and answers nothing in HTTP (${answered(created!)})`
  const isClosed = shown.every(({ status }) => status === 401 || status === 403)
  const hint = isClosed
    ? 'it may want credentials, which --header and the headers of a profile give'
    : 'an implementation has another base URL, or another profile'
  const gets = read.filter(({ method }) => method === 'GET').slice(0, 2)
  const seen = [created!, ...gets].map((each) => `${each.method} ${pathOf(each)} gave ${inFull(each)}`)
  return `its answers do not tell what is there from what is not (${seen.join(', ')}); ${hint}`
}

function pathOf({ url }: Exchange): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}

/** What a target said is quoted as JSON has it: on a terminal it may be anything. */
function inFull(answer: Exchange): string {
  const words = wordsOf(answer).slice(0, WORDS)
  const { location } = answer.headers
  const isElsewhere = answer.status >= 300 && answer.status < 400 && location !== undefined
  const leads = isElsewhere ? `, which leads to ${JSON.stringify(location.slice(0, WORDS))}` : ''
  return `${kindOf(answer)}${leads}${words === '' ? '' : `: ${JSON.stringify(words)}`}`
}

/** Whether an answer says that there is nothing; that a client asks too much, says nothing of that. */
function isAbsent(answer: Exchange): boolean {
  return refused(answer) && answer.status !== 408 && answer.status !== 429
}

class Questions {
  readonly #newcomer: Newcomer
  readonly #message: Sent
  readonly #paths: readonly [string, string, string]
  /** Where the first queue is: as its creation told it, or where the document has it. */
  #uri: string

  constructor(newcomer: Newcomer) {
    this.#newcomer = newcomer
    this.#message = newcomer.freshMessage()
    // The last one is never created.
    this.#paths = [newcomer.freshName(), newcomer.freshName(), newcomer.freshName()]
    this.#uri = newcomer.target.queueUri(this.#paths[0])
  }

  async areAnswered(): Promise<boolean> {
    const { target } = this.#newcomer
    const [path, , never] = this.#paths
    const created = await this.#newcomer.create(path)
    const { uri = this.#uri } = created
    const [shown, absent] = await Promise.all(
      [target.queueUri(path), target.queueUri(never)].map((each) => target.request('GET', each)),
    )
    if (succeeded(shown!) && isAbsent(absent!)) return true
    if (target.exchanges.every(({ status }) => status === 0)) return false
    this.#uri = uri
    return (
      (await this.#haveAddresses(created.uri)) ||
      (await this.#isListed(created.answer)) ||
      (await this.#areSubscriptionsDeleted()) ||
      (await this.#isMessageShown()) ||
      (await this.#isQueueDeleted())
    )
  }

  /** Two queues have two addresses, and each always the same. */
  async #haveAddresses(first: string | undefined): Promise<boolean> {
    if (first === undefined) return false
    const [path, second] = this.#paths
    const [other, again] = await Promise.all([this.#newcomer.create(second), this.#newcomer.create(path)])
    const isOther = other.uri !== undefined && comparable(other.uri) !== comparable(first)
    return isOther && comparable(again.uri) === comparable(first)
  }

  /**
   * The listing names a queue that was created. Where none can be, which may be a wrong profile's fault, a feed at this address and
   * nothing at another one is enough.
   */
  async #isListed(created: Exchange | undefined): Promise<boolean> {
    const { target } = this.#newcomer
    const [path, , never] = this.#paths
    const [listing, nothing] = await Promise.all(
      [target.at('/queues'), target.at(`/${never}`)].map((uri) => target.request('GET', uri)),
    )
    if (succeeded(listing!) && listing!.body.includes(path)) return true
    const isRefused = created === undefined || !succeeded(created)
    return isRefused && succeeded(listing!) && rootOf(listing!)?.localName === 'feed' && isAbsent(nothing!)
  }

  /** A subscription that could be read cannot be read any more when it is deleted. */
  async #areSubscriptionsDeleted(): Promise<boolean> {
    const { target } = this.#newcomer
    const made = await this.#subscribe()
    if (made === undefined) return false
    const before = await target.request('GET', made)
    await target.request('DELETE', made)
    return succeeded(before) && isAbsent(await target.request('GET', made))
  }

  async #subscribe(): Promise<string | undefined> {
    return (await this.#newcomer.subscribe({ path: this.#paths[0], uri: this.#uri })).uri
  }

  /** A message that was sent is in an answer to a request that did not hold it, or a feed has one entry more for it. */
  async #isMessageShown(): Promise<boolean> {
    const { target, speaker } = this.#newcomer
    const before = await this.#countEntries()
    const subscription = await this.#subscribe()
    await this.#send()
    const readings = [this.#uri, ...(subscription === undefined ? [] : [subscription])]
    const { text, body } = this.#message
    const words = [text, body.toString('base64').slice(0, -4)]
    const until = performance.now() + PATIENCE + 2000 * speaker.profile.settleSeconds
    for (;;) {
      const answers = await Promise.all(readings.map((uri) => target.request('GET', uri)))
      const bodies = answers.map(({ body }) => body)
      if (words.some((each) => bodies.some((body) => body.includes(each)))) return true
      if (before !== undefined && ((await this.#countEntries()) ?? before) > before) return true
      if (performance.now() > until) break
      await sleep(POLL)
    }
    const taken = await target.request('GET', target.at(`/queue/${this.#paths[0]}`))
    return words.some((each) => taken.body.includes(each))
  }

  /** How many entries the queue's feed has; undefined where there is none. */
  async #countEntries(): Promise<number | undefined> {
    const feed = await unlessBlocked(() => this.#newcomer.feed(this.#uri, 'browse.queue'))
    return typeof feed === 'string' ? undefined : feed?.entries.length
  }

  /** Sends the message in each way that there may be: one that is broken says nothing against the others. */
  async #send(): Promise<void> {
    const { target, speaker } = this.#newcomer
    const step1 = await target.request('POST', this.#uri)
    const ways = [
      ...(succeeded(step1) ? [target.location(step1)] : []),
      withGuid(this.#uri, this.#newcomer.freshGuid()),
      target.at(`/queue/${this.#paths[0]}`),
    ]
    for (const way of ways) {
      if (way === undefined) continue
      await unlessNotApplicable(() => speaker.post(way, this.#message.body))
    }
  }

  /** A queue that could be read cannot be read any more when it is deleted. */
  async #isQueueDeleted(): Promise<boolean> {
    const { target } = this.#newcomer
    const before = await target.request('GET', this.#uri)
    await target.request('DELETE', this.#uri)
    return succeeded(before) && isAbsent(await target.request('GET', this.#uri))
  }
}
