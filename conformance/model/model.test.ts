import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { EXPLORE_RULES } from '../explore/rules.js'
import { LEDGER } from '../requirements/index.js'
import { TooManyWays } from './data.js'
import { type Asked, judge, judgeTogether, type Request, START } from './model.js'
import { entriesOf, LEASE, Story } from './story.test.helper.js'

const begun = () => new Story().queue('a').send('a', 'm1').subscribe('A', 'a')

t.test('a message is shown until it is acknowledged, and to nobody then', (t) => {
  const story = begun().shows('A', 'm1')
  t.equal(story.fork().read('A'), 'consume.repeat')
  t.equal(story.fork().read('A', 'm1', 'm1'), 'consume.entries', 'one delivery, told twice')
  const two = ['A m1', 'A m2'].map((uri) => ({ body: 'm1', uri }))
  t.equal(story.fork().tell({ do: 'consume', consumer: 'A' }, { entries: two }), 'send.step-2.one-message')
  t.equal(story.fork().read('A', 'm1', 'm9'), 'send.body.text')
  const others = { entries: [{ body: 'm9', uri: 'A m9', isOthers: true }] } as const
  t.equal(story.fork().tell({ do: 'consume', consumer: 'A' }, others), 'subscribe.destinations.only')
  t.equal(story.fork().tell({ do: 'browseQueue', queue: 'a' }, others), 'browse.queue.own')
  t.equal(story.acknowledge('A', 'm1', { status: 204 }), 'ack.status')
  t.equal(story.acknowledge('A', 'm1'), undefined)
  t.equal(story.fork().read('A', 'm1'), 'ack.final.same')
  t.equal(story.fork().browse('a', 'm1'), 'browse.pending.acknowledged')
  const deleted = story.fork().go({ do: 'unsubscribe', consumer: 'A' })
  t.equal(deleted.subscribe('B', 'a').read('B', 'm1'), 'ack.final.deleted')
  const expired = new Story(story.state, 5000)
  t.equal(expired.subscribe('B', 'a').read('B', 'm1'), 'ack.final.lease')
  t.equal(story.subscribe('B', 'a').read('B', 'm1'), 'ack.final.other')
  t.end()
})

t.test('whom a message goes to is open until somebody was shown it', (t) => {
  const story = begun().subscribe('B', 'a')
  t.equal(story.fork().read('A'), undefined, 'B may have it')
  t.equal(story.fork().read('A', 'm1'), undefined)
  t.equal(story.fork().shows('A').read('B'), 'consume.delivered', 'but one of them has it')
  t.equal(story.fork().shows('A', 'm1').read('B', 'm1'), 'consume.exactly-one')
  t.equal(story.fork().shows('A').browse('a'), 'browse.pending.held', 'and it is pending')
  t.end()
})

t.test('who has what nobody was shown is only supposed', (t) => {
  const story = begun().send('a', 'm2').subscribe('B', 'a', 1).shows('A', 'm1')
  t.equal(story.fork().read('A', 'm1', 'm2'), undefined, 'a target may deal out fair shares')
  t.equal(story.fork().subscribe('C', 'a').read('C', 'm2'), undefined, 'or deal anew for one who joins')
  const three = story.fork().subscribe('C', 'a').shows('B').shows('C')
  t.equal(three.read('A', 'm1'), 'consume.delivered', 'but it is dealt to one of them')
  t.equal(story.fork().shows('B', 'm2').read('A', 'm1', 'm2'), 'consume.exactly-one')
  const later = story.fork().send('a', 'm3')
  t.equal(later.fork().shows('B', 'm3').read('A', 'm1', 'm2'), undefined, 'the last may come first')
  t.equal(later.fork().shows('B', 'm3').read('A', 'm1'), 'consume.delivered')
  t.equal(story.fork().read('B'), 'consume.delivered')
  t.end()
})

t.test('in which order queues came that were created at once is no difference', (t) => {
  const created = ['a', 'b', 'c', 'd', 'e'].map((queue): Asked => {
    return [
      { do: 'createQueue', queue },
      { status: 201, location: `/queues/${queue}`, from: 0, to: 0 },
    ]
  })
  t.equal(judgeTogether(START, created).length, 1)
  t.end()
})

