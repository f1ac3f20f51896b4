import t from 'tap'
import { form, links, type Spoken, spoken } from '../speak.test.helper.js'

const ENTRY = 'application/atom+xml;type=entry;charset=utf-8'

/** A message in a subscription's hand, and where it is. */
async function held(mq: Spoken, headers = {}, body: string | Uint8Array = 'tea') {
  await mq.speak('POST', '/queue/a', { headers: { 'Content-Type': 'text/plain', ...headers }, body })
  const { location } = await mq.speak('POST', '/subscriptions', form(['destination', 'a']))
  const feed = await mq.speak('GET', location)
  return {
    subscription: location,
    uri: links(feed.text, 'edit')[0]!,
    raw: links(feed.text, 'enclosure')[0]!,
  }
}

t.test('a message URI leads to its entry, and from there to the bytes as sent', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  const bytes = Buffer.from([0, 13, 10, 255])
  const fields = {
    'Content-Type': 'x/y;z=1',
    'Content-Encoding': 'identity',
    'Content-Language': 'de',
    'Property-Order-No': '7',
    'Property-Name': Buffer.from('grün').toString('latin1'),
  }
  const { subscription, uri, raw } = await held(mq, fields, bytes)
  t.ok(uri.startsWith(`${subscription}/messages/`))
  t.equal(raw, `${uri}/content`)
  const entry = await mq.speak('GET', uri)
  t.equal(entry.status, 200)
  t.equal(entry.headers.get('content-type'), ENTRY)
  t.equal(entry.headers.get('cache-control'), 'private, no-cache')
  t.strictSame(links(entry.text, 'edit'), [uri])
  t.match(entry.text, '<mq:property name="order_no">7</mq:property>')
  t.match(entry.text, '<mq:property name="name">grün</mq:property>')
  t.match(entry.text, '<mq:deliveries>1</mq:deliveries>')
  const got = await mq.speak('GET', raw)
  t.equal(got.status, 200)
  t.strictSame(got.bytes, bytes)
  for (const [name, value] of Object.entries(fields)) t.equal(got.headers.get(name), value, name)
  t.equal(got.headers.get('content-security-policy'), 'sandbox')
  t.equal(got.headers.get('x-content-type-options'), 'nosniff')
  for (const address of [uri, raw]) {
    const etag = (await mq.speak('GET', address)).headers.get('etag')!
    const same = await mq.speak('GET', address, { headers: { 'If-None-Match': etag } })
    t.equal(same.status, 304)
    t.equal((await mq.speak('HEAD', address)).status, 200)
  }
})

t.test(
  'a field that is not UTF-8 is read as Latin-1, and a message without a type has the default',
  async (t) => {
    const mq = await spoken(t, { queues: ['a'] })
    await mq.speak('POST', '/queue/a', { body: Buffer.from('x'), headers: { 'Property-N': 'gr\u00fcn' } })
    t.equal(mq.broker.peek('a')?.content.properties.get('n'), 'grün')
    t.equal((await mq.speak('GET', '/queue/a')).headers.get('content-type'), 'application/octet-stream')
    await mq.speak('POST', '/queue/a', { headers: { 'Property-': 'nameless' }, body: 'x' })
    const { content } = mq.broker.peek('a')!
    t.equal(content.properties.size, 0)
    await mq.speak('GET', '/queue/a')
    await mq.speak('POST', '/queue/a', { headers: { 'Content-Type': 'none at all' }, body: 'x' })
    t.equal(mq.broker.peek('a')?.content.contentType, undefined, 'a type that is none is left out')
  },
)

t.test('a message may have as many properties, and as long ones, as a client reads', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  const send = async (headers: Record<string, string>) =>
    (await mq.speak('POST', '/queue/a', { body: 'x', headers })).status
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`Property-${n}`, 'x']))
  t.strictSame([await send(many(64)), await send(many(65))], [200, 431])
  const fields = { 'Content-Type': 'x/y', 'Content-Encoding': 'identity', 'Content-Language': 'de' }
  const room = 8192 - Object.values(fields).join('').length - 'property-n: \r\n'.length
  const long = (length: number) => ({ ...fields, 'Property-N': 'x'.repeat(length) })
  t.strictSame([await send(long(room)), await send(long(room + 1))], [200, 431])
})

