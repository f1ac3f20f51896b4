import { answered } from '../client/answered.js'
import { type Exchange, succeeded } from '../client/exchange.js'
import { createdAt } from '../trial/addresses.js'
import { quote } from '../trial/labels.js'
import { isFeed } from './find-base.js'
import { listedPrefixes, toldPrefixes } from './name-prefixes.js'
import type { Draft, Prober } from './prober.js'
import { shownDefinitions } from './shown-definitions.js'
import { otherFields, SYNONYMS } from './synonyms.js'

type Definition = Draft['createQueue']

const FORM = 'application/x-www-form-urlencoded'
/** Statuses that say that nothing is created here, however it is defined. */
const NOT_HERE = [0, 404, 405, 410, 501]

/**
 * What defines a queue in a POST to `/queues`: tried with fresh names, and judged by whether the queue is then where
 * its name says.
 *
 * @returns whether a definition was found; where not, whether there is something that takes definitions
 */
export async function findCreateQueue(prober: Prober): Promise<'found' | 'refused' | 'absent'> {
  const given = await tried(prober, prober.draft.createQueue)
  if (given.works) {
    prober.note(
      'createQueue',
      `${describe(prober.draft.createQueue)}: ${answered(given.answer)}, and the queue is there.`,
    )
    return 'found'
  }
  const refusals = [given.answer]
  const understood: Definition[] = []
  const advertised = await advertisedTypes(prober, given.answer)
  const seen = [`${describe(prober.draft.createQueue)} gave ${answered(given.answer)}`]
  let elsewhere: Definition | undefined
  const waves = [
    usualDefinitions,
    () => rarerDefinitions(advertised),
    () => [...shownDefinitions(refusals), ...definitionsByFields(refusals, advertised)],
  ]
  for (const wave of waves) {
    const definitions = wave()
    const answers = await Promise.all(definitions.map((definition) => tried(prober, definition)))
    const at = answers.findIndex(({ works }) => works)
    if (at >= 0) {
      prober.draft.createQueue = definitions[at]!
      const before =
        seen.length > 4 ? [...seen.slice(0, 3), `${seen.length - 3} others were no better`] : seen
      prober.note(
        'createQueue',
        `${describe(definitions[at]!)} works: ${answered(answers[at]!.answer)}; ${before.join(', ')}.`,
      )
      return 'found'
    }
    answers.forEach(({ answer }, index) => {
      refusals.push(answer)
      if (answer.status !== 415) understood.push(definitions[index]!)
      seen.push(`${describe(definitions[index]!)} gave ${answered(answer)}`)
    })
    elsewhere ??= definitions[answers.findIndex(({ isListed }) => isListed)]
    // A target without this address answers them all alike.
    if (refusals.every(({ status }) => NOT_HERE.includes(status))) break
  }
  const absent = refusals.every(
    ({ status }) => NOT_HERE.includes(status) || status >= 500 || (status >= 200 && status < 400),
  )
  if (!absent && (await createsOtherNames(prober, [prober.draft.createQueue, ...understood], refusals)))
    return 'found'
  if (elsewhere !== undefined) {
    prober.draft.createQueue = elsewhere
    prober.note(
      'createQueue',
      `${describe(elsewhere)}: the queue is listed under its name, and is not at /queues/<its name>.`,
    )
    return 'found'
  }
  const what = `${seen.length} definitions of a queue were tried, and none made one: ${seen.slice(0, 6).join(', ')}.`
  prober.note('createQueue', absent ? what : `${what} Fill it in by hand.`)
  return absent ? 'absent' : 'refused'
}

/** What names may be made of, where the kit's own, of small letters, digits and `-`, are not taken. */
const CHARACTERS = ['a-z0-9', 'a-z0-9_', 'A-Z0-9', 'a-z', 'A-Z'] as const

/**
 * Whether one of these definitions creates a queue whose name has other characters, or stands below a prefix that
 * refusals tell or listings show; learns both then.
 */
async function createsOtherNames(
  prober: Prober,
  definitions: readonly Definition[],
  refusals: readonly Exchange[],
): Promise<boolean> {
  const { queueNames } = prober.draft
  const { prefix, characters } = queueNames
  const creates = async (names: Pick<typeof queueNames, 'prefix' | 'characters'>, heard: Exchange[] = []) => {
    Object.assign(queueNames, names)
    const answers = await prober.each(definitions, (definition) => tried(prober, definition))
    const at = answers.findIndex(({ works }) => works)
    if (at < 0) {
      heard.push(...answers.map(({ answer }) => answer))
      Object.assign(queueNames, { prefix, characters })
      return false
    }
    prober.draft.createQueue = definitions[at]!
    prober.note('createQueue', `${describe(definitions[at]!)} works: ${answered(answers[at]!.answer)}.`)
    const told = quote((await nameRefusal(prober, definitions[at]!)).slice(0, 120))
    if (names.characters !== characters)
      prober.note(
        'queueNames.characters',
        `A name of [${names.characters}] is taken; one of small letters, digits and - gave ${told}.`,
      )
    if (names.prefix !== prefix)
      prober.note('queueNames.prefix', `A name below ${names.prefix} is taken; another gave ${told}.`)
    return true
  }
  const below = async (prefixes: readonly string[], made: string | null) => {
    for (const each of prefix === '' ? prefixes : [])
      if (await creates({ prefix: each, characters: made })) return true
    return false
  }
  if (await below(toldPrefixes(refusals), characters)) return true
  for (const each of characters === null ? CHARACTERS : []) {
    // Of a name that is made of the right characters the target may tell what else it lacks.
    const heard: Exchange[] = []
    if (await creates({ prefix, characters: each }, heard)) return true
    if (await below(toldPrefixes(heard), each)) return true
  }
  return below(prefix === '' ? await listedPrefixes(prober) : [], characters)
}

