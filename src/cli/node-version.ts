/** The oldest Node that runs this package, as in its `engines`. */
const LEAST = [20, 19] as const

/** @returns what to tell the user of an older Node; undefined when it is new enough */
export function checkNodeVersion(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > LEAST[0] || (major === LEAST[0] && minor >= LEAST[1])) return undefined
  return `atom-mq needs Node ${LEAST.join('.')} or later, and this is Node ${version}.`
}
