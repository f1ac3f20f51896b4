import { spawn } from 'node:child_process'
import { CannotStart, type ChaosTest } from './attempt.js'

/** How much of what a command prints is told when it fails, in characters. */
const TOLD = 2000

/**
 * A test that is a command of its own, in whatever language: it finds the broker's URL in `ATOM_MQ_URL`, and fails by an exit code
 * other than 0.
 */
export function commandTest(
  [program = '', ...args]: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): ChaosTest {
  return (mq, { run, signal }) =>
    new Promise<void>((resolve, reject) => {
      const child = spawn(program, args, {
        env: { ...environment, ATOM_MQ_URL: mq.url, ATOM_MQ_CHAOS_RUN: String(run) },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let printed = ''
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => {
          printed = (printed + text).slice(-TOLD)
        })
      }
      signal.addEventListener('abort', () => child.kill('SIGKILL'))
      child.on('error', (error) => reject(new CannotStart(`${program} cannot be started: ${error.message}`)))
      child.on('close', (code, killed) => {
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
