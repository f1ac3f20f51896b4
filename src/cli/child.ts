import { constants } from 'node:os'
import { startCommand } from './start-command.js'

/** How a shell says that there is no such command, and that it may not be run; and from where on it tells of a signal. */
const NOT_FOUND = 127
const NOT_RUNNABLE = 126
const SIGNALLED = 128

/**
 * Runs a command to its end, with this process's input and outputs.
 *
 * @param environment what it is told beside what this process was
 * @param stop ends it
 * @returns its exit code, as a shell tells it: 127 for no such command, 126 for one that may not be run, 128 and the
 * signal's number where one ended it
 */
export function runChild(
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
  stop: Promise<void>,
): Promise<number> {
  const { child } = startCommand(command, { stdio: 'inherit', env: { ...process.env, ...environment } })
  void stop.then(() => child.kill('SIGTERM'))
  return new Promise((resolve) => {
    child.on('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code === 'ENOENT' ? NOT_FOUND : NOT_RUNNABLE),
    )
    child.on('close', (code, signal) => resolve(code ?? SIGNALLED + constants.signals[signal ?? 'SIGTERM']))
  })
}
