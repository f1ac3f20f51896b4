import type { QueueState } from '../../state/state.js'
import { foreign, make, part, say, showList, type View } from './dom.js'

/** A name of the hierarchy: a queue, or a category, which has names below it. */
interface Branch {
  readonly name: string
  /** The last segment. */
  readonly label: string
  readonly kind: 'queue' | 'category'
  readonly below: readonly Branch[]
  /** Whether its messages are shown. */
  readonly chosen: boolean
  /** Of the queue, or of all queues below the category. */
  readonly pending: number
  readonly held: number
}

/** How many queues make it worth to look for one by its name, and how many are shown at once. */
const MANY = 10
const MOST_SHOWN = 500

/**
 * Shows the queues as a tree.
 *
 * @param chosen name of the queue whose messages are shown
 * @param words what the names that are shown have in them; all of them where it is empty
 */
export function showQueues(all: readonly QueueState[], chosen: string | undefined, words: string): void {
  part('no-queues', HTMLElement).hidden = all.length > 0
  part('find-queue-label', HTMLElement).hidden = all.length < MANY
  const wanted = words.trim().toLowerCase().replaceAll('.', '/')
  const found = wanted === '' ? all : all.filter(({ name }) => name.toLowerCase().includes(wanted))
  const queues = found.slice(0, MOST_SHOWN)
  const more = part('more-queues', HTMLElement)
  more.hidden = queues.length === found.length && found.length === all.length
  say(
    more,
    queues.length < found.length
      ? `The first ${queues.length} of ${found.length} are shown; say a part of a name to find others.`
      : `${found.length} of ${all.length} have it in their name.`,
  )
  const tree = part('queues', HTMLUListElement)
  tree.hidden = queues.length === 0
  const before = currentIn(tree)
  showBranches(tree, branches(queues, 0, '', chosen))
  const current = currentIn(tree)
  if (current !== null && current !== before) bringInto(tree, current)
}

function currentIn(tree: Element): Element | null {
  return tree.querySelector('[aria-current]')
}

/** Scrolls the list, and never the page around it, to where something can be seen. */
function bringInto(list: Element, item: Element): void {
  const [around, at] = [list.getBoundingClientRect(), item.getBoundingClientRect()]
  if (at.top < around.top || at.bottom > around.bottom) {
    list.scrollTop += at.top - around.top - around.height / 2
  }
}

function showBranches(list: Element, below: readonly Branch[]): void {
  const keyOf = ({ kind, name }: Branch) => `${kind} ${name}`
  showList(list, below, keyOf, (branch) =>
    branch.kind === 'category' ? categoryView(branch) : queueView(branch),
  )
}

function queueView({ name, label }: Branch): View<Branch> {
  const counts = make('span', { class: 'counts' })
  const link = make('a', { href: `#${encodeURIComponent(name)}` }, foreign(label), ' ', counts)
  const element = make('li', {}, link)
  return {
    element,
    update(branch) {
      say(counts, countsOf(branch))
      if (branch.chosen === link.hasAttribute('aria-current')) return
      // What a listener hears, and what the style goes by.
      if (branch.chosen) link.setAttribute('aria-current', 'true')
      else link.removeAttribute('aria-current')
    },
  }
}

function categoryView({ label }: Branch): View<Branch> {
  const counts = make('span', { class: 'counts' })
  const list = make('ul')
  const summary = make('summary', {}, foreign(label), ' ', counts)
  return {
    element: make('li', {}, make('details', { open: '' }, summary, list)),
    update(branch) {
      say(counts, countsOf(branch))
      showBranches(list, branch.below)
    },
  }
}

function countsOf({ pending, held }: Branch): string {
  return held === 0 ? `${pending}` : `${pending}, ${held} held`
}

/** The names at one depth below a prefix. A name that is a queue can have names below it too. */
function branches(
  queues: readonly QueueState[],
  depth: number,
  prefix: string,
  chosen: string | undefined,
): Branch[] {
  const groups = new Map<string, QueueState[]>()
  for (const queue of queues) {
    const label = queue.name.split('/')[depth] as string
    const group = groups.get(label)
    if (group === undefined) groups.set(label, [queue])
    else group.push(queue)
  }
  return [...groups].flatMap(([label, group]) => {
    const name = `${prefix}${label}`
    const own = group.filter((queue) => queue.name === name)
    const deeper = group.filter((queue) => queue.name !== name)
    const below = branches(deeper, depth + 1, `${name}/`, chosen)
    const category: Branch = { name, label, kind: 'category', below, chosen: false, ...totalOf(deeper) }
    return [
      ...own.map(({ pending, held }): Branch => {
        return { name, label, kind: 'queue', below: [], chosen: name === chosen, pending, held }
      }),
      ...(deeper.length === 0 ? [] : [category]),
    ]
  })
}

/** What several queues have together. */
export function totalOf(queues: readonly QueueState[]): Pick<QueueState, 'pending' | 'held'> {
  let [pending, held] = [0, 0]
  for (const queue of queues) {
    pending += queue.pending
    held += queue.held
  }
  return { pending, held }
}
