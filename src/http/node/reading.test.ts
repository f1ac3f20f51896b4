import type { Socket } from 'node:net'
import t from 'tap'
import { Connection, type Exchange } from './connection.js'
import { Reading } from './reading.js'

/** A connection that says nothing by itself. */
function connection(bytesRead: number): Connection {
  const socket = {
    bytesRead,
    destroyed: false,
    paused: false,
    isPaused: () => socket.paused,
    pause: () => {
      socket.paused = true
    },
    resume: () => {
      socket.paused = false
    },
  }
  return new Connection(socket as unknown as Socket, { bytes: 1000, fields: 10 })
}

function start({ served = 0, fresh = 0, others = 0 }, most?: number) {
  const connections = new Map<Socket, Connection>()
  const names = new Map<Connection, string>()
  const add = (name: string, bytesRead: number) => {
    const added = connection(bytesRead)
    connections.set(added.socket, added)
    names.set(added, name)
    return added
  }
  for (let index = 0; index < served; index++) add(`served ${index}`, 1)
  for (let index = 0; index < fresh; index++) add(`fresh ${index}`, 0)
  for (let index = 0; index < others; index++) add(`other ${index}`, 1).exchanges.append({} as Exchange)
  const read = () => [...names].filter(([{ socket }]) => !socket.isPaused()).map(([, name]) => name)
  return { reading: new Reading(connections, most), connections, names, read }
}

/** One turn of the event loop, which is long. @returns who is read from in it */
function longTurn({ reading, read }: ReturnType<typeof start>): string[] {
  reading.rest()
  reading.goOn()
  const whose = read()
  reading.stop()
  return whose
}

t.test('the served, the newest, the others, and the oldest go on in turn', (t) => {
  const all = start({ served: 2, fresh: 4, others: 2 }, 1)
  all.reading.stop()
  t.same(
    Array.from({ length: 9 }, () => longTurn(all)),
    [
      ['fresh 3'],
      ['other 0'],
      ['fresh 0'],
      ['served 0'],
      ['fresh 2'],
      ['other 1'],
      ['fresh 1'],
      ['served 1'],
      ['fresh 3'],
    ],
  )
  t.end()
})

t.test('of those who bring little, more and more go on, until all are read from', (t) => {
  const all = start({ served: 1000 })
  all.reading.stop()
  for (let turn = 0; turn < 4; turn++) longTurn(all)
  const sizes: number[] = []
  while (all.reading.stopped && sizes.length < 30) {
    all.reading.rest()
    all.reading.goOn()
    sizes.push(all.read().length)
  }
  t.equal(sizes[0], 1)
  t.equal(Math.max(...sizes.slice(0, -1)), 128)
  t.end()
})

t.test('who comes meanwhile has a turn too, and who was paused or is gone is let alone', (t) => {
  const { reading, connections, names, read } = start({ others: 2 })
  const [first, second] = [...connections.values()] as [Connection, Connection]
  second.socket.pause()
  reading.stop()
  const late = connection(0)
  names.set(late, 'late')
  reading.opened(late)
  t.ok(late.socket.isPaused())
  reading.served(first)
  reading.goOn()
  t.same(read(), ['late'])
  reading.rest()
  reading.goOn()
  t.same(read(), ['late'])
  Object.assign(late.socket, { destroyed: true })
  reading.rest()
  reading.goOn()
  t.same(read(), ['other 0', 'late'])
  t.notOk(reading.stopped)
  t.end()
})

t.test('who has ended stands behind nobody', (t) => {
  const { reading, connections, read } = start({ served: 1, fresh: 2 })
  reading.stop()
  const [one, ...others] = connections.values()
  reading.closed(one!)
  reading.closed(one!)
  t.equal(one!.stopped, undefined)
  for (const other of others) reading.closed(other)
  t.equal(reading.stopped, false)
  t.same(read(), [])
  t.end()
})
