import t from 'tap'
import type { ClauseId } from '../requirements/index.js'
import { asShown, judge, type Request } from './model.js'
import type { Party } from './permission.js'
import { expected, rejection, standing, type Telling } from './rejection.js'
import { entriesOf, Story } from './story.test.helper.js'
import type { Answer, Entry } from './world.js'

const TELLING: Telling = { consumer: (key) => key, listed: (names) => names.join(', ') || 'nothing' }

/** What is told of an answer that breaks a clause. */
function told(story: Story, request: Request, answer: Partial<Answer>, as?: Party) {
  const whole = { status: 200, settled: true, from: story.now, to: story.now, ...answer }
  const clause = judge(story.state, request, whole, as)
  if (typeof clause !== 'string') return undefined
  const { expected, seen } = rejection(story.state, request, whole, clause, TELLING, as)
  return `${clause}: expected ${expected}; seen ${seen}`
}

const begun = () =>
  new Story().queue('a').send('a', 'm1').send('a', 'm2').subscribe('A', 'a', 2).shows('A', 'm1', 'm2')

t.test('what was expected is the permitted answer that differs least from what was seen', (t) => {
  const read: Request = { do: 'consume', consumer: 'A' }
  const shows = (...bodies: string[]) => ({ entries: entriesOf('A', bodies) })
  const story = begun()
  t.equal(told(story, read, shows('m1', 'm2')), undefined)
  t.equal(told(story, read, shows('m2')), "consume.repeat: expected m2, m1 in A's feed; seen m2 in A's feed")
  t.equal(told(story, read, shows()), "consume.repeat: expected m1, m2 in A's feed; seen nothing in A's feed")
  t.equal(
    told(story, read, { status: 404 }),
    "consume.status: expected 200 with m1, m2 in A's feed; seen 404",
  )
  t.equal(
    told(story, read, { ...shows('m1', 'm2'), status: 206 }),
    "consume.status: expected 200 with m1, m2 in A's feed; seen 206 with m1, m2 in A's feed",
  )
  const each = (uri: string) => ({
    entries: [
      { body: 'm1', uri },
      { body: 'm2', uri },
    ],
  })
  const distinct =
    "consume.message-uri.own: expected No two entries of a subscription's feed give the same message URI.; seen m1, m2 in A's feed, "
  t.equal(told(story, read, each('x')), `${distinct}with addresses that are not their own`)
  t.equal(told(story, read, each('')), `${distinct}without addresses`)
  story.acknowledge('A', 'm1')
  t.equal(
    told(story, read, shows('m1', 'm2')),
    "ack.final.same: expected m2 in A's feed; seen m1, m2 in A's feed",
  )
  const browse = { do: 'browseQueue', queue: 'a' } as const
  t.equal(
    told(story, browse, { entries: entriesOf('', ['m1']) }),
    'browse.pending.acknowledged: expected m2 in the feed of a; seen m1 in the feed of a',
  )
  const lists = { do: 'listQueues', queues: ['a'] } as const
  t.equal(
    told(story, lists, { entries: [] }),
    'browse.root.entries: expected a in the listings; seen nothing in the listings',
  )
  story.go({ do: 'unsubscribe', consumer: 'A' })
  t.match(told(story, read, shows('m2')), /^subscribe\.delete\.unreadable: expected a refusal; seen m2 in/)
  t.end()
})

t.test('statuses and addresses', (t) => {
  const create: Request = { do: 'createQueue', queue: 'b' }
  const story = begun()
  t.equal(
    told(story, create, { status: 404 }),
    'queues.create.status: expected 201 with an address of its own; seen 404',
  )
  const without =
    'queues.create.location: expected 201 with an address of its own; seen 201 without an address'
  t.equal(told(story, create, { status: 201 }), without)
  const taken = { status: 201, location: '/queues/a' }
  t.match(
    told(story, create, taken),
    /^queues\.create\.unique: .* seen 201 with an address that is not its own$/,
  )
  const again = { do: 'createQueue', queue: 'a' } as const
  t.match(told(story, again, { status: 201, location: '/x' }), /expected 201 with the address that it has/)
  t.end()
})

t.test('a party without permission is shown nothing, and may be refused anything', (t) => {
  const story = begun()
  const shown = { entries: entriesOf('A', ['m1']) }
  const read: Request = { do: 'consume', consumer: 'A' }
  const look: Request = { do: 'look', uri: 'A m1' }
  const ack: Request = { do: 'acknowledge', uri: 'A m1' }
  t.equal(
    told(story, read, shown, 'nobody'),
    "auth.feed.anonymous: expected nothing in A's feed; seen m1 in A's feed",
  )
  t.match(told(story, read, shown, 'another'), /^auth\.feed\.other/)
  t.match(told(story, look, shown, 'another'), /^auth\.message/)
  t.equal(told(story, look, { entries: [] }, 'another'), undefined)
  for (const request of [read, look, ack]) t.equal(told(story, request, { status: 403 }, 'nobody'), undefined)
  t.equal(told(story, ack, { status: 403 }), 'ack.status: expected 200; seen 403')
  t.end()
})

