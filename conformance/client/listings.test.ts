import t from 'tap'
import { entry as entryOf, type FakeBroker, fakeBroker, feed } from '../trial/fake-broker.test.helper.js'
import type { QueueHandle, Trial } from '../trial/trial.js'
import { trialOf } from '../trial/trial-of.test.helper.js'
import type { Entry } from './feed.js'
import { isChild, mentions, readCategory, standsFor, walkTo } from './listings.js'

const BASE = 'http://host.example/mq'
const trial = { target: { queueUri: (path: string) => `${BASE}/queues/${encodeURI(path)}` } } as Trial
const queue = (path: string, uri = `${BASE}/q/opaque`): QueueHandle => ({ path, uri })

function entry(fields: Partial<Entry> & { href?: string; rel?: string }): Entry {
  const { href, rel = 'alternate', ...rest } = fields
  return {
    id: 'urn:uuid:1',
    title: '',
    updated: '',
    links: href === undefined ? [] : [{ rel, href, type: undefined }],
    categories: [],
    messageUri: undefined,
    contentUri: undefined,
    body: async () => Buffer.alloc(0),
    ...rest,
  }
}

t.test('an entry stands for a queue by an address', (t) => {
  t.ok(standsFor(trial, entry({ href: `${BASE}/q/opaque` }), queue('a')), 'that in Location')
  t.ok(standsFor(trial, entry({ href: `${BASE}/queues/a/b` }), queue('a/b')), 'that of its path')
  t.ok(standsFor(trial, entry({ href: `${BASE}/queues/a/` }), queue('a')), 'with a trailing slash')
  t.ok(standsFor(trial, entry({ href: `${BASE}/queues/%C3%A9` }), queue('é')), 'escaped')
  t.ok(
    standsFor(trial, entry({ href: `${BASE}/queues/%zz` }), queue('%zz', `${BASE}/queues/%zz`)),
    'ill escaped',
  )
  t.ok(standsFor(trial, entry({ id: `${BASE}/queues/a` }), queue('a')), 'its id')
  t.ok(standsFor(trial, entry({ contentUri: `${BASE}/queues/a` }), queue('a')), 'its content')
  t.notOk(
    standsFor(trial, entry({ href: `${BASE}/queues/a`, rel: 'up' }), queue('a')),
    'not one that leads up',
  )
  t.notOk(standsFor(trial, entry({ href: `${BASE}/queues/a/b` }), queue('a')), 'not that of one below')
  t.notOk(standsFor(trial, entry({ href: `${BASE}/queues/ab` }), queue('a')), 'not that of a longer name')
  t.end()
})

t.test('an entry stands for a queue by its name', (t) => {
  for (const title of [
    'kit-1/b',
    '/kit-1/b',
    'kit-1.b',
    'Queue kit-1/b (empty)',
    'kit-1/b.',
    'kit-1/b2, kit-1/b',
  ]) {
    t.ok(standsFor(trial, entry({ title }), queue('kit-1/b')), title)
  }
  for (const title of ['kit-1', 'kit-1/b/c', 'kit-1.b.c', 'kit-1/bc', 'kit-1/b-c', 'b', '']) {
    t.notOk(standsFor(trial, entry({ title }), queue('kit-1/b')), title)
  }
  t.ok(standsFor(trial, entry({ categories: ['kit-1/b'] }), queue('kit-1/b')), 'in a category')
  t.ok(standsFor(trial, entry({ id: 'tag:x,2020:kit-1/b' }), queue('kit-1/b')), 'in its id')
  t.end()
})

t.test('below its category the last segment is name enough', (t) => {
  t.ok(isChild(trial, entry({ title: ' b ' }), queue('kit-1/b')))
  t.ok(isChild(trial, entry({ title: 'kit-1/b' }), queue('kit-1/b')))
  t.notOk(isChild(trial, entry({ title: 'c' }), queue('kit-1/b')))
  t.end()
})

t.test('an entry mentions a name, or what is below it', (t) => {
  for (const title of ['kit-1', 'kit-1/b', 'kit-1.b', 'Queues below kit-1'])
    t.ok(mentions(entry({ title }), 'kit-1'), title)
  for (const title of ['kit-12', 'kit-1-x', 'kit-1x', 'kit'])
    t.notOk(mentions(entry({ title }), 'kit-1'), title)
  t.ok(mentions(entry({ href: `${BASE}/queues/kit-1/` }), 'kit-1'), 'in a link')
  t.end()
})

