import { decodeBase64 } from './content.js'
import { succeeded } from './exchange.js'
import type { Feed } from './feed.js'
import { Blocked, Inconclusive } from './findings.js'
import { envelopedTexts } from './forms.js'
import { type Meeting, Newcomer } from './newcomer.js'
import type { QueueHandle, Sent } from './sent.js'
import type { Speaker } from './speaker.js'
import { sleep } from './stops.js'
import { untilFound } from './until-found.js'

/** Milliseconds between the first two readings. */
const POLL = 20
/** What makes a message of the kit unique. */
const OWN = /kit-[\da-f-]+/i

const FEED = /^\s*(?:<[?!][^>]*>\s*)*<(?:[\w.-]+:)?feed[\s>]/

/** Whether that is a feed, or its beginning: in the feed of a queue the entry of another queue may lead to its own. */
export const isFeed = (text: string): boolean => FEED.test(text)

/** What it takes to find that out: a queue, a message in it, and its feed. */
interface ContentsAsking {
  createQueue(): Promise<QueueHandle>
  send(queue: QueueHandle): Promise<Sent>
  browse(queue: QueueHandle): Promise<Pick<Feed, 'entries'>>
  isMessage(body: Buffer, message: Sent): boolean
  eventually<T>(probe: () => Promise<T | undefined>): Promise<T | undefined>
}

/** Whether the feeds of queues show what their messages are: the document does not say what an entry shows. */
export function queuesShowContents(asking: ContentsAsking & Pick<Speaker, 'onceInRun'>): Promise<boolean> {
  return asking.onceInRun('queues show contents', () => showContents(asking))
}

/** The same, of a target that is got to know; whatever is asked for it is deleted. @param timeout of its entry: milliseconds */
export async function contentsAreShown(
  meeting: Meeting,
  answerTimeout: number,
  timeout: number,
): Promise<boolean> {
  const newcomer = new Newcomer(meeting, answerTimeout)
  const { speaker, target } = newcomer
  try {
    return await showContents({
      async createQueue() {
        const path = newcomer.freshName()
        const { uri } = await newcomer.create(path)
        if (uri === undefined) throw new Blocked('queues.create', 'there is no queue')
        return { path, uri }
      },
      async send({ uri }) {
        const message = newcomer.freshMessage()
        const address = target.location(await target.request('POST', uri))
        const answer = address === undefined ? undefined : await speaker.post(address, message.body)
        if (answer === undefined || !succeeded(answer)) throw new Blocked('send.post', 'nothing was sent')
        return message
      },
      async browse({ uri }) {
        const feed = await newcomer.feed(uri, 'browse.queue')
        if (typeof feed === 'string') throw new Blocked('browse.queue', feed)
        return feed
      },
      isMessage: (body, message) => newcomer.isMessage(body, message),
      eventually: (probe) =>
        untilFound(probe, timeout, { pause: POLL, rest: sleep, now: () => performance.now() }),
    })
  } finally {
    await newcomer.end()
  }
}

function showContents(asking: ContentsAsking): Promise<boolean> {
  return showsMessage(asking).catch((error) => !lacksContents(error))
}

/** Whether an entry of a queue's feed could not be read since it neither holds a message nor leads to one. */
export function lacksContents(error: unknown): boolean {
  return error instanceof Inconclusive && error.inconclusiveReason === 'contents'
}

/** Whether a message of plain text can be recognized in its queue's feed, even if it is spoilt there. */
async function showsMessage(asking: ContentsAsking): Promise<boolean> {
  const queue = await asking.createQueue()
  const message = await asking.send(queue)
  const entries = await asking.eventually(async () => {
    const feed = await asking.browse(queue)
    return feed.entries.length === 0 ? undefined : feed.entries
  })
  if (entries === undefined) return true
  const bodies = await Promise.all(entries.map((entry) => entry.body()))
  // Whatever else is there was not sent, which another check says.
  if (bodies.some((body) => asking.isMessage(body, message))) return true
  const body = bodies[0]!
  // What tells of a message in a form of its own is not the message.
  if (envelopedTexts(body).includes(message.text)) return false
  return tellsOf(body.toString(), [message]) === undefined && resembles(body.toString(), message)
}

/**
 * The message of the kit's own making that a text holds whole among other words: it tells of the message and includes it. White
 * space alone around it tells of nothing.
 */
export function tellsOf(text: string, messages: readonly Sent[]): string | undefined {
  const told = messages.filter((message) => OWN.test(message.text) && isToldIn(text, message))
  // What one message begins with may be another.
  return told.toSorted((one, other) => other.text.length - one.text.length)[0]?.text
}

function isToldIn(text: string, { text: sent }: Sent): boolean {
  if (text.trim() === sent.trim()) return false
  for (let at = text.indexOf(sent); at >= 0; at = text.indexOf(sent, at + 1)) {
    // The number that ends one may begin another's.
    if (!/^\d/.test(text.slice(at + sent.length))) return true
  }
  return false
}

function resembles(text: string, { text: sent }: Sent): boolean {
  const token = OWN.exec(sent)?.[0] ?? sent
  const forms = [text, String(decodeBase64(text) ?? '')]
  return forms.some((form) => form.toLowerCase().includes(token.toLowerCase()))
}
