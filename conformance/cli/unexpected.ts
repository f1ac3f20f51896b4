import { printable, printableLine } from '../client/printable.js'
import { type Faults, whyOf } from '../report/faults.js'
import { KIT } from '../version.js'

/**
 * What is told of an error that nobody expected, in whole lines: that it is the kit's own fault, and where the environment asks for it
 * (`DEBUG=atom-mq-conformance`), where in the kit it was thrown.
 */
export function toldOf(error: unknown): string {
  const isAskedFor = process.env.DEBUG?.split(/[\s,]+/).includes(KIT) === true
  const failed = `${KIT}: the kit itself failed, not the target`
  if (isAskedFor) return `${failed}: ${printable((error instanceof Error && error.stack) || whyOf(error))}\n`
  return `${failed}: ${printableLine(whyOf(error))}; DEBUG=${KIT} in the environment shows where.\n`
}

/** Does some work. What is thrown meanwhile where nobody waits for it is noted, and costs nothing else. */
export async function noting<T>(faults: Faults, work: () => Promise<T>): Promise<T> {
  const note = (error: unknown) => faults.note('what went on beside the checks', error)
  process.on('uncaughtException', note)
  try {
    return await work()
  } finally {
    process.off('uncaughtException', note)
  }
}
