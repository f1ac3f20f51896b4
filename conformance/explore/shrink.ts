import type { Command } from './command.js'

/**
 * Makes a failing sequence shorter for as long as it fails.
 *
 * @param fails whether a sequence still fails: asks the target
 * @param most how many sequences are tried at most
 */
export async function shrink(
  commands: readonly Command[],
  fails: (commands: readonly Command[]) => Promise<boolean>,
  most = 150,
): Promise<readonly Command[]> {
  let best = commands
  let left = most
  const isBetter = async (candidate: readonly Command[]) => {
    if (left <= 0) return false
    left -= 1
    if (!(await fails(candidate))) return false
    best = candidate
    return true
  }
  // Ever smaller parts are left out, from the end, where most of what is not needed stands.
  for (let size = Math.ceil(best.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = best.length - size; at > -size; at -= size) {
      const from = Math.max(0, at)
      await isBetter([...best.slice(0, from), ...best.slice(from + size)])
    }
  }
  for (let at = 0; at < best.length; at++) {
    for (let simpler = simplerThan(best[at]!); simpler.length > 0; ) {
      const [first, ...others] = simpler
      simpler = (await isBetter(best.with(at, first!))) ? simplerThan(best[at]!) : others
    }
  }
  // What became simpler may have made others needless.
  for (let at = best.length - 1; at >= 0; at--) await isBetter(best.toSpliced(at, 1))
  return best
}

/** Commands that say less, the simplest first. */
function simplerThan(command: Command): Command[] {
  const simpler: Command[] = []
  if (command.do === 'together') {
    simpler.push(...command.commands)
    if (command.commands.length > 2) simpler.push({ ...command, commands: command.commands.slice(0, -1) })
  }
  if ('cut' in command) {
    const { cut: _, ...whole } = command
    simpler.push(whole as Command)
  }
  if (command.do === 'send') {
    const { like: _, ...own } = command
    if (command.like !== undefined) simpler.push(own)
    if (command.by !== 'two-step') simpler.push({ ...command, by: 'two-step' })
  }
  if (command.do === 'subscribe' && command.to.length > 1) {
    simpler.push(...command.to.map((queue) => ({ ...command, to: [queue] })))
  }
  return simpler
}