t.test('which of several consumers has which of many messages is one way in which things may stand', (t) => {
  const bodies = Array.from({ length: 24 }, (_, at) => `m${at + 1}`)
  const story = new Story().queue('a')
  for (const body of bodies) story.send('a', body)
  story.subscribe('A', 'a', 30).subscribe('B', 'a', 20).subscribe('C', 'a', 4).shows('A')
  t.equal(story.state.length, 1)
  t.equal(story.fork().browse('a', ...bodies.slice(1)), 'browse.pending.held', 'and each is with somebody')
  t.equal(
    story
      .fork()
      .shows('B', ...bodies.slice(0, 20))
      .read('C', ...bodies.slice(20)),
    undefined,
  )
  t.equal(
    story
      .fork()
      .shows('B', ...bodies.slice(4))
      .read('C', ...bodies.slice(0, 4)),
    undefined,
  )
  t.equal(story.fork().read('B', ...bodies.slice(0, 19)), 'consume.delivered', 'C has room for four')
  t.equal(story.send('a', 'm25').read('A'), 'consume.delivered', 'and both for no more than 24')
  t.equal(story.fork().read('A', 'm25'), undefined)
  t.equal(story.read('A', 'm7'), undefined, 'whichever it is')
  t.end()
})

t.test('what others may have is with those who may have it', (t) => {
  const consumer = (uri: string, queues: readonly string[], prefetch: number) => {
    const destinations = queues.map((queue) => ({ queue }))
    return [
      { do: 'subscribe', destinations, prefetch, lease: LEASE },
      { status: 201, location: uri },
    ] as const
  }
  const story = new Story().queue('a').queue('b').send('a', 'm1').send('b', 'm2')
  story.go(...consumer('A', ['a', 'b'], 9)).go(...consumer('B', ['a', 'b'], 1))
  const both = story.fork().go(...consumer('C', ['a'], 1))
  t.equal(both.shows('A').fork().read('B', 'm1'), undefined)
  t.equal(both.fork().read('C', 'm1'), undefined, 'the one may have what leaves the other room')
  t.equal(both.fork().read('C'), 'consume.delivered', 'for which it must take its own')
  t.equal(
    story
      .fork()
      .go(...consumer('C', ['c'], 1))
      .read('A'),
    'consume.delivered',
    'and not what it is not for',
  )
  const ended = both.fork().go({ do: 'unsubscribe', consumer: 'C' })
  t.equal(ended.fork().read('A', 'm1'), undefined, 'what it may have had goes to any')
  t.equal(ended.fork().read('A'), 'consume.delivered')
  t.equal(
    both.fork().shows('C', 'm1').go({ do: 'unsubscribe', consumer: 'C' }).read('A'),
    'lease.delete.hands-over',
  )
  t.end()
})

t.test('more ways than can be followed are given up at once', (t) => {
  const story = new Story().queue('a').subscribe('A', 'a', 30)
  const all = Array.from({ length: 12 }, () => 'same')
  for (const body of all) story.go({ do: 'sendBySinglePath', queue: 'a', body, colour: 'red' })
  const entries = all.map((body, at) => ({ body, uri: `/${at}` }))
  t.throws(() => story.fork().tell({ do: 'consume', consumer: 'A' }, { entries }), new TooManyWays())
  for (let at = 0; at < 20; at++) story.subscribe(`B${at}`, 'a', 1)
  story.now = LEASE.length + 1
  t.throws(() => story.fork().read('A'), new TooManyWays(), 'in those that leases may have ended in, too')
  t.end()
})

t.test('the prefetch is a cap, and what is below it fills', (t) => {
  const story = new Story().queue('a').send('a', 'm1').send('a', 'm2').send('a', 'm3').subscribe('A', 'a', 2)
  t.equal(story.fork().read('A', 'm1', 'm2', 'm3'), 'prefetch.cap')
  t.equal(story.fork().read('A', 'm1'), 'consume.delivered')
  t.equal(story.fork().read('A', 'm3', 'm1'), undefined, 'in any order')
  t.end()
})

t.test('a lease ends between its length and what a target may be late, and gives up what it held', (t) => {
  const story = begun().shows('A', 'm1')
  story.now = 900
  t.equal(story.fork().read('A'), 'consume.repeat', 'not yet')
  story.now = 1050
  t.equal(story.fork().read('A', 'm1'), undefined, 'perhaps not yet')
  t.equal(story.fork().tell({ do: 'consume', consumer: 'A' }, { status: 410 }), undefined, 'perhaps over')
  story.now = 1200
  t.equal(story.fork().read('A', 'm1'), 'lease.expiry.unreadable')
  story.subscribe('B', 'a')
  t.equal(story.fork().read('B'), 'lease.expiry.hands-over')
  t.equal(
    story.shows('B', 'm1').acknowledge('A', 'm1', { status: 410 }),
    undefined,
    'a late one may be refused',
  )
  t.equal(story.read('B', 'm1'), undefined)
  t.end()
})

