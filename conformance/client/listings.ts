import type { Entry, Feed } from './feed.js'
import { Inconclusive, unlessBlocked } from './findings.js'
import type { Profile } from './profile.js'
import { categoriesAbove, categoryOf } from './queue-names.js'
import type { QueueHandle } from './sent.js'
import type { Target } from './target.js'
import { isTooLong } from './url.js'

/** How many listings are read at most on the way to one queue: a tree without an end ends there. */
const MOST_LISTINGS = 40
/** Listings that a report names. */
const SHOWN = 8

/** What it takes to follow listings. */
interface ListingReader {
  readonly profile: Profile
  readonly target: Target
  /** A feed with all its pages. Blocked by `blockedBy` where there is none. */
  readFeed(uri: string, blockedBy: string): Promise<Feed>
}

/** Relations that lead along a listing or up from it, and so never down to a queue. */
const NOT_DOWN = new Set([
  'next',
  'prev',
  'previous',
  'first',
  'last',
  'up',
  'start',
  'current',
  'edit-media',
])

/** After a name: neither more of a word nor a further segment, so that `a` is not found in `ab` or `a/b`. */
const NAME_ENDS = /^(?:$|[/.](?![\p{L}\p{N}_])|[^\p{L}\p{N}_/.-])/u
/** After a name: no more of a word, so that `a` is found in `a/b` but not in `ab`. */
const SEGMENT_ENDS = /^(?:$|[^\p{L}\p{N}_-])/u

/**
 * Whether a text holds this path, as it is or with dots, and after it what `end` allows. The names of a run differ in more
 * than case, which a target may not keep.
 */
function names(written: string, name: string, end: RegExp): boolean {
  const [text, path] = [written.toLowerCase(), name.toLowerCase()]
  return matches(text, path, end) || (path.includes('/') && matches(text, path.replaceAll('/', '.'), end))
}

/** Whether two names differ at most in case, which a target may not keep. */
export function sameButCase(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

function matches(text: string, name: string, end: RegExp): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (end.test(text.slice(at + name.length))) return true
  }
  return false
}

function decoded(uri: string): string {
  if (!uri.includes('%')) return uri
  try {
    return decodeURIComponent(uri)
  } catch {
    return uri
  }
}

