import { type ClauseId, findClause } from '../requirements/index.js'
import { ignoresAcksInPost, queueOf, TooManyWays } from './data.js'
import { type Asked, judge, type Request, type State, shownStatus } from './model.js'
import type { Party } from './permission.js'
import type { Answer, Entry, World } from './world.js'

// What was expected where an answer is one that no conformant server gives, and who holds what. No rule of the interface stands
// here: what is permitted is found by asking the model about answers that differ as little as can be.

/** Why an answer is rejected, in terms of messages and consumers. */
export interface Rejection {
  readonly clause: ClauseId
  readonly expected: string
  readonly seen: string
}

/** How names are told. */
export interface Telling {
  /** A consumer by its subscription URI, or by its id. */
  readonly consumer: (key: string) => string
  readonly listed: (names: readonly string[]) => string
}

/** So many worlds are asked: what is permitted in some of them is permitted. */
const SOME = 20
/** So many answers are tried. */
const MOST_TRIES = 500

/** Those that are asked: such in which acknowledgements count, where there are any. */
function someOf(state: State): State {
  const taken = state.filter((world) => !ignoresAcksInPost(world))
  return (taken.length > 0 ? taken : state).slice(0, SOME)
}

/** @param clause what `judge` says of this answer */
export function rejection(
  state: State,
  request: Request,
  answer: Answer,
  clause: ClauseId,
  telling: Telling,
  as?: Party,
): Rejection {
  const some = someOf(state)
  const isPermitted = (other: Partial<Answer>) => mayBe(some, [request, { ...answer, ...other }, as])
  const seen = seenOf(request, answer, telling)
  const shown = shownStatus(request)
  const place = placeOf(request, telling)
  if (place !== undefined && answer.count !== undefined) {
    const count = nearestCount(answer.count, some, (other) => isPermitted({ count: other }))
    return { clause, expected: count === undefined ? findClause(clause)!.text : countIn(count, place), seen }
  }
  if (place !== undefined) {
    const isShown = isShowing(answer)
    const bodies = isShown ? answer.entries.map(({ body }) => body) : []
    const nearest = nearestTo(bodies, namesIn(some, request), (names) =>
      isPermitted({ status: shown, entries: entriesOf(some, request, names) }),
    )
    if (nearest !== undefined && answer.status === shown) {
      const expected = `${telling.listed(nearest)} ${place}`
      if (expected !== seen) return { clause, expected, seen }
      const have = answer.entries?.some(({ uri }) => uri !== '')
        ? 'with addresses that are not their own'
        : 'without addresses'
      return { clause, expected: findClause(clause)!.text, seen: `${seen}, ${have}` }
    }
    const told = isShown ? `${answer.status} with ${seen}` : seen
    if (nearest !== undefined)
      return { clause, expected: `${shown} with ${telling.listed(nearest)} ${place}`, seen: told }
    return { clause, expected: isPermitted(REFUSED) ? 'a refusal' : findClause(clause)!.text, seen }
  }
  const own = 'queue' in request ? queueOf(some[0]!, request.queue).address : undefined
  const ways: readonly (readonly [Partial<Answer>, string])[] = [
    [{ status: shown }, String(shown)],
    [{ status: shown, location: own }, `${shown} with the address that it has`],
    [{ status: shown, location: NEW }, `${shown} with an address of its own`],
    [REFUSED, 'a refusal'],
  ]
  const permitted = ways.find(([other]) => isPermitted(other))
  const expected = permitted?.[1] ?? findClause(clause)!.text
  if (answer.status !== shown || shown === 200) return { clause, expected, seen }
  const where = answer.location === undefined ? 'without an address' : 'with an address that is not its own'
  return { clause, expected, seen: `${seen} ${where}` }
}

/** Whether an answer is permitted, as far as its ways can be followed. */
function mayBe(state: State, asked: Asked): boolean {
  try {
    return typeof judge(state, ...asked) !== 'string'
  } catch (error) {
    if (error instanceof TooManyWays) return false
    throw error
  }
}

