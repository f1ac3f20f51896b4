import { changingBytes } from '../../trial/sending.js'
import type { ReportedBody } from '../result.js'
import { quoted } from './shell.js'

/** So many bytes at most may stand before what a long body repeats: the name of a message. */
const LONGEST_BEFORE = 100

/** Whether all of a body is known, though a report may show its beginning only. */
export function isKnown(body: ReportedBody): boolean {
  return !body.cut || rest(body) !== undefined
}

/** A command that prints a body. What a report has cut off is made up. */
export function bytesOf(body: ReportedBody): string {
  const repeated = body.cut ? rest(body) : undefined
  const bytes = shownOf(body)
  if (repeated !== undefined) {
    const { at, command } = repeated
    return `${at === 0 ? command : `{ printf ${quoted(formatOf(bytes.subarray(0, at)))}; ${command}; }`} | head -c ${body.bytes}`
  }
  const known = `printf ${quoted(formatOf(bytes))}`
  const missing = body.bytes - bytes.length
  return missing > 0 ? `{ ${known}; head -c ${missing} /dev/zero | tr '\\0' x; }` : known
}

/** What printf makes bytes of, and never takes for an option. */
export function formatOf(bytes: Buffer): string {
  return bytes.toString('latin1').replace(/^-|[\\%]|[^ -~]/g, (byte) => {
    if (byte === '%') return '%%'
    return `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`
  })
}

/** What a long body holds to its end, by all that a report shows of it: from where on, and what prints it. */
function rest(body: ReportedBody): { readonly at: number; readonly command: string } | undefined {
  const bytes = shownOf(body)
  const text = bytes.toString('latin1')
  const changing = changingBytes(bytes.length)
  for (let at = 0; at < LONGEST_BEFORE; at++) {
    const unit = /^((?!-)[ -~]{1,64}?)\1{3}/.exec(text.slice(at))?.[1] ?? ''
    if (unit !== '' && unit.repeat(Math.ceil(text.length / unit.length)).startsWith(text.slice(at)))
      return { at, command: `yes ${quoted(unit)} | tr -d '\\n'` }
    // Bytes as the checks make them, all values and no two rows the same.
    if (body.encoding === 'base64' && changing.subarray(at).equals(bytes.subarray(at))) {
      const loop = `for (at = ${at}; at < ${body.bytes}; at++) printf "\\\\%03o", (at * 7 + int(at / 256)) % 256`
      return { at, command: `printf "$(awk 'BEGIN { ${loop} }')"` }
    }
  }
  return undefined
}

function shownOf({ data, encoding }: ReportedBody): Buffer {
  return Buffer.from(data, encoding === 'base64' ? 'base64' : 'utf8')
}
