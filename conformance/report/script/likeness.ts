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

/** Makes answers alike, one after another. */
export class Likeness {
  readonly #run: readonly string[]
  readonly #ids = new Map<string, number>()

  /** @param run what is different in the names of each run */
  constructor(run: readonly string[]) {
    this.#run = run
  }

  /** Undefined where what was recorded does not allow it. */
  of({ response }: ReportedExchange): string | undefined {
    if (response === null) return undefined
    const { status, headers, body } = response
    const lines = [String(status)]
    for (const [name, value] of Object.entries(headers)) {
      if (VOLATILE.includes(name)) continue
      lines.push(`${name}: ${this.#plain(bytesOf(value))}`)
    }
    const text = body.encoding === 'text' ? body.data : ''
    const all = text === '' ? [] : bytesOf(text).replace(/\n$/, '').split('\n')
    for (const line of all) lines.push(this.#plain(line.replace(/\r$/, '')))
    if (body.cut || body.encoding !== 'text') return undefined
    return `${lines.join('\n')}\n`
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
