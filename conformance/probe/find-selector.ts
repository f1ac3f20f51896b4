import { createdAt } from '../trial/addresses.js'
import type { CheckTrial } from '../trial/check-trial.js'
import type { QueueHandle } from '../trial/trial.js'
import type { Draft, Prober } from './prober.js'
import { SYNONYMS } from './synonyms.js'

type Colours = 'red' | 'blue'

/** Ways in which a message may be sent with a colour. */
const LABELS: Readonly<Record<string, (colour: Colours) => string>> = {
  'Property-Colour': (colour) => colour,
  'X-Colour': (colour) => colour,
  'X-Property-Colour': (colour) => colour,
  Colour: (colour) => colour,
  Labels: (colour) => `colour=${colour}`,
  Properties: (colour) => `colour=${colour}`,
}

/** Ways to ask for a red one. */
const EXPRESSIONS = [
  "colour = 'red'",
  'colour=red',
  'colour:red',
  'x-colour=red',
  "Colour = 'red'",
  'colour == "red"',
  "x_colour = 'red'",
  '{"colour":"red"}',
]

interface Found {
  readonly name: string
  readonly expression: string
}

/** Which field takes a selector, in which language: judged by whether one of two messages comes, and not the other. */
export async function findSelector(prober: Prober): Promise<void> {
  const { selector } = prober.draft.subscription
  const given = prober.draft.subscription.parameters.selector
  const names = [given ?? 'selector', ...SYNONYMS.selector.filter((name) => name !== given)]
  const others = prober.narrow ? [] : EXPRESSIONS.filter((each) => each !== selector.expression)
  const expressions = [selector.expression, ...others]
  const all = (colour: Colours) =>
    Object.fromEntries(Object.entries(LABELS).map(([name, value]) => [name, value(colour)]))
  const matching = { ...all('red'), ...selector.matching }
  const other = { ...all('blue'), ...selector.other }
  let found: Found | undefined
  for (const wave of [names.slice(0, 1), prober.narrow ? [] : names.slice(1)]) {
    const results = await prober.each(wave, (name) => tried(prober, name, expressions, matching, other))
    found ??= results.find((each) => each !== undefined)
    if (found) break
  }
  if (!found) {
    prober.draft.features.selector = false
    prober.note(
      'features.selector',
      `No selector was heeded, of the fields ${names.join(', ')} with ${expressions[0]} and the like.`,
    )
    return
  }
  prober.draft.features.selector = true
  prober.draft.subscription.parameters.selector = found.name
  const label = await enough(prober, found, matching, other)
  prober.draft.subscription.selector = {
    expression: found.expression,
    matching: label === undefined ? matching : { [label]: matching[label]! },
    other: label === undefined ? other : { [label]: other[label]! },
  }
  prober.note(
    'subscription.selector',
    `With ${found.name} = ${found.expression} a message came that was sent with ${label ?? Object.keys(matching).join(', ')} for red, and one for blue did not.`,
  )
}

/** The first expression that this field heeds; a field that lets everything pass is asked no further. */
async function tried(
  prober: Prober,
  name: string,
  expressions: readonly string[],
  matching: Draft['headers'],
  other: Draft['headers'],
): Promise<Found | undefined> {
  await using trial = prober.trial()
  let queue: QueueHandle | undefined
  for (const expression of expressions) {
    queue ??= await prober.queue(trial)
    const uri = createdAt(trial, await prober.subscribe(trial, [queue], { [name]: expression }))
    if (uri === undefined) continue
    const came = await passes(prober, trial, queue, uri, matching, other)
    if (came.matching && !came.other) return { name, expression }
    if (came.other) return undefined
    // Nothing came: the field is heeded, and the expression means something else. Its messages are left behind.
    queue = undefined
  }
  return undefined
}

async function passes(
  prober: Prober,
  trial: CheckTrial,
  queue: QueueHandle,
  uri: string,
  matching: Draft['headers'],
  other: Draft['headers'],
): Promise<{ matching: boolean; other: boolean }> {
  const passed = await trial.send(queue, undefined, other)
  const wanted = await trial.send(queue, undefined, matching)
  const bodies = await prober.settledBodies(trial, uri, 1)
  return { matching: bodies.includes(wanted.text), other: bodies.includes(passed.text) }
}

/** One header that is enough for the selector; undefined where it takes several of them. */
async function enough(
  prober: Prober,
  { name, expression }: Found,
  matching: Draft['headers'],
  other: Draft['headers'],
): Promise<string | undefined> {
  const labels = Object.keys(matching).filter((label) => other[label] !== undefined)
  const works = await Promise.all(
    labels.map(async (label) => {
      await using trial = prober.trial()
      const queue = await prober.queue(trial)
      const uri = await prober.consumer(trial, [queue], { [name]: expression })
      const one = await passes(
        prober,
        trial,
        queue,
        uri,
        { [label]: matching[label]! },
        { [label]: other[label]! },
      )
      return one.matching && !one.other
    }),
  )
  return labels[works.indexOf(true)]
}