/** Of so many names all that may be shown together is tried. */
const MOST_NAMES = 6

/** What a conformant server may answer to this: what it must show and what it may, or with which status. */
export function expected(state: State, [request, answer, as]: Asked, telling: Telling): string {
  const some = someOf(state)
  const isPermitted = (other: Partial<Answer>) => mayBe(some, [request, { ...answer, ...other }, as])
  const place = placeOf(request, telling)
  const own = 'queue' in request ? queueOf(some[0]!, request.queue).address : undefined
  const shown = shownStatus(request)
  const ways = [
    ...(place === undefined
      ? [own, NEW, undefined].some((location) => isPermitted({ status: shown, location }))
        ? [`${shown}`]
        : []
      : shownTogether(some, [request, answer, as], isPermitted, telling).map((names) => `${names} ${place}`)),
    ...(isPermitted(REFUSED) ? ['a refusal'] : []),
  ]
  return ways.join(', or ')
}

/** What may be shown, as one phrase: the names that must be there, and those that may; of many, what is nearest to what was seen. */
function shownTogether(
  worlds: State,
  [request, answer]: Asked,
  isPermitted: (other: Partial<Answer>) => boolean,
  { listed }: Telling,
): string[] {
  const all = namesIn(worlds, request)
  const isPossible = (names: readonly string[]) =>
    isPermitted({ status: shownStatus(request), entries: entriesOf(worlds, request, names) })
  if (all.length > MOST_NAMES) {
    const bodies = isShowing(answer) ? answer.entries.map(({ body }) => body) : []
    const nearest = nearestTo(bodies, all, isPossible)
    return nearest === undefined ? [] : [listed(nearest)]
  }
  const possible = subsets(all).filter(isPossible)
  if (possible.length === 0) return []
  const must = all.filter((name) => possible.every((names) => names.includes(name)))
  const may = all.filter((name) => !must.includes(name) && possible.some((names) => names.includes(name)))
  const sure = must.length > 0 || may.length === 0 ? [listed(must)] : []
  if (may.length === 0) return sure
  const counts = new Set(possible.map((names) => names.length - must.length))
  const [count] = counts
  const open = counts.size === 1 ? `${count} of ${listed(may)}` : `perhaps ${listed(may)}`
  return [[...sure, open].join(', ')]
}

function subsets([name, ...others]: readonly string[]): string[][] {
  if (name === undefined) return [[]]
  const without = subsets(others)
  return [...without, ...without.map((names) => [name, ...names])]
}

/** What an answer shows, and where; its status where it shows nothing. */
export function seenOf(request: Request, answer: Answer, telling: Telling): string {
  const place = placeOf(request, telling)
  if (place !== undefined && answer.count !== undefined) return countIn(answer.count, place)
  if (place !== undefined && isShowing(answer))
    return `${telling.listed(answer.entries.map(({ body }) => body))} ${place}`
  return answer.status === 0 ? 'no answer' : String(answer.status)
}

const countIn = (count: number, place: string) => `${count} ${count === 1 ? 'entry' : 'entries'} ${place}`

/** How many entries there may be, of a feed that does not tell which messages they are: what is nearest to how many there were. */
function nearestCount(
  seen: number,
  [world]: State,
  isPermitted: (count: number) => boolean,
): number | undefined {
  const all = Array.from({ length: world!.messages.length + 1 }, (_, count) => count)
  return all.toSorted((one, other) => Math.abs(one - seen) - Math.abs(other - seen)).find(isPermitted)
}

function isShowing(answer: Answer): answer is Answer & { readonly entries: readonly Entry[] } {
  return answer.entries !== undefined && answer.status >= 200 && answer.status < 300
}

const NEW = 'an address that nothing else has'
const REFUSED = { status: 404, entries: undefined, location: undefined }

