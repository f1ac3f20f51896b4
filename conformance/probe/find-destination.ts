import { kindOf, quotedBody } from '../client/answered.js'
import type { Exchange } from '../client/exchange.js'
import { namePrefix } from '../client/queue-names.js'
import { writtenDestination } from '../client/subscription-request.js'
import type { CheckTrial } from '../trial/check-trial.js'
import type { QueueHandle } from '../trial/trial.js'
import { type Fields, type Made, type Prober, postForm } from './prober.js'
import { namedFields, otherFields, SYNONYMS } from './synonyms.js'

/** Fields that a form may need to be taken at all, with values that hardly any target refuses. */
const COMPANY: Fields = {
  ...Object.fromEntries(SYNONYMS.prefetch.map((name) => [name, '10'])),
  ...Object.fromEntries(SYNONYMS.timeout.map((name) => [name, /ms/i.test(name) ? '60000' : '60'])),
}

/** What became of the search for what subscribes. */
export type Subscribes = 'found' | 'refused' | 'closed' | 'absent'

/** Wildcards that go with forms of a destination. */
const WILDCARDS: Readonly<Record<string, string>> = {
  '{dotted}': '{dottedPrefix}.*',
  '/{path}': '/{prefix}/*',
}

/**
 * Which field of a subscription's form takes the destination: judged by whether the feed then shows what is sent to
 * the queue, and not what is sent to another.
 *
 * @returns whether it was found; where not, whether there is something that takes subscriptions, if only with credentials
 */
export async function findDestination(prober: Prober): Promise<Subscribes> {
  const given = prober.draft.subscription.parameters.destination
  const seen = new Map<string, string[]>()
  const refusals: Exchange[] = []
  const search = async (names: readonly string[], company: Fields) => {
    const answers = await prober.each(names, (name) => tried(prober, name, company))
    names.forEach((name, index) => {
      const { works, answer } = answers[index]!
      if (works) return
      refusals.push(answer)
      const words = answer.status === 201 ? 'and none of its messages' : quotedBody(answer)
      const gave = `${kindOf(answer)} ${words}`
      seen.set(gave, [...(seen.get(gave) ?? []), name])
    })
    for (const name of names.filter((_, index) => answers[index]!.works)) {
      // Where every subscription gets everything, others tried beside it may have taken what was not its own.
      if (names.length === 1 || (await tried(prober, name, company)).works) return name
    }
    return undefined
  }
  /** Searches with destinations written in a form, which is kept where a field is found. */
  const inForm = async (form: string, find: () => Promise<string | undefined>) => {
    const { subscription } = prober.draft
    const { destination } = subscription
    subscription.destination = form
    const found = await find()
    if (found === undefined) subscription.destination = destination
    else subscription.wildcard = WILDCARDS[form] ?? subscription.wildcard
    return found
  }
  const known: readonly string[] = [given, ...SYNONYMS.destination.filter((name) => name !== given)]
  let name = await search([given], {})
  // A 403 may be said to this form alone.
  if (name === undefined && refusals[0]?.status !== 401) name = await search(known.slice(1), {})
  if (name === undefined && refusals.every(({ status }) => status === 401 || status === 403)) {
    prober.note(
      'headers',
      `POST /subscriptions gave ${[...seen.keys()].slice(0, 2).join(', ')}: the target wants credentials for it, which --header or the headers of a profile give.`,
    )
    return 'closed'
  }
  name ??= await search(named(refusals, known), {})
  // A destination may have dots, which shows where names have a prefix of several segments, or begin with a slash, or be the
  // address of its queue.
  const forms = ['/{path}', '{address}']
  for (const form of namePrefix(prober.draft) === '' ? forms : ['{dotted}', ...forms]) {
    const isOther = prober.draft.subscription.destination !== '{path}'
    if (name !== undefined || isAbsent(refusals) || isOther) break
    name = await inForm(
      form,
      async () => (await search(known, {})) ?? (await search(named(refusals, known), {})),
    )
  }
  if (name === undefined && !isAbsent(refusals)) {
    // Where fields that are not known are refused, only those that the profile names go with it.
    const { prefetch } = prober.draft.subscription.parameters
    const companies = [...(prefetch === null ? [] : [{ [prefetch]: '10' }]), COMPANY]
    for (const company of companies) {
      if (name !== undefined) break
      name = await search(known, company)
      if (name !== undefined) prober.needed = await fewest(prober, name, company)
    }
  }
  for (const form of new Set([prober.draft.subscription.destination, ...forms])) {
    if (name !== undefined || isAbsent(refusals)) break
    name = await inForm(form, () => searchAsTold(prober, known, search))
  }
  if (name === undefined) {
    const absent = isAbsent(refusals)
    const what = `${refusals.length} forms were tried, and none subscribed to a queue: ${rarestFirst(seen)}.`
    const hint = ' Fill it in by hand, and subscription.fixed with what else a form needs.'
    prober.note('subscription.parameters.destination', absent ? what : what + hint)
    return absent ? 'absent' : 'refused'
  }
  prober.draft.subscription.parameters.destination = name
  prober.note(
    'subscription.parameters.destination',
    `A form with ${name} subscribed to the queue that it named.`,
  )
  return 'found'
}

