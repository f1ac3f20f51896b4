import { BROKEN_OFF } from '../../client/exchange.js'
import type { ReportedExchange } from '../result.js'
import { cksum, isShared, LIKENESS_AWK, Likeness, OWN_AWK } from './likeness.js'
import { Roles } from './roles.js'
import { quoted, runsIn, word } from './shell.js'
import { Sources, type Taking } from './sources.js'
import { type Step, stepsOf } from './steps.js'

/** By so many bytes an answer may be longer or shorter for the digits of its counts. */
const DIGITS = 64
const ONE_MOMENT = 'what decides the check asked several times at one moment'
/** So many sent at one moment, or half as many of one thing, are a race: in which order a target comes to them decides. */
const RACE = 10
/** Bodies that go to curl as an argument: no NUL in them, and not too long for a command line. */
const ARGUMENT = /^[^@\0][^\0]{0,50000}$/

/**
 * A shell script that asks a target what a check has asked, by itself: names are new in each run, addresses and ids are taken
 * from the target's answers, waits are waited. At its end it says what was expected, what the check saw, and whether the
 * answers are like those that the check got; then its exit code is 1, else 0. It needs curl, grep, sed and awk.
 *
 * @param told what the report says was expected and seen; empty where the check did not fail
 */
export function checkScript(
  exchanges: readonly ReportedExchange[],
  told: { readonly expected: string; readonly seen: string },
): string {
  const steps = stepsOf(exchanges)
  const first = exchanges[0]?.request.url ?? ''
  const origin = URL.canParse(first) ? new URL(first).origin : ''
  const sources = new Sources(origin)
  const roles = new Roles()
  const all = JSON.stringify(exchanges)
  const secrets = new Map<string, string>()
  const runs = [...new Set(runsIn(all))]
  const likeness = new Likeness(runs, runsIn(JSON.stringify(exchanges.map(({ request }) => request))))
  const lines: string[] = []
  const likes: string[] = []
  /** Answers that nobody has waited for yet. */
  const open = new Set<number>()
  for (const step of steps) {
    sources.ask(step.exchange)
    const who = roles.of(step.number, step.exchange, sources)
    const takings: Taking[] = []
    const command = asking(step, who, sources, takings, secrets)
    if (step.afterAll || takings.some(({ answer }) => open.has(answer))) {
      lines.push('wait')
      open.clear()
    }
    if (step.besideNext) open.add(step.number)
    if (step.pause > 0) lines.push(`sleep ${step.pause}`)
    lines.push(...takings.map((taking) => taking.command), command)
    sources.tell(step.number, step.exchange)
    const { response } = step.exchange
    const like = likeness.of(step.exchange)
    // Of what the check sent as no HTTP client would, it read the status alone; of what it broke off, nothing.
    const isUnread = like === undefined || Object.keys(response!.headers).length === 0
    const isFree = (step.isOfMany && !step.isSettled) || step.exchange.error === BROKEN_OFF
    const length = response?.body.cut ? `~${response.body.bytes}` : '-'
    const sum = isFree ? '-' : isUnread ? length : `${step.isOfMany ? '@' : ''}${cksum(like)}`
    likes.push(`${step.number} ${isFree ? '-' : (response?.status ?? '000')} ${sum}`)
  }
  const isRace = steps.some((_, at) => isRacing(steps.slice(at)))
  const last = steps.at(-1)
  const endsAtOnce = last?.isOfMany === true && !last.isSettled
  const listings = steps.filter(({ exchange }) => isShared(exchange)).map(({ number }) => number)
  lines.push('wait')
  if (listings.length > 0) {
    lines.push('# Of the listing of all queues, what is not of this run is left out.')
    lines.push(
      `for n in ${listings.join(' ')}; do awk -v run="$R" '${OWN_AWK}' "$D/$n" >"$D/own"; mv "$D/own" "$D/$n"; done`,
    )
  }
  lines.push(...ending(told, likes, runs, lacks(exchanges), isRace, endsAtOnce))
  return `${[...preamble(origin), ...credentials(secrets), ...lines].join('\n')}\n`
}

/** Whether a race begins with the first of these: one thing sent again and again at the same moment, or many things. */
function isRacing([one, ...others]: readonly Step[]): boolean {
  if (one === undefined || !one.isOfMany) return false
  const isSending = ({ isOfMany, exchange: { request } }: Step) =>
    isOfMany && request.body.bytes > 0 && !request.url.includes('?')
  const isDeleting = ({ isOfMany, exchange }: Step) => isOfMany && exchange.request.method === 'DELETE'
  const isSame = ({ isOfMany, exchange: { request } }: Step) =>
    isOfMany &&
    (request.body.bytes > 0 || request.method === 'GET') &&
    JSON.stringify(request) === JSON.stringify(one.exchange.request)
  const areAll = (is: (step: Step) => boolean, count: number) =>
    [one, ...others.slice(0, count - 1)].filter(is).length === count
  return areAll(isSame, RACE / 2) || areAll(isDeleting, RACE / 2) || areAll(isSending, RACE)
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
  const names = [...secrets.keys()]
  return [
    `for name in ${names.join(' ')}; do eval 'value=$'"$name"`,
    '  [ -n "$value" ] || { echo "Give credentials in the environment, which the report does not hold: $name=... sh THIS"; exit 2; }; done',
    ...[...secrets].map(([name, header]) => `printf '%s: %s\\n' ${quoted(header)} "$${name}" >"$D/${name}"`),
    '',
  ]
}

