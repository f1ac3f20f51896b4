import { answered } from '../../client/answered.js'
import type { CheckRecord } from '../../trial/check.js'
import { missing, readBodies } from '../../trial/reading.js'
import type { Sent, Trial } from '../../trial/trial.js'

/** A message of the table by its properties; each has a name, so that a failure can say which was taken. */
type Properties = Readonly<Record<string, string>>

/** A selector and the names of the messages that it takes. */
type Case = readonly [selector: string, takes: readonly string[]]

interface Part {
  readonly id: string
  readonly clause: string
  readonly messages: Readonly<Record<string, Properties>>
  readonly cases: readonly Case[]
}

const COLOURS = { red: { colour: 'red' }, blue: { colour: 'blue' }, plain: {} }
const WEIGHTS = { light: { weight: '2' }, even: { weight: '10' }, heavy: { weight: '25.5' } }
const NAMES = { apple: { name: 'apple' }, ape: { name: 'ape' }, rate: { name: '10%' }, ten: { name: '100' } }
/** Sixty words in quotation marks: a list of more than five hundred characters. */
const MANY_WORDS = Array.from({ length: 60 }, (_, n) => `'word${n}'`).join(', ')
/** A message of twelve properties, of which the last is long. */
const TWELVE = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`p${n + 1}`, 'long'.repeat(3 * n)]))
const BOTH = {
  redLight: { colour: 'red', weight: '2' },
  redHeavy: { colour: 'red', weight: '25' },
  blueLight: { colour: 'blue', weight: '2' },
}

/** The language of selectors, part by part: what each takes of the messages beside it. */
const PARTS: readonly Part[] = [
  {
    id: 'comparison',
    clause: 'subscribe.selector.comparison',
    messages: WEIGHTS,
    cases: [
      ['weight = 10', ['even']],
      ['weight <> 10', ['light', 'heavy']],
      ['weight < 10', ['light']],
      ['weight <= 10', ['light', 'even']],
      ['weight > 10', ['heavy']],
      ['weight >= 10', ['even', 'heavy']],
      ['1E1 < weight', ['heavy']],
    ],
  },
  {
    id: 'between',
    clause: 'subscribe.selector.between',
    messages: WEIGHTS,
    cases: [
      ['weight BETWEEN 2 AND 10', ['light', 'even']],
      ['weight not between 2 and 10', ['heavy']],
    ],
  },
  {
    id: 'in',
    clause: 'subscribe.selector.in',
    messages: COLOURS,
    cases: [
      ["colour IN ('red', 'it''s green')", ['red']],
      ["colour NOT IN ('red', 'green')", ['blue']],
      [`colour IN (${MANY_WORDS}, 'blue')`, ['blue']],
    ],
  },
  {
    id: 'like',
    clause: 'subscribe.selector.like',
    messages: NAMES,
    cases: [
      ["name LIKE 'ap%'", ['apple', 'ape']],
      ["name LIKE 'ap_'", ['ape']],
      ["name NOT LIKE 'ap%'", ['rate', 'ten']],
      ["name LIKE '10!%' ESCAPE '!'", ['rate']],
    ],
  },
  {
    id: 'null',
    clause: 'subscribe.selector.null',
    messages: COLOURS,
    cases: [
      ['colour IS NULL', ['plain']],
      ['colour IS NOT NULL', ['red', 'blue']],
    ],
  },
  {
    id: 'logic',
    clause: 'subscribe.selector.logic',
    messages: BOTH,
    cases: [
      ["colour = 'red' AND weight = 2", ['redLight']],
      ["colour = 'blue' OR colour = 'red' AND weight = 25", ['redHeavy', 'blueLight']],
      ["(colour = 'blue' OR colour = 'red') AND weight = 25", ['redHeavy']],
      ["NOT colour = 'red' AND weight = 2", ['blueLight']],
    ],
  },
  {
    id: 'arithmetic',
    clause: 'subscribe.selector.arithmetic',
    messages: WEIGHTS,
    cases: [
      ['weight * 2 + 1 = 21', ['even']],
      ['-weight - 1 = -3', ['light']],
      ['weight / 2 > 6', ['heavy']],
    ],
  },
  {
    id: 'unknown',
    clause: 'subscribe.selector.unknown',
    messages: COLOURS,
    cases: [
      ["colour <> 'red'", ['blue']],
      ["NOT colour = 'red'", ['blue']],
      ["colour = 'red' OR missing = 'x'", ['red']],
      ["NOT (missing = 'x' AND colour = 'red')", ['blue']],
    ],
  },
  {
    id: 'types',
    clause: 'subscribe.selector.types',
    messages: { number: { value: '010' }, text: { value: 'ten' }, truth: { value: 'true' } },
    cases: [
      ['value = 10', ['number']],
      ["value = '010'", ['number']],
      ["value = '10'", []],
      ['value = TRUE', ['truth']],
    ],
  },
  {
    id: 'identifiers',
    clause: 'subscribe.selector.identifiers',
    messages: { dashed: { 'two-words': 'yes' }, twelve: TWELVE, plain: {} },
    cases: [
      [`p12 = '${TWELVE.p12}' AND p2 LIKE 'l%'`, ['twelve']],
      ["two_words = 'yes'", ['dashed']],
      ["queue = '{queue}'", ['dashed', 'twelve', 'plain']],
      ["queue = 'elsewhere'", []],
      ["content_type LIKE 'text/plain%'", ['dashed', 'twelve', 'plain']],
    ],
  },
]