t.test('a use renews a lease', (t) => {
  const story = begun()
  story.now = 900
  story.shows('A', 'm1')
  story.now = 1800
  t.equal(story.read('A', 'm1'), undefined)
  t.equal(story.tell({ do: 'consume', consumer: 'A' }, { status: 410 }), 'consume.status')
  t.end()
})

t.test('a request without an answer has happened or has not', (t) => {
  const post: Request = { do: 'postMessage', address: '/addresses/m1', body: 'm1', colour: 'red' }
  const story = new Story().queue('a').subscribe('A', 'a')
  story
    .go({ do: 'newAddress', queue: 'a' }, { status: 201, location: '/addresses/m1' })
    .go(post, { status: 0 })
  t.equal(story.fork().read('A'), undefined, 'it may not have come')
  t.equal(story.fork().read('A', 'm1'), undefined, 'or it has')
  t.equal(story.fork().shows('A', 'm1').read('A'), 'consume.repeat', 'what was shown is there')
  t.equal(story.fork().go(post).read('A'), 'consume.delivered', 'the repeat says that it is there')
  const asked = new Story().queue('a').subscribe('A', 'a')
  t.equal(
    asked.fork().tell({ do: 'createQueue', queue: 'b' }, { status: 429 }),
    undefined,
    'too much was asked',
  )
  t.equal(asked.fork().tell({ do: 'createQueue', queue: 'b' }, { status: 409 }), 'queues.create.status')
  const acked = begun().shows('A', 'm1')
  acked.go({ do: 'acknowledge', uri: 'A m1' }, { status: 0 })
  t.equal(acked.fork().read('A'), undefined)
  t.equal(acked.fork().read('A', 'm1'), undefined)
  const ended = begun().shows('A', 'm1').go({ do: 'unsubscribe', consumer: 'A' }, { status: 0 })
  t.equal(ended.fork().read('A', 'm1'), undefined)
  t.equal(ended.fork().tell({ do: 'consume', consumer: 'A' }, { status: 404 }), undefined)
  t.end()
})

t.test('a guid is seen on every queue', (t) => {
  const send = (queue: string): Request => ({ do: 'sendOnce', queue, guid: 'g', body: 'm1', colour: 'red' })
  const story = new Story().queue('a').queue('b').go(send('a')).go(send('b'))
  t.equal(story.fork().browse('b', 'm1'), 'browse.queue.own')
  t.equal(story.fork().browse('a'), 'browse.queue.entries')
  t.equal(story.fork().browse('a', 'm1', 'm1'), 'dedup.one-message')
  t.equal(story.fork().tell(send('b'), { status: 409 }), 'dedup.repeat.status')
  t.equal(story.go(send('b'), { status: 409, settled: false }).browse('a', 'm1'), undefined, 'too early')
  t.end()
})

t.test('what its consumer was told cannot be acknowledged is shown to it no more', (t) => {
  const story = new Story().queue('a').send('a', 'm1').subscribe('A', 'a').shows('A', 'm1')
  story.go({ do: 'deleteQueue', queue: 'a' })
  t.equal(story.fork().read('A', 'm1'), undefined, 'it may outlive its queue')
  t.equal(story.acknowledge('A', 'm1', { status: 404 }), undefined)
  t.equal(story.fork().read('A'), undefined)
  const early = { entries: entriesOf('A', ['m1']), settled: false }
  t.equal(story.fork().tell({ do: 'consume', consumer: 'A' }, early), undefined, 'too early')
  t.equal(story.read('A', 'm1'), 'ack.status')
  t.end()
})

const sendOnce = (body: string): Request => ({ do: 'sendOnce', queue: 'a', guid: 'g', body, colour: 'red' })

