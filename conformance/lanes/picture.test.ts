import t from 'tap'
import { type Lane, type LaneEvent, lanesPicture, type Moment } from './picture.js'

const QUEUE: Lane = { kind: 'queue', name: 'orders' }
const A: Lane = { kind: 'consumer', name: 'A' }

const moved = (message: string, to: Lane | 'acknowledged' | 'gone'): LaneEvent => ({
  is: 'moved',
  message,
  to,
})
const moment = (...events: LaneEvent[]): Moment => ({ label: 'a step', time: 0, events })
const draw = (...moments: Moment[]) => lanesPicture(moments, { label: 'what happened' })

/** What a picture has of a class, each as its element. */
function all(picture: string, name: string): string[] {
  return picture.match(new RegExp(`<\\w+ class="${name}[^>]*>`, 'g')) ?? []
}

t.test('a message waits in its queue, is held, comes back when the lease ends, and is acknowledged', (t) => {
  const story = [
    moment({ is: 'begun', lane: QUEUE }),
    moment(moved('m1', QUEUE)),
    moment({ is: 'begun', lane: A }, moved('m1', A)),
    { ...moment({ is: 'ended', lane: A, how: 'expired' }, moved('m1', QUEUE)), time: 30_000 },
    moment({ is: 'begun', lane: A }, moved('m1', A)),
    moment(moved('m1', 'acknowledged')),
  ]
  const picture = draw(...story)
  t.equal(all(picture, 'waits').length, 2)
  t.equal(all(picture, 'held').length, 2)
  t.equal(all(picture, 'over acknowledged').length, 1)
  t.equal(all(picture, 'span consumer').length, 2, 'a bar for each lease')
  t.equal(all(picture, 'end expired').length, 1)
  t.match(picture, />\+30 s</)
  t.match(picture, /Messages: 1, of which 1 were acknowledged/)
  t.equal(all(picture, 'handle').length, story.length, 'each moment can be chosen')
  t.end()
})

t.test('what waits in a queue goes with it', (t) => {
  const picture = draw(
    moment({ is: 'begun', lane: QUEUE }, moved('m1', QUEUE), moved('m2', QUEUE)),
    moment(moved('m1', 'acknowledged')),
    moment({ is: 'ended', lane: QUEUE, how: 'deleted' }),
  )
  t.equal(all(picture, 'over gone').length, 1)
  t.equal(all(picture, 'over acknowledged').length, 1)
  t.match(picture, />deleted</)
  t.end()
})

t.test('a message that comes and goes in one moment is in both lanes', (t) => {
  const picture = draw(
    moment({ is: 'begun', lane: A }, moved('m1', QUEUE), moved('m1', A), moved('m1', 'gone')),
  )
  t.equal(all(picture, 'waits').length, 1)
  t.equal(all(picture, 'held').length, 1)
  t.equal(all(picture, 'over gone').length, 1)
  t.end()
})

t.test('of many messages those that go the same way are one line', (t) => {
  const names = Array.from({ length: 110 }, (_, at) => `m${at + 1}`)
  const picture = draw(
    moment(...names.map((name) => moved(name, QUEUE))),
    moment(...names.slice(0, 10).map((name) => moved(name, A))),
  )
  t.equal(all(picture, 'message').length, 2)
  t.match(picture, /10 messages: m1 … m10</)
  t.match(picture, /100 messages: m11 … m110</)
  t.end()
})

t.test('a name stands above all lines, and at the next stay where it has no room', (t) => {
  const picture = draw(
    moment({ is: 'begun', lane: A }, moved('m1', QUEUE), moved('message-of-twenty', QUEUE)),
    moment(moved('m1', A), moved('message-of-twenty', A)),
  )
  t.ok(picture.lastIndexOf('<path class="held"') < picture.indexOf('<rect class="chip"'))
  t.equal(all(picture, 'chip').length, 4)
  const narrow = draw(moment(moved('message-of-twenty', QUEUE), moved('message-of-twenty', A)))
  t.equal(all(narrow, 'chip').length, 1, 'and it is not cut where it stands whole')
  t.end()
})

t.test('words of a moment stand in two lines at most, and only the last is cut', (t) => {
  const steps = ['create orders', 'subscribe A to orders,orders/* prefetch 2 timeout 10s']
  const picture = draw(...steps.map((label) => ({ label, time: 0, events: [] })))
  t.same(
    [...picture.matchAll(/class="words"[^>]*>([^<]*)</g)].map(([, words]) => words),
    ['create orders', 'subscribe A to', 'orders,orders/* pre…'],
  )
  t.notMatch(draw(...Array.from({ length: 40 }, () => moment())), /class="words"/)
  t.end()
})

t.test('requests are marks, and bars where they take their time', (t) => {
  const asked = (answer: 'done' | 'refused' | 'lost', until?: number): LaneEvent => ({
    ...{ is: 'asked', lane: A, what: `it was ${answer}`, answer },
    ...(until === undefined ? {} : { until }),
  })
  const picture = draw(moment(asked('done', 1.5)), moment(asked('refused')), moment(asked('lost')), {
    ...moment(asked('lost', 4)),
    isBroken: true,
  })
  t.equal(all(picture, 'bar').length, 2)
  t.equal(all(picture, 'mark refused').length, 1)
  t.equal(all(picture, 'mark lost').length, 2)
  t.equal(all(picture, 'moment is-broken').length, 1)
  t.end()
})

t.test('each request of a client has a row of its own', (t) => {
  const lane: Lane = { kind: 'client', name: 'producer 1' }
  const asked = (until: number): LaneEvent => ({ is: 'asked', lane, what: 'sends m1', answer: 'done', until })
  const picture = draw(moment(asked(2)), moment(asked(1.5)))
  const rows = all(picture, 'bar').map((bar) => /y="(\d+)"/.exec(bar)?.[1])
  t.equal(new Set(rows).size, 2)
  t.match(picture, />producer 1</)
  t.end()
})

t.test('forty moments are wider than what is there, and few are not', (t) => {
  const width = (count: number) =>
    Number(/<svg width="([\d.]+)"/.exec(draw(...Array.from({ length: count }, () => moment())))?.[1])
  t.ok(width(40) > 720)
  t.ok(width(3) < 720)
  t.end()
})

t.test('nothing that a target says is markup', (t) => {
  const picture = draw({ ...moment(moved('<b>&"', QUEUE)), label: '<script>' })
  t.notMatch(picture, /<b>|<script>/)
  t.match(picture, /&#60;b&#62;&#38;&#34;/)
  t.end()
})