/** The one who asks, the answer's number, and what curl is given. */
function asking(
  step: Step,
  who: string,
  sources: Sources,
  takings: Taking[],
  secrets: Map<string, string>,
): string {
  const { method, url, headers, body } = step.exchange.request
  const parts = (text: string) => word(sources.parts(text, takings))
  const options: string[] = []
  if (method === 'HEAD') options.push('--head')
  else if (method !== 'GET') options.push(`-X ${quoted(method)}`)
  for (const [name, value] of Object.entries(headers)) {
    const secret = secretIn(name, value)
    if (secret !== undefined) secrets.set(secret, name)
    options.push(`-H ${secret === undefined ? parts(`${name}: ${value}`) : `@"$D"/${secret}`}`)
  }
  const names = Object.keys(headers).map((name) => name.toLowerCase())
  let input = ''
  if (body.bytes === 0) {
    // Without a body curl announces no length, which some servers refuse for a POST.
    if (/^(?:POST|PUT)$/.test(method)) options.push("-H 'Content-Length: 0'")
  } else if (step.exchange.error === BROKEN_OFF && names.includes('content-length')) {
    // The rest never comes, and curl goes away after a second.
    input = `${bytesOf(step.exchange)} | `
    options.push('--data-binary @-', '-m 1')
  } else {
    if (!names.includes('content-type')) options.push("-H 'Content-Type:'")
    if (body.encoding === 'text' && !body.cut && ARGUMENT.test(body.data)) {
      options.push(`--data-binary ${parts(body.data)}`)
    } else {
      input = `${bytesOf(step.exchange)} | `
      options.push('--data-binary @-')
    }
  }
  const request = `${step.number} ${quoted(who)} ${[parts(url), ...options].join(' ')}`
  const { again, exchange } = step
  if (again === undefined) return `${input}ask ${request}${step.besideNext ? ' &' : ''}`
  const shape = `'${exchange.response?.status ?? '000'} ${entriesIn(exchange)}'`
  return `again ${again.until ? 'until' : 'while'} ${shape} ${again.seconds} ${again.times} ${request}`
}

/** What a long body repeats from its beginning to its end, by all that a report shows of it; undefined where it does not. */
function unitOf({ data, encoding, cut }: ReportedExchange['request']['body']): string | undefined {
  if (!cut || encoding !== 'text') return undefined
  const unit = /^([ -~]{1,64}?)\1{3}/.exec(data)?.[1] ?? ''
  return unit !== '' && unit.repeat(Math.ceil(data.length / unit.length)).startsWith(data) ? unit : undefined
}

/** A command that prints a body. What a report has cut off is made up. */
function bytesOf({ request: { body } }: ReportedExchange): string {
  const unit = unitOf(body)
  if (unit !== undefined) return `yes ${quoted(unit)} | tr -d '\\n' | head -c ${body.bytes}`
  const bytes = Buffer.from(body.data, body.encoding === 'base64' ? 'base64' : 'utf8')
  const format = bytes.toString('latin1').replace(/[\\%]|[^ -~]/g, (byte) => {
    if (byte === '%') return '%%'
    return `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`
  })
  const known = `printf ${quoted(format)}`
  const missing = body.bytes - bytes.length
  return missing > 0 ? `{ ${known}; head -c ${missing} /dev/zero | tr '\\0' x; }` : known
}

function entriesIn({ response }: ReportedExchange): number {
  return response?.body.encoding === 'text'
    ? (response.body.data.match(/<([a-z]+:)?entry[ >]/g) ?? []).length
    : 0
}

