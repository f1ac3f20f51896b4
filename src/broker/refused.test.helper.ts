import { Refusal, type RefusalKind } from './refusals.js'

/** How a command is refused; undefined when it is not. */
export function refused(act: () => unknown): RefusalKind | undefined {
  try {
    act()
  } catch (error) {
    if (error instanceof Refusal) return error.kind
    throw error
  }
  return undefined
}
