import type { JournalEntry } from '../../journal/exchange-record.js'
import { make, makeButton, part, say } from './dom.js'
import { address } from './server.js'

/** Fields that a program which asks again makes itself. */
const OWN = /^(?:host|connection|content-length|transfer-encoding|accept-encoding|user-agent|sec-|expect$)/

/** A button that puts a text where the next paste takes it from; where that may not be, it shows the text. */
export function copyButton(label: string, textOf: () => string | Promise<string>): HTMLButtonElement {
  const button = makeButton(label, {}, async () => {
    const text = await textOf()
    try {
      await navigator.clipboard.writeText(text)
      say(part('said', HTMLElement), 'It is copied.')
    } catch {
      button.replaceWith(make('pre', { tabindex: '0', role: 'group', 'aria-label': label }, text))
    }
  })
  return button
}

/** Fields that curl adds by itself, with and without a body, where they are not given or taken out. */
const ADDED = ['accept']
const ADDED_TO_BODY = ['accept', 'content-type']

/** What can stand in single quotes, and be pasted into a terminal: nothing there acts as a key, or turns the text around. */
const PLAIN_FIELD = /^[ -~]*$/
const PLAIN_BODY = /^[\n -~\u00a1-\u061b\u061d-\u1fff\u2010-\u2027\u2030-\u205f\u2070-\ufeff\uff00-\uffff]*$/

/** A shell gives no program an argument of 128 KiB. */
const LONGEST_ARGUMENT = 64 * 1024

/** The request as a command for a shell; what was blanked in the journal is to be filled in. */
export function curlOf({ method, path, query, request }: JournalEntry): string {
  const { headers, body, bodyBase64 } = request
  const hasBody = body !== undefined || bodyBase64 !== undefined
  const fields = Object.entries(headers)
    .filter(([name]) => !OWN.test(name))
    .map(([name, value]) => `-H ${fieldOf(name, value)}`)
  const without = (hasBody ? ADDED_TO_BODY : ADDED)
    .filter((name) => headers[name] === undefined)
    .map((name) => `-H ${quoted(`${name}:`)}`)
  const asText = body !== undefined && PLAIN_BODY.test(body) ? quoted(body) : undefined
  const isArgument = asText !== undefined && asText.length < LONGEST_ARGUMENT
  const input = hasBody && !isArgument ? `echo ${bodyBase64 ?? base64(body ?? '')} | base64 -d | ` : ''
  const command = [
    // As it was sent: curl would read brackets as a pattern, and resolve dots.
    'curl -i -g --path-as-is',
    ...(method === 'GET' && !hasBody ? [] : [`-X ${method}`]),
    ...fields,
    ...without,
    // Of data that begins with "@" curl takes what follows for a file, but for those that are raw.
    ...(isArgument ? [`--data-raw ${asText}`] : hasBody ? ['--data-binary @-'] : []),
    quoted(address('..').replace(/\/$/, '') + path + (query === '' ? '' : `?${query}`)),
  ]
  return input + command.join(' ')
}

/** A header field as it was sent: in the journal each of its bytes is a character. */
function fieldOf(name: string, value: string): string {
  // What ends with a colon curl leaves out.
  if (value === '') return quoted(`${name};`)
  const field = `${name}: ${value}`
  if (PLAIN_FIELD.test(field)) return quoted(field)
  const octal = (character: string) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`
  return `"$(printf '${field.replaceAll(/[^ -~]|['%\\]/g, octal)}')"`
}

function base64(text: string): string {
  let bytes = ''
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte)
  return btoa(bytes)
}

/** What a test of the application would say to see the same exchange again. */
export function assertionOf({ method, path, query, response, faults }: JournalEntry): string {
  const parameters = [...new URLSearchParams(query)].map(
    ([name, value]) => `${nameOf(name)}: ${literal(value)}`,
  )
  const [fault] = faults
  const members = [
    `method: ${literal(method)}`,
    `path: ${literal(path.replaceAll(/\/[\da-f]{32}(?=\/|$)/g, '/*'))}`,
    ...(parameters.length === 0 ? [] : [`query: { ${parameters.join(', ')} }`]),
    ...(response === undefined ? [] : [`status: ${response.status}`]),
    ...(fault === undefined ? [] : [`fault: ${literal(fault.fault)}`]),
  ]
  return `await mq.journal.waitFor({ ${members.join(', ')} })`
}

/** A test of the application that would see all of these again; what it does itself is to be filled in. */
export function testOf(entries: readonly JournalEntry[]): string {
  const queues = new Set(
    entries.flatMap(({ path, response }) => {
      const [, queue] = /^\/queues\/([^/].*)$/.exec(path) ?? []
      return queue === undefined || (response?.status ?? 0) >= 400 ? [] : [decodeURIComponent(queue)]
    }),
  )
  const faults = entries.flatMap((entry) =>
    entry.faults.map(({ fault }) => {
      const nth = entries.filter(
        ({ method, number }) => method === entry.method && number <= entry.number,
      ).length
      const more =
        { delay: ', ms: 1000', status: `, code: ${entry.response?.status ?? 503}` }[fault as string] ?? ''
      return `  mq.faults.add({ fault: ${literal(fault)}, method: ${literal(entry.method)}, nth: ${nth}${more} })`
    }),
  )
  return [
    importOf('test', 'node:test'),
    importOf('startServer', 'atom-mq'),
    '',
    `test('what the journal tells', async (t) => {`,
    `  const mq = await startServer({ journal: true, queues: [${[...queues].map(literal).join(', ')}] })`,
    '  t.after(() => mq.stop())',
    ...faults,
    '  // Here your application does its work, with the broker at mq.url.',
    ...entries.map((entry) => `  ${assertionOf(entry)}`),
    '  mq.verify()',
    '})',
    '',
  ].join('\n')
}

function importOf(name: string, module: string): string {
  return `import { ${name} } from ${literal(module)}`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

function literal(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

function nameOf(name: string): string {
  if (name === '__proto__') return `['__proto__']`
  return /^[A-Za-z_]\w*$/.test(name) ? name : literal(name)
}
