import type { Step } from './step.js'

/**
 * The steps, where each send is followed by one more to the same queue by a client that goes away before it is answered: what comes
 * only when another is sent comes, and whether that other does is left open.
 */
export function urging(steps: readonly Step[]): Step[] {
  let made = 0
  const urged = (step: Step): Step[] => {
    if (step.do !== 'send' || step.as !== undefined || step.cut !== undefined) return [step]
    made += 1
    const { queue, by, colour } = step
    const other: Step = {
      ...{ do: 'send', messages: [`urging${made}`], queue, cut: 'unread' },
      ...(by === undefined ? {} : { by }),
      ...(colour === undefined ? {} : { colour }),
    }
    return [step, other]
  }
  return steps.flatMap((step) =>
    step.do === 'together' ? [step, ...step.steps.flatMap((each) => urged(each).slice(1))] : urged(step),
  )
}
