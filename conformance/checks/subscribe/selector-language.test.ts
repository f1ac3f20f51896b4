import t from 'tap'
import { fakeBroker } from '../../trial/fake-broker.test.helper.js'
import { outcomeAt } from '../alternatives.test.helper.js'
import { SELECTOR_LANGUAGE } from './selector-language.js'

/** What is expected of a target that answers subscriptions with a selector so; it takes no notice of selectors. */
async function expectedOf(id: string, reply?: { status: number; body?: string }) {
  await using broker = await fakeBroker()
  const isPicky = ({ method, path, body }: { method: string; path: string; body: Buffer }) =>
    method === 'POST' && path.startsWith('/mq/subscriptions') && body.includes('selector=')
  broker.intercept = (got) => (reply !== undefined && isPicky(got) ? reply : undefined)
  const outcome = await outcomeAt(broker, SELECTOR_LANGUAGE, id, { features: { selector: true } })
  return (outcome as { expected?: string } | undefined)?.expected
}

t.test('a selector that is refused, or picks what it should not, is told', async (t) => {
  t.equal(await expectedOf('subscribe.selector-unknown', { status: 501 }), "201 for colour <> 'red'")
  t.equal(await expectedOf('subscribe.selector-unknown'), "colour <> 'red' to take blue")
})

t.test('a broken selector is refused with 400 and the column of its fault', async (t) => {
  const of = (reply?: { status: number; body?: string }) => expectedOf('subscribe.selector-syntax', reply)
  t.equal(await of(), '400 for colour =')
  t.equal(await of({ status: 400, body: 'It is broken.' }), 'the column of the fault in colour =')
  t.equal(await of({ status: 400, body: 'Column 9: a value is missing.' }), undefined)
})
