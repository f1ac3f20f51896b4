import t from 'tap'
import { basePathOf, createLinks, type Links } from './links.js'

const all = (links: Links) => [
  links.service(),
  links.queues(),
  links.listing(''),
  links.listing('uk'),
  links.queue('uk/products'),
  links.address('a1'),
  links.subscriptions(),
  links.subscription('s1'),
  links.delivery('s1', 'd1'),
  links.deliveryContent('s1', 'd1'),
  links.message('m1'),
  links.messageContent('m1'),
]

const paths = [
  '/',
  '/queues',
  '/queues',
  '/queues/uk/',
  '/queues/uk/products',
  '/addresses/a1',
  '/subscriptions',
  '/subscriptions/s1',
  '/subscriptions/s1/messages/d1',
  '/subscriptions/s1/messages/d1/content',
  '/messages/m1',
  '/messages/m1/content',
]

t.test('links are paths below the base path, or URIs below the public URL', async (t) => {
  t.same(all(createLinks()), paths)
  for (const basePath of ['/mq', '/mq/']) {
    t.same(
      all(createLinks({ basePath })),
      paths.map((path) => `/mq${path}`),
    )
  }
  t.same(
    all(createLinks({ basePath: '/inside', publicUrl: 'https://Example.org:443/out/' })),
    paths.map((path) => `https://example.org/out${path}`),
  )
})

t.test('names are percent-encoded, segment by segment', async (t) => {
  const links = createLinks({ basePath: '/mq' })
  t.equal(links.queue('a b/ä?#%&<"'), '/mq/queues/a%20b/%C3%A4%3F%23%25%26%3C%22')
  t.equal(links.listing('😀;'), '/mq/queues/%F0%9F%98%80%3B/')
  t.equal(links.delivery('a/b', '..?'), '/mq/subscriptions/a%2Fb/messages/..%3F')
  t.equal(links.message('a b'), '/mq/messages/a%20b')
})

t.test('what is no base is refused with a sentence that helps', async (t) => {
  for (const path of ['mq', '/a b', '/a?b', '//a', '/%zz', 'http://x/']) {
    t.throws(() => basePathOf(path), { message: /is not a path; write it like "\/mq"\.$/ }, path)
  }
  t.equal(basePathOf('/'), '')
  t.equal(basePathOf('/a/%20~'), '/a/%20~')
  for (const publicUrl of ['x', 'ftp://a/', 'http://a/?b', 'http://a/#b', 'http://me@a/', 'http://:x@a/']) {
    t.throws(() => createLinks({ publicUrl }), { message: /write it like "https:/ }, publicUrl)
  }
})
