import { parseArgs } from 'node:util'
import { checks } from '../checks/index.js'

/** `list`: every check. @returns the exit code */
export function list(args: readonly string[]): number {
  const { values } = parseArgs({ args: [...args], options: { json: { type: 'boolean', default: false } } })
  if (values.json) {
    const rows = checks.map(({ id, title, stimulus, clauses, grade, feature = null, needs = [] }) => ({
      id,
      title,
      stimulus,
      clauses,
      grade,
      feature,
      needs,
    }))
    process.stdout.write(`${JSON.stringify(rows, undefined, 2)}\n`)
    return 0
  }
  const width = Math.max(0, ...checks.map(({ id }) => id.length))
  for (const { id, title, grade, feature, clauses } of checks) {
    const about = feature === undefined ? grade : `${grade}, ${feature}`
    process.stdout.write(`${id.padEnd(width)}  ${about.padEnd(24)}  ${title}  [${clauses.join(' ')}]\n`)
  }
  return 0
}
