import type { Manner, Of, Step } from './step.js'

type Send = Of<'send'> & Manner
type Join = Of<'subscribe' | 'join'> & Manner

/** Steps that show what there is, and are no question before the first that is judged. */
const LOOKING: ReadonlySet<Step['do']> = new Set(['browse', 'list'])

/**
 * The steps, where what is sent before anybody has subscribed to its queue is sent as soon as those have who do so next: who reads
 * then is shown the same. What is done in between with such a queue leaves its sends where they are, as does looking at one, where
 * that is judged. Who takes over from another subscribes before that one's subscription is deleted.
 */
export function sendingLater(steps: readonly Step[]): Step[] {
  const done: Step[] = []
  /** Sends that are put off, in their order. */
  let later: Send[] = []
  let joined: Join[] = []
  let isJudged = false
  const isJoined = ({ queue }: Send) => joined.some((each) => covers(each, queue))
  const sendAll = (isMeant: (send: Send) => boolean = () => true) => {
    done.push(...later.filter(isMeant))
    later = later.filter((each) => !isMeant(each))
  }
  for (const [at, step] of steps.entries()) {
    const isJoining = isJoin(step)
    isJudged ||= step.own !== undefined
    // Of several who subscribe one after another, the last may be the one who has room for it.
    if (!isJoining) sendAll(isJoined)
    const isPutOff = step.do === 'send' && isPlain(step) && !isJoined(step)
    // What nobody subscribes to any more is sent for those who look at its queue.
    if (isPutOff && steps.slice(at).some((each) => isJoin(each) && covers(each, step.queue))) {
      later.push(step)
      continue
    }
    if (step.do === 'delete' || step.do === 'send') sendAll(({ queue }) => queue === step.queue)
    else if (!isJoining && step.do !== 'create' && (isJudged || !LOOKING.has(step.do))) sendAll()
    done.push(step)
    if (isJoining) joined.push(step)
    const isEnd = step.do === 'end' || step.do === 'leave' || (step.do === 'wait' && step.until === 'end')
    if (isEnd) joined = joined.filter(({ consumer }) => consumer !== step.consumer)
  }
  sendAll()
  return subscribingSooner(done)
}

/** The steps, where who subscribes when another has deleted its subscription does so before that, and waits for what it gives back. */
function subscribingSooner(steps: readonly Step[]): Step[] {
  const isEnd = (step: Step | undefined) =>
    step?.do === 'end' && step.own === undefined && isPlain(step) && (step.by ?? 'deletion') === 'deletion'
  const done: Step[] = []
  for (const step of steps) {
    const last = done.at(-1)
    const isNext = step.do === 'subscribe' && step.own === undefined && isPlain(step)
    const isOther = last?.do === 'end' && step.do === 'subscribe' && last.consumer !== step.consumer
    if (isNext && isEnd(last) && isOther) done.splice(-1, 0, step)
    else done.push(step)
  }
  return done
}

/** Whether it is the owner's, and nobody goes away meanwhile. */
function isPlain({ as, cut }: Step): boolean {
  return as === undefined && cut === undefined
}

/** Whether somebody plainly subscribes by it. */
function isJoin(step: Step): step is Join {
  return isPlain(step) && (step.do === 'subscribe' || step.do === 'join')
}

function covers(join: Join, queue: string): boolean {
  if (join.do !== 'subscribe') return join.queue === queue
  const above = queue.slice(0, Math.max(0, queue.lastIndexOf('/')))
  return join.to.includes(queue) || join.to.includes(`${above}/*`)
}