t.test('of two sends without an answer by one address or guid, either may have come', (t) => {
  const post = (body: string): Request => ({ do: 'postMessage', address: '/x', body, colour: 'red' })
  const story = new Story().queue('a').go({ do: 'newAddress', queue: 'a' }, { status: 201, location: '/x' })
  const sure = story.fork().go(post('m1')).go(post('m2'))
  t.same(
    [['m1'], ['m2'], ['m1', 'm2'], []].map((bodies) => sure.fork().browse('a', ...bodies)),
    [undefined, undefined, 'send.step-2.one-message', 'browse.queue.entries'],
    'what another message does at a used address is open, but that it is one',
  )
  const ignored = new Story().queue('a').go(sendOnce('m1')).go(sendOnce('m2'))
  t.same(
    [ignored.browse('a', 'm1'), ignored.browse('a', 'm2')],
    [undefined, 'dedup.repeat.other-body'],
    'by guid not',
  )
  const open = story.fork().go(post('m1'), { status: 0 }).go(post('m2'))
  t.same([open.fork().browse('a', 'm1'), open.fork().browse('a', 'm2')], [undefined, undefined])
  t.equal(open.browse('a', 'm1', 'm2'), 'send.step-2.one-message', 'but not both')
  const going = new Story()
    .queue('a')
    .go({ do: 'deleteQueue', queue: 'a' }, { status: 0 })
    .queue('a')
    .go({ do: 'newAddress', queue: 'a' }, { status: 201, location: '/x' })
    .go(post('m1'), { status: 0 })
    .go(post('m2'))
  t.same(
    [going.fork().browse('a', 'm1'), going.browse('a', 'm2')],
    [undefined, undefined],
    'in a queue that may go',
  )
  t.end()
})

t.test('a body that nobody sent is what became of a message that is due', (t) => {
  const story = new Story().queue('a').go(sendOnce('m1'))
  t.equal(story.fork().browse('a', 'other'), 'dedup.body')
  t.equal(story.fork().browse('a', 'm1', 'other'), 'send.body.text')
  t.end()
})

t.test(
  'whether a send that is refused uses up its guid is open, but not to whom it is then said that it is done',
  (t) => {
    const send = sendOnce('m1')
    const story = new Story().go(send, { status: 404 }).queue('a').queue('b')
    t.equal(story.fork().browse('a', 'm1'), 'browse.pending.acknowledged', 'it was not taken')
    t.equal(story.fork().go(send).browse('a', 'm1'), undefined)
    t.equal(story.fork().go(send).browse('a'), 'browse.queue.entries')
    t.equal(story.fork().tell(send, { status: 404 }), undefined, 'it may stay refused')
    const elsewhere = story.fork().go({ ...send, queue: 'b' } as Request)
    t.same(
      [elsewhere.fork().browse('b', 'm1'), elsewhere.browse('b')],
      [undefined, undefined],
      'in another queue',
    )
    t.end()
  },
)

t.test('a guid outlives its queue where its message was acknowledged', (t) => {
  const story = new Story().queue('a').go(sendOnce('m1')).subscribe('A', 'a').shows('A', 'm1')
  const again = (each: Story) =>
    each.go({ do: 'deleteQueue', queue: 'a' }).queue('a').go(sendOnce('m1')).browse('a', 'm1')
  t.equal(again(story.fork()), undefined, 'its message has gone with the queue')
  t.equal(story.acknowledge('A', 'm1'), undefined)
  t.equal(again(story), 'browse.pending.acknowledged')
  t.end()
})

t.test('looking at a message acknowledges nothing', (t) => {
  const story = begun().shows('A', 'm1').go({ do: 'look', uri: 'A m1' })
  t.equal(story.read('A'), 'consume.repeat')
  t.end()
})

t.test('a queue that is created again has its address, unless its deletion may have happened', (t) => {
  const create = { do: 'createQueue', queue: 'a' } as const
  const made = new Story().go(create, { status: 201, location: '/q/1' })
  const again = { status: 201, location: '/q/2' }
  t.equal(made.fork().tell(create, again), 'queues.create.again.location')
  const going = made.go({ do: 'deleteQueue', queue: 'a' }, { status: 0 })
  t.equal(going.fork().tell(create, { status: 201, location: '/q/1' }), undefined, 'or has not happened yet')
  t.equal(
    going.go(create, again).tell(create, { status: 201, location: '/q/3' }),
    'queues.create.again.location',
  )
  t.end()
})

