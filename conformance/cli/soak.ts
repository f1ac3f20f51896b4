import { parseArgs } from 'node:util'
import { DEFAULT_PROFILE } from '../client/parse-profile.js'
import { citation } from '../explore/story.js'
import { EXIT_CODES } from '../report/verdicts.js'
import { sentenceOf, soakReport } from '../soak/report.js'
import { type SoakCounts, soak as soakTarget } from '../soak/soak.js'
import { progressOnStderr } from './progress-line.js'
import { wholeNumber } from './run-options.js'
import { FILE_OPTIONS, profileFor, tryToWriteAll, urlOf, writeReports } from './walk-options.js'

/** `soak`: many clients at once, connections that break, and a history that is judged. @returns the exit code */
export async function soak(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      ...FILE_OPTIONS,
      seconds: { type: 'string', default: '60' },
      producers: { type: 'string', default: '4' },
      consumers: { type: 'string', default: '8' },
      rate: { type: 'string' },
    },
  })
  const url = urlOf(positionals, 'soak')
  const seconds = wholeNumber('--seconds', values.seconds, 7 * 24 * 60 * 60)
  const producers = wholeNumber('--producers', values.producers, 1000)
  const consumers = wholeNumber('--consumers', values.consumers, 1000)
  const rate = values.rate === undefined ? undefined : wholeNumber('--rate', values.rate, 1_000_000)
  tryToWriteAll(values)
  const stopping = new AbortController()
  const { signal } = stopping
  const progress = progressOnStderr()
  const stop = () => stopping.abort()
  process.once('SIGINT', stop)
  try {
    const known = await profileFor(url, values.profile, signal, progress)
    if (known === undefined) return EXIT_CODES.incomplete
    const { profile = DEFAULT_PROFILE, probed } = known
    let counts: SoakCounts | undefined
    progress.show(() => (counts === undefined ? 'starting' : inShort(counts)))
    const soaked = await soakTarget(url, {
      ...{ profile, seconds, producers, consumers, rate, signal },
      onProgress: (now) => {
        counts = now
      },
    })
    progress.end()
    const report = soakReport(url, profile, soaked, probed)
    writeReports(report, values)
    const { violation } = soaked
    const lines = [`${inShort(soaked)}, in ${soaked.seconds.toFixed(1)} s.`]
    if (violation !== undefined) {
      const start = violation.events[0]?.from ?? 0
      lines.push('', ...violation.events.map((event) => `  ${sentenceOf(event, start)}`))
      lines.push('', `Seen: ${violation.seen}.`, `That breaks this: ${citation(violation.clause)}`)
    } else {
      const open = report.results.find(({ status }) => status === 'inconclusive')?.message
      lines.push(open === undefined ? 'Nothing was found that must not be.' : `Incomplete: ${open}.`)
    }
    process.stdout.write(`${lines.join('\n')}\n`)
    return EXIT_CODES[report.verdict]
  } finally {
    progress.end()
    process.off('SIGINT', stop)
  }
}

function inShort({ requests, sent, acknowledged, unknown }: SoakCounts): string {
  return `${requests} requests, ${sent} messages sent, ${acknowledged} acknowledgements, ${unknown} outcomes unknown`
}
