import type { Cut } from '../client/cut-client.js'
import { wildcardBelow } from '../client/subscription-request.js'
import { essence } from '../client/xml.js'
import { refused, succeeded } from '../trial/answers.js'
import { sameButCase, walkTo } from '../trial/listings.js'
import { entriesIn } from '../trial/message-in.js'
import type { Action, Start } from './action.js'
import type { Command } from './command.js'
import type { Conversation } from './conversation.js'
import { isOdd } from './queue-names.js'
import { sendBySinglePath } from './speak-alternatives.js'

// Section 4.1 as commands speak it.

export async function create(talk: Conversation, queue: string, cut?: Cut): Promise<Action | undefined> {
  const path = talk.path(queue)
  talk.asked.add(queue)
  talk.cutNext(cut)
  const exchange = await talk.trial.tryCreateQueue(path)
  const uri = talk.trial.target.location(exchange)
  // Which names there are, and which of them are one, is the target's choice.
  const twin = [...talk.queues].find(([name, handle]) => name !== queue && handle.uri === uri)?.[0]
  if ((isOdd(queue) && refused(exchange)) || (twin !== undefined && (isOdd(queue) || isOdd(twin))))
    return undefined
  if (uri !== undefined) talk.queues.set(queue, { path, uri })
  return talk.action({ do: 'createQueue', queue }, exchange, 'Somebody', `creates the queue ${queue}`)
}

export async function remove(talk: Conversation, queue: string, cut?: Cut): Promise<Action | undefined> {
  const handle = talk.queues.get(queue)
  if (handle === undefined) return undefined
  talk.cutNext(cut)
  const exchange = await talk.trial.target.request('DELETE', handle.uri)
  return talk.action({ do: 'deleteQueue', queue }, exchange, 'Somebody', `deletes the queue ${queue}`)
}

export function browse(talk: Conversation, queue: string): Promise<Action> | undefined {
  const handle = talk.queues.get(queue)
  if (handle === undefined) return undefined
  const request = { do: 'browseQueue', queue } as const
  return talk.showing(request, 'Somebody', `browses the queue ${queue}`, () => talk.queueFeed(handle.uri))
}

export function list(talk: Conversation): Promise<Action> | undefined {
  // How a queue is found below a path that cannot be listed, or may be a queue's too, the document does not say.
  const { subtree } = talk.trial.profile.features
  const isReached = (name: string) => !name.includes('/') || (subtree && !talk.asked.has(name.split('/')[0]!))
  // A listing may tell names in another case than they were given in.
  const isTold = (name: string) =>
    ![...talk.asked].some((other) => other !== name && sameButCase(other, name))
  const known = [...talk.queues].filter(([name]) => isReached(name) && isTold(name))
  if (known.length === 0) return undefined
  const request = { do: 'listQueues', queues: known.map(([name]) => name) } as const
  return talk.showing(request, 'Somebody', 'follows the listings from the root', async () => {
    const root = await talk.trial.target.request('GET', talk.trial.target.at('/queues'))
    const handles = known.map(([, handle]) => handle)
    const walks = root.status === 200 ? await walkTo(talk.trial, handles) : []
    const found = known.filter((_, index) => walks[index]?.entry !== undefined)
    const entries = found.map(([body]) => ({ body, uri: '' }))
    return { exchange: root, answer: talk.answer(root, { entries }) }
  })
}

export function send(talk: Conversation, command: Extract<Command, { do: 'send' }>): Start[] {
  const { queue, message: name, by, like, cut, guid: wanted, colour = 'red' } = command
  const handle = talk.queues.get(queue)
  if (handle === undefined) return []
  const fresh = talk.trial.freshMessage(`${name} `)
  const sent = (like === undefined ? undefined : talk.messages.get(like)?.sent) ?? fresh
  if (!talk.names.has(sent.text)) talk.names.set(sent.text, name)
  const body = talk.names.get(sent.text)!
  const guid = by === 'guid' ? guidOf(talk, wanted) : undefined
  talk.messages.set(name, { sent, queue, guid, isUnusual: wanted !== undefined, colour, address: undefined })
  const twin = body === name ? '' : `, with the body of ${body}`
  if (by === 'guid') {
    const kind = wanted === undefined ? '' : kindOf(wanted)
    return [() => postOnce(talk, name, queue, cut, `${kind}${twin}`)]
  }
  if (by === 'single-path') {
    return [
      () => {
        talk.cutNext(cut)
        return sendBySinglePath(talk, name, twin)
      },
    ]
  }
  return [() => addressFor(talk, name, queue), () => post(talk, name, cut, `posts ${name}${twin}`)]
}

