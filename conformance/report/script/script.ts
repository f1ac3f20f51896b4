import { isUtf8 } from 'node:buffer'
import { BROKEN_OFF, LEFT } from '../../client/exchange.js'
import { printableLine } from '../../client/printable.js'
import type { Descriptions } from '../describe.js'
import { whyOf } from '../faults.js'
import type { CheckResult, ReportedExchange } from '../result.js'
import { bytesOf, formatOf, isKnown } from './bodies.js'
import { preamble } from './functions.js'
import { type Alike, cksum, isShared, LIKENESS_AWK, Likeness, OWN_AWK } from './likeness.js'
import { ADDRESSES_SH, addressesOf, GIST_SH, gistCommand, gistOf, type Member, nameOf } from './moment.js'
import { Roles } from './roles.js'
import { quoted, runsIn, word } from './shell.js'
import { Sources, type Taking } from './sources.js'
import { momentAt, type Step, stepsOf } from './steps.js'

/** By so many bytes an answer may be longer or shorter for the digits of its counts. */
const DIGITS = 64
/** Words of checks of how a client asks for what has changed. */
const ABOUT_TAGS = /etag|if-(?:none-)?match|modified/i
/** So many sent at one moment, or half as many of one thing, are a race: who gets what of them afterwards is anybody's. */
const RACE = 10
/** Seconds that curl may take longer than the kit to send a request whose answer it does not wait for. */
const STARTING = 0.01
/** Bodies that go to curl as an argument: text that can be shown, and not too long for a command line. */
const ARGUMENT = /^(?:[\t\r\n]|\P{Cc}){1,50000}$/u

/**
 * A shell script that asks a target what a check has asked, by itself: names are new in each run, addresses and ids are taken
 * from the target's answers, waits are waited. At its end it says what was expected, what the check saw, and whether the
 * answers are like those that the check got; then its exit code is 1, else 0. It needs a shell, curl, and what POSIX has.
 *
 * @param told what the report says was expected and seen; empty where the check did not fail
 */
export function checkScript(
  exchanges: readonly ReportedExchange[],
  told: { readonly id?: string; readonly expected: string; readonly seen: string },
): string {
  const steps = stepsOf(exchanges)
  const first = exchanges[0]?.request.url ?? ''
  const origin = URL.canParse(first) ? new URL(first).origin : ''
  const sources = new Sources(origin)
  const roles = new Roles()
  const requests = exchanges.map(({ request }) => request)
  const secrets = new Map<string, string>()
  const runs = [...new Set(runsIn(JSON.stringify(exchanges)))]
  const isAboutTags = ABOUT_TAGS.test(
    JSON.stringify([requests.map(({ headers }) => headers), told.expected, told.seen]),
  )
  const likeness = new Likeness(runs, runsIn(JSON.stringify(requests)), isAboutTags)
  const isRace = steps.some((_, at) => isRacing(steps.slice(at)))
  const lines: string[] = []
  const likes: string[] = []
  const moments: Member[][] = []
  let isUntold = false
  /** Answers that nobody has waited for yet. */
  const open = new Set<number>()
  for (let moment = momentAt(steps, 0); moment.length > 0; moment = momentAt(steps, moment.at(-1)!.number)) {
    const [step] = moment as [Step]
    const needs: Needs = { takings: [], bodies: [], secrets }
    const asked = moment.map((each) => {
      isUntold ||= sources.isUntold(each.exchange)
      sources.ask(each.exchange)
      return asking(each, roles.of(each.number, each.exchange, sources), sources, needs)
    })
    if (step.afterAll || needs.takings.some(({ answer }) => open.has(answer))) {
      lines.push('wait')
      open.clear()
    }
    if (step.besideNext) open.add(step.number)
    if (step.pause > 0) lines.push(`sleep ${step.pause}`)
    lines.push(...needs.takings.map(({ command }) => command), ...needs.bodies)
    lines.push(asked.length === 1 ? command(step, asked[0]!) : `at_once ${asked.join(' \\\n  --next ')}`)
    for (const { number, exchange } of moment) sources.tell(number, exchange)
    const alike = moment.map(({ exchange }) => likeness.of(exchange))
    if (moment.length === 1) likes.push(...comparison(step, alike[0], isRace, runs))
    else {
      const members = moment.map((each, at) => ({ step: each, alike: alike[at]! }))
      moments.push(members)
      likes.push(`${nameOf(members)} - gist ${cksum(gistOf(members, runs))}`)
    }
  }
  if (moments.length > 0) likes.push(`all - addresses ${cksum(addressesOf(steps))}`)
  const listings = steps.filter(({ exchange }) => isShared(exchange)).map(({ number }) => number)
  lines.push('wait')
  if (listings.length > 0) {
    lines.push('# Of the listing of all queues, what is not of this run is left out.')
    lines.push(
      `for n in ${listings.join(' ')}; do awk -v run="$R" '${OWN_AWK}' "$D/$n" >"$D/own"; mv "$D/own" "$D/$n"; done`,
    )
  }
  lines.push(
    '',
    '# Makes answers of two runs alike: times are blanked, ids are numbered; or all numbers blanked, and lines sorted (loose).',
    // Where a body hides the names of the check, as Base64 does, they come back as they were.
    `cd "$D" && awk -v run="${['$R', ...runs].join('|')}" -v volatile='${likeness.volatile.join('|')}' '${LIKENESS_AWK}' $(ls | grep -x '[0-9]*' | sort -n) || exit 2`,
    ...(moments.length === 0
      ? []
      : [ADDRESSES_SH, GIST_SH, ...moments.map((members) => gistCommand(members, runs))]),
    ...ending(
      told,
      likes,
      isUntold ? 'an address of an answer that is not whole in the report' : lacks(exchanges),
      moments.length > 0 || isRace,
    ),
  )
  return `${[...preamble(origin, told.id ?? '', lines), ...credentials(secrets), ...lines].join('\n')}\n`
}

