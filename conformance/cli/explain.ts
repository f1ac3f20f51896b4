import { checks } from '../checks/index.js'
import { SIGNATURES } from '../report/advice/signatures.js'
import type { Clause } from '../requirements/index.js'
import { findClause, LEDGER } from '../requirements/index.js'
import { nearest } from '../scenario/nearest.js'
import type { Check } from '../trial/check.js'
import { clausePage } from './descriptions.js'
import { stepLines } from './list.js'
import { placeOfCheck, placeOfDefect, placesOfClause } from './source-places.js'
import { readArgs } from './target-options.js'
import { UsageError } from './usage-error.js'

/** `explain`: a check or a clause, or both where they share the id. @returns the exit code */
export function explain(args: readonly string[]): number {
  const { positionals } = readArgs(args, {})
  const [id, ...more] = positionals
  if (id === undefined || more.length > 0)
    throw new UsageError('give explain one id, of a check or of a clause.')
  const check = checks.find((each) => each.id === id)
  const clause = findClause(id)
  if (!check && !clause) {
    const near = nearest(id, [...checks.map((each) => each.id), ...LEDGER.map((each) => each.id)])
    throw new UsageError(`no check and no clause has the id "${id}". The nearest are ${near.join(', ')}.`)
  }
  const parts = [...(check ? [explainCheck(check)] : []), ...(clause ? [explainClause(clause)] : [])]
  process.stdout.write(parts.join('\n'))
  return 0
}

function explainCheck(check: Check): string {
  const { id, title, stimulus, scenario, says, clauses, grade, feature, needs = [] } = check
  const lines = [
    `check ${id} (${grade}${feature === undefined ? '' : `, where the target claims ${feature}`})`,
    `  asks:   ${title}`,
    ...(scenario === undefined ? [`  how:    ${stimulus}`] : ['  row:', ...stepLines(scenario, '    ')]),
    ...(says === undefined ? [] : [`  !:      ${says}`]),
    ...clauses.map((clause) => `  proves: ${clause}: ${findClause(clause)?.text ?? ''}`),
    ...needs.map((need) => `  needs:  ${need}`),
    ...at('  is at:  ', placeOfCheck(id)),
    ...SIGNATURES.filter(([, failing]) => failing.includes(id)).map(([defect]) => {
      return `  fails:  where a server is wrong like this: ${defect}${behind(placeOfDefect(defect))}`
    }),
  ]
  return `${lines.join('\n')}\n`
}

function at(label: string, place: string | undefined): string[] {
  return place === undefined ? [] : [`${label}${place}`]
}

function behind(place: string | undefined): string {
  return place === undefined ? '' : ` (${place})`
}

/** Where the clause is, what does it, proves it and breaks it, each as far as it is there. */
function explainClause({ id, section, grade, text, feature, unchecked }: Clause): string {
  const proving = checks.filter(({ clauses }) => clauses.includes(id))
  const { page, document, code, wrongServers } = placesOfClause(id)
  const lines = [
    `clause ${id} (section ${section}, ${grade}${feature === undefined ? '' : `, of the feature ${feature}`})`,
    `  says:      ${text}`,
    ...at('  page:      ', clausePage(id) ?? page),
    ...at('  stands in: ', document),
    ...code.map((place) => `  done at:   ${place}`),
    ...proving.map((check) => `  proved by: ${check.id}: ${check.title}${behind(placeOfCheck(check.id))}`),
    ...wrongServers.map((place) => `  broken by: ${place}`),
    ...(unchecked === undefined ? [] : [`  unchecked: ${unchecked}`]),
  ]
  return `${lines.join('\n')}\n`
}
