import { countDependents } from '../dependents.js'
import type { RunContext } from '../describe.js'
import type { CheckResult, Report, Status } from '../result.js'

/**
 * Something to do after a run.
 *
 * @example
 * ```ts
 * const [step]: NextStep[] = nextSteps(report)
 * ```
 */
export interface NextStep {
  /** What, and why; where there are commands, it ends with a colon. */
  readonly sentence: string
  /** To be pasted into a shell, in this order. */
  readonly commands: readonly string[]
}

/** Looks whether one kind of step is of use: a sentence alone is one without commands. Undefined where it is not. */
export type StepFinder = (context: ReportContext) => NextStep | string | undefined

/** What a report says about where its target stands, laid out for whoever looks for the next step. */
export class ReportContext {
  /** How many blocked checks hang on each check. */
  readonly dependents: ReadonlyMap<string, number>
  /** Failures that are not known, in the order in which a server is built. */
  readonly failures: readonly CheckResult[]
  /** Checks that came to something else in another run of several. */
  readonly flaky: ReadonlySet<string>
  /** Whether what is blocked, inconclusive or in error leaves the verdict open. */
  readonly isOpen: boolean

  constructor(
    readonly report: Report,
    readonly runContext: RunContext,
  ) {
    this.dependents = countDependents(report.results)
    this.failures = this.counted('fail')
    this.flaky = new Set(report.repeat?.flaky.map(({ id }) => id))
    this.isOpen = (['blocked', 'inconclusive', 'error'] as const).some(
      (status) => this.counted(status).length > 0,
    )
  }

  /** Results of this status that count: binding, and not known to the baseline. */
  counted(status: Status): CheckResult[] {
    const { results, strict } = this.report
    const counts = ({ known, grade }: CheckResult) => known === undefined && (strict || grade !== 'chosen')
    return results.filter((result) => result.status === status && counts(result))
  }

  /** `, on which N blocked checks hang`, or nothing. */
  whatHangsOn(id: string): string {
    const count = this.dependents.get(id) ?? 0
    return count === 0
      ? ''
      : `, on which ${countedChecks(count, 'blocked check')} ${count === 1 ? 'hangs' : 'hang'}`
  }

  /** The command that runs the kit as it was run, with these options. */
  run(...options: readonly string[]): string {
    const profile = this.report.probed ? [] : ['--profile', argument(this.#profileFile())]
    const strict = this.report.strict ? ['--strict'] : []
    return this.kit(argument(this.report.target.url), ...profile, ...strict, ...options)
  }

  /** Commands that make a draft of a profile, and that run by it. An own profile is not written over. */
  probeAndRun(): string[] {
    const url = argument(this.report.target.url)
    if (this.report.probed) {
      const file = 'profile.json'
      return [this.kit('probe', url, '>', file), this.kit(url, '--profile', file)]
    }
    return [this.kit('probe', url, '--profile', argument(this.#profileFile()), '>', 'draft.json')]
  }

  /** A command of the kit. */
  kit(...words: readonly string[]): string {
    return ['npx', this.report.kit.name, ...words].join(' ')
  }

  #profileFile(): string {
    return this.runContext.profileFile ?? 'profile.json'
  }
}

/** `1 check`, `2 checks`. */
export function countedChecks(count: number, what = 'check'): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

/** Three of them at most by name. */
export function few(names: readonly string[]): string {
  if (names.length <= 3) return names.join(', ').replace(/, (?=[^,]*$)/, ' and ')
  const others = names.length - 3
  return `${names.slice(0, 3).join(', ')} and ${others} ${others === 1 ? 'other' : 'others'}`
}

/** As one word of a shell. */
export function argument(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

/** The command that carries out a scenario of a report against its target, and judges it again. */
export function scenarioCommand(
  { kit, target, probed }: Pick<Report, 'kit' | 'target' | 'probed'>,
  scenario: string,
  { profileFile = 'profile.json' }: RunContext = {},
): string {
  const profile = probed ? '' : ` --profile ${argument(profileFile)}`
  // `echo` of many shells takes `\n` in it for the end of a line.
  return `printf %s ${argument(scenario)} | npx ${kit.name} scenario ${argument(target.url)}${profile}`
}
