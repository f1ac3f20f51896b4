import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { DEFAULT_LIMITS } from '../broker/limits.js'
import { DEFAULT_EDGE_LIMITS } from '../http/limits.js'
import { defaultOf, LIMIT_FLAGS, readLimit } from './limit-flags.js'
import { serveHelp } from './serve-help.js'
import { DEFAULT_PORT, FLAGS, serveOptions, variableOf } from './serve-options.js'
import { UsageError } from './usage-error.js'

const server = (args: readonly string[], environment = {}) => serveOptions(args, environment).server

t.test('nothing said', async (t) => {
  const options = serveOptions([], {})
  t.equal(options.server.port, DEFAULT_PORT)
  t.equal(options.server.autoCreate, false)
  t.same(options.server.limits, {})
  t.same([options.quiet, options.help], [false, false])
  t.notOk('host' in options.server, 'what is not said is left to the server')
})

t.test('each option', async (t) => {
  const options = server([
    '--port=0',
    '--host=::1',
    '--base-path=/mq',
    '--public-url=https://example.org/mq',
    '--allow-host=a',
    '--allow-host=b',
    '--auto-create',
    '--queue=one',
    '--queue=two/three',
  ])
  t.match(options, {
    port: 0,
    host: '::1',
    basePath: '/mq',
    publicUrl: 'https://example.org/mq',
    allowHosts: ['a', 'b'],
    autoCreate: true,
    queues: ['one', 'two/three'],
  })
})

t.test('the environment, and the command line before it', async (t) => {
  const environment = {
    ATOM_MQ_PORT: '1234',
    ATOM_MQ_AUTO_CREATE: '1',
    ATOM_MQ_QUEUE: 'a,b',
    ATOM_MQ_HOST: '',
  }
  t.match(server([], environment), { port: 1234, autoCreate: true, queues: ['a', 'b'] })
  t.equal(server(['--port', '5'], environment).port, 5)
  t.equal(server([], { ATOM_MQ_AUTO_CREATE: 'false' }).autoCreate, false)
  t.equal(server([], { ATOM_MQ_MAX_WAIT: '1.5' }).limits?.maxWait, 1500)
  t.throws(() => server([], { ATOM_MQ_AUTO_CREATE: 'yes' }), {
    message: 'ATOM_MQ_AUTO_CREATE takes 1 or 0, not "yes".',
  })
})

t.test('every limit is an option, in its unit', async (t) => {
  const defaults = { ...DEFAULT_LIMITS, ...DEFAULT_EDGE_LIMITS }
  for (const limit of Object.keys(LIMIT_FLAGS) as (keyof typeof LIMIT_FLAGS)[]) {
    const { flag, unit, least, most } = LIMIT_FLAGS[limit]
    t.equal(readLimit(limit, defaultOf(limit)), defaults[limit], `the default of --${flag} reads back`)
    const scale = unit === 'seconds' ? 1000 : 1
    t.equal(server([`--${flag}`, String(most)]).limits?.[limit], most * scale, `--${flag} ${most}`)
    t.equal(readLimit(limit, String(least)), Math.round(least * scale))
    for (const bad of ['', 'x', '-1', '1e3', '0x10', String(most * 2 + 1)]) {
      t.equal(readLimit(limit, bad), undefined, `--${flag} ${bad}`)
    }
    t.throws(() => server([`--${flag}`, 'many']), UsageError)
  }
  t.throws(() => server(['--max-prefetch', '0']), {
    message: '--max-prefetch takes a number from 1 to 16000000, not "0".',
  })
  t.throws(() => server(['--max-wait', 'x']), {
    message: '--max-wait takes seconds from 0 to 31536000, not "x".',
  })
  // What the platform's timers cannot keep: the rest of the six follows from the same table.
  t.throws(() => server(['--close-timeout', '2147484']), {
    message: '--close-timeout takes seconds from 0.001 to 2147483.647, not "2147484".',
  })
  t.throws(() => server([], { ATOM_MQ_KEEP_ALIVE_TIMEOUT: '31536000' }), {
    message: 'ATOM_MQ_KEEP_ALIVE_TIMEOUT takes seconds from 0.001 to 2147483.647, not "31536000".',
  })
})

