import t from 'tap'
import type { Entry } from '../client/entry.js'
import { isChild, mentions, standsFor } from './listings.js'
import type { QueueHandle, Trial } from './trial.js'

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
