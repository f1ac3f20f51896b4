import { spawn } from 'node:child_process'

/** Runs a script as a person does, at another target than the one that it was made for. */
export function runScript(
  script: string,
  url: string,
  env: Record<string, string> = {},
): Promise<{ code: number | null; out: string }> {
  return new Promise((resolve) => {
    const child = spawn('sh', ['-s', url], { env: { ...process.env, ...env } })
    let out = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data) => {
        out += data
      })
    }
    child.on('close', (code) => resolve({ code, out }))
    child.stdin.end(script)
  })
}
