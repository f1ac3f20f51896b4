/** A text, number or word of JSON. */
const TOKEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no text of JSON holds a control character
  /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*"|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y

const MARKS = '{}[],:'
const WHITE = ' \t\r\n'

type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | ', or end'

/**
 * Where a text stops being JSON; the parser itself does not always say so.
 *
 * @param text must not be JSON
 * @returns line and column, both from 1, of the first thing that cannot stand where it stands
 */
export function jsonMistake(text: string): { readonly line: number; readonly column: number } {
  const open: ('{' | '[')[] = []
  let expected: Expected | 'nothing' = 'value'
  let at = 0
  for (;;) {
    while (WHITE.includes(text[at] ?? 'end')) at++
    // Most of a hostile text is marks, and there may be a million.
    const first = text[at] ?? 'end'
    const mark = MARKS.includes(first)
    TOKEN.lastIndex = at
    if (!mark && !TOKEN.test(text)) break
    const next = after(expected, mark ? first : first === '"' ? 'text' : 'other', open)
    if (next === undefined) break
    expected = next
    at = mark ? at + 1 : TOKEN.lastIndex
  }
  const before = text.slice(0, at).split('\n')
  return { line: before.length, column: (before.at(-1) as string).length + 1 }
}

/** What is expected behind a token; undefined when the token cannot stand here. */
function after(
  expected: Expected | 'nothing',
  token: string,
  open: ('{' | '[')[],
): Expected | 'nothing' | undefined {
  if (expected === 'nothing') return undefined
  const opened = open.at(-1)
  if (
    (token === ']' && opened === '[' && (expected === 'value or ]' || expected === ', or end')) ||
    (token === '}' && opened === '{' && (expected === 'name or }' || expected === ', or end'))
  ) {
    open.pop()
    return open.length === 0 ? 'nothing' : ', or end'
  }
  switch (expected) {
    case ':':
      return token === ':' ? 'value' : undefined
    case 'name':
    case 'name or }':
      return token === 'text' ? ':' : undefined
    case ', or end':
      if (token !== ',') return undefined
      return opened === '{' ? 'name' : 'value'
  }
  if (token === '{' || token === '[') {
    open.push(token)
    return token === '{' ? 'name or }' : 'value or ]'
  }
  if (token !== 'text' && token !== 'other') return undefined
  return open.length === 0 ? 'nothing' : ', or end'
}
