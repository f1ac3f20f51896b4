import { type Got, type Reply, type Served, serve } from '../client/serve.test.helper.js'

interface Held {
  readonly id: string
  readonly body: Buffer
  holder: string | undefined
}

interface Lease {
  readonly queues: readonly string[]
  readonly prefetch: number
  readonly ends: number
}

export interface FakeBroker extends Served {
  /** Answers in place of the broker where it gives something; one for the whole life of the server. */
  intercept: (got: Got) => Reply | undefined | Promise<Reply | undefined>
  /** What the broker itself answers, for what stands before it. */
  answer: (got: Got) => Reply
  /** Milliseconds that its clock is ahead. */
  ahead: number
  /** Whether the feed of a queue shows what its messages are. */
  showsContents: boolean
  /** How many further messages a reading may give its consumer. */
  perReading: number
  /** What it takes for its own origin, and tells in every `Location`. */
  origin: string
}

const QUEUE = /^\/queues\/([^?]+)(?:\?.*)?$/

/** The least that the primary mapping asks for, as a target for the kit's own tests. Below `/mq`. */
export async function fakeBroker(): Promise<FakeBroker> {
  const queues = new Map<string, Held[]>()
  const leases = new Map<string, Lease>()
  const posted = new Set<string>()
  let made = 0
  const broker = (got: Got): Reply => {
    const path = got.path.replace(/^\/mq/, '').replaceAll('%20', ' ')
    const queue = QUEUE.exec(path)?.[1]
    const [, kind, id = '', message] = path.split('/')
    const call = `${got.method} ${queue === undefined ? kind : 'queue'}`
    switch (call) {
      case 'GET queues':
        return feed([...queues.keys()].map((name) => entry(name, `<link href="/mq/queues/${name}"/>`)))
      case 'POST queues': {
        const name = got.body.toString()
        if (!queues.has(name)) queues.set(name, [])
        return { status: 201, headers: { Location: `${fake.origin}/mq/queues/${name}` } }
      }
      case 'POST queue':
        if (!queues.has(queue!)) return { status: 404 }
        if (path.includes('?guid=')) {
          if (!posted.has(path))
            queues.get(queue!)!.push({ id: String(++made), body: got.body, holder: undefined })
          posted.add(path)
          return {}
        }
        return { status: 201, headers: { Location: `${fake.origin}/mq/new/${++made}?${queue}` } }
      case 'POST new': {
        const at = path.slice(path.indexOf('?') + 1)
        if (!queues.has(at)) return { status: 404 }
        if (!posted.has(path)) queues.get(at)!.push({ id: String(++made), body: got.body, holder: undefined })
        posted.add(path)
        return {}
      }
      case 'GET queue':
        return queues.has(queue!)
          ? feed(
              queues
                .get(queue!)!
                .map((each) => (fake.showsContents ? messageEntry(each, '') : entry(each.id, '<summary/>'))),
            )
          : { status: 404 }
      case 'DELETE queue':
        return { status: queues.delete(queue!) ? 200 : 404 }
      case 'POST subscriptions': {
        const form = new URLSearchParams(got.body.toString())
        const timeout = Number(form.get('timeout') ?? 120) * 1000
        leases.set(String(++made), {
          queues: form.getAll('destination'),
          prefetch: Number(form.get('prefetch')),
          ends: performance.now() + fake.ahead + timeout,
        })
        return { status: 201, headers: { Location: `${fake.origin}/mq/subscriptions/${made}` } }
      }
    }
    if (kind !== 'subscriptions') return { status: 404 }
    const isActive = (key: string) => (leases.get(key)?.ends ?? 0) >= performance.now() + fake.ahead
    const lease = leases.get(id)
    if (!lease || !isActive(id)) return { status: 410 }
    const all = lease.queues.flatMap((name) => queues.get(name) ?? [])
    if (got.method === 'GET') {
      const held = all.filter(({ holder }) => holder === id).length
      const free = all.filter(({ holder }) => holder === undefined || !isActive(holder))
      for (const each of free.slice(0, Math.min(lease.prefetch - held, fake.perReading))) each.holder = id
      const mine = all.filter(({ holder }) => holder === id)
      return feed(mine.map((each) => messageEntry(each, `/mq/subscriptions/${id}/${each.id}`)))
    }
    if (message === undefined) leases.delete(id)
    for (const [name, held] of queues)
      queues.set(
        name,
        held.filter((each) => each.id !== message),
      )
    return {}
  }
  const served = await serve(async (got) => (await fake.intercept(got)) ?? broker(got))
  const fake: FakeBroker = {
    ...served,
    url: `${served.url}/mq`,
    intercept: () => undefined,
    answer: broker,
    ahead: 0,
    showsContents: true,
    perReading: Number.POSITIVE_INFINITY,
    origin: '',
  }
  return fake
}

/** A valid feed of these entries. */
export function feed(entries: readonly string[], links = ''): Reply {
  const head =
    '<id>urn:f</id><title/><updated>2024-01-01T00:00:00Z</updated><author><name>fake</name></author>'
  return {
    headers: { 'Content-Type': 'application/atom+xml' },
    body: `<feed xmlns="http://www.w3.org/2005/Atom">${head}${links}${entries.join('')}</feed>`,
  }
}

/** A valid entry. */
export function entry(id: string, inner: string): string {
  return `<entry><id>urn:e:${id}</id><title/><updated>2024-01-01T00:00:00Z</updated>${inner}</entry>`
}

function messageEntry({ id, body }: Held, uri: string): string {
  const link = uri === '' ? '' : `<link rel="edit" href="${uri}"/>`
  return entry(id, `${link}<summary/><content type="a/b">${body.toString('base64')}</content>`)
}