/** The script of a result; where making it fails, which is the kit's own fault, one sentence in its place. */
export function scriptOf(result: CheckResult, { fault }: Pick<Descriptions, 'fault'>): string {
  try {
    return checkScript(result.exchanges, result)
  } catch (error) {
    fault?.(`the script of ${result.id}`, error)
    return `# There is no script, by a fault of the kit: ${printableLine(whyOf(error))}.\n`
  }
}

/** What a step's answer is compared by, as a line: its number, its status, which file, and that one's sum. */
function comparison(
  { exchange, number, isOfMany }: Step,
  alike: Alike | undefined,
  isRace: boolean,
  runs: readonly string[],
): string[] {
  const { error, request, response } = exchange
  // Of what the check went away from it read nothing; of what it sent as no HTTP client would, the status alone.
  if (error === BROKEN_OFF || error === LEFT) return []
  if (response?.body.cut)
    return [`${number} ${response.status} ${isRace ? 'about' : 'length'} ${response.body.bytes}`]
  if (response?.body.encoding === 'base64')
    return [`${number} ${response.status} bytes ${cksum(hexOf(response.body.data, runs))}`]
  if (alike === undefined || Object.keys(response!.headers).length === 0)
    return [`${number} ${response?.status ?? '000'} -`]
  // What is read beside other requests may depend on which came first.
  const by = (isOfMany && request.method === 'GET') || isRace ? 'loose' : 'like'
  return [`${number} ${response!.status} ${by} ${cksum(alike[by])}`]
}

