import { checks as allChecks } from './checks/index.js'
import { printableLine } from './client/printable.js'
import { type ConformanceOptions, runConformance } from './judge.js'
import { type Descriptions, verdictSentence } from './report/describe.js'
import { resultDetails } from './report/pretty.js'
import type { CheckResult } from './report/result.js'
import { findClause } from './requirements/index.js'

/**
 * One check of a run that has been asked, in the form in which test runners take tests.
 *
 * @example
 * ```ts
 * const tests: ConformanceTest[] = []
 * for await (const each of conformanceTests(url, { only: ['queues.create'] })) tests.push(each)
 * tests.map(({ name }) => name)
 * ```
 */
export interface ConformanceTest {
  /** The check's id, and what it asks as a sentence. */
  readonly name: string
  /** Why there is nothing to judge, or false where there is. */
  readonly skip: string | false
  /**
   * Resolves where the target is as it should be. It takes nothing, so that a runner sees no callback in it.
   *
   * @throws {NonConformance} where it is not, or where what has to be known could not be found out
   */
  run(): Promise<void>
}

/**
 * Says what was asked, what was expected and seen, and how to see it again; test runners print it.
 *
 * @example
 * ```ts
 * const isBroken = (error: unknown) => error instanceof NonConformance
 * ```
 */
export class NonConformance extends Error {
  override readonly name = 'NonConformance'

  constructor(message: string) {
    super(message)
    // Where in the kit it was thrown tells nothing about the target.
    this.stack = `${this.name}: ${message}`
  }
}

/**
 * Checks the server at a base URL, and gives each check as a test as soon as it has been asked; the last test is the
 * verdict on all of it, so that a run that asked nothing is no success.
 *
 * What the document leaves open fails nothing unless `strict`: it passes, or is skipped where it could not be asked.
 *
 * @throws {BaseUrlError} where `url` is not one that a target can have
 * @throws {Unreachable} where nothing takes a connection
 *
 * @example
 * ```ts
 * for await (const { name, run } of conformanceTests(url, { only: ['queues.create'] })) {
 *   console.log(name)
 *   await run()
 * }
 * ```
 */
export async function* conformanceTests(
  url: string,
  options: ConformanceOptions = {},
): AsyncGenerator<ConformanceTest> {
  const { checks = allChecks, strict = false } = options
  const titles = new Map(checks.map(({ id, title }) => [id, title]))
  const descriptions: Descriptions = {
    title: (id) => titles.get(id),
    clause: (id) => findClause(id)?.text,
  }
  const run = runConformance(url, options)
  for await (const result of run) {
    yield {
      name: `${result.id}: ${titles.get(result.id)}`,
      skip: whySkipped(result, strict),
      run: async () => {
        if (!ANSWERED.has(result.status)) throw new NonConformance(resultDetails(result, descriptions))
      },
    }
  }
  const report = await run.report
  yield {
    name: 'the verdict is: conformant',
    skip: false,
    run: async () => {
      if (report.verdict !== 'conformant') throw new NonConformance(verdictSentence(report))
    },
  }
}

const ANSWERED: ReadonlySet<CheckResult['status']> = new Set(['pass', 'observed', 'differs'])

function whySkipped({ status, grade, message }: CheckResult, strict: boolean): string | false {
  if (status === 'not-applicable') return printableLine(message)
  const counts = strict || grade !== 'chosen' || status === 'fail'
  return counts || ANSWERED.has(status) ? false : `${status}: ${printableLine(message)}`
}
