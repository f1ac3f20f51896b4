/** A command that cannot be carried out as it was given: one sentence, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
