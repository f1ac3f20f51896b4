import { argument } from './advice/report-context.js'
import type { RunContext } from './describe.js'
import type { Report } from './result.js'

/** The command that carries out a scenario of a report against its target, and judges it again. */
export function scenarioCommand(
  { kit, target, probed }: Pick<Report, 'kit' | 'target' | 'probed'>,
  scenario: string,
  { profileFile = 'profile.json' }: RunContext = {},
): string {
  const profile = probed ? '' : ` --profile ${argument(profileFile)}`
  return `echo ${argument(scenario)} | npx ${kit.name} scenario ${argument(target.url)}${profile}`
}
