import { encodePath, withQuery } from '../client/addresses.js'
import { wireName } from '../client/queue-names.js'
import type { Manner } from '../client/speaker.js'
import { leaseParameter, subscriptionRequest } from '../client/subscription-request.js'
import type { Aside, Conversation } from './conversation.js'
import type { Of, Place } from './step.js'
import { IN_BRACES } from './words.js'

// Requests as they are written.

/** Sends a request; a body without a type is sent as the profile's messages are. */
export async function request(talk: Conversation, step: Of<'request'>, how: Manner): Promise<Aside | string> {
  const { method, to, query, headers = [], form } = step
  const { profile, target } = talk.speaker
  const address = addressOf(talk, to)
  if ('why' in address) return address.why
  const uri = query === undefined ? address.uri : withQuery(address.uri, textIn(talk, query.slice(1), true))
  const data = form && formOf(talk, form)
  const own = data?.headers ?? (step.body === undefined ? {} : profile.message.headers)
  const given = headers.map(([name, value]) => [name, textIn(talk, value)] as const)
  const isGiven = (name: string) => given.some(([each]) => each.toLowerCase() === name.toLowerCase())
  const others = Object.entries(own).filter(([name]) => !isGiven(name))
  const body = data?.body ?? textIn(talk, step.body ?? '')
  const exchange = await target.request(method, uri, {
    ...{ headers: Object.fromEntries([...others, ...given]), body },
    ...{ as: how.as, cut: how.cut },
  })
  talk.requested = exchange
  return { exchange }
}

type Address = { readonly uri: string } | { readonly why: string }

function addressOf(talk: Conversation, to: Place): Address {
  const { target } = talk.speaker
  if ('path' in to) return { uri: target.at(textIn(talk, to.path, true)) }
  const found = givenAddress(talk, to)
  if ('why' in found) return found
  // Where a consumer of section 4.2 acknowledges what it was handed out, it is told no address.
  const uri = found.uri.startsWith('/') ? target.at(found.uri) : found.uri
  return { uri: to.beside ? uri.replace(/[^/]*$/, talk.unique()) : uri }
}

function givenAddress(talk: Conversation, to: Exclude<Place, { path: string }>): Address {
  const or = (uri: string | undefined, why: string) => (uri === undefined ? { why } : { uri })
  if ('queue' in to) return or(talk.queues.get(to.queue)?.uri, `there is no queue ${to.queue}`)
  if ('address' in to)
    return or(talk.messages.get(to.address)?.address, `there is no address for ${to.address}`)
  if (to.message === undefined)
    return or(talk.consumer(to.consumer).uri, `${to.consumer} has no subscription`)
  const held = talk.held(to.consumer, to.message)
  return typeof held === 'string' ? { why: held } : held.entry
}

/** The data of a subscription with these fields, under the names that the profile gives them, whatever they hold. */
function formOf(talk: Conversation, fields: NonNullable<Of<'request'>['form']>) {
  const { profile, target } = talk.speaker
  const destinations = fields
    .filter(([name]) => name === 'destination')
    .map(
      ([, queue]) =>
        talk.queues.get(queue) ?? { path: talk.path(queue), uri: target.queueUri(talk.path(queue)) },
    )
  const { headers, body } = subscriptionRequest(profile, destinations, {})
  const form = new URLSearchParams(body)
  const names: Readonly<Record<string, string | null>> = profile.subscription.parameters
  for (const [name, written] of fields.filter(([name]) => name !== 'destination')) {
    const value = textIn(talk, written)
    // A time is said in seconds, and asked for as the target has it.
    const isTime = name === 'timeout' && value !== '' && Number.isFinite(Number(value))
    form.set(names[name] ?? name, isTime ? leaseParameter(profile, Number(value) * 1000) : value)
  }
  return { headers, body: form.toString() }
}

/** A text with what its braces stand for. @param inAddress whether that is percent-encoded */
export function textIn(talk: Conversation, text: string, inAddress = false): string {
  return text.replace(IN_BRACES, (_, name: string) => {
    const meant = /^\d/.test(name)
      ? talk.ofLength(Number(name))
      : /^[A-Z]/.test(name)
        ? talk.consumer(name).id
        : name.startsWith('=')
          ? (talk.requested?.headers[name.slice(1).toLowerCase()] ?? '')
          : wireName(talk.profile, talk.path(name))
    return inAddress ? encodePath(meant) : meant
  })
}
