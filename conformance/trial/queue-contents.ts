import { decodeBase64 } from '../client/content.js'
import { Inconclusive } from './findings.js'
import type { Sent, Trial } from './trial.js'

/** Whether the feeds of a target's queues show what their messages are, which the document leaves open. It is asked once in a run. */
export class QueueContents {
  #areShown: Promise<boolean> | undefined

  /** @param trial of a check that has seen an entry which shows none of its messages */
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
  return entry === undefined || resembles((await entry.body()).toString(), message)
}

function resembles(text: string, { text: sent }: Sent): boolean {
  const token = /kit-[\da-f-]+/i.exec(sent)?.[0] ?? sent
  const forms = [text, String(decodeBase64(text) ?? '')]
  return forms.some((form) => form.toLowerCase().includes(token.toLowerCase()))
}
