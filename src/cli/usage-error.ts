/** The command line asks for something that cannot be; its message is the one sentence that is shown. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
