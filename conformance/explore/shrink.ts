import { printInline, printStep } from '../scenario/print.js'
import type { Step } from '../scenario/step.js'
import { flat } from '../scenario/variations.js'
import { ordinal } from '../scenario/words.js'

/**
 * Makes a failing scenario shorter for as long as it fails: leaves steps out, makes them say less, and lets one queue
 * or consumer stand for two, until nothing of this helps any more.
 *
 * @param fails whether a scenario still fails: asks the target
 * @param most how many scenarios are tried at most
 */
export async function shrink(
  steps: readonly Step[],
  fails: (steps: readonly Step[]) => Promise<boolean>,
  most = 400,
): Promise<readonly Step[]> {
  let best = steps
  const tried = new Set<string>([printInline(best)])
  const isOver = () => tried.size > most
  const isBetter = async (candidate: readonly Step[]) => {
    if (isOver()) return false
    const key = printInline(candidate)
    if (tried.has(key)) return false
    tried.add(key)
    if (!(await fails(candidate))) return false
    best = candidate
    return true
  }
  // Ever smaller parts are left out, from the end, where most of what is not needed stands.
  for (let size = Math.ceil(best.length / 2); size > 1; size = Math.ceil(size / 2)) {
    for (let at = best.length - size; at > -size; at -= size) {
      const from = Math.max(0, at)
      await isBetter([...best.slice(0, from), ...best.slice(from + size)])
    }
    if (size === 2) break
  }
  for (let before: unknown; before !== best && !isOver(); ) {
    before = best
    for (let at = best.length - 1; at >= 0; at--) await isBetter(best.toSpliced(at, 1))
    for (let at = 0; at < best.length; at++) {
      for (let simpler = simplerThan(best[at]!); simpler.length > 0; ) {
        const [first, ...others] = simpler
        simpler = (await isBetter(best.with(at, first!))) ? simplerThan(best[at]!) : others
      }
    }
    for (const merged of mergings(best)) if (await isBetter(merged)) break
    if (before === best && best.length > SHORT) await withoutPairs()
  }
  return best

  /** Two steps may be needless only together, as a deletion and the creation after it are. */
  async function withoutPairs(): Promise<void> {
    for (let one = best.length - 1; one > 0; one--) {
      for (let other = one - 1; other >= 0; other--) {
        // Of thousands of steps there are millions of pairs.
        if (isOver() || (await isBetter(best.filter((_, at) => at !== one && at !== other)))) return
      }
    }
  }
}

/** So long a scenario may be. */
const SHORT = 5

/** Steps that say less, the simplest first. */
function simplerThan(step: Step): Step[] {
  const simpler: Step[] = []
  const without = (...fields: string[]) => {
    const left = Object.fromEntries(Object.entries(step).filter(([field]) => !fields.includes(field)))
    if (Object.keys(left).length < Object.keys(step).length) simpler.push(left as unknown as Step)
  }
  switch (step.do) {
    case 'together':
      simpler.push(...step.steps)
      if (step.steps.length > 2) simpler.push({ ...step, steps: step.steps.slice(0, -1) })
      break
    case 'send': {
      without('by', 'guid')
      without('cut', 'like', 'guid', 'colour', 'size', 'empty')
      without('like')
      without('guid')
      const { messages } = step
      if (messages.length > 2) simpler.push({ ...step, messages: messages.slice(0, 1) })
      for (let fewer = messages.length >> 1; fewer > 0; fewer >>= 1)
        simpler.push({ ...step, messages: messages.slice(0, -fewer) })
      break
    }
    case 'repeat':
      without('queue')
      without('changed')
      without('retyped')
      break
    case 'subscribe': {
      const { to } = step
      if (to.length > 1) {
        simpler.push(...to.map((one) => ({ ...step, to: [one] })))
        simpler.push(...to.map((_, at) => ({ ...step, to: to.toSpliced(at, 1) })))
      }
      without('selector')
      without('prefetch')
      break
    }
    case 'ack':
      if (step.messages.length > 1)
        simpler.push(...step.messages.map((one) => ({ ...step, messages: [one] })))
      else if (isPlace(step.messages[0]!)) simpler.push({ ...step, messages: ['1st'] })
      break
    case 'done':
      if (step.message !== '1st') simpler.push({ ...step, message: '1st' })
      break
    default:
  }
  without('cut')
  return simpler
}

const isPlace = (word: string) => word !== '1st' && (word === 'last' || ordinal(word) !== undefined)

/** The scenarios in which one name stands for two, and what is said twice in a row then is said once. */
function mergings(steps: readonly Step[]): (readonly Step[])[] {
  const groups = [namesOf(steps, 'queue'), namesOf(steps, 'consumer')]
  return groups.flatMap((names) =>
    names.flatMap((other, at) =>
      names.slice(0, at).map((name) => {
        const merged = steps.map((step) => renamed(step, other, name))
        return merged.filter((each, at) => at === 0 || printStep(each) !== printStep(merged[at - 1]!))
      }),
    ),
  )
}

function namesOf(steps: readonly Step[], field: 'queue' | 'consumer'): string[] {
  const names = flat(steps).flatMap((step) =>
    field in step ? (step as Record<typeof field, string>)[field] : [],
  )
  return [...new Set(names)]
}

function renamed(step: Step, from: string, to: string): Step {
  if (step.do === 'together') return { ...step, steps: step.steps.map((each) => renamed(each, from, to)) }
  const names = Object.entries(step).map(([field, value]) => {
    const isName = (field === 'queue' || field === 'consumer') && value === from
    if (field === 'to') return [field, (value as string[]).map((each) => (each === from ? to : each))]
    return [field, isName ? to : value]
  })
  return Object.fromEntries(names) as Step
}
