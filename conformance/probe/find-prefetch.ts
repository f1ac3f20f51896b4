import { quotedBody } from '../client/answered.js'
import type { CheckTrial } from '../trial/check-trial.js'
import type { QueueHandle } from '../trial/trial.js'
import type { Prober } from './prober.js'
import { namedFields, otherFields, SYNONYMS } from './synonyms.js'

/** More messages than a run asks to be given at once. */
const MANY = 12

/**
 * Which field takes the prefetch: the one with which a feed shows one message for 1 and two for 2, of three.
 *
 * @returns whether it was found, or seen that there is none
 */
export async function findPrefetch(prober: Prober): Promise<boolean> {
  const given = prober.draft.subscription.parameters.prefetch
  const names = [...new Set([given ?? [], Object.keys(prober.needed), SYNONYMS.prefetch].flat())]
  const seen: string[] = []
  const refusals = new Set<string>()
  let isRefused = true
  const waves = [
    () => names.slice(0, 1),
    () => narrowed(prober, names.slice(1)),
    () => untried(prober, refusals, names),
  ]
  for (const next of waves) {
    const wave = await next()
    const heeded = await prober.each(
      wave,
      async (name) => (await prober.attempt(() => heeds(prober, name, refusals))) ?? 'ignored',
    )
    const name = wave[heeded.indexOf('heeded')]
    if (name !== undefined) {
      learn(prober, name)
      prober.note(
        'subscription.parameters.prefetch',
        `A feed showed one message with ${name}=1, and two with ${name}=2.`,
      )
      await findLargest(prober, name)
      return true
    }
    isRefused &&= heeded.every((each) => each === 'refused')
    wave.forEach((each, index) => {
      seen.push(`${each} was ${heeded[index]}`)
    })
  }
  const known = await prober.known(names, '10')
  if (known !== undefined) {
    learn(prober, known)
    const what = `${known} is a field that the target knows, but it did not bound what a feed shows.`
    prober.note('subscription.parameters.prefetch', what)
    return true
  }
  const tried = `No field bounded what a feed shows: ${seen.slice(0, 6).join(', ')}.`
  const { subscription } = prober.draft
  const shown = await shownWithout(prober)
  const isBounded = shown !== undefined && shown < MANY
  if (isBounded) subscription.maxPrefetch = Math.max(1, Math.min(subscription.maxPrefetch, shown))
  const own = shown === undefined ? '' : ` Without one a feed showed ${shown} of ${MANY} messages.`
  // A target may call it anything, unless it tells what fields it takes.
  const isAbsent = isRefused && tellsOfNone(prober, refusals, names)
  if (isAbsent) subscription.parameters.prefetch = null
  if (isAbsent && !isBounded) prober.draft.unknown.push('subscription.maxPrefetch')
  const hint = isAbsent
    ? ' The refusals name other fields, and none that could be one.'
    : ' Fill it in by hand: null, where a client cannot choose it; and in maxPrefetch the largest.'
  prober.note('subscription.parameters.prefetch', `${tried}${own}${hint}`)
  return isAbsent
}

/** Fields that refusals name, and that are neither tried yet nor for something else. */
function untried(prober: Prober, refusals: ReadonlySet<string>, tried: readonly string[]): string[] {
  const { parameters, fixed } = prober.draft.subscription
  const others = [parameters.destination, parameters.selector, parameters.timeout, ...Object.keys(fixed)]
  const known = [...others, ...SYNONYMS.destination, ...SYNONYMS.selector, ...SYNONYMS.timeout, ...tried]
  return otherFields([...refusals], known)
}

/** Whether the refusals name the fields that a form may have, the destination's among them, and each is for something else. */
function tellsOfNone(prober: Prober, refusals: ReadonlySet<string>, tried: readonly string[]): boolean {
  const { destination } = prober.draft.subscription.parameters
  const isTold = [...refusals].some((refusal) => namedFields(refusal).includes(destination))
  return isTold && untried(prober, refusals, tried).length === 0
}

