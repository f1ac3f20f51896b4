import { isUtf8 } from 'node:buffer'
import { BROKEN_OFF, LEFT } from '../../client/exchange.js'
import { printableLine } from '../../client/printable.js'
import type { Descriptions } from '../describe.js'
import { whyOf } from '../faults.js'
import type { CheckResult, ReportedBody, ReportedExchange } from '../result.js'
import { quoted, word } from './shell.js'
import { Sources } from './sources.js'

/** Shorter pauses are those of the kit's own: seconds. */
const SHORTEST_PAUSE = 0.25
/** Seconds that curl may take longer than the kit to send a request whose answer it does not wait for. */
const STARTING = 0.01
/** Bodies that go to curl as an argument: text that can be shown, and not too long for a command line. */
const ARGUMENT = /^(?:[\t\r\n]|\P{Cc}){1,50000}$/u
/** Characters of an answer's body that stand beside its request. */
const EXCERPT = 100

/** The beginning: the target, and the functions by which requests are made and values are taken from answers. */
const FUNCTIONS = [
  'R=$(printf %010x "$(( ($(date +%s) * 32768 + $$) % 1099511627776 ))") # new in every name',
  `export LC_ALL=C; D=$(mktemp -d); trap 'rm -rf "$D"' EXIT`,
  '# ask N OPTIONS: makes a request with curl, keeps its answer under the number N, and prints it as it may be shown.',
  `ask() { n=$1; shift; curl -s -m 90 --proto =http,https --globoff --path-as-is -H Expect: -D "$D/$n.head" -o "$D/$n.body" "$@"`,
  `  touch "$D/$n.head" "$D/$n.body"; { echo "$n."; cat "$D/$n.head" "$D/$n.body"; echo; } | tr -d '\\r' | tr -c '\\n -~' '?'`,
  '  touch "$D/$n"; }',
  '# Waits for an answer that has not come yet.',
  `answer() { tries=0; until [ -e "$D/$1" ] || [ "$tries" -ge 300 ]; do sleep 0.1; tries=$(( tries + 1 )); done; }`,
  '# header N NAME: what the answer N says in a header. behind N TEXT COUNT: the address or id that stands in its body right behind that',
  '# text, where it comes for the COUNTth time. Nothing but an address or an id is taken, so that curl takes it for nothing else.',
  `header() { answer "$1"; tr -d '\\r' <"$D/$1.head" | NAME=$2 awk '{ at = index($0, ":")`,
  `  if (tolower(substr($0, 1, at - 1)) == ENVIRON["NAME"]) { sub(/^[^:]*: */, ""); value = $0 } } END { print value }' | safe; }`,
  `behind() { answer "$1"; tr -d '\\r' <"$D/$1.body" | TEXT=$2 COUNT=$3 awk 'BEGIN { all = "\\n" } { all = all $0 "\\n" } END {`,
  '  for (left = ENVIRON["COUNT"]; left > 0; left--) { at = index(all, ENVIRON["TEXT"]); if (!at) exit',
  `    all = substr(all, at + length(ENVIRON["TEXT"])) }`,
  `  match(all, /^[^"\\047<> \\t\\n]*/); print substr(all, 1, RLENGTH) }' | safe; }`,
  `safe() { sed -e 's/&amp;/\\&/g' -e "s|^https*://[^/]*|$URL|" -e "s|^/|$URL/|" |`,
  `  grep -x -e 'https*://.*' -e '[A-Za-z0-9_][A-Za-z0-9_-]*' || echo "$URL/nothing-told"; }`,
]

/**
 * The requests of a check as a list of curl commands, which a shell carries out: each with who makes it, and with what the check
 * was answered as a comment. It shows, and does not judge. Names are new each time; addresses and ids are taken from the answers
 * that come, by fixed text. Nothing that a target said becomes a part of a command.
 *
 * @param told the check, and the scenario of one that has it
 */
