/** The command line asks for something that cannot be; its message is the one sentence that is shown. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/**
 * What `parseArgs` refuses, as a sentence.
 *
 * @param command the one whose options were read
 */
export function usageErrorOf(error: unknown, command: 'serve' | 'run' | 'chaos'): UsageError {
  const { code, message } = error as NodeJS.ErrnoException
  const mistake = message.split('. ')[0]
  if (code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL' && command !== 'serve') {
    return new UsageError(
      `${mistake}; the command that ${command} is to start stands behind "--": atom-mq ${command} -- npm test.`,
    )
  }
  const dashed = /^Option '(--[\w-]+)' argument is ambiguous/.exec(message)?.[1]
  const told =
    dashed === undefined
      ? mistake
      : `${dashed} needs a value, and one that begins with "-" stands behind "${dashed}="`
  return new UsageError(`${told}; see atom-mq ${command} --help.`)
}