/** An address in one form: without fragment and trailing slash, its escapes resolved. */
function address(uri: string): string {
  return decoded(uri.replace(/#.*$/s, '').replace(/\/$/, ''))
}

/** What an entry of a listing can be known by. */
interface Marks {
  /** Absolute addresses: of its links and its content, and its id where that is one. */
  readonly addresses: readonly string[]
  /** The same in one form. */
  readonly places: ReadonlySet<string>
  /** Its title, id and categories, their escapes resolved. */
  readonly texts: readonly string[]
}

// One reading of a long listing is looked through for several queues.
const known = new WeakMap<Entry, Marks>()

function marksOf(entry: Entry): Marks {
  const before = known.get(entry)
  if (before) return before
  const { id, title, categories, contentUri = '' } = entry
  const links = entry.links.filter(({ rel }) => !NOT_DOWN.has(rel)).map(({ href }) => href)
  const addresses = [
    ...new Set([...links, contentUri, id].filter((uri) => /^https?:/i.test(uri) && !isTooLong(uri))),
  ]
  const marks = {
    addresses,
    places: new Set(addresses.map(address)),
    texts: [title, id, ...categories].map(decoded),
  }
  known.set(entry, marks)
  return marks
}

/** Whether an entry has to do with a name that nobody else has: with it or with something below it. */
export function mentions(entry: Entry, name: string): boolean {
  const { texts, addresses } = marksOf(entry)
  return [...texts, ...addresses.map(decoded)].some((text) => names(text, name, SEGMENT_ENDS))
}

/**
 * Whether an entry of a listing stands for this queue: by an address, or, since the document shows no fields of an
 * entry, by its name in any of them.
 */
export function standsFor(reader: ListingReader, entry: Entry, queue: QueueHandle): boolean {
  const { texts, places } = marksOf(entry)
  if (places.has(address(queue.uri)) || places.has(address(reader.target.queueUri(queue.path)))) return true
  return texts.some((text) => names(text, queue.path, NAME_ENDS))
}

/** As {@link standsFor}, in the listing of the category right above the queue: there its last segment is name enough. */
export function isChild(reader: ListingReader, entry: Entry, queue: QueueHandle): boolean {
  return standsFor(reader, entry, queue) || sameButCase(entry.title.trim(), queue.path.split('/').at(-1)!)
}

/**
 * The addresses to which an entry leads: those at what may be another name of the target by the same path, and, of one
 * without links, those of the categories that it names, which the document gives them.
 */
function leadsOn(reader: ListingReader, entry: Entry, named: readonly QueueHandle[]): string[] {
  const { origin } = new URL(reader.target.baseUrl)
  const all = marksOf(entry).addresses.filter((uri) => URL.canParse(uri))
  const linked = all.map((uri) => {
    const { pathname, search } = new URL(uri)
    return reader.target.isOwn(uri) ? uri : `${origin}${pathname}${search}`
  })
  const isLinked = entry.links.length > 0 || entry.contentUri !== undefined
  return isLinked ? linked : [...linked, ...named.map(({ uri }) => uri)]
}

/**
 * The listing of a category. Where a target has made a queue of it, too, the queue's feed is at their address, and the listing is
 * where the one above leads beside that.
 */
export async function readCategory(reader: ListingReader, path: string): Promise<Feed> {
  const uri = reader.target.queueUri(path)
  const feed = await reader.readFeed(uri, 'browse.subtree')
  if (feed.entries.length > 0) return feed
  const category = categoriesAbove(path).at(-1)
  const above =
    category === undefined
      ? await reader.readFeed(reader.target.at('/queues'), 'browse.root')
      : await readCategory(reader, category)
  const leads = above.entries.flatMap((entry) => marksOf(entry).addresses)
  const both = [uri, `${uri}/`]
  return both.every((each) => leads.includes(each)) ? reader.readFeed(both[1]!, 'browse.subtree') : feed
}

/** What following the listings from the root has found. */
export interface Walk {
  /** The entry that stands for the queue; undefined where none was found. */
  readonly entry: Entry | undefined
  /** What was read, as a sentence for the report. */
  readonly way: string
  /** The same as feeds, those that are none left out. */
  readonly feeds: readonly Feed[]
}

/**
 * Follows the listings down from the root to each of some queues: by the entries that have to do with its first
 * segment, and from there by all of them. A listing on the way to several is read once. Blocked by `browse.root` where
 * the root has no feed.
 */
export function walkTo(reader: ListingReader, queues: readonly QueueHandle[]): Promise<Walk[]> {
  const readings = new Map<string, Promise<Feed>>()
  const read = (listing: string) => {
    const reading = readings.get(listing) ?? reader.readFeed(listing, 'browse.root')
    readings.set(listing, reading)
    return reading
  }
  return Promise.all(queues.map((queue) => walk(reader, queue, read)))
}

/** Whether an entry stands for this category, or, where that is wanted, for what is below it. */
function leadsTo(entry: Entry, step: string, orBelow: boolean): boolean {
  const { places, texts } = marksOf(entry)
  return [...places, ...texts].some((each) => names(each, step, orBelow ? SEGMENT_ENDS : NAME_ENDS))
}

async function walk(
  reader: ListingReader,
  queue: QueueHandle,
  readListing: (listing: string) => Promise<Feed>,
): Promise<Walk> {
  const root = reader.target.at('/queues')
  const first = queue.path.split('/')[0]!
  // Above its own category only what leads there is followed: others' queues may be many.
  const category = categoryOf(reader.profile, queue.path)
  const steps = [...categoriesAbove(category), category]
  const above = categoriesAbove(queue.path)
  /** What was read, as it is told. */
  const read = new Map<string, string>()
  const feeds: Feed[] = []
  const seen = new Set<string>()
  /** Those of which another was read that differs by its final slash at most: where a queue is there, the listing may be here. */
  const twins = new Set<string>()
  let listings = [root]
  while (listings.length > 0 && read.size < MOST_LISTINGS) {
    const next: string[] = []
    for (const listing of listings) {
      const atRoot = listing === root
      const feed = atRoot ? await readListing(root) : await unlessBlocked(() => readListing(listing))
      read.set(listing, feed === undefined ? `${listing} (no feed)` : listing)
      if (feed) feeds.push(feed)
      for (const entry of feed?.entries ?? []) {
        const isIt = (one: QueueHandle) => (atRoot ? standsFor : isChild)(reader, entry, one)
        if (isIt(queue)) return { entry, way: `it in ${listing}`, feeds }
        if (atRoot && !mentions(entry, first)) continue
        const named = above.map((path) => ({ path, uri: reader.target.queueUri(path) })).filter(isIt)
        const leads = named.length > 0 || steps.some((step) => leadsTo(entry, step, step === category))
        if (first !== category && !leads) continue
        for (const uri of leadsOn(reader, entry, named)) {
          if (address(uri) === address(root)) continue
          if (seen.has(address(uri))) twins.add(uri)
          else next.push(uri)
          seen.add(address(uri))
        }
      }
    }
    listings = next.length > 0 ? next : [...twins].filter((uri) => !read.has(uri))
  }
  if (listings.length > 0)
    throw new Inconclusive(
      `on the way to ${queue.uri} the kit reads no more than ${MOST_LISTINGS} listings`,
      'limit',
    )
  const others = read.size > SHOWN ? ` and ${read.size - SHOWN} others` : ''
  const way = `no entry for it in ${[...read.values()].slice(0, SHOWN).join(', ')}${others}`
  return { entry: undefined, way, feeds }
}
