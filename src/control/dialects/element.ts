/** An element of a document that this server has written. Values and texts are as they stand there: escaped. */
export interface Element {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  /** Elements and texts; a comment or a processing instruction is a text that begins with `<`, and so is an entry of a feed. */
  readonly children: readonly Node[]
}

export type Node = Element | string

/** A tag, or text. The broker writes no comments, no CDATA sections, and `>` in no value. */
const TOKEN = /<(\/?)([\w:.-]+)([^<>]*?)(\/?)>|[^<]+/g
/** The same, but an entry of a feed is one. */
const TOKEN_OF_FEED = new RegExp(`<entry>[^]*?</entry>|${TOKEN.source}`, 'g')
const ATTRIBUTE = /([\w:.-]+)="([^"]*)"/g

/** The root of a document that the broker has written. The entries of a feed are left as texts: as elements they take much memory. */
export function readDocument(document: string): Element {
  return readElement(document.slice(document.indexOf('?>') + 2), TOKEN_OF_FEED)
}

/** An entry of a feed. */
export function readEntry(text: string): Element {
  return readElement(text, TOKEN)
}

export function isEntry(node: Node): node is string {
  return typeof node === 'string' && node.startsWith('<entry>')
}

function readElement(source: string, token: RegExp): Element {
  const root: Node[] = []
  const open: Node[][] = [root]
  for (const [text, end, name, attributes = '', empty] of source.matchAll(token)) {
    const siblings = open.at(-1) as Node[]
    if (name === undefined) siblings.push(text)
    else if (end === '/') open.pop()
    else {
      const children: Node[] = []
      const pairs = [...attributes.matchAll(ATTRIBUTE)].map(([, key, value]) => [key, value] as const)
      siblings.push({ name, attributes: new Map(pairs as [string, string][]), children })
      if (empty !== '/') open.push(children)
    }
  }
  return root.find((node) => typeof node !== 'string') as Element
}

/** How a document is written. */
export interface Style {
  readonly element: (name: string) => string
  readonly attribute: (name: string) => string
  readonly text: (escaped: string) => string
  /** With its quotes. */
  readonly value: (escaped: string) => string
}

export function writeDocument(root: Element, style: Style): string {
  return `<?xml version="1.0" encoding="utf-8"?>\n${written(root, style)}\n`
}

export function written(node: Node, style: Style): string {
  if (typeof node === 'string') return node.startsWith('<') ? node : style.text(node)
  const name = style.element(node.name)
  let tag = name
  for (const [key, value] of node.attributes) tag += ` ${style.attribute(key)}=${style.value(value)}`
  if (node.children.length === 0) return `<${tag}/>`
  return `<${tag}>${node.children.map((child) => written(child, style)).join('')}</${name}>`
}

export function isElement(node: Node, name?: string): node is Element {
  return typeof node !== 'string' && (name === undefined || node.name === name)
}
