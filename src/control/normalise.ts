/** What varies from run to run within a text: a UUID, an id of 128 bits, a date of either kind, a loopback port. */
const VARYING =
  /(?<uuid>[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})|(?<![\da-f])(?<id>[\da-f]{32})(?![\da-f])|(?<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT)|(?<=\blocalhost|\b127(?:\.\d{1,3}){3}|\[::1\]):(?<port>\d{1,5})/g

/** Members that hold a time, or a span that was measured, as a number. */
const MEASURED = /^(?:now|at|duration|[a-zA-Z]+At)$/

/**
 * The same data with what varies from run to run made stable, for snapshots: each id becomes `<id-1>`, `<uuid-1>`, …,
 * the same one the same everywhere, in the order of first appearance; times become `<time>`, ports `<port>`. It
 * works for the state, for journal entries, and for feeds as text.
 *
 * @param data plain JSON, or a text; it is not changed
 *
 * @example
 * ```ts
 * JSON.stringify(normalise(mq.state()))
 * ```
 */
export function normalise<T>(data: T): T {
  const names = new Map<string, string>()
  const counts = { id: 0, uuid: 0 }
  const named = (kind: 'id' | 'uuid', value: string) => {
    let name = names.get(value)
    if (name === undefined) {
      name = `<${kind}-${++counts[kind]}>`
      names.set(value, name)
    }
    return name
  }
  const text = (value: string) =>
    value.replace(VARYING, (...match) => {
      const { uuid, id, time } = match.at(-1) as Record<string, string | undefined>
      if (uuid !== undefined) return named('uuid', uuid)
      if (id !== undefined) return named('id', id)
      return time === undefined ? ':<port>' : '<time>'
    })
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value)
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [
        text(key),
        MEASURED.test(key) && typeof member === 'number' ? '<time>' : walk(member),
      ]),
    )
  }
  return walk(data) as T
}