t.test('an acknowledged message is gone, and a repeat succeeds', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  const { subscription, uri, raw } = await held(mq)
  for (let n = 0; n < 2; n++) {
    const acknowledged = await mq.speak('DELETE', uri)
    t.equal(acknowledged.status, 200)
    t.equal(acknowledged.text, '')
  }
  t.equal(mq.broker.queue('a').pending, 0)
  t.strictSame(links((await mq.speak('GET', subscription)).text, 'edit'), [])
  for (const address of [uri, raw]) {
    const gone = await mq.speak('GET', address)
    t.strictSame([gone.status, gone.problem], [410, 'delivery-released'])
  }
})

t.test('only its own subscription can acknowledge or read a message', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  const { uri, subscription } = await held(mq)
  const { location } = await mq.speak('POST', '/subscriptions', form(['destination', 'a']))
  const id = uri.slice(uri.lastIndexOf('/'))
  for (const [path, problem] of [
    [`${location}/messages${id}`, 'unknown-message'],
    [`${subscription}/messages/nothing`, 'unknown-message'],
    [`/subscriptions/nothing/messages${id}`, 'unknown-subscription'],
  ] as const) {
    for (const method of ['DELETE', 'GET']) {
      const refused = await mq.speak(method, path)
      t.strictSame([refused.status, refused.problem], [404, problem], `${method} ${path}`)
    }
    t.equal((await mq.speak('GET', `${path}/content`)).problem, problem)
  }
  t.equal(mq.broker.queue('a').held, 1)
  t.equal((await mq.speak('POST', uri)).headers.get('allow'), 'GET, HEAD, DELETE, OPTIONS')
})

t.test('an acknowledgement that comes too late is refused, and takes nothing from another', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  const deleted = await held(mq)
  await mq.speak('DELETE', deleted.subscription)
  const expired = await mq.speak('POST', '/subscriptions', form(['destination', 'a'], ['timeout', 1]))
  const [late] = links((await mq.speak('GET', expired.location)).text, 'edit')
  mq.clock.advance(1000)
  const other = await mq.speak('POST', '/subscriptions', form(['destination', 'a']))
  for (const uri of [deleted.uri, late!]) {
    const refused = await mq.speak('DELETE', uri)
    t.strictSame([refused.status, refused.problem], [410, 'subscription-ended'])
  }
  const [fresh] = links((await mq.speak('GET', other.location)).text, 'edit')
  t.equal(mq.broker.queue('a').held, 1)
  t.match((await mq.speak('GET', fresh!)).text, '<mq:deliveries>3</mq:deliveries>')
  await mq.speak('DELETE', '/queues/a')
  const withdrawn = await mq.speak('DELETE', fresh!)
  t.strictSame([withdrawn.status, withdrawn.problem], [410, 'delivery-released'])
})

t.test("a message in a queue's feed can be looked at, whoever holds it", async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  await mq.speak('POST', '/queue/a', { body: 'tea', headers: { 'Content-Type': 'text/plain' } })
  const feed = (await mq.speak('GET', '/queues/a')).text
  const [look] = links(feed, 'alternate')
  const [raw] = links(feed, 'enclosure')
  const ready = await mq.speak('GET', look!)
  t.equal(ready.status, 200)
  t.equal(ready.headers.get('content-type'), ENTRY)
  t.match(ready.text, '<mq:held>false</mq:held>')
  const bytes = await mq.speak('GET', raw!)
  t.equal(bytes.text, 'tea')
  const headers = { 'If-None-Match': bytes.headers.get('etag')! }
  t.equal((await mq.speak('GET', raw!, { headers })).status, 304)
  const { id } = mq.broker.subscribe({ destinations: ['a'] })
  const held = await mq.speak('GET', look!, { headers: { 'If-None-Match': ready.headers.get('etag')! } })
  t.match(held.text, '<mq:held>true</mq:held>', 'its tag changes with its holder')
  mq.broker.unsubscribe(id)
  const free = await mq.speak('GET', look!, { headers: { 'If-None-Match': held.headers.get('etag')! } })
  t.match(free.text, '<mq:held>false</mq:held>', 'and when nobody holds it any more')
  for (const path of ['/messages/x', '/messages/x/content']) {
    const unknown = await mq.speak('GET', path)
    t.strictSame([unknown.status, unknown.problem], [404, 'unknown-message'])
  }
  t.equal((await mq.speak('DELETE', look!)).status, 405)
})