t.test('another success stands for the one that the document shows', (t) => {
  const at = { from: 0, to: 0 }
  const create: Request = { do: 'createQueue', queue: 'a' }
  t.match(asShown(create, { status: 200, ...at }), { status: 201 })
  t.match(asShown(create, { status: 202, ...at }), { status: 0 }, 'that it is under way says nothing')
  for (const status of [201, 404, 0, 500]) t.equal(asShown(create, { status, ...at }), undefined)
  t.match(asShown({ do: 'browseQueue', queue: 'a' }, { status: 204, ...at }), { status: 200 })
  t.end()
})

t.test('a delivery that is told twice stands for one', (t) => {
  const shown = (...entries: Entry[]) =>
    asShown({ do: 'consume', consumer: 'A' }, { status: 200, entries, from: 0, to: 0 })?.entries
  const [m1, m2] = ['m1', 'm2'].map((body) => ({ body, uri: `A ${body}` })) as [Entry, Entry]
  t.strictSame(shown(m1, m2, m1, m2), [m1, m2])
  t.equal(shown(m1, m2), undefined)
  t.equal(shown(m1, { ...m2, uri: m1.uri }), undefined, 'not two messages of one address')
  t.equal(shown({ ...m1, uri: '' }, { ...m1, uri: '' }), undefined, 'nor where nothing has an address')
  t.end()
})

t.test('the listing of a subtree', (t) => {
  const story = new Story().queue('a/b')
  const list = { do: 'listQueues', queues: ['a/b'], below: 'a' } as const
  const clauses = [{ status: 404 }, { entries: [] }].map(
    (answer) => told(story, list, answer)?.split(':')[0] as ClauseId,
  )
  t.same(clauses, ['browse.subtree.status', 'browse.subtree.queues'])
  t.equal(told(story, list, { status: 404, settled: false }), undefined, 'where it may show a moment later')
  t.match(told(story, list, { status: 204, settled: false }), /browse.subtree.status/)
  t.equal(told(story, list, { entries: entriesOf('', ['a/b']) }), undefined)
  story.go({ do: 'deleteQueue', queue: 'a/b' })
  t.equal(told(story, list, { status: 404 }), undefined, 'below which nothing is')
  t.end()
})

t.test('who holds what, as far as it is the same in every world', (t) => {
  const story = begun().send('a', 'm3')
  t.same(standing(story.state, TELLING), ['held by A: m1, m2', 'waiting: m3'])
  story.acknowledge('A', 'm1')
  story.go({ do: 'acknowledge', uri: 'A m2' }, { status: 0 })
  t.same(standing(story.state, TELLING), ['acknowledged: m1', 'perhaps gone: m2', 'waiting: m3'])
  story.now = 1050
  t.same(
    standing(
      begun().go({ do: 'listQueues', queues: [] }, { from: 1050, to: 1050, entries: [] }).state,
      TELLING,
    ),
    ['held by one or another, or waiting: m1, m2'],
  )
  t.end()
})

t.test('what may be answered is told with what must be shown, and what may', (t) => {
  const told = (story: Story, request: Request, answer: Partial<Answer> = {}, settled = true) => {
    const whole = { status: 200, settled, from: story.now, to: story.now, ...answer }
    return expected(story.state, [request, whole], TELLING)
  }
  const read: Request = { do: 'consume', consumer: 'A' }
  const story = begun()
  t.equal(told(story, read), "m1, m2 in A's feed")
  t.equal(told(story, { do: 'acknowledge', uri: 'A m1' }), '200')
  t.equal(told(story, { do: 'createQueue', queue: 'b' }), '201')
  t.equal(told(story, { do: 'deleteQueue', queue: 'b' }), '200, or a refusal')
  story.acknowledge('A', 'm1', { status: 0 })
  t.equal(told(story, read), "m2, perhaps m1 in A's feed", 'whether it took effect, nobody knows')
  const fresh = new Story().queue('a').send('a', 'm1').subscribe('A', 'a', 2)
  t.equal(told(fresh, read, {}, false), "perhaps m1 in A's feed", 'it may come late')
  fresh.send('a', 'm2').send('a', 'm9')
  t.equal(told(fresh, read), "2 of m1, m2, m9 in A's feed", 'which of them, nobody knows')
  story.go({ do: 'unsubscribe', consumer: 'A' })
  t.equal(told(story, read), 'a refusal')
  for (const body of ['m3', 'm4', 'm5', 'm6']) fresh.send('a', body)
  const many = 'm1, m2, m9, m3, m4, m5, m6 in the feed of a'
  t.equal(told(fresh, { do: 'browseQueue', queue: 'a' }), many, 'of many, what is nearest')
  t.end()
})

t.test('of a feed that does not tell which messages it shows, the nearest count is expected', (t) => {
  const browse: Request = { do: 'browseQueue', queue: 'a' }
  const place = 'in the feed of a'
  t.equal(
    told(begun(), browse, { count: 3 }),
    `send.step-2.one-message: expected 2 entries ${place}; seen 3 entries ${place}`,
  )
  const one = new Story().queue('a').send('a', 'm1')
  t.equal(
    told(one, browse, { count: 0 }),
    `browse.queue.entries: expected 1 entry ${place}; seen 0 entries ${place}`,
  )
  t.end()
})
