import { answered } from '../client/answered.js'
import type { Exchange } from '../client/exchange.js'
import { Failed } from '../client/findings.js'
import type { Trial } from './trial.js'

/** Longer than the second that a weak validator may be told by: milliseconds. */
const NEXT_SECOND = 1100

/** What is to be done before a feed is changed whose validator is in this answer. */
export type BeforeChange = (shown: Exchange) => Promise<void>

/**
 * Judges validators, and where a weak one fails once more with more than a second before each change: it may go by the clock, and so
 * be the same for changes within a second (RFC 9110 section 8.8.1).
 */
export async function judgeValidators(
  trial: Trial,
  judge: (beforeChange: BeforeChange) => Promise<void>,
): Promise<void> {
  let hasWeak = false
  try {
    await judge(async (shown) => {
      hasWeak ||= isWeak(shown)
    })
  } catch (error) {
    if (!(error instanceof Failed && hasWeak)) throw error
    await judge(async (shown) => {
      if (isWeak(shown)) await trial.elapse(NEXT_SECOND)
    })
  }
}

/** Fields of an answer by which a client may ask whether a feed has changed, and those that it asks with. */
const VALIDATORS = { etag: 'If-None-Match', 'last-modified': 'If-Modified-Since' } as const

/** Whether a feed can be asked for as one that may have changed. */
export function hasValidator({ headers }: Exchange): boolean {
  return headers.etag !== undefined || headers['last-modified'] !== undefined
}

/** A time is one of seconds. */
function isWeak({ headers }: Exchange): boolean {
  return headers.etag?.startsWith('W/') === true || headers['last-modified'] !== undefined
}

/**
 * Judges that a feed whose entries have changed since `before` is not answered as one that has not: neither with 304 to a client
 * that has the old one, nor under the old strong `ETag`. A target without validators has nothing to be judged.
 *
 * @param what changed it, in the words of a report
 */
export async function expectOtherValidator(trial: Trial, before: Exchange, what: string): Promise<void> {
  for (const [field, asking] of Object.entries(VALIDATORS)) {
    const validator = before.headers[field]
    if (validator === undefined) continue
    const isStrong = field === 'etag' && !validator.startsWith('W/')
    const ask = async () => {
      const answer = await trial.target.request('GET', before.url, { headers: { [asking]: validator } })
      return { answer, isOld: answer.status === 304 || (isStrong && answer.headers.etag === validator) }
    }
    let last = await ask()
    // Of a strong validator nothing is right but the feed that a plain GET has shown already.
    if (last.isOld && (!isStrong || trial.timing.settle > 0)) {
      await trial.eventually(async () => {
        last = await ask()
        return !last.isOld || undefined
      })
    }
    trial.expect(
      !last.isOld,
      `${what}, the feed as it is now for a client that asks with ${asking}: ${validator}`,
      () => `${answered(last.answer)}, ETag: ${last.answer.headers.etag ?? 'none'}`,
    )
  }
}
