/** Why this version of Node cannot run the kit, as a sentence; undefined where it can. */
export function versionProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return undefined
  return `atom-mq-conformance needs Node 20.19 or later; this is ${version}.`
}