/** How many of many messages a feed shows where its form says nothing of a prefetch; undefined where it cannot be read. */
function shownWithout(prober: Prober): Promise<number | undefined> {
  return prober.attempt(async () => {
    await using trial = prober.trial()
    const queue = await filled(prober, trial)
    return (await prober.settledBodies(trial, await prober.consumer(trial, [queue]), MANY)).length
  })
}

/** A queue with many messages, sent a few at a time. */
async function filled(prober: Prober, trial: CheckTrial): Promise<QueueHandle> {
  const queue = await prober.queue(trial)
  for (let sent = 0; sent < MANY; sent += 6)
    await Promise.all(Array.from({ length: 6 }, () => trial.send(queue)))
  return queue
}

/** The largest prefetch that is granted: what is refused above it is told, and what is cut without a word is seen. */
async function findLargest(prober: Prober, name: string): Promise<void> {
  await using trial = prober.trial()
  const queue = await filled(prober, trial)
  const refusals: string[] = []
  for (const most of [1000, 100, 20, 10, 5, 4, 3, 2]) {
    const { answer, uri } = await prober.subscribe(trial, [queue], { [name]: String(most) })
    if (uri === undefined) {
      refusals.push(`${most}: ${quotedBody(answer)}`)
      // A refusal may tell the limit.
      continue
    }
    const shown = (await prober.settledBodies(trial, uri, Math.min(most, MANY))).length
    const granted = shown < Math.min(most, MANY) ? Math.max(1, shown) : most
    prober.draft.subscription.maxPrefetch = granted
    prober.roomy = { [name]: String(Math.min(10, granted)) }
    const refused = refusals.length === 0 ? '' : ` Above it: ${refusals.slice(0, 3).join('; ')}.`
    prober.note(
      'subscription.maxPrefetch',
      `With ${name}=${most} a feed showed ${shown} of ${MANY} messages.${refused}`,
    )
    return
  }
}

function learn(prober: Prober, name: string): void {
  prober.draft.subscription.parameters.prefetch = name
  const { [name]: _, ...rest } = prober.needed
  prober.needed = rest
  prober.roomy = { [name]: '10' }
}

/**
 * Of many fields those that may bound what a feed shows: where a form with all of them is taken, halves of them are tried,
 * and a half with which a feed does not show two messages for 2 is left out: the target's own bound may be 1.
 */
async function narrowed(prober: Prober, names: readonly string[]): Promise<readonly string[]> {
  const count = await prober.attempt(() => shown(prober, prober.trial(), names, 2))
  if (count === undefined) return names
  if (count !== 2) return []
  if (names.length === 1) return (await heeds(prober, names[0]!, new Set())) === 'heeded' ? names : []
  const middle = names.length >> 1
  const first = await narrowed(prober, names.slice(0, middle))
  return first.length > 0 ? first : narrowed(prober, names.slice(middle))
}

/** @param refusals takes what the target says to forms that it refuses */
async function heeds(
  prober: Prober,
  name: string,
  refusals: Set<string>,
): Promise<'heeded' | 'ignored' | 'refused'> {
  await using trial = prober.trial()
  const counts = await Promise.all([1, 2].map((count) => shown(prober, trial, [name], count, refusals)))
  if (counts.includes(undefined)) return 'refused'
  return counts[0] === 1 && counts[1] === 2 ? 'heeded' : 'ignored'
}

/** How many of three messages a feed shows; undefined where the form is refused. */
async function shown(
  prober: Prober,
  trial: CheckTrial,
  names: readonly string[],
  prefetch: number,
  refusals = new Set<string>(),
): Promise<number | undefined> {
  const queue = await prober.queue(trial)
  const fields = Object.fromEntries(names.map((name) => [name, String(prefetch)]))
  const { answer, uri } = await prober.subscribe(trial, [queue], fields)
  if (uri === undefined) {
    refusals.add(answer.body.toString())
    return undefined
  }
  for (let sent = 0; sent < 3; sent++) await trial.send(queue)
  return (await prober.settledBodies(trial, uri, 3)).length
}
