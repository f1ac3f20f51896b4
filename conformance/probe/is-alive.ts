import type { CheckTrial } from '../trial/check-trial.js'

/** Whether a subscription can be read, which may renew it; undefined where there never was one. */
export async function isAlive(trial: CheckTrial, uri: string | undefined): Promise<boolean | undefined> {
  return uri === undefined ? undefined : (await trial.target.request('GET', uri)).status === 200
}
