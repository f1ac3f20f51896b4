import { decodeBase64 } from '../client/content.js'
import { Inconclusive } from './findings.js'
import { envelopedTexts } from './forms.js'
import type { Sent, Trial } from './trial.js'

/** What is known in a run of where a target shows what its messages are, which the document leaves open. */
export class QueueContents {
  /** Relations of links that have led to a message's own bytes. */
  readonly proven = new Set<string>()
  #areShown: Promise<boolean> | undefined

  /**
   * Whether the feeds of queues show it, which is asked once.
   *
   * @param trial of a check that has seen an entry which shows none of its messages
   */
  areShownTo(trial: Trial): Promise<boolean> {
    this.#areShown ??= showsMessage(trial).catch((error: unknown) => !lacksContents(error))
    return this.#areShown
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
  return !envelopedTexts(body).includes(message.text) && resembles(body.toString(), message)
}

function resembles(text: string, { text: sent }: Sent): boolean {
  const token = /kit-[\da-f-]+/i.exec(sent)?.[0] ?? sent
  const forms = [text, String(decodeBase64(text) ?? '')]
  return forms.some((form) => form.toLowerCase().includes(token.toLowerCase()))
}
