import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { PortFile } from './port-file.js'
import { run } from './run.js'
import { serveOptions } from './serve-options.js'

function folder(t: Test): string {
  const path = mkdtempSync(join(tmpdir(), 'atom-mq-serve-'))
  t.teardown(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** Runs `serve`; what is printed resolves `url`, and `stop` is the signal. */
function serve(args: readonly string[], environment: Record<string, string> = {}) {
  let stop = () => {}
  let printed: (text: string) => void = () => {}
  let complaints = ''
  const url = new Promise<string>((resolve) => {
    printed = resolve
  })
  const code = run(['serve', '--port', '0', '--quiet', ...args], {
    environment,
    print: (text) => printed(text.trim()),
    complain: (text) => {
      complaints += text
    },
    stopSignal: new Promise((resolve) => {
      stop = resolve
    }),
  })
  return { code, url, stop: () => stop(), complaints: () => complaints }
}

t.test('the port file is there just while the port is open, and names it', async (t) => {
  const file = join(folder(t), 'port')
  writeFileSync(file, '1\n')
  const { url, code, stop } = serve(['--port-file', file])
  const printed = await url
  t.equal(`http://127.0.0.1:${readFileSync(file, 'utf8').trim()}`, printed)
  t.same(readdirSync(join(file, '..')), ['port'], 'no piece of it is left')
  stop()
  t.equal(await code, 0)
  t.notOk(existsSync(file))
})

t.test('an old port file is gone even when the server does not start', async (t) => {
  const file = join(folder(t), 'port')
  writeFileSync(file, '1\n')
  const { code, complaints } = serve(['--port-file', file, '--base-path', 'x y'])
  t.equal(await code, 1)
  t.match(complaints(), /base path/)
  t.notOk(existsSync(file))
})

t.test('a port file that cannot be written stops the server again', async (t) => {
  const { code, complaints } = serve(['--port-file', join(folder(t), 'missing', 'port')])
  t.equal(await code, 1)
  t.match(complaints(), /^atom-mq: --port-file .*port: the folder that it is to be in is not there; make it/)
})

t.test('a port file that cannot be is told in a sentence, and leaves nothing behind', async (t) => {
  const path = folder(t)
  const { code, complaints } = serve(['--port-file', path])
  t.equal(await code, 1)
  t.equal(complaints(), `atom-mq: --port-file ${path}: this is a folder; give the name of a file.\n`)
  const file = new PortFile(join(path, 'port'))
  mkdirSync(join(path, 'port'))
  t.throws(() => file.write(1), { message: /^--port-file .*port: this is a folder/ })
  t.same(readdirSync(path), ['port'])
  t.throws(() => new PortFile('a\0b'), { message: /^--port-file a\0b: The argument/ })
})

t.test('a port file that is another server’s by now is left alone', async (t) => {
  const path = join(folder(t), 'port')
  const [one, two] = [new PortFile(path), new PortFile(path)]
  one.write(1)
  two.write(2)
  one.remove()
  t.equal(readFileSync(path, 'utf8'), '2\n')
  two.remove()
  two.remove()
  t.notOk(existsSync(path))
})

t.test('--control, --clock and --seed', async (t) => {
  const file = join(folder(t), 'seed.json')
  writeFileSync(file, JSON.stringify({ queues: ['a'], messages: [{ queue: 'a', body: 'x' }] }))
  const { url, code, stop } = serve(['--clock', 'manual', '--seed', file], { ATOM_MQ_CONTROL: '1' })
  const answer = await fetch(`${await url}/_control/state`)
  t.match(await answer.json(), { clock: { manual: true }, queues: [{ name: 'a', pending: 1 }] })
  stop()
  t.equal(await code, 0)
})

t.test('without them there are no extras, and the time is real', async (t) => {
  const { server, portFile } = serveOptions([], {})
  t.match(server, { control: undefined, clock: 'system', seed: undefined })
  t.equal(portFile, undefined)
})

t.test('a bad seed or clock is told, with the place, and nothing starts', async (t) => {
  const file = join(folder(t), 'seed.json')
  const cases: [text: string, code: number, message: RegExp][] = [
    ['{\n "queues": [1,\n}', 2, /--seed .*seed\.json: It is not JSON: see line 3, column 1\./],
    ['{"queues": [1]}', 2, /--seed .*: queues\[0\] must be a text\./],
    ['{"messages": [{"queue": "a"}]}', 1, /--seed: messages\[0\] is refused: There is no queue "a"/],
  ]
  for (const [text, expected, message] of cases) {
    writeFileSync(file, text)
    const { code, complaints } = serve(['--seed', file])
    t.equal(await code, expected)
    t.match(complaints(), message)
  }
  for (const args of [
    ['--seed', join(file, 'missing')],
    ['--clock', 'sundial'],
  ]) {
    const { code, complaints } = serve(args)
    t.equal(await code, 2)
    t.match(complaints(), /--(seed|clock)/)
  }
})

t.test('clients are judged, and the end tells of them', async (t) => {
  const good = serve(['--judge-client', '--queue', 'a'])
  await fetch(`${await good.url}/queues/a?guid=1`, { method: 'POST', body: 'x' })
  good.stop()
  t.equal(await good.code, 0)
  t.equal(good.complaints(), 'The client kept every rule in 1 exchange.\n')
  const bad = serve([], { ATOM_MQ_JUDGE_CLIENT: '1' })
  await fetch(`${await bad.url}/subscriptions`, {
    method: 'POST',
    body: new URLSearchParams({ destination: '>' }),
  })
  bad.stop()
  t.equal(await bad.code, 3)
  t.match(
    bad.complaints(),
    /broke a rule .* once in 1 exchange.*\n {2}delete-subscription: .*\n.*\n.*#1 POST \/subscriptions → 201/,
  )
  const ignored = serve([
    '--judge-client',
    '--ignore=poll-gently',
    '--ignore=delete-subscription',
    '--dialect=based',
  ])
  await fetch(`${await ignored.url}/subscriptions`, {
    method: 'POST',
    body: new URLSearchParams({ destination: '>' }),
  })
  t.match(await (await fetch(`${await ignored.url}/queues`)).text(), /xml:base="\/"/)
  ignored.stop()
  t.equal(await ignored.code, 0)
  t.equal(await serve(['--ignore=politeness']).code, 2)
  t.equal(await serve(['--dialect=latin']).code, 2)
})
