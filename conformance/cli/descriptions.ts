import { checks } from '../checks/index.js'
import type { Descriptions, RunContext } from '../report/describe.js'
import { findClause } from '../requirements/index.js'

const titles = new Map(checks.map(({ id, title }) => [id, title]))

/** The kit's own checks and clauses. */
export const descriptions: Descriptions & Pick<RunContext, 'allChecks'> = {
  title: (id) => titles.get(id),
  clause: (id) => findClause(id)?.text,
  allChecks: checks.length,
}
