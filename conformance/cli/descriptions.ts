import { checks } from '../checks/index.js'
import type { Descriptions, RunContext } from '../report/describe.js'
import { findClause } from '../requirements/index.js'
import type { Check } from '../trial/check.js'

/** The kit's own checks and clauses. */
export const descriptions = descriptionsOf(checks)

/** These checks, and the clauses of the kit. */
export function descriptionsOf(
  checks: readonly Pick<Check, 'id' | 'title'>[],
): Descriptions & Pick<RunContext, 'allChecks'> {
  const titles = new Map(checks.map(({ id, title }) => [id, title]))
  return {
    title: (id) => titles.get(id),
    clause: (id) => findClause(id)?.text,
    page: clausePage,
    playground: playgroundOf,
    allChecks: checks.length,
  }
}

/**
 * Where a clause stands in the specification: behind the address that `ATOM_MQ_SPECIFICATION` names, since the kit does not
 * know where somebody publishes it. Undefined without that, or for no clause.
 */
export function clausePage(id: string): string | undefined {
  const base = process.env.ATOM_MQ_SPECIFICATION
  return base && findClause(id) ? `${base}#${id}` : undefined
}

/** Where a scenario runs in the page beside the specification, which `ATOM_MQ_SPECIFICATION` names; undefined without that. */
function playgroundOf(scenario: string): string | undefined {
  const base = process.env.ATOM_MQ_SPECIFICATION
  return base && `${base.replace(/[^/]*$/, '')}playground.html#${new URLSearchParams({ scenario })}`
}
