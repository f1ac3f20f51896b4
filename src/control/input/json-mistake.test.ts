import fc from 'fast-check'
import t from 'tap'
import { jsonMistake } from './json-mistake.js'

t.test('the place of the first thing that cannot stand there', async (t) => {
  const cases: [text: string, line: number, column: number][] = [
    ['', 1, 1],
    ['   ', 1, 4],
    ['{', 1, 2],
    ['{"a": }', 1, 7],
    ['{"a" 1}', 1, 6],
    ['{"a": 1,}', 1, 9],
    ['{"a": 1 "b": 2}', 1, 9],
    ['{1: 2}', 1, 2],
    ['{"a": 1]', 1, 8],
    ['[1, 2', 1, 6],
    ['[1,, 2]', 1, 4],
    ['[1, 2}', 1, 6],
    ['[1] x', 1, 5],
    ['[1] []', 1, 5],
    ['nul', 1, 1],
    ['nulls', 1, 1],
    ['01', 1, 1],
    ['[1.]', 1, 2],
    ['"open', 1, 1],
    ['["\\x"]', 1, 2],
    ['["a\tb"]', 1, 2],
    ['{\n  "queues": [\n    "a"\n    "b"\n  ]\n}', 4, 5],
    ['{\r\n  "a": tru\r\n}', 2, 8],
    [']', 1, 1],
    ['}', 1, 1],
    [',', 1, 1],
    [':', 1, 1],
  ]
  for (const [text, line, column] of cases) {
    t.throws(() => JSON.parse(text), JSON.stringify(text))
    t.same(jsonMistake(text), { line, column }, JSON.stringify(text))
  }
})

function offset(text: string): number {
  const { line, column } = jsonMistake(text)
  const lines = text.split('\n').slice(0, line - 1)
  return lines.reduce((sum, { length }) => sum + length + 1, 0) + column - 1
}

t.test('what stands before the mistake could be JSON, what comes with it could not', async () => {
  const broken = fc
    .tuple(fc.jsonValue(), fc.nat(), fc.constantFrom('', '}', ']', ',', ':', '"', 'x', '1'))
    .map(([value, at, piece]) => {
      const text = JSON.stringify(value, undefined, 1)
      const place = at % (text.length + 1)
      return text.slice(0, place) + piece + text.slice(place + 1)
    })
    .filter((text) => {
      try {
        JSON.parse(text)
        return false
      } catch {
        return true
      }
    })
  fc.assert(
    fc.property(broken, (text) => {
      const at = offset(text)
      const before = text.slice(0, at).trimEnd()
      // What stands before it has no mistake but that it ends; with one more character that fits nowhere, that is it.
      return offset(`${before} !`) === before.length + 1
    }),
    { numRuns: 1000 },
  )
})

t.test('a long text with a late mistake is no trouble', async (t) => {
  const text = `["${'a\\n'.repeat(1_000_000)}" 1]`
  t.same(jsonMistake(text), { line: 1, column: text.length - 1 })
  t.same(jsonMistake('['.repeat(200_000)), { line: 1, column: 200_001 })
})