export function curlList(
  exchanges: readonly ReportedExchange[],
  told: Pick<CheckResult, 'id'> & { readonly scenario?: string | undefined },
): string {
  const first = exchanges[0]?.request.url ?? ''
  const origin = URL.canParse(first) ? new URL(first).origin : ''
  const sources = new Sources(origin)
  const roles = new Roles()
  const secrets = new Map<string, string>()
  const lines: string[] = []
  // When the last answer of those came that are under way.
  let end = 0
  let areOpen = false
  let last = 0
  const inOrder = [...exchanges].sort((one, other) => one.at - other.at)
  for (const [at, exchange] of inOrder.entries()) {
    const number = at + 1
    const isBeside = at > 0 && exchange.at < end
    if (areOpen && !isBeside) {
      lines.push('wait')
      areOpen = false
    }
    const pause = exchange.at - (isBeside ? last : end)
    if (at > 0 && pause > SHORTEST_PAUSE) lines.push(`sleep ${pause.toFixed(1)}`)
    const who = roles.of(number, exchange, sources)
    sources.ask(exchange)
    const takings: string[] = []
    const request = asking(exchange, sources, takings, secrets)
    const next = inOrder[number]
    const isOpen = next !== undefined && next.at < Math.max(end, endOf(exchange))
    if (exchange.omitted)
      lines.push(`# ${exchange.omitted} requests stood here that the report does not hold.`)
    lines.push(`# ${number}. ${printableLine(who)}${exchange.times > 1 ? `, ${exchange.times} times` : ''}`)
    lines.push(...takings, `${request(number)}${isOpen ? ' &' : ''}`, `# -> ${answered(exchange)}`)
    areOpen ||= isOpen
    sources.tell(number, exchange)
    last = exchange.at
    end = Math.max(end, endOf(exchange))
  }
  return `${[...beginning(origin, told), ...FUNCTIONS, ...credentials(secrets), '', ...lines].join('\n')}\n`
}

/** The list of a result; where making it fails, which is the kit's own fault, one sentence in its place. */
export function curlListOf(result: CheckResult, { fault }: Pick<Descriptions, 'fault'>): string {
  try {
    return curlList(result.exchanges, result)
  } catch (error) {
    fault?.(`the curl commands of ${result.id}`, error)
    return `# There are no curl commands, by a fault of the kit: ${printableLine(whyOf(error))}.\n`
  }
}

function beginning(
  origin: string,
  { id, scenario }: { readonly id: string; readonly scenario?: string | undefined },
): string[] {
  return [
    '#!/bin/sh',
    ...[
      `# What ${id} asked of ${origin}. This shows the requests, and does not judge the answers.`,
      ...(scenario === undefined ? [] : [`# Scenario: ${scenario}`]),
      `# Judge again: atom-mq-conformance replay REPORT.json --check ${id}`,
      '# Another target: sh THIS http://host:port',
    ].map(printableLine),
    `URL=$1; [ -n "$URL" ] || URL=${quoted(origin) || "''"}`,
  ]
}

/** The variable of the environment that holds what a report has blanked; undefined for all else. */
function secretIn(name: string, value: string): string | undefined {
  const [isBlank, other] = /^\*\*\*(?: \(unauthorized (\d+)\))?$/.exec(value) ?? []
  if (isBlank === undefined) return undefined
  const party = other === undefined ? 'OWNER' : `UNAUTHORIZED_${other}`
  return `${party}_${name.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`
}

/** Takes credentials from the environment into files for curl, so that they stand in nothing that is printed. */
function credentials(secrets: ReadonlyMap<string, string>): string[] {
  if (secrets.size === 0) return []
  return [
    `for name in ${[...secrets.keys()].join(' ')}; do eval 'value=$'"$name"`,
    '  [ -n "$value" ] || { echo "Give credentials in the environment, which the report does not hold: $name=... sh THIS"; exit 2; }; done',
    ...[...secrets].map(([name, header]) => `printf '%s: %s\\n' ${quoted(header)} "$${name}" >"$D/${name}"`),
  ]
}

/** The command of a request, by its number; `takings` are the commands before it that take values from answers. */
function asking(
  exchange: ReportedExchange,
  sources: Sources,
  takings: string[],
  secrets: Map<string, string>,
): (number: number) => string {
  const { method, url, headers, body } = exchange.request
  if (exchange.error === BROKEN_OFF)
    return () => `# It ends within this request: ${printableLine(`${method} ${url}`)}`
  const parts = (text: string, before = '') => {
    const [first, ...others] = sources.parts(text, takings)
    if (first === undefined || 'variable' in first)
      return word([{ text: before }, ...(first === undefined ? [] : [first]), ...others])
    return word([{ text: before + first.text }, ...others])
  }
  const options = [parts(url)]
  if (method === 'HEAD') options.push('--head')
  else if (method !== 'GET') options.push(`-X ${quoted(method)}`)
  for (const [name, value] of Object.entries(headers)) {
    const secret = secretIn(name, value)
    if (secret !== undefined) secrets.set(secret, name)
    options.push(`-H ${secret === undefined ? header(name, value, parts) : `@"$D"/${secret}`}`)
  }
  // As soon as the check did, which had sent it all.
  if (exchange.error === LEFT) options.push(`-m ${(STARTING + exchange.seconds).toFixed(3)}`)
  const ask = (number: number) => `ask ${[number, ...options].join(' ')}`
  if (body.bytes === 0) {
    // Without a body curl announces no length, which some servers refuse for a POST.
    if (/^(?:POST|PUT)$/.test(method)) options.push("-H 'Content-Length: 0'")
    return ask
  }
  const names = Object.keys(headers).map((name) => name.toLowerCase())
  if (!names.includes('content-type')) options.push("-H 'Content-Type:'")
  if (body.encoding === 'text' && !body.cut && ARGUMENT.test(body.data)) {
    options.push(`--data-raw ${parts(body.data)}`)
    return ask
  }
  options.push('--data-binary @-')
  return (number) => `${printing(body)} | ${ask(number)}`
}