t.test('queues come and go', (t) => {
  const story = new Story().queue('a').send('a', 'm1')
  t.equal(story.fork().tell({ do: 'createQueue', queue: 'a' }, { status: 409 }), undefined, 'as it likes')
  const other = { status: 201, location: '/queues/other' }
  t.equal(story.fork().tell({ do: 'createQueue', queue: 'a' }, other), 'queues.create.again.location')
  t.equal(
    story.fork().tell({ do: 'createQueue', queue: 'a/b' }, { status: 409 }),
    undefined,
    'a is no category',
  )
  const below = new Story().queue('a/b')
  t.equal(
    below.fork().tell({ do: 'createQueue', queue: 'a' }, { status: 409 }),
    undefined,
    'nor a queue here',
  )
  t.equal(below.tell({ do: 'createQueue', queue: 'ab' }, { status: 409 }), 'queues.create.status')
  t.equal(story.fork().tell({ do: 'createQueue', queue: 'b' }, { status: 200 }), 'queues.create.status')
  t.equal(story.fork().tell({ do: 'createQueue', queue: 'b' }, { status: 201 }), 'queues.create.location')
  const same = { status: 201, location: '/queues/a' }
  t.equal(story.fork().tell({ do: 'createQueue', queue: 'b' }, same), 'queues.create.unique')
  const names = (...bodies: string[]) => ({ entries: entriesOf('', bodies) })
  const list: Request = { do: 'listQueues', queues: ['a'] }
  t.equal(story.fork().tell(list, names()), 'browse.root.entries')
  t.equal(story.fork().tell(list, { status: 404 }), 'browse.root.status')
  t.equal(story.fork().tell({ do: 'deleteQueue', queue: 'a' }, { status: 404 }), 'queues.delete.status')
  const kept = story.fork().go({ do: 'deleteQueue', queue: 'a' }, { status: 423 })
  t.equal(kept.browse('a'), 'browse.queue.entries', 'with its messages it may stay, and they do too')
  const empty = new Story().queue('a')
  t.equal(empty.tell({ do: 'deleteQueue', queue: 'a' }, { status: 409 }), 'queues.delete.status')
  const used = empty.queue('b').subscribe('/s/1', 'a')
  t.equal(used.tell({ do: 'deleteQueue', queue: 'b' }, { status: 409 }), 'queues.delete.status')
  used.go({ do: 'deleteQueue', queue: 'a' }, { status: 409 }).go({ do: 'unsubscribe', consumer: '/s/1' })
  t.equal(used.tell({ do: 'deleteQueue', queue: 'a' }, { status: 409 }), 'queues.delete.status')
  const above = new Story().queue('a').queue('a/b')
  t.equal(above.fork().tell({ do: 'deleteQueue', queue: 'a/b' }, { status: 409 }), 'queues.delete.status')
  t.equal(above.tell({ do: 'deleteQueue', queue: 'a' }, { status: 409 }), undefined, 'queues below it')
  story.go({ do: 'deleteQueue', queue: 'a' })
  t.equal(story.fork().tell(list, names('a')), 'queues.delete.unlisted')
  t.equal(story.fork().browse('a', 'm1'), 'queues.delete.unreadable')
  t.equal(story.fork().browse('a'), undefined, 'a feed of nothing')
  t.equal(story.fork().tell({ do: 'newAddress', queue: 'a' }, { status: 404 }), undefined)
  const anew = story.queue('a')
  t.equal(anew.fork().browse('a'), undefined, 'its messages may be gone')
  t.equal(anew.fork().browse('a', 'm1'), undefined, 'or not')
  t.end()
})

t.test('what was not answered, or may be so, breaks nothing', (t) => {
  const lost = { status: 0 }
  const list: Request = { do: 'listQueues', queues: ['a'] }
  const browse: Request = { do: 'browseQueue', queue: 'a' }
  const story = begun()
  t.equal(story.fork().tell(list, lost), undefined)
  t.equal(story.fork().tell(list, { settled: false, entries: [] }), undefined, 'it may be listed later')
  t.equal(story.fork().tell(browse, lost), undefined)
  t.equal(story.fork().tell({ do: 'newAddress', queue: 'a' }, lost), undefined)
  t.equal(story.fork().tell({ do: 'consume', consumer: 'A' }, lost), undefined)
  const open = new Story().go({ do: 'createQueue', queue: 'a' }, lost)
  t.equal(open.fork().tell(browse, { status: 404 }), undefined, 'it may not be there')
  const category = new Story().queue('a/b')
  t.equal(
    category.fork().tell(browse, { entries: entriesOf('', ['m1']) }),
    undefined,
    'a category has others',
  )
  t.end()
})

