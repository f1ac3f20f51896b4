import { answered } from '../client/answered.js'
import type { Exchange } from '../client/exchange.js'
import { statusOf } from './answers.js'
import type { Check } from './check.js'
import type { Trial } from './trial.js'

/** The run of a check that is one request and the status of its answer, which is recorded as what the target chose. */
export function answersWith(
  status: number,
  point: string,
  ask: (trial: Trial) => Promise<Exchange>,
): Check['run'] {
  return async (trial) => judgeStatus(trial, status, String(status), point, await ask(trial))
}

/**
 * As {@link answersWith}, for one request after another, one for each of `values`.
 *
 * @param point what stands before the value in the name of the choice
 * @param prepare makes what the requests need. @returns makes the request for a value
 */
export function eachAnswersWith(
  status: number,
  point: string,
  values: readonly string[],
  prepare: (trial: Trial) => Promise<(value: string) => Promise<Exchange>>,
): Check['run'] {
  return async (trial) => {
    const ask = await prepare(trial)
    for (const value of values) {
      judgeStatus(trial, status, `${status} for ${value}`, `${point}${value}`, await ask(value))
    }
  }
}

function judgeStatus(trial: Trial, status: number, expected: string, point: string, answer: Exchange): void {
  trial.choose(point, statusOf(answer))
  trial.expect(answer.status === status, expected, answered(answer))
}
