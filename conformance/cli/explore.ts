import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { printableLine } from '../client/printable.js'
import { type Counterexample, type Exploration, explore as walk } from '../explore/explore.js'
import { explorationReport } from '../explore/report.js'
import { argument } from '../report/advice/report-context.js'
import type { Report } from '../report/result.js'
import { print } from '../scenario/print.js'
import { linesOf } from '../scenario/tell.js'
import { KIT, VERSION } from '../version.js'
import { readScenario } from './scenario.js'
import { FILE_OPTIONS, readArgs, TARGET_OPTIONS, urlOf, wholeNumber } from './target-options.js'
import { notAnswered, nothingFound, shown, somethingFound, walkTarget } from './walk-target.js'

/** `explore`: walks random scenarios, with the model beside them. @returns the exit code */
export async function explore(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArgs(args, {
    ...{ ...TARGET_OPTIONS, ...FILE_OPTIONS },
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '200' },
    replay: { type: 'string' },
  })
  const given = urlOf(positionals, 'explore')
  const seed = wholeNumber('--seed', values.seed, 2 ** 31 - 1)
  const runs = wholeNumber('--runs', values.runs, 1_000_000)
  const replay = values.replay === undefined ? undefined : readScenario(values.replay)
  return walkTarget(given, values, async ({ url, profile, probed, origins, signal, progress }) => {
    let done = 0
    progress.show(() => `${done} of ${replay === undefined ? runs : 1} scenarios walked`)
    const exploration = await walk(url, {
      ...{ profile, origins, seed, runs, signal, ...(replay === undefined ? {} : { replay }) },
      onRun: (count) => {
        done = count
      },
    })
    const report = explorationReport(url, profile, exploration, probed)
    const file = replay === undefined ? save(exploration) : undefined
    return { report, told: told({ url, profile: values.profile }, exploration, file, report) }
  })
}

/** Where the counterexample was saved: a file in the current folder. */
function save({ counterexample, seed }: Exploration): string | undefined {
  if (counterexample === undefined) return undefined
  const file = `explore-${seed}-${counterexample.run}.scenario`
  writeFileSync(file, savedText(seed, counterexample))
  return file
}

/** The scenario of a counterexample, with what it shows as comments. */
function savedText(seed: number, { run, clause, expected, seen, scenario }: Counterexample): string {
  const shown = [
    `${KIT} ${VERSION}, explore, seed ${seed}, scenario ${run}`,
    `breaks ${clause}`,
    `expected: ${expected}; seen: ${seen}`,
  ]
  return `${shown.map((line) => `# ${printableLine(line.replace(/\s+/g, ' '))}\n`).join('')}${print(scenario)}`
}

function told(
  { url, profile }: { readonly url: string; readonly profile: string | undefined },
  exploration: Exploration,
  file: string | undefined,
  report: Report,
): string {
  const { walked, planned, requests, seconds, seed, counterexample } = exploration
  const rate = Math.round(requests / Math.max(seconds, 0.001))
  const lines = [
    `${walked} of ${planned} scenarios, ${requests} requests, seed ${seed}, ${seconds.toFixed(1)} s (${rate} a second).`,
    ...notAnswered(report),
  ]
  if (counterexample === undefined) return shown([...lines, nothingFound(report)])
  lines.push('', 'Shown again when it was asked again:', '')
  linesOf(counterexample.told).forEach((step, index) => {
    lines.push(`${String(index + 1).padStart(4)}. ${step}`)
  })
  lines.push(...somethingFound(report, counterexample))
  if (file !== undefined) {
    const by = profile === undefined ? [] : ['--profile', profile]
    const again = [KIT, 'scenario', url, file, ...by].map(argument).join(' ')
    lines.push(`Saved: ${resolve(file)}`, `Again: ${again}`)
  }
  return shown(lines)
}