/** Where an answer shows messages or queues; undefined of a request that shows none. */
function placeOf(request: Request, { consumer: nameOf }: Telling): string | undefined {
  switch (request.do) {
    case 'consume':
      return `in ${nameOf(request.consumer)}'s feed`
    case 'acknowledgeInPost':
      return `for ${nameOf(request.consumer)} in the answer`
    case 'browseQueue':
      return `in the feed of ${request.queue}`
    case 'takeBySinglePath':
      return `from ${request.queue}`
    case 'nextMessage':
      return `for ${nameOf(request.consumer)}`
    case 'lockNextMessages':
      return `locked for ${nameOf(request.consumer)}`
    case 'listQueues':
      return 'in the listings'
    default:
      return undefined
  }
}

/** What may be shown at all. */
function namesIn(worlds: State, request: Request): string[] {
  if (request.do === 'listQueues') return [...request.queues]
  return [...new Set(worlds.flatMap(({ messages }) => messages.map(({ body }) => body)))]
}

/** Entries of these messages, each at the address at which its consumer was shown it. */
function entriesOf([world]: State, request: Request, names: readonly string[]): Entry[] {
  const key = 'consumer' in request ? request.consumer : undefined
  const shown = Object.entries(world!.deliveries).filter(([, each]) => each.consumer === key && !each.past)
  return names.map((body, at) => {
    const known = shown.find(([, { message }]) => world!.messages[message]!.body === body)
    return { body, uri: known?.[0] ?? `${NEW} ${at}` }
  })
}

/** What differs least from what was seen, of all that is permitted: some are left out of it, and some come in. */
function nearestTo(
  seen: readonly string[],
  all: readonly string[],
  isPermitted: (names: readonly string[]) => boolean,
): readonly string[] | undefined {
  const absent = all.filter((name) => !seen.includes(name))
  let tries = 0
  const known = seen.filter((name) => all.includes(name))
  for (const names of candidates(seen, known, absent))
    if (tries++ < MOST_TRIES && isPermitted(names)) return names
  return undefined
}

function* candidates(
  seen: readonly string[],
  known: readonly string[],
  absent: readonly string[],
): Generator<readonly string[]> {
  yield seen
  // What nobody sent stands for what was sent.
  if (known.length < seen.length) for (const name of absent) yield [...known, name]
  const fewer = seen.map((_, at) => seen.toSpliced(at, 1))
  yield* fewer
  for (let count = 1; count <= absent.length; count++) yield [...seen, ...absent.slice(0, count)]
  for (let count = 2; count <= seen.length; count++) yield seen.slice(0, -count)
  for (const name of absent) yield [...seen, name]
  for (const names of fewer) for (const name of absent) yield [...names, name]
  for (const names of fewer) for (const [at] of names.entries()) yield names.toSpliced(at, 1)
}

/** Who holds what, as far as it is the same in every world. */
export function standing(state: State, { consumer, listed }: Telling): string[] {
  const told = state.map((world) => placesIn(world, consumer))
  const names = new Set(told.flatMap((each) => [...each.keys()]))
  const groups = new Map<string, string[]>()
  for (const name of names) {
    const places = new Set(told.map((each) => each.get(name)))
    const place = places.size === 1 ? [...places][0]! : 'held by one or another, or waiting'
    groups.set(place, [...(groups.get(place) ?? []), name])
  }
  return [...groups].map(([place, bodies]) => `${place}: ${listed(bodies)}`)
}

/** Where each message is: those of one body are told together. */
function placesIn({ messages }: World, nameOf: Telling['consumer']): Map<string, string> {
  const places = new Map<string, string[]>()
  for (const { body, life, holder } of messages) {
    const held = holder !== undefined ? `held by ${nameOf(holder)}` : 'waiting'
    const where = { pending: held, done: 'acknowledged', unsure: 'perhaps sent', ending: 'perhaps gone' }[
      life
    ]
    places.set(body, [...(places.get(body) ?? []), where])
  }
  return new Map([...places].map(([body, all]) => [body, all.sort().join(' and ')]))
}
