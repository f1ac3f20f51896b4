import type { QueueState } from '../../state.js'
import { foreign, make, part, say, showList, type View } from './dom.js'

/** A name of the hierarchy: a queue, or a category, which has names below it. */
interface Branch {
  readonly name: string
  /** The last segment. */
  readonly label: string
  readonly queue: QueueState | undefined
  readonly below: readonly Branch[]
  /** Of the queue, or of all queues below the category. */
  readonly pending: number
  readonly held: number
}

/**
 * Shows the queues as a tree.
 *
 * @param chosen name of the queue whose messages are shown
 */
export function showQueues(queues: readonly QueueState[], chosen: string | undefined): void {
  part('no-queues', HTMLElement).hidden = queues.length > 0
  showBranches(part('queues', HTMLUListElement), branches(queues, 0, ''), chosen)
}

function showBranches(list: Element, below: readonly Branch[], chosen: string | undefined): void {
  const kindOf = ({ name, queue }: Branch) => `${queue === undefined ? 'category' : 'queue'} ${name}`
  showList(list, below, kindOf, (branch) =>
    branch.queue === undefined ? categoryView(branch) : queueView(branch),
  )
  for (const item of list.children) mark(item, chosen)
}

/** `aria-current` is what a listener hears, and what the style goes by. */
function mark(item: Element, chosen: string | undefined): void {
  const link = item.querySelector(':scope > a')
  if (link === null) {
    for (const each of item.querySelectorAll('li')) mark(each, chosen)
  } else if (link.getAttribute('data-queue') === chosen) link.setAttribute('aria-current', 'true')
  else link.removeAttribute('aria-current')
}

function queueView({ name, label }: Branch): View<Branch> {
  const counts = make('span', { class: 'counts' })
  const link = make(
    'a',
    { href: `#${encodeURIComponent(name)}`, 'data-queue': name },
    foreign(label),
    ' ',
    counts,
  )
  return { element: make('li', {}, link), update: (branch) => say(counts, countsOf(branch)) }
}

function categoryView({ label }: Branch): View<Branch> {
  const counts = make('span', { class: 'counts' })
  const list = make('ul')
  const summary = make('summary', {}, foreign(label), ' ', counts)
  return {
    element: make('li', {}, make('details', { open: '' }, summary, list)),
    update(branch) {
      say(counts, countsOf(branch))
      showBranches(list, branch.below, undefined)
    },
  }
}

function countsOf({ pending, held }: Branch): string {
  return held === 0 ? `${pending}` : `${pending}, ${held} held`
}

/** The names at one depth below a prefix. A name that is a queue can have names below it too. */
function branches(queues: readonly QueueState[], depth: number, prefix: string): Branch[] {
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
    return [
      ...own.map((queue) => branch(name, label, queue, [], own)),
      ...(deeper.length === 0
        ? []
        : [branch(name, label, undefined, branches(deeper, depth + 1, `${name}/`), deeper)]),
    ]
  })
}

function branch(
  name: string,
  label: string,
  queue: QueueState | undefined,
  below: readonly Branch[],
  all: readonly QueueState[],
): Branch {
  const sum = (of: (queue: QueueState) => number) => all.reduce((total, each) => total + of(each), 0)
  return { name, label, queue, below, pending: sum(({ pending }) => pending), held: sum(({ held }) => held) }
}
