import t from 'tap'
import { parseProfile } from '../client/parse-profile.js'
import type { Reply } from '../client/serve.test.helper.js'
import { runConformance } from '../judge.js'
import { entry, feed } from '../trial/fake-broker.test.helper.js'
import { brokerBehind, type Handed } from './alternatives.test.helper.js'
import { checks } from './index.js'

const ATOM = 'xmlns="http://www.w3.org/2005/Atom"'
const packed = ({ body }: Handed) => body.toString('base64')
const json = (value: unknown): Reply => ({
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(value),
})
const xml = (body: string): Reply => ({ headers: { 'Content-Type': 'application/atom+xml' }, body })
const entryOf = (handed: Handed, inner: string) =>
  entry(handed.id, inner).replace('<entry>', `<entry ${ATOM}>`)
const contentAt = ({ id }: Handed) => `/mq/contents/${id}`

/** How a message may come by a mapping of section 4.2. */
const FORMS: Readonly<Record<string, (handed: Handed) => Reply>> = {
  'the body itself': ({ body }) => ({ headers: { 'Content-Type': 'application/octet-stream' }, body }),
  'Base64 alone': (handed) => ({ headers: { 'Content-Type': 'text/plain' }, body: packed(handed) }),
  'JSON with Base64': (handed) => json({ id: handed.id, properties: {}, body: packed(handed) }),
  'JSON with much beside it': (handed) =>
    json({ headers: Array.from({ length: 200 }, (_, n) => ({ name: `h${n}` })), body: packed(handed) }),
  'an entry with Base64': (handed) =>
    xml(entryOf(handed, `<content type="application/octet-stream">${packed(handed)}</content>`)),
  'a feed of one entry': (handed) =>
    feed([entry(handed.id, `<content type="application/octet-stream">${packed(handed)}</content>`)]),
  'an entry that links to its content': (handed) =>
    xml(entryOf(handed, `<content type="a/b" src="${contentAt(handed)}"/>`)),
  'an entry with a summary and a link': (handed) =>
    xml(entryOf(handed, `<summary>a message</summary><link rel="edit-media" href="${contentAt(handed)}"/>`)),
  'other XML with Base64': (handed) => ({
    headers: { 'Content-Type': 'application/xml' },
    body: `<message id="${handed.id}"><body encoding="base64">${packed(handed)}</body></message>`,
  }),
}

/** Such that hold text alone. */
const TEXTS: Readonly<Record<string, (handed: Handed) => Reply>> = {
  'JSON with text': ({ id, text }) => json({ id, body: text === '' ? null : text }),
  'JSON text in Base64': ({ id, text }) => ({
    body: Buffer.from(JSON.stringify({ id, text })).toString('base64'),
  }),
}

/** All mappings, whose messages come in one form. */
function brokerIn(form: (handed: Handed) => Reply) {
  const given = new Map<string, Handed>()
  const show = (handed: Handed) => {
    given.set(handed.id, handed)
    const reply = form(handed)
    return { ...reply, headers: { ...reply.headers, 'Message-Id': handed.id } }
  }
  const none: Reply = { status: 204 }
  return brokerBehind(async (gateway, [verb = '', id = '', what = ''], { method, body }) => {
    const find = async (consumer: string, message: string) =>
      (await gateway.held(consumer)).find((each) => each.id === message)
    if (verb === 'contents') return { body: given.get(id)!.body }
    if (verb === 'queue' && method === 'POST') return gateway.send(id, body)
    if (verb === 'queue') {
      if (!gateway.has(`path ${id}`)) await gateway.subscribe(`path ${id}`, id, 1)
      const [next] = await gateway.held(`path ${id}`)
      if (next === undefined) return none
      await gateway.acknowledge(`path ${id}`, next.id)
      return show(next)
    }
    if (verb === 'subscribe') return gateway.subscribe(id, what, 10)
    if (verb === 'unsubscribe') return {}
    if (verb === 'nextMessageForMe') {
      const [next] = await gateway.held(id)
      return next ? show(next) : none
    }
    if (verb === 'ack') return gateway.acknowledge(id, what)
    if (verb === 'lockNextMessage')
      return { body: (await gateway.held(id)).map((each) => `/mq/message/${id}/${each.id}\n`).join('') }
    if (verb === 'message') {
      const held = await find(id, what)
      return held ? show(held) : { status: 404 }
    }
    return method === 'DELETE' && id === 'messages' ? gateway.acknowledge(verb, what) : undefined
  })
}

const asked = ['batch', 'one-at-a-time', 'single-path'].map((mapping) => `${mapping}.body`)

t.test('a message may come in any form by any mapping, whatever the profile says of arrival', async (t) => {
  const features = { 'single-path': true, 'one-at-a-time': true, batch: true }
  const all = [
    ...Object.entries(FORMS).map((each) => ['same', ...each] as const),
    ...Object.entries({ ...FORMS, ...TEXTS }).map((each) => ['contains', ...each] as const),
  ]
  await Promise.all(
    all.map(async ([arrives, what, form]) => {
      await using broker = await brokerIn(form)
      const { results } = await runConformance(broker.url, {
        checks,
        only: asked,
        profile: parseProfile({ features, message: { arrives } }),
      }).report
      t.strictSame(results.map(({ id }) => id).toSorted(), asked, what)
      t.strictSame(
        results.flatMap(({ id, status, seen }) => (status === 'pass' ? [] : [`${id} ${status}: ${seen}`])),
        [],
        `${what}, ${arrives}`,
      )
    }),
  )
})