t.test('what cannot be', async (t) => {
  for (const [args, message] of [
    [['--port', '65536'], '--port takes 0 to 65535, not "65536".'],
    [['--port', 'http'], '--port takes 0 to 65535, not "http".'],
    [['--prot', '1'], /^Unknown option '--prot'.*see atom-mq serve --help\.$/],
    [['extra'], /^Unexpected argument 'extra'.*see atom-mq serve --help\.$/],
    [['--auth', '/nowhere/principals.json'], '--auth /nowhere/principals.json: there is no such file.'],
    [['--seed', tmpdir()], `--seed ${tmpdir()}: this is a folder, not a file.`],
    [['--seed', 'a\0b'], /^--seed a\0b: The argument 'path' must be/],
    [['--host', ''], '--host takes the name or the number of an address, not "".'],
    [['--ignore', 'send-once'], '--ignore needs --judge-client: nothing is judged without it.'],
    [['--port-file', ''], '--port-file takes the name of a file, not "".'],
    [
      ['--port', '-1'],
      '--port needs a value, and one that begins with "-" stands behind "--port="; see atom-mq serve --help.',
    ],
  ] as const) {
    t.throws(() => server(args), { name: 'UsageError', message }, args.join(' '))
  }
})

t.test('a mistake is told by the name under which it was made', async (t) => {
  for (const [variable, value, message] of [
    ['ATOM_MQ_PORT', 'tcp://10.0.0.1:80', 'ATOM_MQ_PORT takes 0 to 65535, not "tcp://10.0.0.1:80".'],
    ['ATOM_MQ_CLOCK', 'sundial', 'ATOM_MQ_CLOCK takes system or manual, not "sundial".'],
    ['ATOM_MQ_SEED', '/nowhere/seed', 'ATOM_MQ_SEED /nowhere/seed: there is no such file.'],
    ['ATOM_MQ_IGNORE', 'send-once', 'ATOM_MQ_IGNORE needs --judge-client: nothing is judged without it.'],
    ['ATOM_MQ_MAX_BATCH', 'x', 'ATOM_MQ_MAX_BATCH takes a number from 1 to 16000000, not "x".'],
  ] as const) {
    t.throws(() => server([], { [variable]: value }), { name: 'UsageError', message })
  }
  t.throws(() => server(['--port', 'x'], { ATOM_MQ_PORT: '1' }), { message: /^--port takes/ })
  t.same(
    server([], { ATOM_MQ_QUEUE: 'a, b' }).queues,
    ['a', 'b'],
    'a space behind a comma is no part of a name',
  )
})

t.test('a file may begin with a mark of its encoding, and must be UTF-8', async (t) => {
  const path = join(t.testdir(), 'seed.json')
  writeFileSync(path, '\ufeff{"queues": ["é"]}')
  t.same(server(['--seed', path]).seed, { queues: ['é'] })
  writeFileSync(path, Buffer.from('{"queues": ["é"]}', 'latin1'))
  t.throws(() => server(['--seed', path]), { message: `--seed ${path}: it is not UTF-8; save it as that.` })
})

t.test('principals from a file', async (t) => {
  const path = join(t.testdir(), 'principals.json')
  writeFileSync(
    path,
    JSON.stringify({ principals: [{ name: 'a', tokenSha256: '0'.repeat(64), roles: ['admin'] }] }),
  )
  t.equal(server(['--auth', path]).principals?.[0]?.principal.name, 'a')
  writeFileSync(path, '{')
  t.throws(() => server(['--auth', path]), { message: `--auth ${path}: it is not JSON.` })
})

t.test('the help tells every option and its variable', async (t) => {
  const help = serveHelp()
  for (const name of [...Object.keys(FLAGS), ...Object.values(LIMIT_FLAGS).map(({ flag }) => flag)]) {
    t.ok(help.includes(`--${name}`), `--${name}`)
  }
  t.equal(variableOf('base-path'), 'ATOM_MQ_BASE_PATH')
  t.ok(
    help.split('\n').every((line) => line.length <= 100),
    'lines fit a terminal',
  )
})
