import { decodeBase64 } from '../client/content.js'
import { Inconclusive } from './findings.js'
import { envelopedTexts } from './forms.js'
import type { Sent, Trial } from './trial.js'

/** What makes a message of the kit unique. */
const OWN = /kit-[\da-f-]+/i

/** Whether the feeds of queues show what their messages are: the document does not say what an entry shows. */
export function queuesShowContents(trial: Trial): Promise<boolean> {
  return trial.onceInRun('queues show contents', () => showContents(trial))
}

async function showContents(trial: Trial): Promise<boolean> {
  try {
    return await showsMessage(trial)
  } catch (error) {
    return !lacksContents(error)
  }
}

/** Whether an entry of a queue's feed could not be read since it neither holds a message nor leads to one. */
export function lacksContents(error: unknown): boolean {
  return error instanceof Inconclusive && error.inconclusiveReason === 'contents'
}

/** Whether a message of plain text can be recognized in its queue's feed, even if it is spoilt there. */
async function showsMessage(trial: Trial): Promise<boolean> {
  const queue = await trial.createQueue()
  const message = await trial.send(queue)
  const entry = await trial.eventually(async () => (await trial.browse(queue)).entries[0])
  if (entry === undefined) return true
  const body = await entry.body()
  if (trial.isMessage(body, message)) return true
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
