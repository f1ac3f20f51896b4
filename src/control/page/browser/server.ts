/** What a request brings beside method and path. */
export interface Sent {
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** What the server said instead of doing it, as a sentence for a person. */
export class Refusal extends Error {
  readonly status: number

  constructor(status: number, detail: string) {
    super(detail)
    this.status = status
  }
}

/**
 * Asks this server. The browser itself says that it is the server's own page that asks, which is what the server
 * looks for in a request that changes something.
 *
 * @param path seen from the page: `state`, or `../queues` for what the interface itself offers
 * @throws Refusal where the server refuses
 * @throws Error that says that nothing came
 */
export async function ask(method: string, path: string, sent: Sent = {}): Promise<string> {
  return (await askAll(method, path, sent)).text
}

/** The same, with the header fields of the answer. */
export async function askAll(
  method: string,
  path: string,
  { body, headers = {} }: Sent = {},
): Promise<{ readonly text: string; readonly headers: Headers }> {
  const init: RequestInit = { method, headers: { ...headers }, cache: 'no-store' }
  if (body !== undefined) init.body = body
  let response: Response
  let text: string
  try {
    response = await fetch(address(path), init)
    text = await response.text()
  } catch {
    throw new Error('No answer came, or not all of it: the connection broke off.')
  }
  if (response.ok) return { text, headers: response.headers }
  throw new Refusal(
    response.status,
    detailOf(text) ?? `The server answered ${response.status} ${response.statusText}.`,
  )
}

/** An address seen from the page. That of the page itself may have a name and a token in it, which no request may. */
export function address(path: string): string {
  return new URL(path, `${location.origin}${location.pathname}`).href
}

/** Asks for JSON; what is given goes as JSON too. */
export async function askJson<T>(method: string, path: string, value?: unknown): Promise<T> {
  return JSON.parse(await ask(method, path, value === undefined ? {} : { body: JSON.stringify(value) })) as T
}

/** Address of a queue, seen from the page. */
export function queuePath(name: string): string {
  return `../queues/${name.split('/').map(encodeURIComponent).join('/')}`
}

/** An id that nobody else will think of. The short way to one is closed to pages that come over plain HTTP. */
export function freshId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

/** What a problem document says. */
function detailOf(text: string): string | undefined {
  try {
    const { detail } = JSON.parse(text) as { detail?: unknown }
    return typeof detail === 'string' ? detail : undefined
  } catch {
    return undefined
  }
}
