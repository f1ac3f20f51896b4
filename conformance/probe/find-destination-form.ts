import { quotedBody } from '../client/answered.js'
import { quote } from '../trial/labels.js'
import type { Prober } from './prober.js'

const FORMS = ['{path}', '{dotted}', '/{path}', '{address}'] as const
const SEPARATORS = [',', ' ', ';', '|'] as const

/**
 * How a destination of several segments is written, and how several destinations stand in one form: judged by what a feed then
 * shows. Where nothing else works, all stays as it was.
 */
export async function findDestinationForm(prober: Prober): Promise<void> {
  const { subscription } = prober.draft
  const given = subscription.destination
  const path = () => [`${prober.trial().freshName()}/one`]
  const heard: string[] = []
  let isHeeded = false
  for (const form of [given, ...FORMS.filter((each) => each !== given)]) {
    subscription.destination = form
    isHeeded = await covers(prober, path, heard)
    if (isHeeded) break
    subscription.destination = given
  }
  if (!isHeeded) await findSegments(prober, path, heard)
  if (subscription.destination !== given) {
    if (subscription.destination === '{dotted}') subscription.wildcard = '{dottedPrefix}.*'
    prober.note(
      'subscription.destination',
      `A destination written as ${subscription.destination} was heeded; as ${given} it was not${told(heard)}.`,
    )
  }
  const two = () => [prober.trial().freshName(), prober.trial().freshName()]
  const refusals: string[] = []
  if (subscription.separator !== null || (await covers(prober, two, refusals))) return
  for (const separator of SEPARATORS) {
    subscription.separator = separator
    if (await covers(prober, two, [])) {
      prober.note(
        'subscription.separator',
        `Two destinations in one field, parted by ${quote(separator)}, were both heeded; two fields were not${told(refusals)}.`,
      )
      return
    }
    subscription.separator = null
  }
  prober.note('subscription.separator', `No form with two destinations covered both${told(refusals)}.`)
}

/** No destination names a queue whose name has a slash: where dots part segments there is one, and otherwise names have one segment. */
async function findSegments(
  prober: Prober,
  path: () => readonly string[],
  heard: readonly string[],
): Promise<void> {
  const { queueNames, subscription } = prober.draft
  if (queueNames.maxSegments === 1) return
  const given = { form: queueNames.form, destination: subscription.destination }
  queueNames.form = 'dotted'
  subscription.destination = '{dotted}'
  if (given.form === 'path' && (await covers(prober, path, []))) {
    prober.note(
      'queueNames.form',
      `A queue with a dot in its name is subscribed to; one with a slash is not${told(heard)}.`,
    )
    return
  }
  queueNames.form = given.form
  subscription.destination = given.destination
  queueNames.maxSegments = 1
  prober.note('queueNames.maxSegments', `No destination covered a queue of two segments${told(heard)}.`)
}

function told(refusals: readonly string[]): string {
  return refusals.length === 0 ? '' : `: ${refusals[0]}`
}

/** Whether a subscription to several queues is given a message of each; one at a time, since it may have no room for more. */
async function covers(prober: Prober, paths: () => readonly string[], refusals: string[]): Promise<boolean> {
  await using trial = prober.trial()
  for (const which of paths().keys()) {
    const queues = await prober.attempt(() => Promise.all(paths().map((path) => prober.queue(trial, path))))
    if (queues === undefined) return false
    const { answer, uri } = await prober.subscribe(trial, queues)
    if (uri === undefined) {
      refusals.push(quotedBody(answer))
      return false
    }
    const sent = await trial.send(queues[which]!)
    const bodies = await prober.attempt(() => prober.settledBodies(trial, uri, 1))
    if (!bodies?.includes(sent.text)) return false
  }
  return true
}