/** Bytes that are no text, without the names of a run. */
function hexOf(data: string, runs: readonly string[]): string {
  const hex = Buffer.from(data, 'base64').toString('hex')
  return runs.reduce((rest, run) => rest.replaceAll(Buffer.from(run).toString('hex'), ''), hex)
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

/** What a request needs before it: values from answers, files with bodies, and credentials. */
interface Needs {
  readonly takings: Taking[]
  readonly bodies: string[]
  readonly secrets: Map<string, string>
}

/** The answer's number, the one who asks, and what curl is given. */
function asking(step: Step, who: string, sources: Sources, { takings, bodies, secrets }: Needs): string {
  const { method, url, headers, body } = step.exchange.request
  const parts = (text: string, before = '') => {
    const [first, ...others] = sources.parts(text, takings)
    if (first === undefined || 'variable' in first)
      return word([{ text: before }, ...(first === undefined ? [] : [first]), ...others])
    return word([{ text: before + first.text }, ...others])
  }
  const options: string[] = []
  if (method === 'HEAD') options.push('--head')
  else if (method !== 'GET') options.push(`-X ${quoted(method)}`)
  for (const [name, value] of Object.entries(headers)) {
    const secret = secretIn(name, value)
    if (secret !== undefined) secrets.set(secret, name)
    options.push(`-H ${secret === undefined ? header(name, value, parts) : `@"$D"/${secret}`}`)
  }
  const names = Object.keys(headers).map((name) => name.toLowerCase())
  const isBroken = step.exchange.error === BROKEN_OFF
  if (body.bytes === 0) {
    // Without a body curl announces no length, which some servers refuse for a POST.
    if (/^(?:POST|PUT)$/.test(method)) options.push("-H 'Content-Length: 0'")
  } else {
    if (!names.includes('content-type')) options.push("-H 'Content-Type:'")
    if (isInChunks(step.exchange)) options.push('-T -')
    else if (body.encoding === 'text' && !body.cut && ARGUMENT.test(body.data)) {
      options.push(`--data-raw ${parts(body.data)}`)
    } else {
      bodies.push(`${bytesOf(body)} >"$D/sent${step.number}"`)
      options.push(`--data-binary @"$D/sent${step.number}"`)
    }
    // The rest never comes, and curl goes away after a second; in chunks it would say before that it was all.
    if (isBroken && !isInChunks(step.exchange)) options.push('-m 1')
  }
  // As soon as the check did, which had sent it all.
  const { error, seconds } = step.exchange
  if (error === LEFT) options.push(`-m ${(STARTING + seconds).toFixed(3)}`)
  return `${step.number} ${quoted(who)} ${[parts(url), ...options].join(' ')}`
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

/** The command of a step that is no part of a moment. */
function command({ again, exchange, besideNext }: Step, request: string): string {
  if (isInChunks(exchange)) return `{ ${bytesOf(exchange.request.body)}; sleep 2; } | broken ${request}`
  if (again === undefined) return `ask ${request}${besideNext ? ' &' : ''}`
  const shape = `'${exchange.response?.status ?? '000'} ${entriesIn(exchange)}'`
  return `again ${again.until ? 'until' : 'while'} ${shape} ${again.seconds} ${again.times} ${request}`
}

/** Whether it is sent in chunks as they come, and broken off before the last one. */
function isInChunks({ error, request: { headers } }: ReportedExchange): boolean {
  return (
    error === BROKEN_OFF && Object.keys(headers).some((name) => name.toLowerCase() === 'transfer-encoding')
  )
}

function entriesIn({ response }: ReportedExchange): number {
  return response?.body.encoding === 'text'
    ? (response.body.data.match(/<([a-z]+:)?entry[ >]/g) ?? []).length
    : 0
}

/** What a script cannot do as the check did, since the report does not hold it. */
function lacks(exchanges: readonly ReportedExchange[]): string | undefined {
  if (exchanges.some(({ omitted = 0 }) => omitted > 0))
    return 'requests of the check that are not in the report'
  return exchanges.some(({ request: { body } }) => !isKnown(body))
    ? 'bodies that are not whole in the report'
    : undefined
}

function ending(
  { expected, seen }: { expected: string; seen: string },
  likes: readonly string[],
  lacking: string | undefined,
  hasMoments: boolean,
): string[] {
  const cannotTell = (why: string) =>
    `echo "seen now: nobody can tell, for ${why}: judge it again by replay"; exit 2`
  const chance = hasMoments ? ' (what is asked at one moment may come out otherwise each time)' : ''
  return [
    `hex() { od -An -v -tx1 | tr -d ' \\n'; }`,
    `head_of() { sed '/^.\\{0,1\\}$/q' "$1" | wc -c; } # its bytes`,
    '# Below, of each answer: its number, the status that the check got, what of it is compared, and the checksum of that.',
    'while read -r n status by sum; do',
    '  if [ "$status" != - ] && [ "$(head -n 1 "$n.like")" != "$status" ]; then differs="$n: $(head -n 1 "$n.like") instead of $status"; break; fi',
    // Names and ids are as long as those of the check; beyond some digits of counts, another length is another answer.
    `  case $by in -) continue;; length|about) off=$(( $(wc -c <"$n") - $(head_of "$n") - sum ))`,
    `    [ "\${off#-}" -gt ${DIGITS} ] && { differs="$n: its length"; break; }; [ "$by$off" = length0 ] || [ $by = about ] || part=$n; continue;;`,
    `    bytes) tail -c "+$(( $(head_of "$n") + 1 ))" "$n" | hex | sed "s/$(printf %s "$R" | hex)//g" | tr -d '\\n' >"$n.bytes";;`,
    '    loose) sort -o "$n.loose" "$n.loose";; esac',
    '  if [ "$(cksum <"$n.$by" | cut -d " " -f 1)" != "$sum" ]; then differs="$n: its headers or body"',
    '    [ $by = addresses ] && differs="$n: how many of the addresses are different"; break; fi',
    `done <<'ANSWERS'`,
    ...likes,
    'ANSWERS',
    ...(expected === ''
      ? []
      : [
          `printf '\\n%s\\n%s\\n' ${quoted(printableLine(`expected: ${expected}`))} ${quoted(printableLine(`seen by the check: ${seen}`))}`,
        ]),
    ...(lacking === undefined ? [] : [cannotTell(lacking)]),
    `if [ -n "$differs" ]; then say "seen now: another answer to $differs${chance}"; exit 0; fi`,
    `if [ -n "$part" ]; then ${cannotTell('the answer to $part is not whole in the report, and is now of another length')}; fi`,
    'echo "seen now: the same answers as by the check"; exit 1',
  ]
}
