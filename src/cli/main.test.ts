import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import type { ServerState } from '../control/state/state.js'

const MAIN = fileURLToPath(new URL('./main.js', import.meta.url))

function start(...args: string[]): ChildProcess {
  return spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
}

async function firstLine(child: ChildProcess): Promise<string> {
  const { value } = await createInterface({ input: child.stdout as NodeJS.ReadableStream })
    [Symbol.asyncIterator]()
    .next()
  return String(value)
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  t.test(`${signal} stops the server at once, with a wait parked and a connection open`, async (t) => {
    // Nothing ends by itself while the test lasts.
    const spans = ['--max-wait', '3600', '--close-timeout', '3600']
    const child = start('serve', '--port', '0', '--queue', 'q', '--quiet', '--control', ...spans)
    const url = await firstLine(child)
    const waiting = request(`${url}/queues/q`, { headers: { Prefer: 'wait=3600' } }).end()
    const answer = once(waiting, 'response')
    let waits = 0
    while (waits === 0) {
      const state = (await (await fetch(`${url}/_control/state`)).json()) as ServerState
      waits = state.queues[0]?.waiting ?? 0
    }
    child.kill(signal)
    const [[response], [code, killedBy]] = await Promise.all([answer, once(child, 'exit')])
    t.equal(response.statusCode, 200, 'whoever waited is answered')
    response.resume()
    t.same([code, killedBy], [0, null])
  })
}

t.test('exit codes', async (t) => {
  for (const [args, code] of [
    [['--version'], 0],
    [['dance'], 2],
    [['serve', '--port', 'x'], 2],
    [['serve', '--port', '0', '--queue', ''], 1],
  ] as const) {
    const child = start(...args)
    t.same(await once(child, 'exit'), [code, null], args.join(' '))
  }
})

t.test('who closes the output early has the server nevertheless', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'atom-mq-main-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'port')
  const child = start('serve', '--port', '0', '--port-file', file)
  const exited = once(child, 'exit')
  child.stdout?.destroy()
  child.stderr?.destroy()
  while (!existsSync(file) && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 10))
  // Both lines have been written, and failed, before this is answered.
  const { status } = await fetch(`http://127.0.0.1:${readFileSync(file, 'utf8').trim()}/_health`)
  t.equal(status, 200)
  child.kill()
  t.same(await exited, [0, null])
})
