import type { ReportedExchange } from '../result.js'

/** Headers that differ from answer to answer, or that some clients join and others do not. */
const VOLATILE = [
  ...['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding', 'server', 'age'],
  ...['set-cookie', 'www-authenticate', 'vary', 'link'],
]
/** They may be made of the time, so that they count only where a check is about them. */
const TAGS = ['etag', 'last-modified', 'expires']
/** Times as Atom and as HTTP write them; and as seconds or milliseconds since 1970, where they are a word. */
const TIMES = [
  '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9][T ][0-9][0-9:.]*',
  '[A-Z][a-z]+, [0-9][0-9] [A-Z][a-z][a-z] [0-9][0-9][0-9][0-9] [0-9:]* GMT',
] as const
const SINCE_1970 = '^1[6-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]([0-9][0-9][0-9])?$'
const WORD = /[0-9A-Za-z_-]+/g
/** A shorter word with a digit in it may be a count; a longer one is somebody's id. */
const ID_LENGTH = 8

/**
 * What makes answers of two runs alike: ids are numbered in the order in which they first came, times are blanked (`N.like`);
 * and what they have in common whatever their order was, all numbers and ids blanked, its lines to be sorted (`N.loose`). The
 * same in awk, for a script, and below for what was recorded.
 */
export const LIKENESS_AWK = `function timeless(line) {
  gsub(run, "", line); ${TIMES.map((time) => `gsub(/${time}/, "TIME", line)`).join('; ')}
  return line
}
function plain(line, isLoose, word, done) {
  done = ""
  while (match(line, /[0-9A-Za-z_-]+/)) {
    word = substr(line, RSTART, RLENGTH)
    if (isLoose ? word ~ /[0-9]/ : word ~ /${SINCE_1970}/) word = "#"
    else if (!isLoose && word ~ /[0-9]/ && (length(word) >= ${ID_LENGTH} || word ~ /^[0-9][0-9][0-9]+$/)) {
      if (!(word in id)) id[word] = ++ids
      word = "#" id[word]
    }
    done = done substr(line, 1, RSTART - 1) word
    line = substr(line, RSTART + RLENGTH)
  }
  return done line
}
FNR == 1 { head = 1; out = FILENAME ".like"; loose = FILENAME ".loose"; print $2 > out; print $2 > loose; next }
{ sub(/\\r$/, "") }
head && $0 == "" { head = 0; next }
head { name = tolower($0); sub(/:.*/, "", name); sub(/^[^:]*: */, "") }
head && name ~ "^(" volatile ")$" { next }
{ $0 = timeless($0); print (head ? name ": " : "") plain($0, 0) > out
  $0 = plain($0, 1); gsub(/</, "\\n<"); print (head ? name ": " : "") $0 > loose }`

/** The listing of all queues, which holds those of others, too. */
export function isShared({ request: { method, url } }: ReportedExchange): boolean {
  return method === 'GET' && URL.canParse(url) && /\/queues\/?$/.test(new URL(url).pathname)
}

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
!body { if (tolower($0) !~ /^(${TAGS.join('|')}):/) print | "cat"; body = $0 == ""; next }
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

/** An answer as one of another run would be, were it alike. */
export interface Alike {
  /** With its ids numbered. */
  readonly like: string
  /** Whatever the order of what was asked at one moment. */
  readonly loose: string
}

/** Makes answers alike, one after another. */
export class Likeness {
  /** Names of headers that say nothing. */
  readonly volatile: readonly string[]
  readonly #run: readonly string[]
  readonly #asked: readonly string[]
  readonly #ids = new Map<string, number>()

  /**
   * @param run what is different in the names of each run
   * @param asked what of it requests name: the rest stood in a listing, and is that of other checks
   * @param isAboutTags whether the headers by which a client asks for what has changed may be what matters
   */
  constructor(run: readonly string[], asked = run, isAboutTags = true) {
    this.#run = run
    this.#asked = asked
    this.volatile = isAboutTags ? VOLATILE : [...VOLATILE, ...TAGS]
  }

  /** Undefined where what was recorded does not allow it. */
  of(exchange: ReportedExchange): Alike | undefined {
    const { response } = exchange
    if (response === null) return undefined
    const { status, headers, body } = response
    const like = [String(status)]
    const loose = [String(status)]
    const add = (name: string, text: string) => {
      const timeless = this.#timeless(text)
      like.push(name + this.#plain(timeless))
      loose.push(...(name + timeless.replace(WORD, numberless).replaceAll('<', '\n<')).split('\n'))
    }
    for (const [name, value] of Object.entries(headers)) {
      if (this.volatile.includes(name) || (isShared(exchange) && TAGS.includes(name))) continue
      add(`${name}: `, value)
    }
    const whole = body.encoding === 'text' ? body.data : ''
    const text = isShared(exchange) ? this.#own(whole) : whole
    const all = text === '' ? [] : bytesOf(text).replace(/\n$/, '').split('\n')
    for (const line of all) add('', line.replace(/\r$/, ''))
    if (body.cut || body.encoding !== 'text') return undefined
    return { like: `${like.join('\n')}\n`, loose: `${loose.sort().join('\n')}\n` }
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

  #timeless(line: string): string {
    let text = line
    for (const run of this.#run) text = text.replaceAll(run, '')
    for (const time of TIMES) text = text.replace(new RegExp(time, 'g'), 'TIME')
    return text
  }

  #plain(line: string): string {
    return line.replace(WORD, (word) => {
      if (!/[0-9]/.test(word) || (word.length < ID_LENGTH && !/^[0-9]{3,}$/.test(word))) return word
      if (new RegExp(SINCE_1970).test(word)) return '#'
      const number = this.#ids.get(word) ?? this.#ids.size + 1
      this.#ids.set(word, number)
      return `#${number}`
    })
  }
}

/** What may be a number, an id, or the name of a message is blanked: who gets which may be anybody's. */
function numberless(word: string): string {
  return /[0-9]/.test(word) ? '#' : word
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