/** Sends a message once more, or another by what it was sent by. */
export async function repeat(
  talk: Conversation,
  { message: name, queue, changed }: Extract<Command, { do: 'repeat' }>,
): Promise<Action | undefined> {
  const message = talk.messages.get(name)
  if (message === undefined) return undefined
  const other = `${name}'`
  if (changed && !talk.messages.has(other)) {
    const sent = talk.trial.freshMessage(`${other} `)
    talk.names.set(sent.text, other)
    talk.messages.set(other, { ...message, sent })
  }
  const repeated = changed ? other : name
  const elsewhere = queue !== undefined && talk.queues.has(queue) ? queue : message.queue
  const send = () => {
    if (message.guid !== undefined) {
      const how = changed ? ` that ${name} had` : ', again with the same guid'
      return postOnce(talk, repeated, elsewhere, undefined, how)
    }
    const what = changed ? `posts another body, ${other}, to the same address` : `posts ${name} again`
    return post(talk, repeated, undefined, what)
  }
  const action = await send()
  return action && { ...action, again: async () => (await send()) ?? action }
}

async function addressFor(talk: Conversation, name: string, queue: string): Promise<Action> {
  const exchange = await talk.trial.target.request('POST', talk.queues.get(queue)!.uri)
  talk.messages.get(name)!.address = talk.trial.target.location(exchange)
  return talk.action(
    { do: 'newAddress', queue },
    exchange,
    'A producer',
    `asks ${queue} for an address for ${name}`,
  )
}

async function post(
  talk: Conversation,
  name: string,
  cut: Cut | undefined,
  what: string,
): Promise<Action | undefined> {
  const { address, sent, colour } = talk.messages.get(name)!
  if (address === undefined) return undefined
  talk.cutNext(cut)
  const exchange = await talk.trial.post(address, sent.body, talk.headers(colour))
  const body = talk.names.get(sent.text)!
  return talk.action({ do: 'postMessage', address, body, colour }, exchange, 'A producer', what)
}

async function postOnce(
  talk: Conversation,
  name: string,
  queue: string,
  cut: Cut | undefined,
  how: string,
): Promise<Action | undefined> {
  const { sent, guid = '', isUnusual, colour } = talk.messages.get(name)!
  talk.cutNext(cut)
  const { uri } = talk.queues.get(queue)!
  const exchange = await talk.trial.postWithGuid({ path: '', uri }, guid, sent.body, talk.headers(colour))
  // Which texts are guids, the document leaves open.
  if (isUnusual && refused(exchange)) return undefined
  const request = { do: 'sendOnce', queue, guid, body: talk.names.get(sent.text)!, colour } as const
  return talk.action(request, exchange, 'A producer', `sends ${name} to ${queue} with a guid${how}`)
}

type WantedGuid = NonNullable<Extract<Command, { do: 'send' }>['guid']>

/** How many characters a long guid has, with what makes it unlike another: fewer where the target takes fewer. */
const LONG = 240
const UNLIKE = { end: '1', sign: '+', space: ' ' } as const

function guidOf(talk: Conversation, wanted: WantedGuid | undefined): string {
  const fresh = talk.trial.freshGuid()
  const { form, maxLength } = talk.trial.profile.guid
  const most = Math.min(LONG, maxLength ?? LONG)
  if (wanted === undefined || form === 'uuid') return fresh
  if (wanted === 'long') return fresh.padEnd(most - 1, 'x')
  const other = talk.messages.get(wanted.unlike)?.guid
  if (other === undefined) return fresh
  if (wanted.in === 'case') return other.toUpperCase()
  return other.length < most ? other + UNLIKE[wanted.in] : fresh
}

function kindOf(wanted: WantedGuid): string {
  if (wanted === 'long') return ' that is long'
  const difference = {
    case: 'case',
    end: 'its last character',
    sign: 'a + at its end',
    space: 'a space at its end',
  }
  return ` that differs from that of ${wanted.unlike} in ${difference[wanted.in]} only`
}

export async function subscribe(
  talk: Conversation,
  { consumer: name, to, below, prefetch, selector, cut }: Extract<Command, { do: 'subscribe' }>,
): Promise<Action | undefined> {
  const { profile } = talk.trial
  const handles = to.flatMap((queue) => talk.queues.get(queue) ?? [])
  if (handles.length < to.length) return undefined
  const wildcard = below === undefined ? [] : [wildcardBelow(profile, talk.path(below))]
  talk.cutNext(cut)
  const exchange = await talk.trial.trySubscribe([...handles, ...wildcard], {
    prefetch,
    lease: 'short',
    ...(selector ? { selector: profile.subscription.selector.expression } : {}),
  })
  const uri = talk.trial.target.location(exchange)
  // Where a queue may have such a name, it may still be no destination.
  if (to.some(isOdd) && refused(exchange)) return undefined
  const consumer = talk.consumer(name)
  if (uri !== undefined && exchange.status < 300) Object.assign(consumer, { uri, holds: [] })
  const request = {
    ...({ do: 'subscribe', prefetch, lease: talk.lease } as const),
    destinations: [...to.map((queue) => ({ queue })), ...(below === undefined ? [] : [{ below }])],
    selector: selector ? 'red' : undefined,
  }
  const all = [...to, ...(below === undefined ? [] : [`all below ${below}`])].join(' and ')
  const what = `subscribes to ${all} with prefetch ${prefetch}${selector ? ', for red messages' : ''}`
  return talk.action(request, exchange, `Consumer ${name}`, what)
}

