import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { commandsIn, counterexampleFile, replayCommand } from '../explore/counterexample-file.js'
import { type Exploration, explore as walk } from '../explore/explore.js'
import { explorationReport } from '../explore/report.js'
import { citation, storyOf } from '../explore/story.js'
import type { Report } from '../report/result.js'
import { readJson } from './read-json.js'
import { wholeNumber } from './run-options.js'
import { UsageError } from './usage-error.js'
import { FILE_OPTIONS, nothingFound, somethingFound, urlOf, walkTarget } from './walk-target.js'

/** `explore`: walks random sequences of commands, with the model beside them. @returns the exit code */
export async function explore(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      ...FILE_OPTIONS,
      seed: { type: 'string', default: '1' },
      runs: { type: 'string', default: '200' },
      replay: { type: 'string' },
    },
  })
  const url = urlOf(positionals, 'explore')
  const seed = wholeNumber('--seed', values.seed, 2 ** 31 - 1)
  const runs = wholeNumber('--runs', values.runs, 1_000_000)
  const replay =
    values.replay === undefined ? undefined : commandsIn(readJson('the counterexample', values.replay))
  if (typeof replay === 'string') throw new UsageError(`${values.replay} ${replay}.`)
  return walkTarget(url, values, async ({ profile, probed, signal, progress }) => {
    let done = 0
    progress.show(() => `${done} of ${replay === undefined ? runs : 1} sequences walked`)
    const exploration = await walk(url, {
      ...{ profile, seed, runs, signal, ...(replay === undefined ? {} : { replay }) },
      onRun: (count) => {
        done = count
      },
    })
    const report = explorationReport(url, profile, exploration, probed)
    const file = replay === undefined ? save(exploration) : undefined
    return { report, told: told({ url, profile: values.profile }, exploration, file, report) }
  })
}

/** Where the counterexample was saved. */
function save(exploration: Exploration): string | undefined {
  const { counterexample, seed } = exploration
  if (counterexample === undefined) return undefined
  const file = `explore-${seed}-${counterexample.run}.json`
  writeFileSync(file, counterexampleFile(exploration, counterexample))
  return file
}

function told(
  { url, profile }: { readonly url: string; readonly profile: string | undefined },
  exploration: Exploration,
  file: string | undefined,
  report: Report,
): string {
  const { walked, planned, commands, seconds, seed, counterexample } = exploration
  const rate = Math.round(commands / Math.max(seconds, 0.001))
  const lines = [
    `${walked} of ${planned} sequences, ${commands} commands, seed ${seed}, ${seconds.toFixed(1)} s (${rate} a second).`,
  ]
  if (counterexample === undefined) {
    return `${[...lines, nothingFound(report)].join('\n')}\n`
  }
  const { told, clause } = counterexample
  lines.push('', 'Shown again when it was asked again:', '')
  storyOf(told).forEach((step, index) => {
    lines.push(`${String(index + 1).padStart(4)}. ${step}`)
  })
  lines.push('', somethingFound(report, `The last answer breaks this: ${citation(clause)}`))
  if (file !== undefined) lines.push(`Saved: ${replayCommand(url, file, profile)}`)
  return `${lines.join('\n')}\n`
}