/** What the fields gave, in a few words: an answer that few of them gave tells more. */
function rarestFirst(seen: ReadonlyMap<string, readonly string[]>): string {
  const told = [...seen].sort(([, one], [, other]) => one.length - other.length)
  const each = told.slice(0, 5).map(([gave, [name, ...more]]) => {
    return `${name}${more.length > 0 ? ` and ${more.length} more` : ''} gave ${gave}`
  })
  return each.join(', ')
}

/** Values for a field of which nothing is known but that it is asked for. */
const SOME = ['kit', '1', 'true']
const MOST_ASKED_FOR = 4

/** Fills in what the target's refusals ask for, one field after another, until a form is taken. */
async function searchAsTold(
  prober: Prober,
  names: readonly string[],
  search: (names: readonly string[], company: Fields) => Promise<string | undefined>,
): Promise<string | undefined> {
  for (const destination of names) {
    const company = await askedFor(prober, destination)
    if (company === undefined || Object.keys(company).length === 0) continue
    if ((await search([destination], company)) === undefined) continue
    prober.needed = await fewest(prober, destination, company)
    const given = Object.entries(prober.needed).map(([field, value]) => `${field}=${value}`)
    prober.note('subscription.fixed', `The target's refusals ask for ${given.join(' and ')}.`)
    return destination
  }
  return undefined
}

/** The fields with which a form is taken that the target refuses without; undefined where no values were found. */
async function askedFor(prober: Prober, destination: string): Promise<Record<string, string> | undefined> {
  await using trial = prober.trial()
  const written = writtenDestination(prober.draft, await prober.queue(trial))
  const company: Record<string, string> = {}
  let made = await post(prober, trial, destination, written, company)
  while (made.uri === undefined) {
    const told = made.answer.body.toString()
    const words = namedFields(told)
    const lacking = words.filter((word) => word !== destination && !(word in company))
    let isBetter = false
    for (const field of lacking.slice(0, 3)) {
      for (const value of new Set([COMPANY[field] ?? [], ...SOME, ...words].flat())) {
        if (isBetter) break
        const next = await post(prober, trial, destination, written, { ...company, [field]: value })
        const said = next.answer.body.toString()
        // A refusal of this value names the field once more.
        if (next.uri === undefined && (said === told || namedFields(said).includes(field))) continue
        isBetter = true
        company[field] = value
        made = next
      }
    }
    if (!isBetter || Object.keys(company).length > MOST_ASKED_FOR) return undefined
  }
  return company
}

async function tried(
  prober: Prober,
  name: string,
  company: Fields,
): Promise<{ works: boolean; answer: Exchange }> {
  await using trial = prober.trial()
  const subscribe = (queue: QueueHandle) =>
    post(prober, trial, name, writtenDestination(prober.draft, queue), company)
  // What refuses the field refuses it for a queue without messages, too.
  const first = await subscribe(await prober.queue(trial))
  if (first.uri === undefined) return { works: false, answer: first.answer }
  const { queue, sent } = await prober.filledQueue(trial)
  const other = await prober.filledQueue(trial)
  const { answer, uri } = await subscribe(queue)
  if (uri === undefined) return { works: false, answer }
  const bodies = await prober.attempt(() => prober.settledBodies(trial, uri, 1))
  const works = bodies?.includes(sent.text) === true && !bodies.includes(other.sent.text)
  return { works, answer }
}

function post(
  prober: Prober,
  trial: CheckTrial,
  name: string,
  destination: string,
  company: Fields,
): Promise<Made> {
  const { fixed, headers } = prober.draft.subscription
  return postForm(trial, new URLSearchParams({ ...fixed, ...company, [name]: destination }), headers)
}

/** Which of these fields a form cannot do without: it is refused, or its feed shows nothing. */
async function fewest(prober: Prober, name: string, company: Fields): Promise<Record<string, string>> {
  let needed = Object.entries(company)
  for (const field of needed) {
    const without = needed.filter((each) => each !== field)
    if ((await tried(prober, name, Object.fromEntries(without))).works) needed = without
  }
  return Object.fromEntries(needed)
}

function named(refusals: readonly Exchange[], known: readonly string[]): string[] {
  const told = refusals.map(({ body }) => body.toString())
  return otherFields(told, [...known, ...Object.keys(COMPANY)])
}

function isAbsent(refusals: readonly Exchange[]): boolean {
  return refusals.every(({ status }) => [0, 404, 405, 410, 501].includes(status) || status >= 500)
}