/** A header for curl. In a report each of its characters is one byte. */
function header(name: string, value: string, parts: (text: string, before: string) => string): string {
  // A name with a colon alone would be left out.
  if (value === '') return quoted(`${name};`)
  const bytes = Buffer.from(value, 'latin1')
  // Its name stands as it is, so that curl never takes the header for the name of a file.
  if (isUtf8(bytes) && !/\p{Cc}/u.test(String(bytes))) return parts(String(bytes), `${name}: `)
  return `"$(printf ${quoted(formatOf(Buffer.from(`${name}: ${value}`, 'latin1')))})"`
}

/** A command that prints a body. In place of what a report has cut off stands an x for each byte. */
function printing({ data, encoding, bytes }: ReportedBody): string {
  const known = Buffer.from(data, encoding === 'base64' ? 'base64' : 'utf8')
  const print = `printf ${quoted(formatOf(known))}`
  const missing = bytes - known.length
  return missing > 0 ? `{ ${print}; head -c ${missing} /dev/zero | tr '\\0' x; }` : print
}

/** What printf makes bytes of, and never takes for an option. */
function formatOf(bytes: Buffer): string {
  return bytes.toString('latin1').replace(/^-|[\\%]|[^ -~]/g, (byte) => {
    if (byte === '%') return '%%'
    return `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`
  })
}

/** When it was answered; where a clock was moved by it, when that time had passed. */
function endOf({ at, seconds, advanced = 0 }: ReportedExchange): number {
  return at + seconds + advanced
}

/** What the check was answered, as a line. */
function answered({ response, error }: ReportedExchange): string {
  if (response === null) return printableLine(error ?? 'no answer')
  const { status, headers, body } = response
  const location = headers.location === undefined ? '' : `, Location: ${headers.location}`
  const text = body.encoding === 'text' ? body.data : `${body.bytes} bytes`
  const more = text.length > EXCERPT ? '…' : ''
  return printableLine(`${status}${location}${text === '' ? '' : `: ${text.slice(0, EXCERPT)}${more}`}`)
}

/** Who makes each request, as far as addresses tell: consumers by their subscriptions and ids, and those who send. */
class Roles {
  /** By the answer that told a subscription's address, or by the id that a consumer gives itself. */
  readonly #consumers = new Map<number | string, string>()

  /** @param answer the number of the answer to this request */
  of(answer: number, { request, advanced }: ReportedExchange, sources: Sources): string {
    if (advanced !== undefined) return 'The clock'
    const { method, url } = request
    const path = URL.canParse(url) ? new URL(url).pathname : url
    const named = /\/(?:subscribe|unsubscribe|nextMessageForMe|lockNextMessage|ack)\/([^/?]+)/.exec(path)?.[1]
    if (named !== undefined) return this.#named(named)
    if (method === 'POST' && /\/subscriptions\/?$/.test(path)) return this.#named(answer)
    const teller = sources.teller(url)
    const consumer = teller === undefined ? undefined : this.#consumers.get(teller)
    if (consumer !== undefined) {
      // What its feed tells are its own messages.
      this.#consumers.set(answer, consumer)
      return consumer
    }
    if (method !== 'POST') return 'Somebody'
    return /\/queues\/?$/.test(path) ? 'Somebody' : 'A producer'
  }

  #named(key: number | string): string {
    const known = this.#consumers.get(key)
    if (known !== undefined) return known
    const count = new Set(this.#consumers.values()).size
    const name = `Consumer ${count < 26 ? String.fromCharCode(65 + count) : count + 1}`
    this.#consumers.set(key, name)
    return name
  }
}
