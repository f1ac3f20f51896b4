import type { ChildProcess, SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import t from 'tap'
import { lineForWindows, startCommand } from './start-command.js'

/** What would be started on a platform, and what ends it. */
function startedOn(platform: NodeJS.Platform, command: readonly string[]) {
  const calls: { command: string; args: readonly string[]; options: SpawnOptions }[] = []
  const start = (program: string, args: readonly string[], options: SpawnOptions) => {
    calls.push({ command: program, args, options })
    return { pid: 42, kill: () => true } as unknown as ChildProcess
  }
  startCommand(command, { stdio: 'inherit', apart: true }, platform, start).kill()
  return calls
}

t.test('on Windows a shell runs one line, and all of it is ended', async (t) => {
  const [started, ended, ...more] = startedOn('win32', ['npm', 'test', '--', 'a b'])
  t.match(started, { command: 'npm test -- "a b"', args: [], options: { shell: true, stdio: 'inherit' } })
  t.notOk(started?.options.detached, 'Ctrl-C in the same window reaches it')
  t.match(ended, { command: 'taskkill', args: ['/pid', '42', '/t', '/f'] })
  t.equal(more.length, 0)
})

t.test('elsewhere no shell does', async (t) => {
  const [started, ...more] = startedOn('linux', ['npm', 'test', '--', 'a b'])
  t.match(started, { command: 'npm', args: ['test', '--', 'a b'], options: { detached: true } })
  t.notOk(started?.options.shell)
  t.equal(more.length, 0)
})

t.test('a line for cmd.exe keeps each argument whole', async (t) => {
  for (const [command, line] of [
    [['./node_modules/.bin/mocha'], '.\\node_modules\\.bin\\mocha'],
    [['C:\\Program Files\\nodejs\\node.exe', 'a.mjs'], '"C:\\Program Files\\nodejs\\node.exe" a.mjs'],
    [['node', '-e', 'console.log("a & b")'], 'node -e "console.log(\\"a & b\\")"'],
    [['echo', 'C:\\a b\\'], 'echo "C:\\a b\\\\"'],
    [['echo', 'a\\"b', ''], 'echo "a\\\\\\"b" ""'],
    [['pytest', '-q', 'tests/a.py::b'], 'pytest -q tests/a.py::b'],
    [['go', 'test', './...', '--x=1,2'], 'go test ./... --x=1,2'],
  ] as const) {
    t.equal(lineForWindows(command), line)
  }
})

t.test('what a command has started ends with it', async (t) => {
  const grandchild = `${process.execPath} -e "setInterval(() => {}, 1000)" & wait`
  const { child, kill } = startCommand(['sh', '-c', `${grandchild}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
    apart: true,
  })
  const closed = once(child, 'close')
  await once(child, 'spawn')
  kill()
  await closed
  t.equal(child.signalCode, 'SIGKILL', 'the pipe closed, which the grandchild had too')
  kill()
})
