import { quotedBody } from '../client/answered.js'
import { refused } from '../client/exchange.js'
import type { Draft, Prober } from './prober.js'

/** Lengths of names, from one that hardly any check goes beyond. */
const LENGTHS = [200, 128, 100, 64, 48, 40, 32] as const

/** How a name may be written: whether slashes or dots part its segments, how many of these there may be, and how long it is. */
export async function findNameForms(prober: Prober): Promise<void> {
  const { queueNames } = prober.draft
  const slashes = await refusalOf(prober, below(2))
  if (slashes !== undefined) {
    const dots = await refusalOf(prober, below(2), (profile) => {
      profile.queueNames.form = 'dotted'
    })
    if (dots === undefined && (await listsDotted(prober))) {
      queueNames.form = 'dotted'
      prober.note('queueNames.form', `A name with a dot is taken; one with a slash gave ${slashes}.`)
    } else {
      queueNames.maxSegments = 1
      prober.note('queueNames.maxSegments', `A name of two segments gave ${slashes}.`)
    }
  }
  for (const segments of queueNames.maxSegments === null ? [3, 4] : []) {
    const refusal = await refusalOf(prober, below(segments))
    if (refusal === undefined) continue
    queueNames.maxSegments = segments - 1
    prober.note('queueNames.maxSegments', `A name of ${segments} segments gave ${refusal}.`)
    break
  }
  const refusals: string[] = []
  for (const length of LENGTHS) {
    const refusal = await refusalOf(prober, (name) => name.padEnd(length, 'x'))
    if (refusal !== undefined) {
      refusals.push(`one of ${length} gave ${refusal}`)
      continue
    }
    if (refusals.length === 0) return
    queueNames.maxLength = length
    prober.note('queueNames.maxLength', `A name of ${length} characters is taken; ${refusals[0]}.`)
    return
  }
}

/** Whether a dot in a name parts it: then what is before it is a category, which lists the queue. A name may also just hold a dot. */
async function listsDotted(prober: Prober): Promise<boolean> {
  await using trial = prober.trial((profile) => {
    profile.queueNames.form = 'dotted'
  })
  const category = trial.freshName()
  const { uri } = await trial.createQueue(`${category}/one`)
  const listing = await prober.attempt(() =>
    trial.readFeed(trial.target.queueUri(category), 'browse.subtree'),
  )
  const names = (listing?.entries ?? []).flatMap(({ title, links }) => [
    title,
    ...links.map(({ href }) => href),
  ])
  return names.some((name) => name === uri || name.trim().endsWith('one'))
}

function below(segments: number): (name: string) => string {
  return (name) => [name, ...Array.from({ length: segments - 1 }, (_, at) => `s${at + 1}`)].join('/')
}

/** What the target says where it refuses to create a queue of a name; undefined where it does not. */
async function refusalOf(
  prober: Prober,
  nameOf: (fresh: string) => string,
  change?: (profile: Draft) => void,
): Promise<string | undefined> {
  await using trial = prober.trial(change)
  const answer = await trial.tryCreateQueue(nameOf(trial.freshName()))
  return refused(answer) ? quotedBody(answer) : undefined
}