/** What the target says to a name of small letters, digits and `-`, which stands below nothing. */
async function nameRefusal(prober: Prober, createQueue: Definition): Promise<string> {
  const trial = prober.trial((profile) => {
    profile.createQueue = createQueue
    Object.assign(profile.queueNames, { characters: null, prefix: '' })
  })
  return (await trial.tryCreateQueue(trial.freshName())).body.toString()
}

interface Tried {
  /** Whether the queue is where its name says. */
  readonly works: boolean
  /** Whether it is only at the address that was given, and listed under its name. */
  readonly isListed?: boolean
  readonly answer: Exchange
}

async function tried(prober: Prober, definition: Definition): Promise<Tried> {
  const trial = prober.trial((profile) => {
    profile.createQueue = definition
  })
  const name = trial.freshName()
  const here = () => trial.target.request('GET', trial.target.queueUri(name))
  const before = isFeed(await here())
  const answer = await trial.tryCreateQueue(name)
  if (!succeeded(answer)) return { works: false, answer }
  const uri = createdAt(trial, answer)
  // Where any name has a feed, the address that was given has to tell.
  if (before)
    return { works: uri !== undefined && decodeURI(uri).includes(name) && !uri.includes('%7B'), answer }
  const found = await trial.eventually(async () => (isFeed(await here()) ? true : undefined))
  if (found === true || uri === undefined) return { works: found === true, answer }
  const there = isFeed(await trial.target.request('GET', uri))
  const listing = there ? await trial.target.request('GET', trial.target.at('/queues')) : undefined
  return { works: false, isListed: listing?.body.includes(name) === true, answer }
}

/** Media types that the target says it takes here: by `Accept-Post`, or in a service document. */
async function advertisedTypes(prober: Prober, refusal: Exchange): Promise<string[]> {
  const { target } = prober.trial()
  const answers = [
    refusal,
    await target.request('OPTIONS', target.at('/queues')),
    await target.request('GET', target.at('/')),
  ]
  const fields = answers.map(({ headers }) => headers['accept-post'] ?? headers.accept ?? '')
  const accepts = [...answers[2]!.body.toString().matchAll(/<(?:[\w-]+:)?accept>\s*([^<\s]+)/g)]
  const types = [...fields.flatMap((field) => field.split(',')), ...accepts.map((found) => found[1]!)]
  return [...new Set(types.map((type) => type.trim()))].filter((type) => /^[\w.+-]+\/[\w.+-]+/.test(type))
}

function usualDefinitions(): Definition[] {
  return [
    { headers: { 'Content-Type': 'text/plain' }, body: '{name}' },
    form('name'),
    json('name'),
    json('queue'),
    { headers: { Slug: '{name}' }, body: '' },
  ]
}

function rarerDefinitions(advertised: readonly string[]): Definition[] {
  const others = SYNONYMS.queueName.slice(1)
  return [
    ...others.map((field) => form(field)),
    ...others.slice(1).map((field) => json(field)),
    ...advertised.filter(isJson).flatMap((type) => ['name', 'queue'].map((field) => json(field, type))),
    json('', 'application/json'),
    { headers: { 'Content-Type': 'application/json' }, body: '{"queue":{"name":"{name}"}}' },
    ...[
      '<queue><name>{name}</name></queue>',
      '<queue name="{name}"/>',
      '<queue>{name}</queue>',
      '<name>{name}</name>',
    ].map((body) => ({ headers: { 'Content-Type': 'application/xml' }, body })),
    {
      headers: { 'Content-Type': 'application/atom+xml;type=entry' },
      body: '<entry xmlns="http://www.w3.org/2005/Atom"><id>urn:kit:{name}</id><title>{name}</title><updated>2024-01-01T00:00:00Z</updated><author><name>kit</name></author></entry>',
    },
  ]
}

/** With the fields that refusals name. */
function definitionsByFields(refusals: readonly Exchange[], advertised: readonly string[]): Definition[] {
  const fields = otherFields(
    refusals.map(({ body }) => body.toString()),
    SYNONYMS.queueName,
  )
  const types = ['application/json', ...advertised.filter(isJson)]
  return fields.flatMap((field) => [form(field), ...types.map((type) => json(field, type))])
}

function isJson(type: string): boolean {
  return /[/+]json\b/.test(type)
}

function form(field: string): Definition {
  return { headers: { 'Content-Type': FORM }, body: `${field}={name}` }
}

function json(field: string, type = 'application/json'): Definition {
  return {
    headers: { 'Content-Type': type },
    body: field === '' ? '"{name}"' : `{${JSON.stringify(field)}:"{name}"}`,
  }
}

function describe({ headers, body }: Definition): string {
  const head = Object.entries(headers).map(([name, value]) =>
    name === 'Content-Type' ? value : `${name}: ${value}`,
  )
  return [...head, ...(body === '' ? [] : [body.length > 60 ? `${body.slice(0, 60)}…` : body])].join(' ')
}
