import fc from 'fast-check'
import t from 'tap'
import { bodyOf, kindOf, makeBroker, text } from './harness.test.kit.js'
import { formatName, isLonger, parseDestination, parseQueueName } from './names.js'

function expect(holds: boolean, sentence: string): void {
  if (!holds) throw new Error(sentence)
}

t.test('who pages through a queue meets every message once that was there throughout', (t) => {
  const change = fc.oneof(
    { weight: 3, arbitrary: fc.constant('send' as const) },
    { weight: 3, arbitrary: fc.nat({ max: 60 }) },
    { weight: 2, arbitrary: fc.constant('page' as const) },
  )
  fc.assert(
    fc.property(
      fc.nat({ max: 60 }),
      fc.integer({ min: 1, max: 7 }),
      fc.array(change, { maxLength: 120, size: 'max' }),
      (first, limit, changes) => {
        const { broker } = makeBroker()
        broker.createQueue('q')
        const { id } = broker.subscribe({ destinations: ['q'], prefetch: 1000 })
        for (let count = 0; count < first; count++) broker.send('q', text(`${count}`))
        const throughout = new Set(broker.consume(id).deliveries.map(({ message }) => bodyOf(message)))
        const shown: string[] = []
        let cursor: string | undefined
        const turn = () => {
          const page = broker.browse('q', { cursor, limit })
          expect(page.items.length <= limit, 'a page has at most so many items')
          shown.push(...page.items.map(bodyOf))
          cursor = page.next
        }
        turn()
        for (const change of changes) {
          if (change === 'page') {
            if (cursor !== undefined) turn()
          } else if (change === 'send') broker.send('q', text('new'))
          else {
            const { deliveries } = broker.consume(id)
            const delivery = deliveries[change % deliveries.length]
            if (delivery === undefined) continue
            broker.acknowledge(id, delivery.id)
            throughout.delete(bodyOf(delivery.message))
          }
        }
        while (cursor !== undefined) turn()
        const once = shown.filter((body) => throughout.has(body))
        expect(once.join() === [...throughout].join(), `${once} instead of ${[...throughout]}`)
      },
    ),
    { numRuns: 500 },
  )
  t.end()
})

t.test('who pages through a listing meets every entry once that was there throughout', (t) => {
  const name = fc.constantFrom(
    'a',
    'a/x',
    'b',
    'b/x',
    'b/y',
    'c',
    'd/x',
    'd/y/z',
    'e',
    'é',
    'é/x',
    '😀',
    'ab',
  )
  const change = fc.oneof(
    { weight: 2, arbitrary: fc.record({ name, there: fc.boolean() }) },
    { weight: 1, arbitrary: fc.constant('page' as const) },
  )
  fc.assert(
    fc.property(
      fc.array(name, { maxLength: 20 }),
      fc.integer({ min: 1, max: 3 }),
      fc.array(change, { maxLength: 30 }),
      (first, limit, changes) => {
        const { broker } = makeBroker()
        for (const name of first) broker.createQueue(name)
        const all = () =>
          broker.listQueues('', { limit: 1000 }).items.map(({ kind, name }) => `${kind} ${name}`)
        let throughout = all()
        const shown: string[] = []
        let cursor: string | undefined
        const turn = () => {
          const page = broker.listQueues('', { cursor, limit })
          expect(page.items.length <= limit, 'a page has at most so many items')
          shown.push(...page.items.map(({ kind, name }) => `${kind} ${name}`))
          cursor = page.next
        }
        turn()
        for (const change of changes) {
          if (change === 'page') {
            if (cursor !== undefined) turn()
            continue
          }
          if (change.there) broker.createQueue(change.name)
          else kindOf(() => broker.deleteQueue(change.name))
          const there = new Set(all())
          throughout = throughout.filter((entry) => there.has(entry))
        }
        while (cursor !== undefined) turn()
        const once = shown.filter((entry) => throughout.includes(entry))
        expect(once.join() === throughout.join(), `${once} instead of ${throughout}`)
      },
    ),
    { numRuns: 1000 },
  )
  t.end()
})

const segment = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are just what a name has not
  .filter((text) => !/[./*>\u0000-\u001f\u007f-\u009f]/.test(text))

t.test('a queue name and its canonical form are one, and so are its spellings', (t) => {
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1, maxLength: 8 }), (segments) => {
      fc.pre(!isLonger(segments.join('/'), 1024))
      t.same(parseQueueName(formatName(segments)), segments)
      t.same(parseQueueName(segments.join('.')), segments)
      const { broker } = makeBroker()
      const { queue } = broker.createQueue(segments.join('.'))
      expect(broker.queue(segments.join('/')) === queue, 'both spellings lead to one queue')
      const { id } = broker.subscribe({ destinations: [segments.join('/')] })
      broker.send(segments.join('.'), text('m'))
      expect(broker.consume(id).deliveries.length === 1, 'a destination is spelled either way')
    }),
  )
  t.end()
})

t.test('a text is a name or refused, and bytes are counted as UTF-8 counts them', (t) => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc.string({
      unit: fc.constantFrom('.', '/', '*', '>', 'a', '\ud800', '\udc00', '\u0000', '\u0085', '😀'),
    }),
    fc.constantFrom('__proto__', 'constructor', 'toString', '..', '%2e', ' ', '\ufeff'),
  )
  fc.assert(
    fc.property(hostile, (name) => {
      const { broker } = makeBroker()
      const kind = kindOf(() => broker.createQueue(name))
      expect(kind === 'done' || kind === 'bad-queue-name', kind)
      for (const use of [
        () => broker.send(name, text('m')),
        () => broker.browse(name, { limit: 1 }),
        () => broker.newAddress(name),
        () => broker.whenQueueChanges(name, () => {}),
        () => broker.deleteQueue(name),
      ]) {
        expect(kindOf(use) === kind, 'every command reads names alike')
      }
      const destination = kindOf(() => parseDestination(name))
      expect(destination === 'done' || destination === 'bad-destination', destination)
      if (kind === 'done') expect(destination === 'done', 'a name is a destination')
      kindOf(() => broker.listQueues(name, { cursor: name, limit: 1 }))
      kindOf(() => broker.browse(name, { cursor: name, limit: 1 }))
      for (const use of [
        () => broker.message(name),
        () => broker.post(name, text('m')),
        () => broker.consume(name),
        () => broker.acknowledge(name, name),
      ]) {
        expect(kindOf(use).startsWith('unknown-'), 'a text that was never issued is unknown')
      }
      const bytes = Buffer.byteLength(name)
      expect(isLonger(name, bytes - 1) && !isLonger(name, bytes), 'bytes are counted')
    }),
    { numRuns: 500 },
  )
  t.end()
})
