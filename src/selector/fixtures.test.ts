import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { parseSelector, printExpression, SelectorSyntaxError } from './selector.js'

type Case =
  | { selector: string; properties: Record<string, string | number | boolean>; matches: boolean }
  | { selector: string; error: { column: number; message: string } }

// From dist/selector/ to the repository's root.
const folder = new URL('../../fixtures/selectors/', import.meta.url)
const topics = readdirSync(folder).filter((name) => name.endsWith('.json'))

t.test('the cases are there', async (t) => {
  t.ok(topics.includes('three-valued-logic.json'))
  t.ok(topics.length > 10)
})

for (const topic of topics) {
  t.test(topic, async (t) => {
    const cases: Case[] = JSON.parse(readFileSync(new URL(topic, folder), 'utf8'))
    t.ok(cases.length > 0)
    const seen = new Set<string>()
    for (const each of cases) {
      const name = JSON.stringify(each)
      const label = name.length > 120 ? `${name.slice(0, 120)}…` : name
      t.notOk(seen.has(name), `stands here once: ${label}`)
      seen.add(name)
      if ('error' in each) {
        const error = refusal(each.selector)
        t.match(error, { column: each.error.column, name: 'SelectorSyntaxError' }, label)
        t.ok(error?.message.includes(each.error.message), `${label}: ${error?.message}`)
        t.ok(error?.message.endsWith(`, at column ${each.error.column}.`), 'the message tells the column')
      } else {
        const lookup = (name: string) =>
          Object.hasOwn(each.properties, name) ? each.properties[name] : undefined
        const selector = parseSelector(each.selector)
        t.equal(selector.matches(lookup), each.matches, label)
        const printed = printExpression(selector.expression)
        t.equal(parseSelector(printed).matches(lookup), each.matches, `printed: ${printed.slice(0, 120)}`)
      }
    }
  })
}

function refusal(text: string): SelectorSyntaxError | undefined {
  try {
    parseSelector(text)
    return undefined
  } catch (error) {
    if (error instanceof SelectorSyntaxError) return error
    throw error
  }
}