export async function end(talk: Conversation, name: string, cut?: Cut): Promise<Action | undefined> {
  const { uri } = talk.consumer(name)
  if (uri === undefined) return undefined
  talk.cutNext(cut)
  const exchange = await talk.trial.target.request('DELETE', uri)
  const request = { do: 'unsubscribe', consumer: uri } as const
  return talk.action(request, exchange, `Consumer ${name}`, 'deletes its subscription')
}

export function read(talk: Conversation, name: string): Promise<Action> | undefined {
  const consumer = talk.consumer(name)
  const { uri } = consumer
  if (uri === undefined) return undefined
  return talk.showing({ do: 'consume', consumer: uri }, `Consumer ${name}`, 'reads its feed', async () => {
    const read = await talk.feed(uri)
    if (read.exchange.status === 200) talk.shown(consumer, read.answer.entries ?? [])
    return read
  })
}

export async function look(talk: Conversation, name: string, nth: number): Promise<Action | undefined> {
  const { holds } = talk.consumer(name)
  const entry = holds[nth % holds.length]
  if (entry === undefined) return undefined
  const exchange = await talk.trial.target.request('GET', entry.uri)
  const request = { do: 'look', uri: entry.uri } as const
  return talk.action(request, exchange, `Consumer ${name}`, `looks at ${entry.body} by a GET of its address`)
}

export async function acknowledge(
  talk: Conversation,
  name: string,
  nth: number,
  cut?: Cut,
): Promise<Action | undefined> {
  const consumer = talk.consumer(name)
  const entry = consumer.holds[nth % consumer.holds.length]
  if (entry === undefined) return undefined
  talk.cutNext(cut)
  const exchange = await talk.trial.target.request('DELETE', entry.uri)
  consumer.holds = consumer.holds.filter((each) => each !== entry)
  const request = { do: 'acknowledge', uri: entry.uri } as const
  return talk.action(request, exchange, `Consumer ${name}`, `acknowledges ${entry.body}`)
}

export async function acknowledgeAgain(
  talk: Conversation,
  name: string,
  nth: number,
): Promise<Action | undefined> {
  const all = [...talk.consumer(name).shown.values()]
  const entry = all[nth % all.length]
  if (entry === undefined) return undefined
  const exchange = await talk.trial.target.request('DELETE', entry.uri)
  const what = `acknowledges ${entry.body} by the address that it was once shown`
  return talk.action({ do: 'acknowledge', uri: entry.uri }, exchange, `Consumer ${name}`, what)
}

export async function acknowledgeInPost(
  talk: Conversation,
  name: string,
  count: number,
): Promise<Action | undefined> {
  const consumer = talk.consumer(name)
  const { uri } = consumer
  const acknowledged = consumer.holds.slice(0, count)
  if (uri === undefined || acknowledged.length === 0) return undefined
  const exchange = await talk.trial.target.request('POST', uri, {
    headers: { 'Content-Type': 'text/uri-list' },
    body: acknowledged.map((each) => `${each.uri}\r\n`).join(''),
  })
  const isFeed = succeeded(exchange) && essence(exchange.headers['content-type']) === 'application/atom+xml'
  const entries = isFeed
    ? await Promise.all(
        entriesIn(talk.trial, exchange).map(async (entry) => ({
          body: talk.nameOf(await entry.body()),
          uri: entry.messageUri ?? '',
        })),
      )
    : undefined
  // It may show all that is held then, or only what is new.
  const left = consumer.holds.filter((each) => !acknowledged.includes(each))
  talk.shown(consumer, [...new Map([...left, ...(entries ?? [])].map((each) => [each.uri, each])).values()])
  const uris = acknowledged.map((each) => each.uri)
  const request = { do: 'acknowledgeInPost', consumer: uri, uris } as const
  const what = `acknowledges ${acknowledged.map(({ body }) => body).join(', ')} in a POST`
  return talk.action(request, exchange, `Consumer ${name}`, what, { entries })
}
