import type { QueueHandle, Sent, Trial } from './trial.js'

/** Sends its message in one request, when called. */
export type Post = () => Promise<Sent>

/**
 * Fetches `count` new-message addresses ahead, so that a check that must send within a short lease needs one
 * request for each message and not two.
 */
export async function addressed(trial: Trial, queue: QueueHandle, count: number): Promise<Post[]> {
  const addresses = await Promise.all(Array.from({ length: count }, () => trial.newAddress(queue)))
  return addresses.map((address) => async () => {
    const message = { ...trial.freshMessage(), address }
    const answer = await trial.post(address, message.body)
    trial.premise(answer.status === 200, 'send.post', `the POST of a message gave status ${answer.status}`)
    return message
  })
}
