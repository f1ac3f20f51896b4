import { answered } from '../../client/answered.js'
import type { Exchange } from '../../client/exchange.js'
import { withQuery } from '../../trial/addresses.js'
import type { CheckRecord } from '../../trial/check.js'
import { holdOne } from '../../trial/held.js'
import { needSocket, rawHead, rawRequest, UNANSWERED } from '../../trial/raw-request.js'
import { FORM } from '../../trial/subscription-form.js'
import type { Trial } from '../../trial/trial.js'

/** What a server may say of its own accord: not implemented, not now, no room. */
const ALLOWED_5XX = [501, 503, 507]

const AT_ONCE = 10

/** Input that nobody should send. */
export const HTTP_MALFORMED: readonly CheckRecord[] = [
  {
    id: 'http.malformed-requests',
    title: 'No request with malformed content is answered with a 5xx other than 501, 503 or 507.',
    stimulus:
      'Sends broken paths, queries, names, forms, types and bodies to every kind of address, and then uses the target as ever.',
    clauses: ['http.malformed', 'http.survives'],
    needs: ['ack.succeeds'],
    async run(trial: Trial) {
      const addresses = await makeAddresses(trial)
      const left = Object.entries(badRequests(trial, addresses))
      let isAmiss = false
      while (left.length > 0 && !isAmiss) {
        const answers = await Promise.all(left.splice(0, AT_ONCE).map(([, ask]) => ask()))
        isAmiss =
          answers.some(({ status }) => isFault(status)) || (await faultOf(trial, addresses)) !== undefined
      }
      const found = isAmiss ? await faultsApart(trial) : []
      trial.choose('malformed-requests', found.length === 0 ? 'no 5xx' : found.join(', '))
      trial.expect(found.length === 0, 'no 5xx but 501, 503 and 507', found.join(', '))
      await expectServing(trial)
    },
  },
  {
    id: 'http.malformed-bytes',
    title: 'No bytes that are no HTTP are answered with a 5xx other than 501, 503 or 507.',
    stimulus:
      'Sends broken request lines, headers, lengths and chunks, each over a connection of its own, and then uses the target as ever.',
    clauses: ['http.malformed', 'http.survives'],
    needs: ['ack.succeeds'],
    async run(trial: Trial) {
      needSocket(trial)
      const { queue } = await makeAddresses(trial)
      const bad = badBytes(trial, queue)
      const statuses = await Promise.all(
        Object.values(bad).map(async (bytes) => {
          const answer = await rawRequest(trial.target.baseUrl, bytes, UNANSWERED)
          return answer?.status ?? 0
        }),
      )
      const seen = Object.keys(bad).map((what, i) => ({ what, status: statuses[i]! }))
      const faults = seen.filter(({ status }) => isFault(status))
      const answers = new Set(
        statuses.map((status) => (status === 0 ? 'closed or not answered' : String(status))),
      )
      trial.choose('malformed-bytes', [...answers].toSorted().join(', '))
      trial.expect(faults.length === 0, 'no 5xx but 501, 503 and 507', () =>
        faults.map(({ what, status }) => `${status} for ${what}`).join(', '),
      )
      await expectServing(trial)
    },
  },
]

/** The first 5xx with which well-formed requests for the same queue and subscription are answered. */
async function faultOf({ target }: Trial, { queue, subscription }: Addresses): Promise<string | undefined> {
  for (const [what, uri] of Object.entries({ queue, subscription })) {
    const { status } = await target.request('GET', uri)
    if (isFault(status)) return `${status} for the ${what}`
  }
  return undefined
}

/**
 * What each malformed request does by itself, at addresses that are its own as soon as one before has done harm: what one has broken,
 * no other is blamed for.
 */
async function faultsApart(trial: Trial): Promise<string[]> {
  const found: string[] = []
  let addresses = await makeAddresses(trial)
  for (const what of Object.keys(badRequests(trial, addresses))) {
    const { status } = await badRequests(trial, addresses)[what]!()
    const left = await faultOf(trial, addresses)
    if (isFault(status)) found.push(`${status} for ${what}`)
    else if (left !== undefined) found.push(`${left} after ${what}`)
    if (left !== undefined || isFault(status)) addresses = await makeAddresses(trial)
  }
  return found
}

function isFault(status: number): boolean {
  return status >= 500 && !ALLOWED_5XX.includes(status)
}

interface Addresses {
  readonly queue: string
  readonly address: string
  readonly subscription: string
  readonly message: string
}

/** An address of each kind. */
async function makeAddresses(trial: Trial): Promise<Addresses> {
  const { queue, consumer, entry } = await holdOne(trial)
  const message = entry.messageUri
  trial.precondition(message !== undefined, 'consume.message-uri', 'an entry without an address')
  return { queue: queue.uri, address: await trial.newAddress(queue), subscription: consumer.uri, message }
}

