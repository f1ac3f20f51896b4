import type { ReportedExchange } from './result.js'

/** What the names of one trial begin with. */
const PREFIX = /kit-[0-9a-f]{10}(?=-\d)/g
const BINARY_SAFE = /^[^\0]*$/

/**
 * A shell script that asks a target again what a check asked. Names are new in each run, and
 * addresses are taken from the `Location`s of its own answers, so that it can be run many times.
 */
export function curlScript(exchanges: readonly ReportedExchange[]): string {
  const lines = ['RUN=kit-$(date +%s)-$$']
  const all = exchanges.map(({ request }) => JSON.stringify(request)).join('\n')
  if (all.includes('***')) lines.push('# put your credentials in place of ***')
  const known = new Map<string, string>()
  const bodies: string[] = []
  exchanges.forEach((exchange, index) => {
    const { request, response } = exchange
    const later = exchanges.slice(index + 1).map((each) => each.request.url)
    const location = absolute(response?.headers.location, request.url)
    const isUsed =
      location !== undefined && !known.has(location) && later.some((url) => url.startsWith(location))
    if (exchange.times > 1) lines.push(`# asked ${exchange.times} times, with the same answer`)
    if (comesFromBody(request.url, known, bodies))
      lines.push('# an address from an answer above: take the one that your run gave')
    const command = curl(exchange, known)
    if (isUsed) {
      const name = `AT${known.size + 1}`
      known.set(location, name)
      const origin = new URL(request.url).origin
      lines.push(`${name}=$(${command} | tee /dev/stderr | tr -d '\\r' |`)
      lines.push(`  sed -n 's/^[Ll]ocation: *//p' | sed 's|^/|${origin}/|')`)
    } else {
      lines.push(command)
    }
    if (response) bodies.push(response.body.data)
  })
  return `${lines.join('\n')}\n`
}

function curl({ request }: ReportedExchange, known: ReadonlyMap<string, string>): string {
  const { method, url, headers, body } = request
  const parts = ['curl -s -i']
  if (method === 'HEAD') parts.push('--head')
  else if (method !== 'GET') parts.push(`-X ${shellQuoted(method)}`)
  for (const [name, value] of Object.entries(headers)) parts.push(`-H ${shellQuoted(`${name}: ${value}`)}`)
  const address = quoteAddress(url, known)
  if (body.bytes === 0) {
    // Without a body curl announces no length, which some servers refuse for a POST.
    if (method === 'POST' || method === 'PUT') parts.push("-H 'Content-Length: 0'")
    return [...parts, address].join(' ')
  }
  if (body.encoding === 'text' && BINARY_SAFE.test(body.data) && !body.data.startsWith('@')) {
    return [...parts, `--data-binary ${shellQuoted(body.data)}`, address].join(' ')
  }
  const bytes = body.encoding === 'base64' ? body.data : Buffer.from(body.data).toString('base64')
  return `echo ${bytes} | base64 -d | ${[...parts, '--data-binary @-', address].join(' ')}`
}

function quoteAddress(url: string, known: ReadonlyMap<string, string>): string {
  // The longest first: a queue's address begins those of its messages on some targets.
  const [start, name] =
    [...known].sort(([a], [b]) => b.length - a.length).find(([each]) => url.startsWith(each)) ?? []
  return start === undefined
    ? shellQuoted(url)
    : `"$${name}"${url === start ? '' : shellQuoted(url.slice(start.length))}`
}

function comesFromBody(url: string, known: ReadonlyMap<string, string>, bodies: readonly string[]): boolean {
  if (known.has(url) || !URL.canParse(url)) return false
  const path = new URL(url).pathname
  return bodies.some((body) => body.includes(path)) && ![...known.keys()].some((each) => url === each)
}

function absolute(location: string | undefined, base: string): string | undefined {
  if (location === undefined || !URL.canParse(location, base)) return undefined
  return new URL(location, base).href
}

/** Single quotes, with the trial's own names made anew. */
function shellQuoted(text: string): string {
  const quoted = `'${text.replaceAll("'", "'\\''").replace(PREFIX, `'"$RUN"'`)}'`
  // Where a name begins or ends the text, nothing is left to quote beside it.
  return quoted.replace(/^''(?=")/, '').replace(/(?<=")''$/, '')
}
