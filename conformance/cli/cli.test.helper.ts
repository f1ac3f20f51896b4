import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'

/** The compiled program. */
export const MAIN = fileURLToPath(new URL('./main.js', import.meta.url))

/** How a command ended, and what it printed. */
export interface Ended {
  code: number | null
  out: string
  err: string
}

/** Runs the kit as its users do. @param env in place of what this process has */
export function program(
  args: readonly string[],
  onStart?: (child: ReturnType<typeof spawn>) => void,
  env: Record<string, string> = {},
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [MAIN, ...args], {
      timeout: 60_000,
      env: { ...process.env, ...env },
    })
    const ended: Ended = { code: null, out: '', err: '' }
    child.stdout.on('data', (chunk) => {
      ended.out += chunk
    })
    child.stderr.on('data', (chunk) => {
      ended.err += chunk
    })
    child.on('close', (code) => resolve({ ...ended, code }))
    onStart?.(child)
  })
}

let thread: Worker | undefined
let last: Promise<unknown> = Promise.resolve()

/** What a command line comes to, one after another in a thread: a program for each would take half a second more. */
export function cli(args: readonly string[]): Promise<Ended> {
  thread ??= new Worker(new URL('./cli-thread.test.helper.js', import.meta.url))
  const asked = thread
  const ended = last.then(async () => {
    asked.postMessage(args)
    const [answer] = await once(asked, 'message')
    return answer as Ended
  })
  last = ended
  return ended
}

/** Ends the thread of `cli` in order, so that what it covered is written down. */
export async function endCli(): Promise<void> {
  await last
  const ended = thread && once(thread, 'exit')
  thread?.postMessage(undefined)
  await ended
}
