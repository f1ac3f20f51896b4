import { CannotStart, type ChaosTest } from '../chaos/attempt.js'
import { startCommand } from './start-command.js'

/** How much of what a command prints is told when it fails, in characters. */
const TOLD = 2000

/**
 * A test that is a command of its own, in whatever language: it finds the broker's URL in `ATOM_MQ_URL`, and fails by an exit code
 * other than 0.
 *
 * @param stop ends all of it
 */
export function commandTest(
  command: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  stop?: Promise<void>,
): ChaosTest {
  const over = new AbortController()
  void stop?.then(() => over.abort())
  return (mq, { run, signal }) =>
    new Promise<void>((resolve, reject) => {
      if (over.signal.aborted) throw new CannotStart('stopped.')
      const { child, kill } = startCommand(command, {
        env: { ...environment, ATOM_MQ_URL: mq.url, ATOM_MQ_CHAOS_RUN: String(run) },
        stdio: ['ignore', 'pipe', 'pipe'],
        apart: true,
      })
      let printed = ''
      for (const stream of [child.stdout, child.stderr]) {
        stream?.setEncoding('utf8').on('data', (text: string) => {
          printed = (printed + text).slice(-TOLD)
        })
      }
      const stopped = () => {
        kill()
        reject(new CannotStart('stopped.'))
      }
      signal.addEventListener('abort', kill)
      over.signal.addEventListener('abort', stopped)
      child.on('error', (error) =>
        reject(new CannotStart(`${command[0]} cannot be started: ${error.message}`)),
      )
      child.on('close', (code, killed) => {
        over.signal.removeEventListener('abort', stopped)
        signal.removeEventListener('abort', kill)
        if (code === 0) resolve()
        else
          reject(
            new Error(
              `The command ended ${code === null ? `by ${killed}` : `with exit code ${code}`}.\n${printed.trim()}`.trim(),
            ),
          )
      })
    })
}