// No name of a queue is among them that a target may accept and then not be able to list.
function badRequests(
  trial: Trial,
  { queue, address, subscription, message }: Addresses,
): Record<string, () => Promise<Exchange>> {
  const { target } = trial
  const queues = target.at('/queues')
  const subscriptions = target.at('/subscriptions')
  const post = (uri: string, type: string, body: string | Uint8Array) => () =>
    target.request('POST', uri, { headers: { 'Content-Type': type }, body })
  const get =
    (uri: string, headers: Record<string, string> = {}) =>
    () =>
      target.request('GET', uri, { headers })
  const bytes = Uint8Array.of(0, 0xff, 0xfe, 0xc3, 0x28)
  return {
    'a broken escape': get(`${queue}%zz`),
    'an escape of no UTF-8': get(`${queue}%c3%28`),
    'an escaped NUL': get(`${queue}%00`),
    'an escaped slash': get(`${queue}%2f..%2f..`),
    'empty segments': get(`${queue}//////`),
    'dots alone': get(`${queues}/%2e%2e/%2e/...`),
    'a broken escape in a query': get(`${queue}?limit=%zz&cursor=%ff`),
    'a query of marks': get(`${queue}?&&==&?=%00&limit=`),
    'a limit of no number': get(`${queues}?limit=1e999`),
    'a name of prototypes': post(queues, 'text/plain', `${trial.freshName()}/__proto__/constructor`),
    'broken JSON': post(queues, 'application/json', '{"name":'),
    'JSON that is no object': post(queues, 'application/json', '[null]'),
    'JSON with a name that is no text': post(queues, 'application/json', '{"name":{"toString":1}}'),
    'JSON without end': post(queues, 'application/json', '['.repeat(20_000)),
    'a form of no UTF-8': post(subscriptions, FORM, bytes),
    'a form with broken escapes': post(subscriptions, FORM, 'destination=%zz&prefetch=%ff'),
    'a form of marks': post(subscriptions, FORM, '&&==&=&%00'),
    'a prefetch of no size': post(subscriptions, FORM, `destination=a&prefetch=${'9'.repeat(400)}`),
    'a timeout of no size': post(subscriptions, FORM, 'destination=a&timeout=1e999'),
    'a selector without end': post(subscriptions, FORM, `destination=a&selector=${'('.repeat(5_000)}`),
    'a type that is none': post(subscriptions, '/;;=', 'destination=a'),
    'a type of many parameters': post(queues, `text/plain${';a="'.repeat(200)}`, trial.freshName()),
    'a list of no addresses': post(subscription, 'text/uri-list', bytes),
    'a guid of no UTF-8': post(withQuery(queue, 'guid=%ff%00'), 'text/plain', 'a'),
    'a type of a message that is none': post(address, ';', 'a'),
    'a preference that is none': get(subscription, { Prefer: 'wait=-1;=,,=wait' }),
    'a preference of no size': get(subscription, { Prefer: `wait="${'x'.repeat(999)}` }),
    'tags that are none': get(subscription, { 'If-None-Match': '"", W/, *,"' }),
    'types that are none': get(subscription, { Accept: ';q=,/,*' }),
    'a range of no bytes': get(message, { Range: 'bytes=9-1,-,x' }),
    'codings that are none': get(message, { 'Accept-Encoding': ',;q' }),
    'a message with a broken escape': () => target.request('DELETE', `${message}%zz`),
    'a message deleted with a body': () => target.request('DELETE', `${message}x`, { body: 'a' }),
  }
}

function badBytes(trial: Trial, queue: string): Record<string, string | Uint8Array> {
  const uri = trial.target.at('/queues')
  const { host } = new URL(uri)
  const { headers } = trial.profile
  const end = '\r\n\r\n'
  const post = (fields: Record<string, string>) => rawHead('POST', queue, { ...headers, ...fields })
  return {
    'no HTTP at all': `hello${end}`,
    'a request line of one word': `GET${end}`,
    'another version': rawHead('GET', uri, headers).replace('HTTP/1.1', 'HTTP/9.9') + end,
    'a small method': rawHead('get', uri, headers) + end,
    'a space in the target': `GET /queues/a b HTTP/1.1\r\nHost: ${host}${end}`,
    'control characters in the target': `GET /queues/\u0001\u007f HTTP/1.1\r\nHost: ${host}${end}`,
    'bytes beyond ASCII in the target': Buffer.from(
      `GET /queues/\u00ff\u00fe HTTP/1.1\r\nHost: ${host}${end}`,
      'latin1',
    ),
    'no host': `GET ${new URL(uri).pathname} HTTP/1.1${end}`,
    'two hosts': `${rawHead('GET', uri, headers)}Host: other.invalid${end}`,
    'a header without colon': `${rawHead('GET', uri, headers)}broken${end}`,
    'a NUL in a header': `${rawHead('GET', uri, { ...headers, 'X-Kit': 'a\u0000b' })}\r\n`,
    'a header that goes on': `${rawHead('GET', uri, headers)}X-Kit: a\r\n b${end}`,
    'a length of no number': `${post({ 'Content-Length': '1x' })}\r\na`,
    'a length below zero': `${post({ 'Content-Length': '-1' })}\r\n`,
    'two lengths': `${post({ 'Content-Length': '1' })}Content-Length: 2${end}ab`,
    'a length and chunks': `${post({ 'Content-Length': '5', 'Transfer-Encoding': 'chunked' })}\r\n0${end}`,
    'chunks of no size': `${post({ 'Transfer-Encoding': 'chunked' })}\r\nxyz\r\na\r\n0${end}`,
    'an unknown coding': `${post({ 'Transfer-Encoding': 'x-kit' })}\r\na`,
    'an upgrade': `${rawHead('GET', uri, { ...headers, Connection: 'Upgrade', Upgrade: 'x-kit' })}\r\n`,
    'a tunnel': `CONNECT ${host} HTTP/1.1\r\nHost: ${host}${end}`,
  }
}

/** The target does what it did before: a message sent comes to its consumer, which acknowledges it. */
async function expectServing(trial: Trial): Promise<void> {
  const { consumer, entry } = await holdOne(trial)
  const answer = await consumer.tryAck(entry)
  trial.expect(answer.status === 200, 'the target in service afterwards', answered(answer))
}
