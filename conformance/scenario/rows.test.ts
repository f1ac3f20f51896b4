import t from 'tap'
import { printInline } from './print.js'
import { parseRows, printSaid } from './rows.js'

t.test('a row has an id, clauses and a scenario, and may say an answer', async (t) => {
  const rows = parseRows(`
# Two of them.
ack.one: ack.status consume.repeat  # a comment
  create a; send m1 to a
  subscribe A to a; read A

  ! ack A m1
ack.two: ack.repeat answers 200 as repeated-ack
  create a
  ! create a
ack.three: ack.repeat shows m1 m2 as shown
  create a
  ! browse a
ack.five: ack.repeat shows m2 m1 in order as shown
  create a
  ! browse a
ack.four: ack.repeat shows nothing as shown
  create a
  ! browse a
`)
  t.match(
    rows.map(({ steps, ...rest }) => ({ ...rest, scenario: printInline(steps) })),
    [
      {
        id: 'ack.one',
        clauses: ['ack.status', 'consume.repeat'],
        scenario: 'create a; send m1 to a; subscribe A to a; read A; ! ack A m1',
      },
      {
        id: 'ack.two',
        clauses: ['ack.repeat'],
        scenario: 'create a; ! create a',
        says: { answers: [{ statuses: ['200'] }], point: 'repeated-ack' },
      },
      { id: 'ack.three', clauses: ['ack.repeat'], says: { shows: ['m1', 'm2'], point: 'shown' } },
      { id: 'ack.five', says: { shows: ['m2', 'm1'], inOrder: true, point: 'shown' } },
      { id: 'ack.four', says: { shows: [], point: 'shown' } },
    ],
  )
})

t.test('what a row says is printed as its head has it', async (t) => {
  for (const said of [
    'answers 200 as a',
    'answers 405 or 5xx with Allow: GET POST and Content-Type as a',
    'answers 200 with ETag and Cache-Control: private no-cache as a',
    'answers 2xx with no ETag and Allow holding published and property colour=dark red as a',
    'answers 200 or 201 holding deliveries 1 then 304 then 4xx with Allow as a',
    'shows nothing as a',
    'shows m1 m2 in order as a',
  ]) {
    const [row] = parseRows(`ack.one: ack.repeat ${said}\n  ! create a; ! create b\n`)
    t.equal(printSaid(row!.says!), said)
  }
})

t.test('a mistake is told with its line, its column and what is nearest', async (t) => {
  for (const [text, why] of [
    ['  create a\n', 'line 1, column 1: a row begins with its id and a colon.'],
    ['ack.one ack.status\n  create a\n', 'line 1, column 1: ack.one is no id with a colon behind it.'],
    [
      'axe.one: ack.status\n  create a\n',
      'line 1, column 1: the id axe.one is not a topic, a dot and a name.',
    ],
    ['ack.one:\n  create a\n', 'line 1, column 1: ack.one names no clause.'],
    [
      'ack.one: ack.statu\n  create a\n',
      'line 1, column 10: no clause has the id ack.statu. The nearest is ack.status.',
    ],
    ['ack.one: ack.status\n', 'line 1, column 1: ack.one has no step.'],
    [
      'ack.one: ack.repeat answers 200 as x\n  create a\n',
      'line 1, column 21: ack.one has no step with a !.',
    ],
    [
      'ack.one: ack.repeat answers 40x as x\n  ! create a\n',
      'line 1, column 21: ack.one says no status as 404, 4xx or 405 or 501.',
    ],
    ['ack.one: ack.repeat shows m1 as x\n  create a\n', 'line 1, column 21: ack.one has no step with a !.'],
    ['ack.one: ack.status\n  create a\n  read A\n', 'line 3, column 8: no step before has the consumer A.'],
    [
      'ack.one: ack.status\n  create a\nack.one: ack.status\n  create a\n',
      'line 3, column 1: ack.one stands twice.',
    ],
  ] as const)
    t.throws(() => parseRows(text), { message: why }, why)
})
