import type { Entry } from '../../model/world.js'

/** Begins what stands for an address, at which nothing is ever asked. */
const NOWHERE = 'nowhere:'

/** Messages of which some have no address, or one that is another's too: those are known by what they are. */
export function byBodies(entries: readonly Entry[], feed: string): Entry[] {
  const isOwn = ({ uri, body }: Entry) =>
    uri !== '' && entries.every((each) => each.uri !== uri || each.body === body)
  const times = new Map<string, number>()
  return entries.map((entry) => {
    if (isOwn(entry)) return entry
    const time = (times.get(entry.body) ?? 0) + 1
    times.set(entry.body, time)
    return { ...entry, uri: `${NOWHERE}${feed} ${entry.body} ${time}` }
  })
}

/** Whether it only stands for an address. */
export function isNowhere(uri: string): boolean {
  return uri.startsWith(NOWHERE)
}