/** The reference's own language of selectors; the document leaves it open. */
export const SELECTOR_LANGUAGE: readonly CheckRecord[] = [
  ...PARTS.map(
    (part): CheckRecord => ({
      id: `subscribe.selector-${part.id}`,
      stimulus: `Subscribes with one selector after another to a queue of ${Object.keys(part.messages).length} messages and reads which each takes.`,
      clauses: [part.clause],
      needs: ['subscribe.selector-only-matching', 'lease.deletion-hands-over'],
      run: (trial) => takes(trial, part),
    }),
  ),
  {
    id: 'subscribe.selector-syntax',
    stimulus: 'Posts subscriptions with broken selectors.',
    clauses: ['subscribe.selector.syntax'],
    needs: ['subscribe.selector'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      for (const selector of ['colour =', "colour = 'red", 'AND', 'colour ~ 1', '(a = 1']) {
        const answer = await trial.trySubscribe(queue, { selector })
        trial.choose(`broken-selector-${selector}`, String(answer.status))
        trial.expect(answer.status === 400, `400 for ${selector}`, answered(answer))
        const text = answer.body.toString()
        trial.expect(/column/i.test(text), `the column of the fault in ${selector}`, text.slice(0, 200))
      }
    },
  },
]

async function takes(trial: Trial, part: Part): Promise<void> {
  const queue = await trial.createQueue()
  const [first] = part.cases[0]!
  // Where selectors are of another language, the refusal is the finding.
  const attempt = await trial.trySubscribe(queue, { selector: first })
  const uri = trial.target.location(attempt)
  trial.expect(attempt.status === 201 && uri !== undefined, `201 for ${first}`, answered(attempt))
  await trial.target.request('DELETE', uri)
  const names = Object.keys(part.messages)
  const messages: Sent[] = []
  for (const name of names) {
    const headers = Object.entries(part.messages[name]!).map(([key, value]) => [`Property-${key}`, value])
    messages.push(await trial.send(queue, undefined, Object.fromEntries(headers)))
  }
  for (const [template, expected] of part.cases) {
    const selector = template.replaceAll('{queue}', queue.path)
    const consumer = await trial.subscribe(queue, { selector, prefetch: messages.length })
    await missing(
      trial,
      [consumer],
      messages.filter((_, i) => expected.includes(names[i]!)),
    )
    const bodies = await readBodies(trial, consumer)
    const taken = names.filter((_, i) => bodies.includes(messages[i]!.text))
    trial.expect(
      taken.join() === names.filter((name) => expected.includes(name)).join(),
      `${selector} to take ${expected.join(' and ') || 'nothing'}`,
      `it takes ${taken.join(' and ') || 'nothing'}`,
    )
    await consumer.end()
  }
}
