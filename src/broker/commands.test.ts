import t from 'tap'
import { Commands } from './commands.js'
import { Events } from './events.js'

t.test('who is noted is called once, in order, when the command is over', (t) => {
  const commands = new Commands(new Events())
  const called: string[] = []
  const set = new Set([() => void called.push('a'), () => void called.push('b')])
  const result = commands.run(() => {
    commands.note(set)
    t.equal(set.size, 0)
    t.same(called, [])
    return 'done'
  })
  t.equal(result, 'done')
  t.same(called, ['a', 'b'])
  commands.run(() => {})
  t.same(called, ['a', 'b'])
  t.end()
})

t.test('who came first may be noted by itself, and is told that it is called alone', (t) => {
  const commands = new Commands(new Events())
  const called: (readonly [string, boolean])[] = []
  const set = new Set(['a', 'b', 'c'].map((name) => (alone: boolean) => void called.push([name, alone])))
  commands.run(() => commands.noteFirst(set))
  commands.run(() => commands.note(set))
  t.same(called, [
    ['a', true],
    ['b', false],
    ['c', false],
  ])
  t.end()
})

t.test('who is noted is called after a refused command too', (t) => {
  const commands = new Commands(new Events())
  let called = 0
  t.throws(() =>
    commands.run(() => {
      commands.note(new Set([() => called++]))
      throw new Error('refused')
    }),
  )
  t.equal(called, 1)
  t.end()
})

t.test('a waiter may give the next command', (t) => {
  const commands = new Commands(new Events())
  const called: string[] = []
  const later = new Set([() => void called.push('later')])
  const first = () => {
    commands.run(() => commands.note(later))
    called.push('first')
  }
  commands.run(() => commands.note(new Set([first, () => void called.push('second')])))
  t.same(called, ['later', 'first', 'second'])
  t.end()
})
