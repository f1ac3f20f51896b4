import type { CheckTrial } from '../run/check-trial.js'
import type { Sent } from '../run/trial.js'
import type { Exchange } from '../target/exchange.js'
import { succeeded } from './prober.js'

/** Whether an answer gives a message, as it was sent or inside of something else, in Base64 or not. */
export function gives(answer: Exchange, { body, text }: Sent): boolean {
  if (!succeeded(answer)) return false
  const given = answer.body.toString()
  return given.includes(text) || given.replace(/\s+/g, '').includes(body.toString('base64'))
}

/** Asks until an answer gives the message, or patience ends. */
export function untilGiven(
  trial: CheckTrial,
  sent: Sent,
  ask: () => Promise<Exchange>,
): Promise<Exchange | undefined> {
  return trial.eventually(async () => {
    const answer = await ask()
    return gives(answer, sent) ? answer : undefined
  })
}

/** The last segment of an address's path, as it is written there. */
export function lastSegment(uri: string): string {
  return uri
    .replace(/[?#].*$/s, '')
    .replace(/\/+$/, '')
    .split('/')
    .at(-1)!
}

/** A slash path as part of an address. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}
