/** A span as a person says it: `250 ms`, `12.5 s`, `2 min 5 s`, `3 h 20 min`. */
export function span(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.max(0, Math.round(milliseconds))} ms`
  const tenths = Math.round(milliseconds / 100)
  if (tenths < 600) return `${tenths / 10} s`
  const seconds = Math.round(milliseconds / 1000)
  if (seconds < 3600) return pair(seconds, 60, 'min', 's')
  return pair(Math.round(seconds / 60), 60, 'h', 'min')
}

function pair(units: number, each: number, larger: string, smaller: string): string {
  const rest = units % each
  return `${Math.floor(units / each)} ${larger}${rest === 0 ? '' : ` ${rest} ${smaller}`}`
}

/** `12:30:05.250`: the time of day in UTC, as the server's dates have it. */
export function timeOfDay(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(11, 23)
}

/** `2000-01-01 00:00:30.000`. */
export function dateAndTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('T', ' ').replace('Z', '')
}

/** `1 message`, `2 messages`. */
export function count(number: number, one: string, several = `${one}s`): string {
  return `${number} ${number === 1 ? one : several}`
}

/** A text in which ids of 32 digits are shortened. */
export function shortenIds(text: string): string {
  return text.replaceAll(/(?<![\da-f])([\da-f]{6})[\da-f]{26}(?![\da-f])/g, '$1…')
}

/** Enough of a long id to tell it from others. */
export function shortId(id: string): string {
  return id.length > 36 ? `${id.slice(0, 35)}…` : /^[\da-f]{32}$|^[\w-]{20,}$/.test(id) ? id.slice(0, 8) : id
}
