import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { serve } from '../client/serve.test.helper.js'
import { result } from '../report/report.test.helper.js'
import { fakeBroker } from '../trial/fake-broker.test.helper.js'
import { program } from './cli.test.helper.js'
import { everyByTimer, ProgressLine, type Terminal } from './progress-line.js'

/** What a reader sees in the end of what was written. */
function screenAfter(screen: string, text: string): string {
  const [first = '', ...others] = text.split('\r\u001b[K')
  return others.reduce((seen, part) => seen.slice(0, seen.lastIndexOf('\n') + 1) + part, screen + first)
}

/** Lets a program take its stderr, which is a pipe, for a terminal. */
const ON_A_TERMINAL = {
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=data:text/javascript,process.stderr.isTTY=true`,
  TERM: 'xterm',
  CI: '',
}

/** A terminal that shows its last line as a reader sees it, with a clock and a timer that are moved by hand. */
class FakeTerminal implements Terminal {
  readonly isTTY: boolean = true
  columns = 80
  writes: string[] = []
  screen = ''
  time = 5000
  tick: (() => void) | undefined
  pace = 0

  write(text: string): void {
    this.writes.push(text)
    this.screen = screenAfter(this.screen, text)
  }

  progress(env: Record<string, string> = {}): ProgressLine {
    return new ProgressLine({
      terminal: this,
      env,
      now: () => this.time,
      every: (milliseconds, call) => {
        this.pace = milliseconds
        this.tick = call
        return () => {
          this.tick = undefined
        }
      },
    })
  }

  pass(milliseconds: number): void {
    this.time += milliseconds
    this.tick?.()
  }
}

t.test('it tells of the probe, then of the checks', async (t) => {
  const terminal = new FakeTerminal()
  const line = terminal.progress()
  t.ok(terminal.pace >= 100, 'ten times a second at most')
  terminal.pass(100)
  t.equal(terminal.screen, 'starting, 0 s')
  line.probing()
  terminal.pass(1900)
  t.equal(terminal.screen, 'probing the target, 2 s')
  const tell = line.running(3, { run: 1, of: 1 })
  terminal.pass(0)
  t.equal(terminal.screen, '0 of 3 checks, 0 failed, 2 s')
  tell(result('send.a'))
  tell(result('send.b', { status: 'fail' }))
  tell(result('send.c', { status: 'blocked' }))
  t.equal(terminal.screen, '0 of 3 checks, 0 failed, 2 s', 'not before its time')
  terminal.pass(1100)
  t.equal(terminal.screen, '3 of 3 checks, 1 failed, 3 s, last send.c')
  const writes = terminal.writes.length
  terminal.pass(100)
  t.equal(terminal.writes.length, writes, 'nothing is written where nothing is new')
  line.end()
  t.equal(terminal.screen, '')
  t.equal(terminal.tick, undefined)
  line.end()
  t.equal(terminal.writes.length, writes + 1, 'once')
})

t.test('of several runs it tells which', async (t) => {
  const terminal = new FakeTerminal()
  const line = terminal.progress()
  line.running(2, { run: 1, of: 10 })(result('send.a', { status: 'fail' }))
  terminal.pass(0)
  t.equal(terminal.screen, 'run 1 of 10: 1 of 2 checks, 1 failed, 0 s, last send.a')
  line.running(2, { run: 2, of: 10 })
  terminal.pass(0)
  t.equal(terminal.screen, 'run 2 of 10: 0 of 2 checks, 0 failed, 0 s')
})

t.test('it keeps to the width that the terminal has just then', async (t) => {
  const terminal = new FakeTerminal()
  terminal.progress().running(2, { run: 1, of: 1 })(result(`send.${'x'.repeat(200)}`))
  for (const [columns, width] of [
    [80, 79],
    [20, 19],
    [0, 79],
  ] as const) {
    terminal.columns = columns
    terminal.pass(0)
    t.equal(terminal.screen.length, width)
    t.match(terminal.screen, /^1 of 2 checks, 0 fa/)
  }
})

t.test('what is said stays, above the line', async (t) => {
  const terminal = new FakeTerminal()
  const line = terminal.progress()
  terminal.pass(0)
  line.say('kit: one\n')
  line.say('kit: two\n')
  t.equal(terminal.screen, 'kit: one\nkit: two\n')
  terminal.pass(0)
  t.equal(terminal.screen, 'kit: one\nkit: two\nstarting, 0 s')
  line.end()
  t.equal(terminal.screen, 'kit: one\nkit: two\n')
})

t.test('where it is rewritten in place', async (t) => {
  const shown = (env: Record<string, string>) => {
    const terminal = new FakeTerminal()
    const line = terminal.progress(env)
    terminal.pass(terminal.pace)
    line.say('said\n')
    line.end()
    t.ok(terminal.writes.includes('said\n'), 'what is said is said')
    return terminal.writes.some((text) => text.includes('\r'))
  }
  for (const env of [{}, { NO_COLOR: '1' }, { TERM: 'xterm' }, { CI: '' }, { CI: 'false' }, { CI: '0' }])
    t.ok(shown(env), JSON.stringify(env))
  for (const env of [{ TERM: 'dumb' }, { CI: 'true' }, { CI: '1' }, { CI: 'woodpecker' }])
    t.notOk(shown(env), JSON.stringify(env))
  t.notOk(
    new FakeTerminal().writes.some((text) => text.includes('\u001b[3')),
    'no colours',
  )
})

t.test('where nothing can be erased, a line now and then shows that it goes on', (t) => {
  for (const [isTTY, env] of [
    [false, {}],
    [true, { TERM: 'dumb' }],
    [true, { CI: 'true' }],
  ] as const) {
    const terminal = Object.assign(new FakeTerminal(), { isTTY })
    const line = terminal.progress(env)
    t.equal(terminal.pace, 30_000)
    line.probing()
    line.running(2, { run: 1, of: 1 })(result('send.a'))
    t.strictSame(terminal.writes, [], 'a short run says nothing of it')
    terminal.pass(30_000)
    t.strictSame(terminal.writes, ['atom-mq-conformance: 1 of 2 checks, 0 failed, 30 s, last send.a\n'])
    line.end()
    t.equal(terminal.tick, undefined)
    t.equal(terminal.writes.length, 1, 'nothing is erased')
  }
  t.end()
})

t.test('the timer calls again and again until it is ended, and keeps nothing alive', async (t) => {
  const before = process.getActiveResourcesInfo().length
  let calls = 0
  let stop = () => {}
  const called = new Promise<void>((resolve) => {
    stop = everyByTimer(1, () => {
      calls += 1
      if (calls === 2) resolve()
    })
  })
  t.equal(process.getActiveResourcesInfo().length, before)
  const hold = setTimeout(() => {}, 10_000)
  await called
  clearTimeout(hold)
  stop()
  const then = calls
  await sleep(5)
  t.equal(calls, then)
})

t.test('a run on a terminal: the line is gone before the report', async (t) => {
  await using broker = await fakeBroker()
  broker.intercept = () => sleep(150).then(() => undefined)
  const profile = join(t.testdir({ 'profile.json': '{}' }), 'profile.json')
  const args = [broker.url, '--only', 'queues.create', '--profile', profile]
  let screenAtReport: string | undefined
  const { code, out, err } = await program(
    args,
    (child) => {
      let written = ''
      child.stderr!.on('data', (chunk) => {
        written += chunk
      })
      child.stdout!.once('data', () => {
        screenAtReport = screenAfter('', written)
      })
    },
    ON_A_TERMINAL,
  )
  t.equal(code, 0)
  t.match(err, '\r\u001b[K0 of 1 checks, 0 failed, 0 s')
  t.equal(screenAfter('', err), '')
  t.equal(screenAtReport, '')
  t.notOk(out.includes('\u001b'))
  const plain = await program(args, undefined, { ...ON_A_TERMINAL, CI: 'true' })
  t.equal(plain.err, '')
})

t.test('an interrupted run, and an interrupted probe, leave no line behind', async (t) => {
  await using server = await serve(() => undefined)
  const profile = join(t.testdir({ 'profile.json': '{}' }), 'profile.json')
  const cases: [string[], string][] = [
    [[server.url, '--only', 'queues.create', '--profile', profile], 'of 1 checks'],
    [[server.url, '--only', 'queues.create'], 'probing the target, 0 s'],
    [
      ['probe', server.url, '--quick', '--notes', join(t.testdirName, 'notes.txt')],
      'probing the target, 0 s',
    ],
  ]
  for (const [args, line] of cases) {
    const { code, err } = await program(
      args,
      (child) => {
        child.stderr!.on('data', (chunk) => {
          if (String(chunk).includes(line)) child.kill('SIGINT')
        })
      },
      ON_A_TERMINAL,
    )
    t.equal(code, 3, args.join(' '))
    t.match(err, line)
    t.notMatch(screenAfter('', err), /probing|checks,/)
  }
})
