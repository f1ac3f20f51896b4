/** A part of a word of the shell: text as it is, or what a variable holds. */
export type Part = { readonly text: string } | { readonly variable: string }

/** What is new in the names of each run: ten digits after `kit`, and the last ten of a guid that is a UUID. */
const RUN =
  /(?<=kit[-_.]?)[\da-f]{10}|(?<=[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{2})[\da-f]{10}/gi

/** A guid that is a number, made of what is new in each run, too: which numbers are equal must stay so. */
const NUMBER = /(?<=guid=0*)[1-9]\d{8,14}(?!\d)/g

/** One word, with the run's own names made anew. */
export function word(parts: readonly Part[]): string {
  const all = parts.map((part) => ('text' in part ? quoted(part.text) : `"$${part.variable}"`)).join('')
  return all === '' ? "''" : all
}

/** Single quotes, with the run's own names made anew. */
export function quoted(text: string): string {
  if (text === '') return ''
  const all = `'${text
    .replaceAll("'", "'\\''")
    .replace(RUN, `'"$R"'`)
    .replace(NUMBER, (number) => `'"$(( 0x$R * 16 + ${Number(number) % 16} ))"'`)}'`
  // Where a name begins or ends the text, nothing is left to quote beside it.
  return all.replace(/^''(?=")/, '').replace(/(?<=")''$/, '')
}
