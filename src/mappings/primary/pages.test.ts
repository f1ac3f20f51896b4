import t from 'tap'
import { form, type Spoken, spoken } from '../speak.test.helper.js'

const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
const page = (mq: Spoken, path: string) => mq.speak('GET', path, { headers: BROWSER })
const cells = (text: string) => [...text.matchAll(/<td>(.*?)<\/td>/gs)].map((match) => match[1])
const facts = (text: string) => [...text.matchAll(/<dd>(.*?)<\/dd>/gs)].map((match) => match[1])

t.test('who prefers HTML gets the feed as a page, and everybody else as Atom', async (t) => {
  const mq = await spoken(t, { queues: ['a', 'uk/tea'] })
  const { location } = await mq.speak('POST', '/subscriptions', form(['destination', 'a']))
  for (const path of ['/queues', '/queues/uk', '/queues/a', '/subscriptions', location]) {
    for (const [accept, html] of [
      [BROWSER.Accept, true],
      ['text/html', true],
      ['text/*, application/atom+xml;q=0.5', true],
      ['TEXT/HTML;q=1, */*;q=0.999', true],
      ['*/*', false],
      ['text/html, application/atom+xml', false],
      ['text/html;q=0.5, */*', false],
      ['text/html;q=0', false],
      ['text/html;q=nonsense, application/*;q=0.1', false],
      ['image/png', false],
      ['', false],
      // What clients send: Java, two feed readers, Firefox, Chrome.
      ['text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', false],
      ['application/atom+xml, application/rss+xml, application/xml;q=0.9, text/xml;q=0.2, */*;q=0.1', false],
      ['application/rss+xml, application/xml;q=0.9, text/html;q=0.8, */*;q=0.5', false],
      ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8', true],
      ['text/html,application/xhtml+xml,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7', true],
      ['text/html, application/atom+xml;type=entry', true],
      ['text/html;q=0.9, application/atom+xml;type=feed', false],
      ['text/html;level=1, application/atom+xml;q=0.5', false],
      ['text/html, */*', false],
      ['image/png, text/html, */*;q=0.1', false],
      ['application/atom+xml;q=0.1, application/atom+xml;type=feed;q=1, text/html;q=0.5', false],
    ] as const) {
      const answer = await mq.speak('GET', path, { headers: { Accept: accept } })
      t.equal(answer.status, 200)
      t.equal(answer.headers.get('content-type')?.startsWith('text/html'), html, `${path}, ${accept}`)
      t.equal(answer.headers.get('vary'), 'Accept')
      t.equal(answer.headers.get('cache-control'), 'private, no-cache')
      t.equal(answer.text.startsWith('<!DOCTYPE html>'), html)
    }
  }
})

t.test('a page is another representation, with an entity tag of its own', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  const { location } = await mq.speak('POST', '/subscriptions', form(['destination', 'a']))
  for (const path of ['/queues', '/queues/a', location]) {
    const etag = (await page(mq, path)).headers.get('etag')!
    const same = { headers: { 'If-None-Match': etag } }
    t.equal((await mq.speak('GET', path, same)).status, 200, `${path} as a feed`)
    t.equal((await mq.speak('GET', path, { headers: { ...BROWSER, ...same.headers } })).status, 304, path)
  }
})

t.test('a page shows what the feed does, and follows on', async (t) => {
  const mq = await spoken(t, { queues: ['a', 'b', 'uk/tea'] })
  t.match((await page(mq, '/queues/b')).text, 'No message is pending.')
  await mq.speak('POST', '/queue/a', { body: 'two\npounds', headers: { 'Content-Type': 'text/plain' } })
  await mq.speak('POST', '/queue/a', { body: Buffer.from([0, 1]), headers: { 'Content-Type': 'x/y' } })
  await mq.speak('POST', '/queue/a', { body: 'x'.repeat(2001), headers: { 'Content-Type': 'text/plain' } })
  const said = form(['destination', 'a'], ['destination', 'b'], ['prefetch', 1], ['selector', "queue = 'a'"])
  const { location } = await mq.speak('POST', '/subscriptions', said)
  const listing = (await page(mq, '/queues?limit=2')).text
  t.strictSame(cells(listing).slice(0, 5), ['<a href="/queues/a">a</a>', 'queue', '3', '1', '1'])
  t.match(listing, '<a rel="next" href="/queues?cursor=qb&amp;limit=2">')
  t.strictSame(cells((await page(mq, '/queues?cursor=qb')).text).slice(0, 2), [
    '<a href="/queues/uk/">uk</a>',
    'category',
  ])
  const queue = (await page(mq, '/queues/a')).text
  const id = mq.broker.browse('a', { limit: 3 }).items.map((message) => message.id)
  t.strictSame(facts(queue), ['3', '1', '1'])
  t.strictSame(cells(queue), [
    ...[`<a href="/messages/${id[0]}">1</a>`, '2000-01-01T00:00:00.000Z', '1', 'yes', 'text/plain'],
    '<pre>two\npounds</pre>',
    ...[`<a href="/messages/${id[1]}">2</a>`, '2000-01-01T00:00:00.000Z', '0', 'no', 'x/y'],
    `<a href="/messages/${id[1]}/content">2 bytes</a>`,
    ...[`<a href="/messages/${id[2]}">3</a>`, '2000-01-01T00:00:00.000Z', '0', 'no', 'text/plain'],
    `<a href="/messages/${id[2]}/content">2001 bytes</a>`,
  ])
  t.match((await page(mq, '/queues/a?limit=1')).text, 'href="/queues/a?cursor=1&amp;limit=1"')
  t.match(queue, '<link rel="alternate" type="application/atom+xml" title="a" href="/queues/a">')
  const hand = (await page(mq, location)).text
  const [held] = mq.broker.consume(location.split('/')[2]!).deliveries
  t.match(hand, '<h1>Messages for a subscription to a, b</h1>')
  t.strictSame(facts(hand), ['1', '2000-01-01T00:00:30.000Z', "queue = 'a'"])
  t.strictSame(cells(hand).slice(0, 2), [`<a href="${location}/messages/${held!.id}">1</a>`, 'a'])
  await mq.speak('DELETE', '/queues/a')
  t.match((await page(mq, location)).text, 'The subscription holds no message.')
  for (const name of ['b', 'uk/tea']) await mq.speak('DELETE', `/queues/${name}`)
  t.match((await page(mq, '/queues')).text, 'There is no queue yet.')
})

t.test('nothing that anybody sends becomes markup, and a page may do nothing', async (t) => {
  const evil = `"'&<script src=x`
  const mq = await spoken(t, { queues: [evil, 'a'] })
  const { location } = await mq.speak(
    'POST',
    '/subscriptions',
    form(['destination', evil], ['destination', 'a']),
  )
  const path = `/queue/${encodeURIComponent(evil)}`
  await mq.speak('POST', path, { body: `</pre>${evil}>`, headers: { 'Content-Type': 'text/plain' } })
  await mq.speak('POST', '/queue/a', { body: '', headers: { 'Content-Type': 'text/"><script' } })
  for (const at of ['/queues', `/queues/${encodeURIComponent(evil)}`, '/queues/a', location]) {
    const { text, headers } = await page(mq, at)
    t.notMatch(text, /<script|<\/pre>"/, at)
    t.match(headers.get('content-security-policy'), /default-src 'none'.*form-action 'none'/)
    t.equal(headers.get('x-content-type-options'), 'nosniff')
    t.equal(headers.get('referrer-policy'), 'no-referrer')
  }
})
