import { setTimeout as sleep } from 'node:timers/promises'
import { nameProblem } from '../client/queue-names.js'
import { pathOf, type SoakClient } from './client.js'
import { outcomeOf } from './history.js'
import { sendNew } from './producer.js'

const MOST_MESSAGES = 6
/** Milliseconds: how long a queue stays at most when nothing more is sent to it. */
const LONGEST_STAY = 300
const CUT_ONE_IN = 6

/**
 * Creates a queue, sends to it, and deletes it, again and again, mostly under the same names: one above other queues,
 * whose names begin like its own, and one beside them.
 */
export async function comeAndGo(client: SoakClient, goesOn: () => boolean): Promise<void> {
  const { shared } = client
  const { profile, shortLived } = shared
  /** Where nobody knows whether a queue came or went, it may still do so: then its name is not used again. */
  let doubts = 0
  /** Whether a queue may be above others: a target may take that name for a directory's alone. */
  let mayBeAbove = true
  while (goesOn()) {
    const isAbove = mayBeAbove && doubts === 0 && client.random.oneIn(2)
    const name = isAbove ? '1' : `3${doubts > 0 ? `-${doubts}` : ''}`
    if (nameProblem(profile, pathOf(shared, name)) !== undefined) return
    const { location: uri, ...created } = (await client.ask({ do: 'createQueue', queue: name })).answer
    if (uri === undefined) {
      if (isAbove && outcomeOf(created) === 'no') mayBeAbove = false
      else doubts += 1
      continue
    }
    await sleep(shared.timing.settle)
    shared.uris.set(name, uri)
    const queue = { name, uri }
    // One whose deletion was refused is still there.
    const before = shortLived.findIndex((each) => each.name === name)
    shortLived.splice(before < 0 ? shortLived.length : before, 1, queue)
    for (let left = client.random.below(MOST_MESSAGES); left > 0 && goesOn(); left--) {
      await sendNew(client, queue)
    }
    await sleep(client.random.below(LONGEST_STAY))
    shortLived.splice(shortLived.indexOf(queue), 1)
    const { answer } = await client.ask({ do: 'deleteQueue', queue: name }, {}, CUT_ONE_IN)
    const outcome = outcomeOf(answer)
    if (outcome === 'unknown') {
      doubts += 1
      shared.doubtful.push(uri)
    } else if (outcome === 'no') shortLived.push(queue)
    // A path above other queues may still be listed as a category.
    else if (!isAbove) await client.ask({ do: 'browseQueue', queue: name })
  }
}
