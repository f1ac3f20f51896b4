import type { Element } from '@xmldom/xmldom'
import { ATOM } from '../client/atom.js'
import { decodeBase64 } from '../client/content.js'
import type { Entry } from '../client/entry.js'
import type { Exchange } from '../client/exchange.js'
import { parseEntry } from '../client/parse-entry.js'
import { childElements, essence, MalformedXml, parseXml } from '../client/xml.js'
import { succeeded } from './answers.js'
import { Blocked } from './findings.js'
import type { Sent, Trial } from './trial.js'

/** Shorter text is Base64 by chance. */
const SHORTEST_BASE64 = 8

/**
 * What an answer may mean as the bytes of its message. Section 4.2 shows no form: the message may be the
 * body itself, or stand in an Atom entry or feed, in other XML, or in JSON, as text or as Base64.
 */
export async function payloadsOf(trial: Trial, answer: Exchange): Promise<Buffer[]> {
  if (!succeeded(answer) || answer.body.length === 0) return succeeded(answer) ? [answer.body] : []
  const bodies = await Promise.all(entriesIn(trial, answer).map((entry) => bodyOf(entry)))
  const texts = [answer.body.toString(), ...jsonTexts(answer), ...xmlTexts(answer)]
  const decoded = texts.map((text) => (text.length < SHORTEST_BASE64 ? undefined : decodeBase64(text)))
  const found = [...bodies, ...texts.slice(1).map((text) => Buffer.from(text)), ...decoded]
  return [answer.body, ...found.filter((each) => each !== undefined)]
}

/** Those of `messages` that an answer holds, in whatever form. */
export async function messagesIn(
  trial: Trial,
  answer: Exchange,
  messages: readonly Sent[],
): Promise<readonly Sent[]> {
  const payloads = await payloadsOf(trial, answer)
  if (trial.profile.message.arrives === 'contains') {
    const texts = new Set(payloads.map((payload) => trial.messageText(payload)))
    return messages.filter(({ text }) => texts.has(text))
  }
  return messages.filter((message) => payloads.some((payload) => holds(payload, message)))
}

/** Whether an answer gives a message byte for byte, in whatever form. */
export async function givesExactly(trial: Trial, answer: Exchange, body: Buffer): Promise<boolean> {
  const payloads = await payloadsOf(trial, answer)
  return payloads.some((payload) => payload.equals(body) || (body.length > 0 && payload.includes(body)))
}

/** The entries of an answer that is an Atom entry or a feed. */
export function entriesIn(trial: Trial, answer: Exchange): Entry[] {
  const root = rootOf(answer)
  if (root === undefined || root.namespaceURI !== ATOM) return []
  const elements = root.localName === 'entry' ? [root] : childElements(root, ATOM, 'entry')
  return elements.map((element) =>
    parseEntry(element, {
      documentUri: answer.url,
      messageUri: trial.profile.messageUri,
      linked: trial.linked,
      get: (uri) => trial.target.request('GET', uri),
      unreadable: (why) => {
        throw new Unreadable('consume.feed', why)
      },
    }),
  )
}

/** The root of an answer's document, where it is one of XML. */
export function rootOf({ body, headers }: Exchange): Element | undefined {
  const type = headers['content-type']
  if (!/[+/]xml$/.test(essence(type)) && !/^\s*</.test(body.subarray(0, 64).toString())) return undefined
  try {
    return parseXml(body, type).documentElement ?? undefined
  } catch (error) {
    if (error instanceof MalformedXml) return undefined
    throw error
  }
}

/** Every text in an answer that is JSON. */
export function jsonTexts({ body }: Exchange): string[] {
  const texts: string[] = []
  const collect = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value)
    else if (typeof value === 'object' && value !== null)
      for (const each of Object.values(value)) collect(each)
  }
  try {
    collect(JSON.parse(body.toString()))
  } catch {
    return []
  }
  return texts
}

/** An entry whose content cannot be had holds no message that could be known. */
class Unreadable extends Blocked {}

async function bodyOf(entry: Entry): Promise<Buffer | undefined> {
  try {
    return await entry.body()
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
}

function xmlTexts(answer: Exchange): string[] {
  const texts: string[] = []
  const collect = (element: Element): void => {
    const children = childElements(element)
    if (children.length === 0) texts.push(element.textContent!)
    for (const child of children) collect(child)
  }
  const root = rootOf(answer)
  if (root !== undefined) collect(root)
  return texts
}

/** A message is known by its text; where that ends in a number, another's may begin with it. */
function holds(payload: Buffer, { body }: Sent): boolean {
  for (let at = payload.indexOf(body); at >= 0 && body.length > 0; at = payload.indexOf(body, at + 1)) {
    if (!/\d/.test(String.fromCharCode(payload[at + body.length] ?? 0))) return true
  }
  return payload.equals(body)
}
