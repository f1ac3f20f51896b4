import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { printExpression } from './print.test.helper.js'
import { parseSelector, SelectorSyntaxError } from './selector.js'

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
    const names = cases.map((each) => JSON.stringify(each))
    t.strictSame(
      names.filter((name, place) => names.indexOf(name) !== place),
      [],
      'each stands there once',
    )
    t.strictSame(
      cases.filter((each) => !comesToWhatItSays(each)),
      [],
    )
  })
}

function comesToWhatItSays(each: Case): boolean {
  if ('error' in each) {
    const { column, message } = each.error
    const error = refusal(each.selector)
    return (
      error?.column === column &&
      error.message.includes(message) &&
      error.message.endsWith(`, at column ${column}.`)
    )
  }
  const lookup = (name: string) => (Object.hasOwn(each.properties, name) ? each.properties[name] : undefined)
  const selector = parseSelector(each.selector)
  const again = parseSelector(printExpression(selector.expression))
  return selector.matches(lookup) === each.matches && again.matches(lookup) === each.matches
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
