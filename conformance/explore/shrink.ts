import type { Command } from './command.js'

/**
 * Makes a failing sequence shorter for as long as it fails: leaves commands out, makes them say less, and lets one queue,
 * consumer or session stand for two, until nothing of this helps any more.
 *
 * @param fails whether a sequence still fails: asks the target
 * @param most how many sequences are tried at most
 */
export async function shrink(
  commands: readonly Command[],
  fails: (commands: readonly Command[]) => Promise<boolean>,
  most = 400,
): Promise<readonly Command[]> {
  let best = commands
  const tried = new Set<string>([JSON.stringify(best)])
  const isBetter = async (candidate: readonly Command[]) => {
    const key = JSON.stringify(candidate)
    if (tried.size > most || tried.has(key)) return false
    tried.add(key)
    if (!(await fails(candidate))) return false
    best = candidate
    return true
  }
  // Ever smaller parts are left out, from the end, where most of what is not needed stands.
  for (let size = Math.ceil(best.length / 2); size > 1; size = Math.ceil(size / 2)) {
    for (let at = best.length - size; at > -size; at -= size) {
      const from = Math.max(0, at)
      await isBetter([...best.slice(0, from), ...best.slice(from + size)])
    }
    if (size === 2) break
  }
  for (let before: unknown; before !== best; ) {
    before = best
    for (let at = best.length - 1; at >= 0; at--) await isBetter(best.toSpliced(at, 1))
    for (let at = 0; at < best.length; at++) {
      for (let simpler = simplerThan(best[at]!); simpler.length > 0; ) {
        const [first, ...others] = simpler
        simpler = (await isBetter(best.with(at, first!))) ? simplerThan(best[at]!) : others
      }
    }
    for (const merged of mergings(best)) if (await isBetter(merged)) break
    if (before === best && best.length > SHORT) await withoutPairs()
  }
  return best

  /** Two commands may be needless only together, as a deletion and the creation after it are. */
  async function withoutPairs(): Promise<void> {
    for (let one = best.length - 1; one > 0; one--) {
      for (let other = one - 1; other >= 0; other--) {
        if (await isBetter(best.filter((_, at) => at !== one && at !== other))) return
      }
    }
  }
}

/** So long a sequence may be. */
const SHORT = 5

/** Commands that say less, the simplest first. */
function simplerThan(command: Command): Command[] {
  const simpler: Command[] = []
  const without = (...fields: string[]) => {
    const left = Object.fromEntries(Object.entries(command).filter(([field]) => !fields.includes(field)))
    if (Object.keys(left).length < Object.keys(command).length) simpler.push(left as unknown as Command)
  }
  switch (command.do) {
    case 'together':
      simpler.push(...command.commands)
      if (command.commands.length > 2) simpler.push({ ...command, commands: command.commands.slice(0, -1) })
      break
    case 'send':
      if (command.by !== 'two-step') {
        const { guid: _, ...plain } = command
        simpler.push({ ...plain, by: 'two-step' })
      }
      without('cut', 'like', 'guid', 'colour')
      without('like')
      without('guid')
      break
    case 'send many':
      for (const count of [1, Math.floor(command.count / 2), command.count - 1]) {
        if (count > 0 && count < command.count) simpler.push({ ...command, count })
      }
      break
    case 'repeat':
      without('queue')
      without('changed')
      break
    case 'subscribe':
      if (command.to.length > 1 || (command.to.length === 1 && command.below !== undefined)) {
        const { below: _, ...named } = command
        simpler.push(...command.to.map((queue) => ({ ...named, to: [queue] })))
        simpler.push(...command.to.map((_, at) => ({ ...command, to: command.to.toSpliced(at, 1) })))
      }
      without('selector')
      break
    case 'acknowledge':
    case 'acknowledge again':
    case 'acknowledge locked':
      if (command.nth > 0) simpler.push({ ...command, nth: 0 })
      break
    default:
  }
  without('cut')
  return simpler
}

/** The sequences in which one name stands for two, and what is said twice in a row then is said once. */
function mergings(commands: readonly Command[]): (readonly Command[])[] {
  const text = JSON.stringify(commands)
  const groups = ['queue', 'consumer', 'session'].map((field) => [
    ...new Set([...text.matchAll(new RegExp(`"${field}":"([^"]+)"`, 'g'))].map(([, name]) => name!)),
  ])
  return groups.flatMap((names) =>
    names.flatMap((other, at) =>
      names.slice(0, at).map((name) => {
        const merged = JSON.parse(text.replaceAll(`"${other}"`, `"${name}"`)) as Command[]
        return merged.filter((each, at) => JSON.stringify(each) !== JSON.stringify(merged[at - 1]))
      }),
    ),
  )
}
