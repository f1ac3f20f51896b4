import fc from 'fast-check'
import t from 'tap'
import { textSearch } from './contains.js'

t.test('texts are found as the platform finds them', async () => {
  const unit = fc.constantFrom('a', 'b', '\u{1f600}')
  fc.assert(
    fc.property(
      fc.string({ unit, maxLength: 50 }),
      fc.nat(3),
      fc.string({ unit, maxLength: 20 }),
      (part, times, rest) => {
        const wanted = part.repeat(times) + rest
        return [
          wanted,
          part.repeat(times + 1) + rest,
          `${rest}${part.repeat(times)}`,
          rest + wanted + part,
        ].every((text) => textSearch(wanted)(text) === text.includes(wanted))
      },
    ),
    { numRuns: 1000 },
  )
})
