import type { Report } from '../report/result.js'
import { sentenceOf, soakReport } from '../soak/report.js'
import { type Soak, type SoakCounts, soak as soakTarget } from '../soak/soak.js'
import { FILE_OPTIONS, readArgs, TARGET_OPTIONS, urlOf, wholeNumber } from './target-options.js'
import { notAnswered, nothingFound, shown, somethingFound, walkTarget } from './walk-target.js'

/** `soak`: many clients at once, connections that break, and a history that is judged. @returns the exit code */
export async function soak(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArgs(args, {
    ...{ ...TARGET_OPTIONS, ...FILE_OPTIONS },
    seconds: { type: 'string', default: '60' },
    producers: { type: 'string', default: '4' },
    consumers: { type: 'string', default: '8' },
    rate: { type: 'string' },
    control: { type: 'boolean', default: false },
  })
  const given = urlOf(positionals, 'soak')
  const seconds = wholeNumber('--seconds', values.seconds, 7 * 24 * 60 * 60)
  const producers = wholeNumber('--producers', values.producers, 1000)
  const consumers = wholeNumber('--consumers', values.consumers, 1000)
  const rate = values.rate === undefined ? undefined : wholeNumber('--rate', values.rate, 1_000_000)
  return walkTarget(given, values, async ({ url, profile, probed, origins, signal, progress }) => {
    let counts: SoakCounts | undefined
    progress.show(() => (counts === undefined ? 'starting' : inShort(counts)))
    const soaked = await soakTarget(url, {
      ...{ profile, origins, seconds, producers, consumers, rate, signal, control: values.control },
      onProgress: (now) => {
        counts = now
      },
    })
    const report = soakReport(url, profile, soaked, probed)
    return { report, told: told(soaked, report) }
  })
}

function told(soaked: Soak, report: Report): string {
  const { violation, seconds } = soaked
  const lines = [`${inShort(soaked)}, in ${seconds.toFixed(1)} s.`, ...notAnswered(report)]
  if (violation === undefined) return shown([...lines, nothingFound(report)])
  const start = violation.events[0]!.from
  lines.push('', ...violation.events.map((event) => `  ${sentenceOf(event, start)}`))
  return shown([...lines, ...somethingFound(report, violation)])
}

function inShort({ requests, sent, acknowledged, unknown }: SoakCounts): string {
  return `${requests} requests, ${sent} messages sent, ${acknowledged} acknowledgements, ${unknown} outcomes unknown, where connections broke`
}
