import type { ReportedExchange } from '../result.js'

/** Headers that differ from answer to answer, or that some clients join and others do not. */
const VOLATILE = [
  ...['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding', 'server', 'age'],
  ...['set-cookie', 'www-authenticate', 'vary', 'link'],
]
const TIME = '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9:.]*'
/** A shorter word with a digit in it may be a count; a longer one is somebody's id. */
const ID_LENGTH = 8

/**
 * What makes answers of two runs alike: ids are numbered in the order in which they first came, times are blanked. The same
 * in awk, for a script, and below for what was recorded.
 */
export const LIKENESS_AWK = `function plain(line, word, done) {
  gsub(run, "", line); gsub(/${TIME}/, "TIME", line); done = ""
  while (match(line, /[0-9A-Za-z_-]+/)) {
    word = substr(line, RSTART, RLENGTH)
    if (word ~ /[0-9]/ && (length(word) >= ${ID_LENGTH} || word ~ /^[0-9][0-9][0-9]+$/)) {
      if (!(word in id)) id[word] = ++ids
      word = "#" id[word]
    }
    done = done substr(line, 1, RSTART - 1) word
    line = substr(line, RSTART + RLENGTH)
  }
  return done line
}
FNR == 1 { head = 1; out = FILENAME ".like"; print $2 > out; next }
{ sub(/\\r$/, "") }
head && $0 == "" { head = 0; next }
head { name = tolower($0); sub(/:.*/, "", name); sub(/^[^:]*: */, "") }
head && name ~ /^(${VOLATILE.join('|')})$/ { next }
{ print (head ? name ": " : "") plain($0) > out }`

/** The listing of all queues, which holds those of others, too. */
export function isShared({ request: { method, url } }: ReportedExchange): boolean {
  return method === 'GET' && URL.canParse(url) && /\/queues\/?$/.test(new URL(url).pathname)
}

/** Headers of a listing that tell of all that it holds. */
const OF_ALL = ['etag', 'last-modified']
const ENTRY = /<[a-z:]*entry[ >][\s\S]*?<\/[a-z:]*entry>/g

/**
 * Leaves in a listing only what names the run, in the order of the names: in awk, and below for what was recorded. Names that
 * were created at one moment may stand in any.
 */
export const OWN_AWK = `function put(text, to, lines, count, at) {
  count = split(text, lines, "\\n")
  for (at = 1; at <= count; at++) { gsub(/^[ \\t]+|[ \\t]+$/, "", lines[at]); if (lines[at] != "") print lines[at] | to }
  close(to)
}
{ sub(/\\r$/, "") }
!body { if (tolower($0) !~ /^(etag|last-modified):/) print | "cat"; body = $0 == ""; next }
{ all = all $0 "\\n" }
END { close("cat")
  while (match(all, /<[a-z:]*entry[ >]/)) {
    left = left substr(all, 1, RSTART - 1) "\\n"; all = substr(all, RSTART)
    if (!match(all, /<\\/[a-z:]*entry>/)) break
    entry = substr(all, 1, RSTART + RLENGTH - 1); all = substr(all, RSTART + RLENGTH)
    gsub(/\\n/, " ", entry)
    if (match(entry, run)) own = own substr(entry, RSTART + RLENGTH) "\\t" entry "\\n"
  }
  put(left all, "cat"); put(own, "sort | cut -f 2") }`

/** Makes answers alike, one after another. */
export class Likeness {
  readonly #run: readonly string[]
  readonly #asked: readonly string[]
  readonly #ids = new Map<string, number>()

  /**
   * @param run what is different in the names of each run
   * @param asked what of it requests name: the rest stood in a listing, and is that of other checks
   */
  constructor(run: readonly string[], asked = run) {
    this.#run = run
    this.#asked = asked
  }

  /** Undefined where what was recorded does not allow it. */
  of(exchange: ReportedExchange): string | undefined {
    const { response } = exchange
    if (response === null) return undefined
    const { status, headers, body } = response
    const lines = [String(status)]
    for (const [name, value] of Object.entries(headers)) {
      if (VOLATILE.includes(name) || (isShared(exchange) && OF_ALL.includes(name))) continue
      lines.push(`${name}: ${this.#plain(bytesOf(value))}`)
    }
    const whole = body.encoding === 'text' ? body.data : ''
    const text = isShared(exchange) ? this.#own(whole) : whole
    const all = text === '' ? [] : bytesOf(text).replace(/\n$/, '').split('\n')
    for (const line of all) lines.push(this.#plain(line.replace(/\r$/, '')))
    if (body.cut || body.encoding !== 'text') return undefined
    return `${lines.join('\n')}\n`
  }

  #own(text: string): string {
    const own: string[] = []
    const rest = text.replaceAll('\r', '').replace(ENTRY, (entry) => {
      const line = entry.replaceAll('\n', ' ')
      const run = this.#asked.find((each) => line.includes(each))
      if (run !== undefined) own.push(`${line.slice(line.indexOf(run) + run.length)}\t${line}`)
      return '\n'
    })
    const lines = rest.split('\n').map((line) => line.replace(/^[ \t]+|[ \t]+$/g, ''))
    const sorted = own.sort((one, other) => (one < other ? -1 : 1)).map((each) => each.split('\t')[1])
    return [...lines.filter((line) => line !== ''), ...sorted].join('\n')
  }

  #plain(line: string): string {
    let text = line
    for (const run of this.#run) text = text.replaceAll(run, '')
    return text.replace(new RegExp(TIME, 'g'), 'TIME').replace(/[0-9A-Za-z_-]+/g, (word) => {
      if (!/[0-9]/.test(word) || (word.length < ID_LENGTH && !/^[0-9]{3,}$/.test(word))) return word
      const number = this.#ids.get(word) ?? this.#ids.size + 1
      this.#ids.set(word, number)
      return `#${number}`
    })
  }
}

/** Each byte a character, as `LC_ALL=C` reads it. */
function bytesOf(text: string): string {
  return Buffer.from(text).toString('latin1')
}

/** The checksum that `cksum` of POSIX prints for bytes. */
export function cksum(text: string): number {
  const bytes = [...Buffer.from(text, 'latin1')]
  const length: number[] = []
  for (let rest = bytes.length; rest > 0; rest >>>= 8) length.push(rest & 0xff)
  let crc = 0
  for (const byte of [...bytes, ...length]) {
    crc ^= byte << 24
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1
  }
  return ~crc >>> 0
}
