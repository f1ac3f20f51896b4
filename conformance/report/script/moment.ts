import type { ReportedExchange } from '../result.js'
import type { Alike } from './likeness.js'
import { quoted } from './shell.js'
import type { Step } from './steps.js'

/** A step of a moment, with what its answer is compared by. */
export interface Member {
  readonly step: Step
  readonly alike: Alike
}

/** A feed, or an entry by itself: who gets which of them at one moment is anybody's. */
const FEED = '<[a-z:]*(feed|entry)[ >]'

/**
 * Shell function that prints of answers of one moment what does not depend on their order. `$1` has a number and a letter for
 * each, the same letter for the same address, as `7:a`; `$2` has names that stand in many messages, line by line.
 */
export const GIST_SH = `gist() {
  for each in $1; do n=\${each%:*}; if grep -qE '${FEED}' "$n"; then head -n 1 "$n.like"; else cat "$n.loose"; fi; done | sort
  for each in $1; do n=\${each%:*}; grep -qE '${FEED}' "$n" || cksum <"$n.like"; done | sort | uniq -c |
    awk '{ all += $1 } END { print "different: " (NR <= 1 ? "none" : NR == all ? "all" : "some") }'
  shared=$(for each in $1; do n=\${each%:*}; grep -qE '${FEED}' "$n" && grep -o "kit[-_.]*$R[0-9A-Za-z_.-]*" "$n" | sed "s|^|\${each#*:} |"; done |
    sort -u | cut -d ' ' -f 2 | sort | uniq -d | grep -vxF -e "$2" | wc -l)
  if [ "$shared" -gt 0 ]; then echo 'one message at two addresses'; return; fi
  for each in $1; do grep -o '<[a-z:]*entry[ >]' "\${each%:*}" | wc -l; done | sort -n | tail -n 1 | tr -d ' '
}`

/** Command that counts the different addresses that all answers tell: which request was told which does not matter. */
export const ADDRESSES_SH = `awk 'FNR == 1 { head = 1 } /^\\r?$/ { head = 0 }
  head && tolower($1) == "location:" && !($2 in at) { at[$2] = 1; all++ } END { print all + 0 }' $(ls | grep -x '[0-9]*') >all.addresses`

/** What {@link ADDRESSES_SH} prints for what was recorded. */
export function addressesOf(steps: readonly Step[]): string {
  const told = steps.flatMap(({ exchange }) => exchange.response?.headers.location ?? [])
  return `${new Set(told).size}\n`
}

/** What {@link GIST_SH} prints for what was recorded. */
export function gistOf(members: readonly Member[], runs: readonly string[]): string {
  const isFeed = ({ step }: Member) => new RegExp(FEED).test(dataOf(step.exchange))
  const feeds = members.filter(isFeed)
  const others = members.filter((each) => !isFeed(each))
  const lines = [
    ...feeds.map(({ alike }) => alike.like.split('\n')[0]!),
    ...others.flatMap(({ alike }) => alike.loose.split('\n').slice(0, -1)),
  ].sort()
  const different = new Set(others.map(({ alike }) => alike.like)).size
  lines.push(`different: ${different <= 1 ? 'none' : different === others.length ? 'all' : 'some'}`)
  const names = new Set(namesIn(members, runs))
  const at = new Map<string, Set<string>>()
  for (const { step } of feeds) {
    for (const [name] of dataOf(step.exchange).matchAll(named(runs))) {
      if (!names.has(name)) at.set(name, (at.get(name) ?? new Set()).add(step.exchange.request.url))
    }
  }
  const most = Math.max(
    ...members.map(({ step }) => (dataOf(step.exchange).match(/<[a-z:]*entry[ >]/g) ?? []).length),
  )
  lines.push([...at.values()].some(({ size }) => size > 1) ? 'one message at two addresses' : String(most))
  return `${lines.join('\n')}\n`
}

/** The command that makes the gist of a moment. */
export function gistCommand(members: readonly Member[], runs: readonly string[]): string {
  const urls = [...new Set(members.map(({ step }) => step.exchange.request.url))]
  const each = members.map(({ step }) => `${step.number}:a${urls.indexOf(step.exchange.request.url)}`)
  const names = namesIn(members, runs).join('\n')
  return `gist '${each.join(' ')}' ${quoted(names) || "''"} >${nameOf(members)}.gist`
}

/** The numbers of a moment's first and last answer. */
export function nameOf(members: readonly Member[]): string {
  return `${members[0]!.step.number}-${members.at(-1)!.step.number}`
}

/** Names in the addresses that are asked and told: of queues, not of messages. */
function namesIn(members: readonly Member[], runs: readonly string[]): string[] {
  const addresses = members.map(({ step: { exchange } }) =>
    [exchange.request.url, exchange.response?.headers.location ?? ''].join(' '),
  )
  return [...new Set(addresses.join(' ').match(named(runs)) ?? [])]
}

function named(runs: readonly string[]): RegExp {
  return runs.length === 0 ? /$^/g : new RegExp(`kit[-_.]*(?:${runs.join('|')})[0-9A-Za-z_.-]*`, 'g')
}

function dataOf({ response }: ReportedExchange): string {
  return response?.body.data ?? ''
}
