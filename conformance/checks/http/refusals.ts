import { answered, kindOf } from '../../client/answered.js'
import { type Exchange, refused } from '../../client/exchange.js'
import { isTooLong } from '../../client/url.js'
import { essence } from '../../client/xml.js'
import { messageUriOf, withGuid } from '../../trial/addresses.js'
import type { CheckRecord } from '../../trial/check.js'
import { expectKept } from '../../trial/deliveries.js'
import { holdAll } from '../../trial/held.js'
import { pendingBodies, sameTexts } from '../../trial/pending.js'
import { parameter, postData } from '../../trial/subscription-form.js'
import type { Trial } from '../../trial/trial.js'

/** How a target says no, where the document leaves it open. */
export const HTTP_REFUSALS: readonly CheckRecord[] = [
  {
    id: 'http.problem',
    stimulus: 'Makes requests that work, and then such that are refused, each twice.',
    clauses: ['http.problem'],
    needs: ['browse.queue', 'subscribe.create'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      await trial.browse(queue)
      await trial.subscribe(queue)
      const refusals: Record<string, () => Promise<Exchange>> = {
        'an unknown queue': () => trial.target.request('GET', trial.target.queueUri(trial.freshName())),
        'a bad prefetch': () => postData(trial, queue, { [parameter(trial, 'prefetch')]: '0' }),
        'a method that is not there': () => trial.target.request('PUT', trial.target.at('/subscriptions')),
        'a path that is not there': () =>
          trial.target.request('GET', trial.target.at(`/${trial.freshName()}`)),
      }
      for (const [what, ask] of Object.entries(refusals)) {
        const answer = await ask()
        trial.choose(`refusal-of-${what.replaceAll(' ', '-')}`, kindOf(answer))
        const type = essence(answer.headers['content-type'])
        trial.expect(refused(answer), `a refusal of ${what}`, answered(answer))
        trial.expect(type === 'application/problem+json', `a problem document for ${what}`, answered(answer))
        const problem = problemIn(answer)
        const seen = answer.body.toString()
        trial.expect(problem.status === answer.status, `the status ${answer.status} for ${what}`, seen)
        const { detail } = problem
        const tells = typeof detail === 'string' && [/^\S/, /\s/, /[.!]$/].every((each) => each.test(detail))
        trial.expect(tells, `a sentence in detail for ${what}`, seen)
        const stable = typeof problem.type === 'string' && problem.type === problemIn(await ask()).type
        const isUri = stable && (isTooLong(problem.type as string) || URL.canParse(problem.type as string))
        trial.expect(isUri, `a stable type for ${what}`, seen)
      }
    },
  },
  {
    id: 'http.refused-changes-nothing',
    stimulus:
      'Sends requests that a target may refuse, for a queue and a subscription with messages, and looks at these again; what is accepted does not count.',
    clauses: ['http.refused-changes-nothing'],
    needs: ['browse.held', 'consume.repeat', 'ack.succeeds'],
    async run(trial: Trial) {
      const { queue, messages, consumer, entries } = await holdAll(trial, (to) => trial.sendInOrder(to, 2))
      const uri = messageUriOf(entries[0]!)
      const stray = trial.freshMessage()
      const attempts: Record<string, () => Promise<Exchange>> = {
        'a body at step 1': () => trial.post(queue.uri, stray.body),
        'an empty guid': () => trial.post(withGuid(queue.uri, ''), stray.body),
        'two guids': () =>
          trial.post(withGuid(withGuid(queue.uri, trial.freshGuid()), trial.freshGuid()), stray.body),
        'a post to a message': () => trial.post(uri, stray.body),
        'a post to a subscription': () => trial.post(consumer.uri, stray.body),
        'a PUT of a queue': () => trial.target.request('PUT', queue.uri, { body: stray.body }),
        'a PATCH of a subscription': () => trial.target.request('PATCH', consumer.uri, { body: stray.body }),
        'a made-up ack': () => trial.target.request('DELETE', `${uri}x`),
      }
      let accepted = 0
      for (const [what, ask] of Object.entries(attempts)) {
        const answer = await ask()
        if (!refused(answer)) {
          accepted += 1
          continue
        }
        const bodies = await pendingBodies(trial, queue, messages)
        const wanted = messages.map(({ text }) => text)
        const seen = `${bodies.length} messages after ${what} was refused with ${answer.status}`
        // What was accepted before may have stored the stray message, which is then rightly there.
        const known = accepted === 0 ? bodies : bodies.filter((text) => text !== stray.text)
        trial.expect(sameTexts(known, wanted), "the two messages in the queue's feed", seen)
      }
      trial.choose('refused-of-eight-odd-requests', String(Object.keys(attempts).length - accepted))
      await expectKept(trial, consumer, messages, 'both messages still with their consumer')
    },
  },
]

function problemIn({ body }: Exchange): { type?: unknown; status?: unknown; detail?: unknown } {
  try {
    const value: unknown = JSON.parse(body.toString())
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