t.test('each answer to a send that is refused or not whole breaks a clause of its own', (t) => {
  const story = new Story().queue('a')
  const address: Request = { do: 'newAddress', queue: 'a' }
  t.equal(story.fork().tell({ do: 'browseQueue', queue: 'a' }, { status: 404 }), 'browse.queue.status')
  t.equal(story.fork().tell(address, { status: 200 }), 'send.step-1.status')
  t.equal(story.fork().tell(address, { status: 201 }), 'send.step-1.location')
  const given = story.fork().go(address, { status: 201, location: '/x' })
  t.equal(given.fork().tell(address, { status: 201, location: '/x' }), 'send.address.own')
  const post: Request = { do: 'postMessage', address: '/x', body: 'm1', colour: 'red' }
  t.equal(given.fork().tell(post, { status: 404 }), 'send.step-2.status')
  t.equal(given.fork().tell(post, { status: 410 }), undefined, 'it may have expired')
  t.equal(given.fork().go(post).tell(post, { status: 404 }), 'send.two-step.repeat.status')
  const another = { ...post, body: "m1'" }
  t.equal(given.fork().go(post).go(another, { status: 409 }).browse('a', 'm1'), undefined, 'no repeat')
  t.equal(given.fork().go(post).tell(another, { status: 204 }), 'send.two-step.repeat.status')
  const early = given.fork().go(post, { status: 0 }).go(post, { status: 409, settled: false })
  t.equal(early.fork().tell(post, { status: 409 }), 'send.two-step.repeat.status', 'refused for ever')
  t.equal(early.go(post).browse('a'), 'browse.queue.entries', 'too early, and then not')
  const gone = given.fork().go({ do: 'deleteQueue', queue: 'a' })
  t.equal(gone.tell(post, { status: 404 }), undefined, 'its queue is gone')
  const create: Request = { do: 'createQueue', queue: 'b' }
  const anew = new Story()
    .go(create, { status: 0 })
    .go({ do: 'newAddress', queue: 'b' }, { status: 201, location: '/y' })
    .go({ ...post, address: '/y' }, { status: 0 })
    .go({ do: 'deleteQueue', queue: 'b' })
    .go(create, { status: 201, location: '/b' })
  t.equal(
    anew.tell({ ...post, address: '/y' }, { status: 410 }),
    undefined,
    'its queue is gone, which was made without an answer, and another of its name is there',
  )
  const send: Request = { do: 'sendOnce', queue: 'a', guid: 'g', body: 'm1', colour: 'red' }
  t.equal(story.tell(send, { status: 404 }), 'dedup.status')
  t.end()
})

t.test('subscriptions are for what their data says', (t) => {
  const story = new Story().queue('a').queue('a/b').send('a', 'm1').send('a/b', 'm2')
  const below: Request = { do: 'subscribe', destinations: [{ below: 'a' }], prefetch: 5, lease: LEASE }
  story.go(below, { status: 201, location: 'A' })
  t.equal(story.fork().read('A', 'm1', 'm2'), 'subscribe.destinations.only')
  t.equal(story.fork().read('A'), 'consume.delivered')
  t.equal(story.fork().read('A', 'm2'), undefined)
  t.equal(story.fork().tell(below, { status: 201, location: 'A' }), 'subscribe.own-address')
  t.equal(story.fork().tell(below, { status: 201 }), 'subscribe.location')
  t.equal(story.fork().tell(below, { status: 404 }), undefined, 'a wildcard may be refused')
  const on = (...names: string[]): Request => ({ ...below, destinations: names.map((queue) => ({ queue })) })
  t.equal(story.fork().tell(on('a', 'a'), { status: 400 }), undefined, 'and a queue that is named twice')
  t.equal(story.fork().tell(on('a', 'a/b'), { status: 400 }), 'subscribe.status')
  const blue: Request = { ...below, destinations: [{ queue: 'a' }], selector: 'blue' }
  t.equal(story.go(blue, { status: 201, location: 'B' }).read('B', 'm1'), 'subscribe.selector.only')
  const unknown: Request = { ...below, destinations: [{ queue: 'x' }] }
  t.equal(story.tell(unknown, { status: 404 }), undefined, 'a queue that is not there may be refused')
  t.end()
})

t.test('a POST of acknowledgements may answer with all that is held, or with what is new', (t) => {
  const acks: Request = { do: 'acknowledgeInPost', consumer: 'A', uris: ['A m1'] }
  const story = new Story().queue('a').send('a', 'm1').send('a', 'm2').subscribe('A', 'a', 2)
  story.shows('A', 'm1', 'm2').send('a', 'm3').send('a', 'm4')
  const post = (...bodies: string[]) => [acks, { entries: entriesOf('A', bodies) }] as const
  t.equal(story.fork().tell(...post('m2', 'm3')), undefined)
  t.equal(story.fork().tell(...post('m3')), undefined)
  t.equal(story.fork().tell(...post()), undefined)
  t.equal(story.fork().tell(...post('m2', 'm3', 'm4')), 'prefetch.cap')
  t.equal(
    story
      .fork()
      .go(...post('m3'))
      .read('A', 'm3', 'm4'),
    'consume.repeat',
    'what it held it holds',
  )
  story.go({ do: 'unsubscribe', consumer: 'A' })
  t.equal(story.tell(...post('m2')), 'subscribe.delete.unreadable')
  t.end()
})