/** Serves these listings by path; each row is the title of an entry, and its link. */
function listing(
  broker: FakeBroker,
  listings: Record<string, readonly (readonly [string, string?])[]>,
): void {
  broker.intercept = ({ path }) => {
    const rows = listings[path.replace('/mq/queues', '')]
    const row = (title: string, href?: string) => {
      const link = href === undefined ? '<content>a queue, or more</content>' : `<link href="${href}"/>`
      return entryOf(title, link).replace('<title/>', `<title>${title}</title>`)
    }
    return rows === undefined ? { status: 404 } : feed(rows.map(([title, href]) => row(title, href)))
  }
}

t.test('a queue is reached where entries name what is below, by its path or its last segment', async (t) => {
  await using broker = await fakeBroker()
  const trial = trialOf(broker)
  const reached = async (path: string) => (await walkTo(trial, [queue(path)]))[0]!.way
  listing(broker, {
    '': [['kit-1']],
    '/kit-1': [['s1']],
    '/kit-1/s1': [['kit-1/s1/s2']],
    '/kit-1/s1/s2': [['s3']],
  })
  t.equal(await reached('kit-1/s1/s2/s3'), `it in ${broker.url}/queues/kit-1/s1/s2`)
  t.match(await reached('kit-1/s1/s2/s4'), /^no entry/)
  listing(broker, { '': [['kit-1', 'gone']], '/kit-1': [['s1']] })
  t.match(await reached('kit-1/s1'), /^no entry/, 'an entry that leads elsewhere is taken at its word')
})

t.test('a link to another name of the target is followed where the target was found', async (t) => {
  await using broker = await fakeBroker()
  const trial = trialOf(broker)
  listing(broker, {
    '': [['kit-1', 'http://inside.test:81/mq/queues/kit-1?all=yes']],
    '/kit-1?all=yes': [['s1', 'http://inside.test:81/mq/queues/kit-1/s1']],
  })
  const [{ way } = {}] = await walkTo(trial, [queue('kit-1/s1')])
  t.equal(way, `it in ${broker.url}/queues/kit-1?all=yes`)
  t.notOk(broker.got.some(({ headers }) => headers.host?.startsWith('inside')))
})

t.test('a queue and what is below it may have addresses that differ by a final slash', async (t) => {
  await using broker = await fakeBroker()
  const [root, category] = [`${broker.url}/queues`, `${broker.url}/queues/kit-1`]
  listing(broker, {
    '': [
      ['kit-1', category],
      ['kit-1/', `${category}/`],
      ['kit-1 and all', `${root}/`],
    ],
    '/kit-1': [['a message', `${category}/messages/1`]],
    '/kit-1/': [['s1', `${category}/s1`]],
    '/': [['s2', `${root}/s2`]],
  })
  const [one, other] = await walkTo(trialOf(broker), [queue('kit-1/s1'), queue('kit-1/s2')])
  t.equal(one?.way, `it in ${category}/`)
  t.equal(
    other?.way,
    `no entry for it in ${root}, ${category}, ${category}/messages/1 (no feed), ${category}/, ${category}/s1 (no feed)`,
  )
})

t.test(
  'the listing of a category that is a queue, too, is where the one above leads beside it',
  async (t) => {
    await using broker = await fakeBroker()
    const [a, c] = [`${broker.url}/queues/a`, `${broker.url}/queues/a/c`]
    const both = (uri: string): [string, string][] => [
      ['it', uri],
      ['below it', `${uri}/`],
    ]
    const shown = async (listings: Parameters<typeof listing>[1], path: string) => {
      listing(broker, listings)
      return (await readCategory(trialOf(broker), path)).entries.map(({ title }) => title)
    }
    const own = { '/a': [], '/a/': [...both(c), ['a/b', `${a}/b`] as [string, string]] }
    t.strictSame(await shown({ '': both(a), ...own }, 'a'), ['it', 'below it', 'a/b'])
    const deep = { ...own, '/a/c': [], '/a/c/': [['d', `${c}/d`] as [string, string]] }
    t.strictSame(await shown({ '': both(a), ...deep }, 'a/c'), ['d'])
    t.strictSame(await shown({ '': [['a', `${a}/`]], ...own }, 'a'), [], 'where no queue is listed')
    t.strictSame(await shown({ '': [['a', a]], ...own }, 'a'), [], 'where nothing leads there')
    t.strictSame(await shown({ '': both(a), '/a': [['m', `${a}/m`]] }, 'a'), ['m'], 'or something is shown')
  },
)

t.test('what calls itself an address and is none leads nowhere', async (t) => {
  await using broker = await fakeBroker()
  broker.intercept = () => feed([entryOf('x', '').replace('urn:e:x', 'http://[kit-1')])
  const below = { path: 'kit-1/b', uri: `${broker.url}/queues/kit-1/b` }
  const [walk] = await walkTo(trialOf(broker), [below])
  t.equal(walk?.entry, undefined)
  t.match(walk?.way, /^no entry for it in /)
})
