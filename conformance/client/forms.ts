import type { Element } from '@xmldom/xmldom'
import { rootInAtom } from './atom.js'
import { Buffer } from './bytes.js'
import { decodeBase64, fromHtml } from './content.js'
import { childElements, essence, MalformedXml } from './xml.js'

/** Shorter text is Base64 by chance. */
const SHORTEST_BASE64 = 8
/** An envelope stands in another at most: a text of JSON that is HTML, or Base64 of JSON. */
const DEPTH = 2
/** Beyond so many texts of one document nobody looks further into each of them. */
const MANY = 64

/** An answer, or what else has bytes of some type. */
interface Typed {
  readonly body: Buffer
  readonly headers: Readonly<Record<string, string>>
}

/**
 * What bytes may mean to a target that shows messages in an envelope of its own: themselves, what stands in them as a text of JSON, XML
 * or HTML, and what these are as Base64; and the same of each of those.
 */
export function* formsOf(body: Buffer, depth = DEPTH): Generator<Buffer> {
  yield body
  if (depth === 0 || body.length === 0) return
  const text = body.toString()
  const inside = [...textsIn(body).map((each) => Buffer.from(each)), ...decoded([text])]
  const unescaped = withoutTags(text)
  if (unescaped !== text) inside.push(Buffer.from(unescaped))
  for (const each of inside) yield* formsOf(each, inside.length > MANY ? 0 : depth - 1)
}

/** The texts that stand in an envelope, which is a document of XML or an object of JSON; also as what they are as Base64. */
export function envelopedTexts(body: Buffer): string[] {
  if (!/^\s*[<{[]/.test(body.subarray(0, 64).toString())) return []
  const texts = textsIn(body)
  return [...texts, ...decoded(texts).map(String)]
}

/** Every text in what is a document of JSON or of XML. */
function textsIn(body: Buffer): string[] {
  return [...jsonTexts({ body }), ...xmlTexts({ body, headers: {} })]
}

/** The bytes of those of some texts that may be Base64. */
export function decoded(texts: readonly string[]): Buffer[] {
  return texts.flatMap((text) => (text.length < SHORTEST_BASE64 ? [] : (decodeBase64(text) ?? [])))
}

/** Every text in an answer that is JSON. */
export function jsonTexts({ body }: Pick<Typed, 'body'>): string[] {
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

/** The members of an answer that is JSON that are a text or a number, with those of an object before those of what stands in it. */
export function jsonMembers({ body }: Pick<Typed, 'body'>): (readonly [name: string, value: string])[] {
  const membersOf = (values: readonly unknown[]): (readonly [string, string])[] => {
    const entries = values
      .filter((value) => typeof value === 'object' && value !== null)
      .flatMap((value) => Object.entries(value as object) as [string, unknown][])
    if (entries.length === 0) return []
    const own = entries.filter(([, value]) => typeof value === 'string' || typeof value === 'number')
    return [
      ...own.map(([name, value]) => [name, String(value)] as const),
      ...membersOf(entries.map(([, value]) => value)),
    ]
  }
  try {
    return membersOf([JSON.parse(body.toString())])
  } catch {
    return []
  }
}

/** Every text in an answer that is XML: of attributes, and of the elements that hold no others. */
export function xmlTexts(answer: Typed): string[] {
  const texts: string[] = []
  const collect = (element: Element): void => {
    const children = childElements(element)
    for (const { name, value } of element.attributes) if (!name.startsWith('xmlns')) texts.push(value)
    if (children.length === 0) texts.push(element.textContent!)
    for (const child of children) collect(child)
  }
  const root = rootOf(answer)
  if (root !== undefined) collect(root)
  return texts
}

/** The root of an answer's document, where it is one of XML: a feed or an entry in Atom's namespace, whatever its own. */
export function rootOf({ body, headers }: Typed): Element | undefined {
  const type = headers['content-type']
  if (!/[+/]xml$/.test(essence(type)) && !/^\s*</.test(body.subarray(0, 64).toString())) return undefined
  try {
    return rootInAtom(body, type).root
  } catch (error) {
    if (error instanceof MalformedXml) return undefined
    throw error
  }
}

/** What HTML shows of a text. */
function withoutTags(text: string): string {
  return fromHtml(text.replace(/<[a-z!/][^<>]*>/gi, ''))
}