function preamble(origin: string): string[] {
  return [
    '#!/bin/sh',
    `# Asks ${origin} what the check asked. Another target: sh THIS http://host:port`,
    `export LC_ALL=C URL="\${1:-${origin}}" D; D=$(mktemp -d); trap 'rm -rf "$D"' EXIT`,
    'R=$(printf %010x "$(( ($(date +%s) * 32768 + $$) % 1099511627776 ))") # new in every name',
    'ask() { n=$1 who=$2; shift 2; curl -s -i -m 90 -H Expect: "$@" >"$D/$n" || echo "HTTP/1.1 000 no answer" >>"$D/$n"',
    '  echo "$n. $who: $* -> $(head -n 1 "$D/$n" | tr -d "\\r" | cut -d " " -f 2)"; }',
    `shape() { echo "$(head -n 1 "$D/$1" | cut -d ' ' -f 2 | tr -d '\\r') $(grep -o '<[a-z:]*entry[ >]' "$D/$1" | wc -l | tr -d ' ')"; }`,
    'again() { how=$1 like=$2 end=$(( $(date +%s) + $3 )) left=$4; shift 4; while ask "$@" >"$D/said"; do',
    '  [ "$how" = until ] && [ "$(shape "$1")" = "$like" ] && break; [ "$how" = while ] && [ "$(shape "$1")" != "$like" ] && break',
    '  left=$(( left - 1 )); [ "$left" -le 0 ] && [ "$(date +%s)" -ge "$end" ] && break; sleep 0.2; done; cat "$D/said"; }',
    `here() { sed -n "\${1:-1}p" | sed -e 's/&amp;/\\&/g' -e "s|^https*://[^/]*|$URL|" -e "s|^/|$URL/|"; }`,
    `header() { tr -d '\\r' <"$D/$1" | sed -n '/^$/q;p' | grep -i "^$2:" | sed 's/^[^:]*: *//' | head -n 1; }`,
    'location() { header "$1" location | here; }',
    `found() { tr -d '\\r' <"$D/$1" | sed '1,/^$/d' | grep -o "$2" | here "$3"; }`,
    '',
  ]
}

/** What a script cannot do as the check did, since the report does not hold it. */
function lacks(exchanges: readonly ReportedExchange[]): string | undefined {
  if (exchanges.some(({ omitted = 0 }) => omitted > 0))
    return 'requests of the check that are not in the report'
  if (exchanges.some(({ error, request }) => error === BROKEN_OFF && 'Transfer-Encoding' in request.headers))
    return 'a sending in chunks that was broken off, which curl brings to its end'
  return exchanges.some(({ request: { body } }) => body.cut && unitOf(body) === undefined)
    ? 'bodies that are not whole in the report'
    : undefined
}

function ending(
  { expected, seen }: { expected: string; seen: string },
  likes: readonly string[],
  runs: readonly string[],
  lacking: string | undefined,
  isRace: boolean,
  endsAtOnce: boolean,
): string[] {
  const cannotTell = (why: string) =>
    `echo "seen now: nobody can tell, for ${why}: judge it again by replay"; exit 2`
  return [
    '',
    // Where a body hides the names of the check, as Base64 does, they come back as they were.
    `cd "$D" && awk -v run="${['$R', ...runs].join('|')}" '${LIKENESS_AWK}' $(ls | grep -x '[0-9]*' | sort -n)`,
    'while read -r n status sum; do',
    '  if [ "$status" != - ] && [ "$(head -n 1 "$n.like")" != "$status" ]; then differs="$n: $(head -n 1 "$n.like") instead of $status"; break; fi',
    // Names and ids are as long as those of the check; beyond some digits of counts, another length is another answer.
    // Where they are not alike any more, their order may have mattered.
    `  case "$sum" in -) continue;; '@'*) [ "$(cksum <"$n.like" | cut -d ' ' -f 1)" = "\${sum#@}" ] || { many=$n; break; }; continue;;`,
    `    '~'*) off=$(( $(tr -d '\\r' <"$n" | sed '1,/^$/d' | wc -c) - \${sum#'~'} ))`,
    `    [ "\${off#-}" -gt ${DIGITS} ] && { differs="$n: its length"; break; }; [ "$off" = 0 ] || part=$n; continue;; esac`,
    '  if [ "$(cksum <"$n.like" | cut -d " " -f 1)" != "$sum" ]; then differs="$n: its headers or body"; break; fi',
    `done <<'ANSWERS'`,
    ...likes,
    'ANSWERS',
    ...(expected === ''
      ? []
      : [`echo; echo ${quoted(`expected: ${expected}`)}; echo ${quoted(`seen by the check: ${seen}`)}`]),
    ...(lacking === undefined ? [] : [cannotTell(lacking)]),
    isRace
      ? `if [ -n "$differs$part" ]; then ${cannotTell('the check sent the same at the same moment')}; fi`
      : 'if [ -n "$differs" ]; then echo "seen now: another answer to $differs"; exit 0; fi',
    `if [ -n "$part" ]; then ${cannotTell('the answer to $part is not whole in the report, and is now of another length')}; fi`,
    `if [ -n "$many" ]; then ${cannotTell(ONE_MOMENT)}; fi`,
    // Answers of one moment are not compared, since their order is anybody's.
    endsAtOnce ? cannotTell(ONE_MOMENT) : 'echo "seen now: the same answers as by the check"; exit 1',
  ]
}
