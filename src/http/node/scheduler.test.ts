import type { Socket } from 'node:net'
import t from 'tap'
import { Scheduler } from '../scheduler.js'
import { Connection } from './connection.js'
import { RawClient, request } from './raw-client.test.helper.js'
import { Reading } from './reading.js'
import { createHttpServer } from './server.js'

/** Longer than a slice, in milliseconds: one such request is answered in a turn of the event loop. */
const LONG = 9
/** Of no account here. */
const ROOM = { bytes: 1000, fields: 10 }

/** A scheduler at a clock that goes on by work alone, however busy the machine is. */
function timed() {
  let now = 0
  const work = () => {
    now += LONG
  }
  return { work, scheduler: new Scheduler(() => now) }
}

/** A scheduler, and the order in which what is added to it is answered, with as much work for each. */
function start(pieces = 0) {
  const connections = new Map<Socket, Connection>()
  const { scheduler, work } = timed()
  scheduler.intake = new Reading(connections)
  const seen: string[] = []
  const add = (path: string, connection = new Connection({} as Socket, ROOM)) => {
    const [address = '', rawQuery = ''] = path.split('?')
    const asked = { method: 'GET', path: address, segments: address.slice(1).split('/'), rawQuery }
    scheduler.add(connection, asked, () => {
      seen.push(path)
      for (let piece = 0; piece < pieces; piece++) work()
    })
  }
  const empty = async () => {
    while (!scheduler.mayAnswerNow()) await new Promise((resolve) => setImmediate(resolve))
    return seen
  }
  return { scheduler, work, seen, add, empty }
}

t.test('requests are answered by kinds in turn, and within one by addresses', async (t) => {
  const { add, empty } = start()
  for (let index = 0; index < 3; index++) add('/page/a')
  add('/page/b')
  add('/page/b')
  add('/short')
  t.same(await empty(), ['/page/a', '/short', '/page/b', '/page/a', '/page/b', '/page/a'])
})

t.test('those of one address are answered by queries in turn', async (t) => {
  const { add, empty } = start()
  for (let index = 0; index < 3; index++) add('/page/a?limit=1000')
  add('/page/a')
  add('/page/b')
  t.same(await empty(), [
    '/page/a?limit=1000',
    '/page/b',
    '/page/a',
    '/page/a?limit=1000',
    '/page/a?limit=1000',
  ])
})

t.test('those of one connection are answered in the order in which they came', async (t) => {
  const { add, empty } = start()
  const one = new Connection({} as Socket, ROOM)
  for (const path of ['/page/a', '/page/a', '/short', '/page/a']) add(path, one)
  add('/other')
  t.same(await empty(), ['/page/a', '/other', '/page/a', '/short', '/page/a'])
})

t.test('each that takes long has a turn of the event loop of its own', async (t) => {
  const { scheduler, work, seen, add, empty } = start(1)
  t.ok(scheduler.mayAnswerNow())
  scheduler.go(work)
  t.notOk(scheduler.mayAnswerNow(), 'there is no time left in this turn')
  for (let index = 0; index < 5; index++) add('/page')
  const turns = new Set<number>()
  while (seen.length < 5) {
    const before = seen.length
    await new Promise((resolve) => setImmediate(resolve))
    turns.add(seen.length - before)
  }
  t.ok([...turns].every((answered) => answered <= 1))
  t.equal((await empty()).length, 5)
})

t.test('who comes last of many does not wait until all long answers are given', async (t) => {
  const seen: string[] = []
  const { work, scheduler } = timed()
  const server = createHttpServer({
    scheduler,
    handle({ path }) {
      seen.push(path)
      if (path === '/page') work()
      return { status: 200, body: path === '/page' ? 'x'.repeat(2_000_000) : 'x' }
    },
  })
  const { port } = await server.listen()
  t.teardown(() => server.close())
  const ask = (path: string) => RawClient.exchange(port, request(`GET ${path}`, ['Connection: close']))
  const answers = [...Array.from({ length: 30 }, () => ask('/page')), ask('/short')]
  await Promise.all(answers)
  t.equal(seen.length, 31)
  t.ok(seen.indexOf('/short') < 10, `before it: ${seen.indexOf('/short')}`)
})

t.test('a request for which there is no room to wait is refused, and the others are answered', async (t) => {
  let seen = 0
  const { work, scheduler } = timed()
  const server = createHttpServer({
    scheduler,
    handle() {
      seen++
      work()
      return { status: 200 }
    },
    limits: { maxInFlight: 20_000 },
  })
  const { port } = await server.listen()
  t.teardown(() => server.close())
  const client = await RawClient.open(port)
  client.say(request('GET /page').repeat(8) + request('GET /page', ['Connection: close']))
  const statuses = (await client.untilClosed()).match(/HTTP\/1\.1 \d+/g)?.map((line) => line.slice(9))
  t.equal(statuses?.length, 9)
  t.same(statuses, [...Array(seen).fill('200'), ...Array(9 - seen).fill('503')])
  t.ok(seen >= 3 && seen < 9)
})

t.test('a server that lets many in reads on, whatever they bring', async (t) => {
  const server = createHttpServer({ handle: () => ({ status: 200, body: 'x' }) })
  const { port } = await server.listen()
  t.teardown(() => server.close())
  const head = request('POST /', ['Transfer-Encoding: chunked', 'Connection: close'])
  const clients = await Promise.all(Array.from({ length: 20 }, () => RawClient.open(port)))
  for (const client of clients) client.say(`${head}${'1\r\na\r\n'.repeat(3000)}0\r\n\r\n`)
  const answers = await Promise.all(clients.map((client) => client.untilClosed()))
  t.ok(answers.every((answer) => answer.startsWith('HTTP/1.1 200')))
})

t.test('what came on a line that has ended is not answered, and keeps nothing until its turn', async (t) => {
  const { scheduler, add, empty } = start()
  const ended = new Connection({} as Socket, ROOM)
  const other = new Connection({} as Socket, ROOM)
  for (const path of ['/page/a', '/page/b']) add(path, ended)
  add('/page/a', other)
  const { first } = ended
  scheduler.forget(ended)
  t.same([first?.line, first?.behind, ended.first, ended.pending], Array(4).fill(undefined))
  scheduler.forget(ended)
  t.same(await empty(), ['/page/a'])
  add('/page/c', other)
  t.same(await empty(), ['/page/a', '/page/c'])
})

t.test('what takes much memory ends the taking in of its turn', async (t) => {
  const { scheduler } = timed()
  const seen: string[] = []
  scheduler.intake = {
    get stopped() {
      return seen.at(-1) === 'stop'
    },
    stop: () => void seen.push('stop'),
    rest: () => {},
    goOn: () => void seen.push('go on'),
  }
  scheduler.restIntake()
  t.same(seen, ['stop'])
  while (seen.length < 2) await new Promise((resolve) => setImmediate(resolve))
  t.same(seen, ['stop', 'go on'])
})
