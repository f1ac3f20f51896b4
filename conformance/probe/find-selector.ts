import { quotedBody, wordsOf } from '../client/answered.js'
import { type Exchange, refused } from '../client/exchange.js'
import type { CheckTrial } from '../trial/check-trial.js'
import type { QueueHandle } from '../trial/trial.js'
import type { Draft, Prober } from './prober.js'
import { SYNONYMS } from './synonyms.js'

/** Ways in which a message may be sent with a colour. */
const labelled = (colour: 'red' | 'blue') => ({
  'Property-Colour': colour,
  'X-Colour': colour,
  'X-Property-Colour': colour,
  Colour: colour,
  Labels: `colour=${colour}`,
  Properties: `colour=${colour}`,
})

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

/** Headers of a message that a selector picks, and of one that it passes over. */
type Labels = Pick<Draft['subscription']['selector'], 'matching' | 'other'>

/** A field that seems to take selectors, and how that was seen. */
interface Heard {
  readonly name: string
  readonly how: string
}

/** Which field takes a selector, in which language: judged by whether one of two messages comes, and not the other. */
export async function findSelector(prober: Prober): Promise<void> {
  const { selector } = prober.draft.subscription
  const given = prober.draft.subscription.parameters.selector
  const names = [given ?? 'selector', ...SYNONYMS.selector.filter((name) => name !== given)]
  const others = prober.narrow ? [] : EXPRESSIONS.filter((each) => each !== selector.expression)
  const expressions = [selector.expression, ...others]
  const labels: Labels = {
    matching: { ...labelled('red'), ...selector.matching },
    other: { ...labelled('blue'), ...selector.other },
  }
  const unlike = prober.narrow ? '' : await saidOf(prober, STRANGE, expressions[0]!)
  const heard: Heard[] = []
  const found = (
    await prober.firstOf(prober.narrow ? names.slice(0, 1) : names, (name) =>
      tried(prober, name, { expressions, labels, unlike, heard }),
    )
  )?.found
  if (!found && heard.length > 0) {
    prober.draft.subscription.parameters.selector = heard[0]!.name
    prober.draft.unknown.push('features.selector')
    prober.note(
      'features.selector',
      `A field seems to take selectors of a language that was not found: ${heard
        .slice(0, 2)
        .map(({ how }) => how)
        .join('; ')}.`,
    )
    return
  }
  if (!found) {
    prober.claim(
      'selector',
      false,
      `No selector was heeded, of the fields ${names.join(', ')} with ${expressions[0]} and the like.`,
    )
    return
  }
  prober.draft.features.selector = true
  prober.draft.subscription.parameters.selector = found.name
  const label = await enough(prober, found, labels)
  const { expression } = found
  prober.draft.subscription.selector = { expression, ...(label === undefined ? labels : one(labels, label)) }
  prober.note(
    'subscription.selector',
    `With ${found.name} = ${found.expression} a message came that was sent with ${label ?? Object.keys(labels.matching).join(', ')} for red, and one for blue did not.`,
  )
}

/** A field that no target knows. */
const STRANGE = 'kit-no-such-field'

interface Trying {
  readonly expressions: readonly string[]
  readonly labels: Labels
  /** What is said of a field that is not known. */
  readonly unlike: string
  /** Takes what shows that a field is known, but not its expression. */
  readonly heard: Heard[]
}

/** What a target says of a form with this field, but for the field's name and value. */
async function saidOf(prober: Prober, name: string, value: string): Promise<string> {
  await using trial = prober.trial()
  const { answer } = await prober.subscribe(trial, [await prober.queue(trial)], { [name]: value })
  return inWords(answer, name, value)
}

function inWords(answer: Exchange, name: string, value: string): string {
  const words = wordsOf(answer).replaceAll(name, '').replaceAll(value, '')
  return `${answer.status} ${words.replace(/[\da-f-]*\d[\da-f-]*/gi, '')}`
}

/** The first expression that this field heeds; a field that lets everything pass is asked no further. */
async function tried(
  prober: Prober,
  name: string,
  { expressions, labels, unlike, heard }: Trying,
): Promise<Found | undefined> {
  await using trial = prober.trial()
  let queue: QueueHandle | undefined
  for (const expression of expressions) {
    queue ??= await prober.queue(trial)
    const { answer, uri } = await prober.subscribe(trial, [queue], { [name]: expression })
    if (uri === undefined) {
      const said = inWords(answer, name, expression)
      if (refused(answer) && said !== unlike)
        heard.push({ name, how: `${name} = ${expression} gave ${answer.status}: ${quotedBody(answer)}` })
      continue
    }
    const came = await passes(prober, trial, queue, uri, labels)
    if (came.matching && !came.other) return { name, expression }
    if (came.other) return undefined
    if (!came.matching) heard.push({ name, how: `with ${name} = ${expression} nothing came` })
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
  { matching, other }: Labels,
): Promise<{ matching: boolean; other: boolean }> {
  const passed = await trial.send(queue, undefined, other)
  const wanted = await trial.send(queue, undefined, matching)
  const bodies = await prober.settledBodies(trial, uri, 1)
  return { matching: bodies.includes(wanted.text), other: bodies.includes(passed.text) }
}

function one({ matching, other }: Labels, label: string): Labels {
  return { matching: { [label]: matching[label]! }, other: { [label]: other[label]! } }
}

/** One header that is enough for the selector; undefined where it takes several of them. */
async function enough(prober: Prober, { name, expression }: Found, all: Labels): Promise<string | undefined> {
  const labels = Object.keys(all.matching).filter((label) => all.other[label] !== undefined)
  const works = await Promise.all(
    labels.map(async (label) => {
      await using trial = prober.trial()
      const queue = await prober.queue(trial)
      const uri = await prober.consumer(trial, [queue], { [name]: expression })
      const came = await passes(prober, trial, queue, uri, one(all, label))
      return came.matching && !came.other
    }),
  )
  return labels[works.indexOf(true)]
}
