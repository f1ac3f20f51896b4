import { kindOf } from '../client/answered.js'
import { refused } from '../client/exchange.js'
import type { QueueHandle, Trial } from './trial.js'

/**
 * Why a message with several header fields was refused, as far as messages with one of them each tell it: the fields that are
 * refused alone, or that none is. Undefined where there were not several.
 */
export async function refusedHeaders(
  trial: Pick<Trial, 'newAddress' | 'post' | 'freshMessage'>,
  queue: QueueHandle,
  headers: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const fields = Object.entries(headers)
  if (fields.length < 2) return undefined
  const told: string[] = []
  for (const [name, value] of fields) {
    const address = await trial.newAddress(queue)
    const answer = await trial.post(address, trial.freshMessage().body, { [name]: value })
    if (refused(answer)) told.push(`${name}: ${value} alone gave ${kindOf(answer)}`)
  }
  return told.length === 0 ? 'each of its header fields is taken alone' : told.join(', ')
}
