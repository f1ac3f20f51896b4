import { type ConformanceOptions, runConformance } from './judge.js'
import type { Check } from './trial/check.js'
import type { Trial } from './trial/trial.js'

export function check(id: string, run: (trial: Trial) => Promise<void>, more: Partial<Check> = {}): Check {
  return { id, title: `${id} holds.`, stimulus: 's', clauses: ['c.c'], grade: 'stated', run, ...more }
}

export const create = check('queues.create', async (trial: Trial) => void (await trial.createQueue()), {
  clauses: ['queues.create.status'],
})

export async function runOne(
  url: string,
  run: (trial: Trial) => Promise<void>,
  options: ConformanceOptions = {},
) {
  const report = await runConformance(url, { checks: [check('http.one', run)], ...options }).report
  return { report, result: report.results[0]! }
}
