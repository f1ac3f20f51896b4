import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import t from 'tap'

const MAIN = resolve(import.meta.dirname, 'main.js')

/** A command line, whose command is a program of JavaScript. */
function runs(options: readonly string[], program: string, environment: Record<string, string> = {}) {
  const args = [MAIN, 'run', ...options, '--', process.execPath, '--input-type=module', '-e', program]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...environment },
    timeout: 60_000,
  })
  return { status, stdout, stderr }
}

const ASK = `const ask = (method, path, body) => fetch(process.env.ATOM_MQ_URL + path, { method, body });`

t.test('a command finds the broker, and its exit code is the end', (t) => {
  const program = `${ASK} console.log((await ask('GET', '/queues/orders')).status); process.exitCode = 7`
  t.same(runs(['--queue', 'orders'], program), { status: 7, stdout: '200\n', stderr: '' })
  const other = `${ASK} console.log((await ask('GET', '/_control/clock')).status)`
  t.same(runs([], other, { ATOM_MQ_QUEUE: 'orders' }), { status: 0, stdout: '200\n', stderr: '' })
  t.match(runs([], "process.kill(process.pid, 'SIGKILL')"), { status: 128 + 9 })
  t.end()
})

t.test('what a client did wrong is told, before each reset and at the end, and is 3', (t) => {
  const wrong = `${ASK}
    await ask('GET', '/subscriptions/0123')
    await ask('POST', '/_control/reset', '{"seed": true}')
    await ask('POST', '/queues/orders?guid=1', 'a hat')`
  const { status, stderr } = runs(['--queue', 'orders'], wrong)
  t.equal(status, 3)
  t.match(stderr, /^atom-mq: One thing is not as it should be:\n- follow-links: .*\n$/)
  t.match(runs(['--queue', 'orders'], `${wrong}; process.exitCode = 1`), {
    status: 1,
    stderr: /follow-links/,
  })
  t.match(runs(['--queue', 'orders', '--ignore=follow-links'], wrong), { status: 0, stderr: '' })
  const strict = runs(['--queue', 'orders', '--strict'], wrong)
  t.match(strict, { status: 3, stderr: /404 .*: nobody expected[\s\S]*Message 1|1 was sent to orders/ })
  t.end()
})

t.test('what cannot be run', (t) => {
  const start = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, 'run', ...args], {
      encoding: 'utf8',
    })
    return { status, stdout, stderr }
  }
  t.same(start('--', 'no-such-command'), {
    ...{ status: 127, stdout: '' },
    stderr: 'atom-mq: there is no command "no-such-command".\n',
  })
  t.match(start('--', import.meta.dirname), { status: 126 })
  t.match(start(), { status: 2, stderr: /what shall it run\? Try atom-mq run -- npm test\./ })
  t.same(start('--queue', 'orders', 'npm', 'test', '--coverage'), {
    ...{ status: 2, stdout: '' },
    stderr:
      'atom-mq: Unexpected argument \'npm\'; the command that run is to start stands behind "--": atom-mq run -- npm test.\n',
  })
  t.match(start('--prot', '1', '--', 'true'), {
    status: 2,
    stderr: /'--prot'.*; see atom-mq run --help\.\n$/,
  })
  t.match(start('--port', 'x', '--', 'true'), { status: 2, stderr: /--port takes 0 to 65535/ })
  t.match(start('--host', 'no.such.host.invalid', '--', 'true'), { status: 1, stderr: /is not an address/ })
  t.match(start('--help'), { status: 0, stdout: /^atom-mq run \[options\] -- COMMAND/ })
  t.end()
})

t.test('a signal ends the command, and then the broker', async (t) => {
  const { spawn } = await import('node:child_process')
  const program = `console.log(process.env.ATOM_MQ_URL); setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, [MAIN, 'run', '--', process.execPath, '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await new Promise<string>((found) =>
    child.stdout.once('data', (text) => found(String(text).trim())),
  )
  const over = new Promise((found) => child.once('close', found))
  child.kill('SIGTERM')
  t.equal(await over, 128 + 15)
  await t.rejects(fetch(url))
})
