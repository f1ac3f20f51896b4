import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The compiled program. */
export const MAIN = fileURLToPath(new URL('./main.js', import.meta.url))

/** How a command ended, and what it printed. */
export interface Ended {
  code: number | null
  out: string
  err: string
}

/** Runs the kit as its users do. @param env in place of what this process has */
export function cli(
  args: string[],
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
