import t from 'tap'
import { Subscription } from './entities.js'
import { makeQueue, refusalOf, text } from './harness.test.kit.js'
import { readSelector } from './selecting.js'
import { OVERHEAD } from './storing.js'

t.test('no selector, an empty one and a blank one are none', (t) => {
  for (const text of [undefined, '', ' ', '\t\n']) t.equal(readSelector(text, 10), undefined)
  t.end()
})

t.test('a selector is read; one that breaks the grammar is refused with its column', (t) => {
  t.equal(
    readSelector('a = 1', 10)?.matches(() => 1),
    true,
  )
  const refusal = refusalOf(() => readSelector('a = = 1', 10))
  t.equal(refusal?.kind, 'bad-selector')
  t.same(refusal?.facts, { column: 5 })
  t.end()
})

t.test('one that is longer than the limit is refused with the limit', (t) => {
  t.equal(readSelector("a = '1234'", 10)?.text, "a = '1234'")
  const refusal = refusalOf(() => readSelector("a = '12345'", 10))
  t.equal(refusal?.kind, 'bad-selector')
  t.same(refusal?.facts, { limit: 10 })
  t.end()
})

t.test('what is not a mistake in the text is not taken for one', (t) => {
  t.throws(() => readSelector({ trim: () => 'x' } as unknown as string, 10), TypeError)
  t.end()
})

t.test('it takes longer to ask a selector about a longer text', (t) => {
  const selector = readSelector("a LIKE '%x%'", 100)
  const terms = {
    kind: 'subscription' as const,
    destinations: [],
    prefetch: 1,
    selector,
    timeout: 1,
    owner: undefined,
  }
  const subscription = new Subscription('s', 1, terms, 0)
  const spent = (value: string) => {
    const effort = { left: 0 }
    subscription.accepts(makeQueue().join(text('m', { a: value }), 0), effort)
    return -effort.left
  }
  t.ok(spent('y'.repeat(10_000)) > 100 * spent('y'))
  t.end()
})

t.test('without a selector it accepts every message', (t) => {
  const terms = {
    kind: 'subscription' as const,
    destinations: [],
    prefetch: 1,
    selector: undefined,
    timeout: 1,
    owner: undefined,
  }
  t.equal(new Subscription('s', 1, terms, 0).accepts(makeQueue().join(text('m'), 0)), true)
  t.end()
})

t.test('it takes memory for its id, its owner and each character of its selector', (t) => {
  const bytes = (id: string, owner?: string, text?: string) => {
    const terms = {
      kind: 'subscription' as const,
      destinations: [],
      prefetch: 1,
      timeout: 1,
      owner,
      selector: readSelector(text, 100),
    }
    return new Subscription(id, 1, terms, 0).bytes
  }
  const least = bytes('')
  t.equal(least, OVERHEAD.subscription)
  t.same([bytes('x'.repeat(100)) - least, bytes('', 'ann') - least], [124, 27])
  t.equal(bytes('', undefined, 'a = 1') - least, OVERHEAD.selector + 5 * OVERHEAD.selectorCharacter)
  t.end()
})
