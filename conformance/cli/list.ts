import { parseArgs } from 'node:util'
import { checks } from '../checks/index.js'
import { parse } from '../scenario/parse.js'
import { print } from '../scenario/print.js'
import type { Check } from '../trial/check.js'
import { choose } from './target-options.js'

const WIDTH = 80
const INDENT = '    '

/** `list`: every check, or those that are chosen. @returns the exit code */
export function list(args: readonly string[]): number {
  const { values } = parseArgs({
    args: [...args],
    options: {
      json: { type: 'boolean', default: false },
      scenarios: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      skip: { type: 'string', multiple: true, default: [] },
    },
  })
  const chosen = choose(checks, values)
  if (values.scenarios) {
    process.stdout.write(chosen.flatMap(rowOf).join('\n'))
    return 0
  }
  if (values.json) {
    const rows = chosen.map(({ id, title, stimulus, clauses, grade, feature = null, needs = [] }) => ({
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
  for (const { id, title, grade, feature, clauses } of chosen) {
    const about = feature === undefined ? grade : `${grade}, ${feature}`
    const lines = [...wrapped(title), ...wrapped(`[${clauses.join(' ')}]`)]
    process.stdout.write(`${id}  (${about})\n${lines.map((line) => `${INDENT}${line}\n`).join('')}`)
  }
  return 0
}

/** A row as its file has it, with its title; nothing of a check that is none. */
function rowOf({ id, title, clauses, scenario, says, runsAlone }: Check): string[] {
  if (scenario === undefined) return []
  const steps = stepLines(scenario, '  ').join('\n')
  const head = [`${id}:`, ...clauses, ...(says === undefined ? [] : [says]), ...(runsAlone ? ['alone'] : [])]
  return [`# ${title}\n${head.join(' ')}\n${steps}\n`]
}

/** A scenario, a line for each step. Some bodies hold what else would end a line. */
export function stepLines(scenario: string, indent: string): string[] {
  const steps = print(parse(scenario)).trimEnd().split('\n')
  return steps.map((step) => indent + step)
}

/** A text in lines that fit. */
function wrapped(text: string): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && INDENT.length + last.length + 1 + word.length <= WIDTH) {
      lines[lines.length - 1] = `${last} ${word}`
    } else lines.push(word)
  }
  return lines
}
