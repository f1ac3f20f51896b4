import { printableLine } from '../../client/printable.js'
import { quoted } from './shell.js'

/**
 * The beginning of a script: the target, and the functions that its steps call.
 *
 * @param id the check's; empty where nobody knows it
 */
export function preamble(origin: string, id: string, steps: readonly string[]): string[] {
  const where = (name: string, lines: readonly string[]) =>
    steps.some((step) => new RegExp(`^(?:.* \\| )?${name} `).test(step)) ? lines : []
  return [
    '#!/bin/sh',
    ...(id === ''
      ? []
      : [printableLine(`# The check ${id}: what it is about says atom-mq-conformance explain ${id}`)]),
    printableLine(`# Asks ${origin} what the check asked. Another target: sh THIS http://host:port`),
    'R=$(printf %010x "$(( ($(date +%s) * 32768 + $$) % 1099511627776 ))") # new in every name',
    `export LC_ALL=C URL="$1" D; [ -n "$URL" ] || URL=${quoted(origin)}; D=$(mktemp -d); trap 'rm -rf "$D"' EXIT`,
    '# What answers tell is printed as it may be shown.',
    `say() { printf '%s\\n' "$*" | tr -c '\\n -~' '?'; }`,
    `C='-s -i -m 90 --proto =http,https --globoff --path-as-is -H Expect:' # for every curl`,
    '# ask N WHO OPTIONS: asks by curl, prints who and what came of it, and keeps the answer under its number.',
    'ask() { n=$1 who=$2; shift 2; curl $C "$@" >"$D/$n" || echo "HTTP/1.1 000 no answer" >>"$D/$n"',
    '  last "$n"; say "$n. $who: $* -> $(told "$n")"; }',
    '# Leaves of several answers to one request, as to one that asks whether to go on, the last.',
    `last() { while head -n 1 "$D/$1" | grep -q '^HTTP/[0-9.]* 1'; do sed '1,/^.\\{0,1\\}$/d' "$D/$1" >"$D/own$1"; mv "$D/own$1" "$D/$1"; done; }`,
    `told() { awk '${TOLD_AWK}' "$D/$1"; }`,
    `status() { head -n 1 "$D/$1" | tr -d '\\r' | cut -d ' ' -f 2; }`,
    ...where('at_once', AT_ONCE),
    ...where('broken', BROKEN),
    ...where('again', AGAIN),
    '# What answers tell, for the requests after them: an address in a header, and the nth of its kind in a body. Nothing else than an',
    '# address or an id is taken from them, so that curl takes none of it for an option or for a file.',
    `here() { sed -n "\${1:-1}p" | sed -e 's/&amp;/\\&/g' -e "s|^https*://[^/]*|$URL|" -e "s|^/|$URL/|" | safe; }`,
    `safe() { grep -x -e 'https*://.*' -e '[A-Za-z0-9_][A-Za-z0-9_-]*' || echo "$URL/nothing-told"; }`,
    `header() { tr -d '\\r' <"$D/$1" | sed -n '/^$/q;p' | grep -i -e "^$2:" | sed 's/^[^:]*: *//' | head -n 1; }`,
    'location() { header "$1" location | here; }',
    'id() { header "$1" "$2" | safe; }',
    `found() { tr -d '\\r' <"$D/$1" | sed '1,/^$/d' | grep -o -e "$2" | here "$3"; }`,
    '',
  ]
}

/** An answer in a few words: its status, the address that it tells, how many entries it has, or its text where that is short. */
const TOLD_AWK = `FNR == 1 { said = $2; next } { sub(/\\r$/, "") }
  !body { if (tolower($1) == "location:") said = said ", at " $2; body = $0 == ""; next }
  { entries += gsub(/<[a-z:]*entry[ >]/, "&"); if (length(text) < 100) text = text $0 }
  END { gsub(/[^ -~\\200-\\377]/, "?", text); if (text ~ /<[a-z:]*feed[ >]/) said = said ", entries: " entries + 0
    else if (text != "" && length(text) < 100) said = said ": " text
    print said }`

/** Turns what `ask` takes, several times with `--next` between, into what one curl takes. */
const AT_ONCE = [
  '# at_once N WHO OPTIONS --next N WHO OPTIONS ...: asks all of it at the same moment.',
  'at_once() { left=$(( $# + 1 )) all=; set -- --next "$@"; while [ "$left" -gt 0 ]; do if [ "$1" = --next ]',
  '  then n=$2 all="$all $2"; printf %s "$2. $3, at the same moment:" >"$D/$2.asked"; shift 3; left=$(( left - 3 ))',
  '    set -- "$@" --next $C -o "$D/$n"',
  `  else printf ' %s' "$1" >>"$D/$n.asked"; set -- "$@" "$1"; shift; left=$(( left - 1 )); fi; done; shift`,
  '  curl -Z --parallel-immediate --no-progress-meter "$@"; for n in $all; do [ -s "$D/$n" ] || echo "HTTP/1.1 000 no answer" >"$D/$n"',
  '    last "$n"; say "$(cat "$D/$n.asked") -> $(told "$n")"; done; }',
]

const BROKEN = [
  '# broken N WHO OPTIONS: sends what comes in, and goes away after a second, before its end.',
  'broken() { n=$1 who=$2; shift 2; exec 3<&0; curl $C "$@" <&3 >"$D/$n" & sleep 1; kill "$!"',
  '  say "$n. $who, who goes away before the end: $*"; }',
]

const AGAIN = [
  "# again until 'STATUS ENTRIES' SECONDS TIMES N WHO OPTIONS: asks until an answer has that status and so many entries,",
  '# or (again while) as long as it has: for so many seconds and so often, where it never ends.',
  'again() { how=$1 like=$2 end=$(( $(date +%s) + $3 )) left=$4; shift 4; while ask "$@" >"$D/said"; do',
  '  [ "$how" = until ] && [ "$(shape "$1")" = "$like" ] && break; [ "$how" = while ] && [ "$(shape "$1")" != "$like" ] && break',
  '  left=$(( left - 1 )); [ "$left" -le 0 ] && [ "$(date +%s)" -ge "$end" ] && break; sleep 0.2; done; cat "$D/said"; }',
  `shape() { echo "$(status "$1") $(grep -o '<[a-z:]*entry[ >]' "$D/$1" | wc -l | tr -d ' ')"; }`,
]
