/** A token of JSON, with the white space before it. */
const TOKEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no text of JSON holds a control character
  /[ \t\r\n]*(?:(?<mark>[{}[\],:])|(?<text>"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*")|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-]))/y

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
    TOKEN.lastIndex = at
    const match = TOKEN.exec(text)
    if (match === null) break
    const token: string = match.groups?.mark ?? (match.groups?.text === undefined ? 'other' : 'text')
    const next = after(expected, token, open)
    if (next === undefined) break
    expected = next
    at = TOKEN.lastIndex
  }
  while (/[ \t\r\n]/.test(text[at] ?? '')) at++
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
  const closes = (bracket: string, opened: string) => token === bracket && open.at(-1) === opened
  if (
    (closes(']', '[') && (expected === 'value or ]' || expected === ', or end')) ||
    (closes('}', '{') && (expected === 'name or }' || expected === ', or end'))
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
      return open.at(-1) === '{' ? 'name' : 'value'
  }
  if (token === '{' || token === '[') {
    open.push(token)
    return token === '{' ? 'name or }' : 'value or ]'
  }
  if (token !== 'text' && token !== 'other') return undefined
  return open.length === 0 ? 'nothing' : ', or end'
}