t.test('requests at the same time may have been in any order', (t) => {
  const { state } = begun().subscribe('B', 'a').shows('A', 'm1')
  const at = { status: 200, from: 0, to: 0 }
  const end = [{ do: 'unsubscribe', consumer: 'A' }, at] as const
  const shown = [
    { do: 'consume', consumer: 'B' },
    { ...at, entries: entriesOf('B', ['m1']) },
  ] as const
  t.not(typeof judgeTogether(state, [shown, end]), 'string', 'B read after A had ended')
  t.equal(judge(state, ...shown), 'consume.exactly-one')
  t.end()
})

t.test('requests in no order are told of by the clause of the order that permits most of them', (t) => {
  const { state } = begun()
    .subscribe('B', 'a', 1)
    .shows('B', 'm1')
    .go({ do: 'newAddress', queue: 'a' }, { status: 201, location: '/addresses/m2' })
  const at = { status: 200, from: 0, to: 0 }
  const send: Asked = [{ do: 'postMessage', address: '/addresses/m2', body: 'm2', colour: 'red' }, at]
  const read: Asked = [
    { do: 'consume', consumer: 'B' },
    { ...at, entries: entriesOf('B', ['m1', 'm2']) },
  ]
  t.equal(judge(state, ...read), 'send.body.text')
  t.equal(judgeTogether(state, [send, read]), 'prefetch.cap')
  t.equal(judgeTogether(state, [read, send]), 'prefetch.cap')
  t.end()
})

t.test('every clause that the model names is in a rule of explore', (t) => {
  const folder = new URL('../../model/', import.meta.url)
  const sources = readdirSync(folder)
    .filter((file) => file.endsWith('.ts') && !file.includes('.test.'))
    .map((file) => readFileSync(new URL(file, folder), 'utf8'))
  const named = LEDGER.map(({ id }) => id).filter((id) =>
    sources.some((source) => source.includes(`'${id}'`)),
  )
  t.ok(named.length > 40, 'the sources are read')
  t.same(named.toSorted(), EXPLORE_RULES.flatMap(({ clauses }) => clauses).toSorted())
  t.end()
})

t.test('what pages show that were read while something came or went need not be all at once', (t) => {
  const story = new Story().queue('a').send('a', 'm1').send('a', 'm2').send('a', 'm3')
  story.subscribe('A', 'a', 2).shows('A', 'm1', 'm2')
  const read = (answer: object, ...bodies: string[]) =>
    story.fork().tell({ do: 'consume', consumer: 'A' }, { ...answer, entries: entriesOf('A', bodies) })
  const shifting = { inPages: true, settled: false }
  t.equal(read(shifting, 'm1'), undefined, 'one is passed over')
  t.equal(read(shifting, 'm1', 'm2', 'm3'), undefined, 'one came when another had gone')
  for (const answer of [{ inPages: true }, { settled: false }]) {
    t.equal(read(answer, 'm1'), 'consume.repeat')
    t.equal(read(answer, 'm1', 'm2', 'm3'), 'prefetch.cap')
  }
  const later = story.fork()
  later.go({ do: 'consume', consumer: 'A' }, { ...shifting, entries: [] })
  t.equal(later.read('A', 'm1', 'm2'), undefined, 'and is there still')
  t.equal(later.read('A', 'm1'), 'consume.repeat')
  t.end()
})

t.test('what somebody is bound to comes to it, and is no other twice', (t) => {
  const story = new Story().queue('a').send('a', 'm1')
  const taking = { queue: 'a', prefetch: 9, lease: LEASE }
  const next = (consumer: string): Request => ({ do: 'nextMessage', consumer })
  const bound = story.fork()
  for (const consumer of ['X', 'Y']) bound.go({ do: 'join', consumer, ...taking })
  bound.go(next('X'), { entries: [] })
  t.equal(bound.tell(next('Y'), { entries: [] }), 'one-at-a-time.next', 'Y alone may have it')

  const deleted = story.fork().subscribe('A', 'a').shows('A', 'm1')
  t.equal(
    deleted.fork().tell({ do: 'unsubscribe', consumer: 'A' }, { status: 404 }),
    'subscribe.delete.status',
  )
  deleted.go({ do: 'unsubscribe', consumer: 'A' }).subscribe('B', 'a')
  t.equal(deleted.read('B'), 'lease.delete.hands-over')

  const alike = story.fork().go({ do: 'sendBySinglePath', queue: 'a', body: 'm1', colour: 'red' })
  alike.subscribe('A', 'a', 1).shows('A', 'm1')
  t.equal(alike.read('A', 'm1', 'm1'), 'consume.entries', 'one URI is one message')
  t.end()
})

