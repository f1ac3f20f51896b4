import type { JournalEntry } from '../../journal/exchange-record.js'
import { make, part, say } from './dom.js'
import { address } from './server.js'

/** Fields that a program which asks again makes itself. */
const OWN = /^(?:host|connection|content-length|transfer-encoding|accept-encoding|user-agent|sec-|expect$)/

/** A button that puts a text where the next paste takes it from; where that may not be, it shows the text. */
export function copyButton(label: string, textOf: () => string): HTMLButtonElement {
  const button = make('button', { type: 'button' }, label)
  button.addEventListener('click', async () => {
    const text = textOf()
    try {
      await navigator.clipboard.writeText(text)
      say(part('said', HTMLElement), 'It is copied.')
    } catch {
      button.replaceWith(make('pre', { tabindex: '0', role: 'group', 'aria-label': label }, text))
    }
  })
  return button
}

/** The request as a command for a shell; what was blanked in the journal is to be filled in. */
export function curlOf({ method, path, query, request }: JournalEntry): string {
  const target = address(`..${path}`) + (query === '' ? '' : `?${query}`)
  const fields = Object.entries(request.headers)
    .filter(([name]) => !OWN.test(name))
    .map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`)
  const { body, bodyBase64 } = request
  const data =
    bodyBase64 === undefined
      ? body === undefined
        ? []
        : [`--data-binary ${quoted(body)}`]
      : ['--data-binary @-']
  const command = [
    'curl -i',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...fields,
    ...data,
    quoted(target),
  ]
  const input = bodyBase64 === undefined ? '' : `echo ${bodyBase64} | base64 -d | `
  return input + command.join(' ')
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

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

function literal(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`
}

function nameOf(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : literal(name)
}
