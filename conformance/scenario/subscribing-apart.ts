import type { Step } from './step.js'

/**
 * The steps, where who subscribes to what another has subscribed to before also subscribes to a queue of its own, which stays empty:
 * no two ask for the same, and each is shown the same.
 */
export function subscribingApart(steps: readonly Step[]): Step[] {
  const asked = new Set<string>()
  let made = 0
  const created: Step[] = []
  const apart = (step: Step): Step => {
    if (step.do !== 'subscribe') return step
    const what = step.to.toSorted().join()
    if (!asked.has(what)) {
      asked.add(what)
      return step
    }
    made += 1
    const own = `own-${made}`
    created.push({ do: 'create', queue: own })
    return { ...step, to: [...step.to, own] }
  }
  return steps.flatMap((step) => {
    const next = step.do === 'together' ? { ...step, steps: step.steps.map(apart) } : apart(step)
    return [...created.splice(0), next]
  })
}