t.test('a feed of a queue that does not tell which messages it shows is counted', (t) => {
  const story = new Story().queue('a').send('a', 'm1').send('a', 'm2').send('a', 'm3')
  const count = (number: number, settled = true) =>
    story.fork().tell({ do: 'browseQueue', queue: 'a' }, { count: number, settled })
  t.strictSame(
    [1, 2, 3, 4].map((each) => count(each)),
    ['browse.queue.entries', 'browse.queue.entries', undefined, 'send.step-2.one-message'],
  )
  t.equal(count(2, false), undefined, 'what was sent may show later')
  story.subscribe('A', 'a').shows('A', 'm1', 'm2', 'm3')
  t.equal(count(2), 'browse.pending.held')
  story.acknowledge('A', 'm1')
  t.strictSame(
    [count(2), count(3), count(3, false)],
    [undefined, 'browse.pending.acknowledged', undefined],
    'what was acknowledged may show a moment more',
  )
  story.queue('b').go({ do: 'sendOnce', queue: 'b', guid: 'g', body: 'm4', colour: 'red' })
  const browse: Request = { do: 'browseQueue', queue: 'b' }
  t.equal(story.fork().tell(browse, { count: 2 }), 'dedup.one-message')
  t.equal(story.fork().tell(browse, { count: 0, inPages: true, settled: false }), undefined)
  story.queue('b/c')
  t.equal(story.fork().tell(browse, { count: 2 }), undefined, 'the queue below it may stand there')
  story.go({ do: 'deleteQueue', queue: 'a' })
  t.equal(count(1), 'queues.delete.unreadable')
  t.end()
})

t.test('a reading may be refused while another of its feed is under way', async (t) => {
  const story = new Story().queue('a').send('a', 'm1').subscribe('/A', 'a').subscribe('/B', 'a')
  const reading = (consumer: string, status: number): Asked => {
    const entries = status === 200 ? [] : undefined
    return [
      { do: 'consume', consumer },
      { status, entries, settled: false, from: 0, to: 0 },
    ]
  }
  const judged = (...together: Asked[]) => {
    const next = judgeTogether(story.state, together)
    return typeof next === 'string' ? next : undefined
  }
  t.equal(judged(reading('/A', 409), reading('/A', 200), reading('/A', 409)), undefined)
  t.equal(judged(reading('/A', 409), reading('/B', 200)), 'consume.status', 'not for another’s')
  t.equal(judged(reading('/A', 409), reading('/A', 409)), 'consume.status', 'and not all')
})

t.test('what may be gone, and its queue does not show, is gone', (t) => {
  const take: Request = { do: 'takeBySinglePath', queue: 'a', lease: LEASE }
  const taken = new Story()
    .queue('a')
    .send('a', 'm1')
    .go(take, { entries: [{ body: 'm1', uri: 'x' }] })
  const again: Request = { do: 'postMessage', address: '/addresses/m1', body: 'm1', colour: 'red' }
  t.equal(taken.fork().go(again).browse('a', 'm1'), undefined, 'it may be there still')
  t.equal(taken.browse('a'), undefined)
  t.equal(taken.go(again).browse('a', 'm1'), 'browse.pending.acknowledged')
  t.end()
})

t.test('what nobody was shown may never have come, and is then sent for the first time', (t) => {
  const send: Request = { do: 'sendOnce', queue: 'a', guid: 'g', body: 'm1', colour: 'red' }
  const story = new Story().go(send, { status: 0 }).queue('a')
  t.equal(story.browse('a'), undefined)
  t.equal(story.go(send).subscribe('A', 'a').read('A', 'm1'), undefined)
  t.end()
})

t.test('an address of a message is that of no other', (t) => {
  const story = new Story().queue('a').send('a', 'm1').send('a', 'm2').subscribe('A', 'a')
  const shown = (...entries: { body: string; uri: string }[]) =>
    story.fork().tell({ do: 'consume', consumer: 'A' }, { entries })
  t.equal(shown({ body: 'm1', uri: 'x' }, { body: 'm2', uri: 'x' }), 'consume.message-uri.own')
  story.shows('A', 'm1', 'm2').acknowledge('A', 'm1')
  t.equal(shown({ body: 'm2', uri: 'A m1' }), 'consume.message-uri.own', 'nor one that was acknowledged')
  t.equal(shown({ body: 'm2', uri: 'A m2' }), undefined)
  t.end()
})
