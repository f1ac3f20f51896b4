import { part, say } from './dom.js'
import { faultOf } from './faults.js'
import { span } from './format.js'
import { setUpReset } from './reset.js'
import { ask, askAll, askJson, freshId, queuePath } from './server.js'

/**
 * Gives the forms and buttons their meaning.
 *
 * @param chosen the name of the queue that is shown
 * @param untilLeaseEnd milliseconds until the next lease ends
 * @returns what the buttons of lists do
 */
export function setUpActions(
  refresh: () => void,
  chosen: () => string | undefined,
  untilLeaseEnd: () => number | undefined,
) {
  const status = part('said', HTMLElement)
  const alert = part('problem', HTMLElement)

  /** @param work resolves with what is to be said */
  async function act(work: () => Promise<string>): Promise<void> {
    // Emptied first, so that the same sentence is read out again.
    say(status, '')
    say(alert, '')
    try {
      say(status, await work())
    } catch (error) {
      say(alert, error instanceof Error ? error.message : String(error))
    }
    refresh()
  }

  function onSubmit(id: string, work: (data: FormData, form: HTMLFormElement) => Promise<string>): void {
    const form = part(id, HTMLFormElement)
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      void act(() => work(new FormData(form), form))
    })
  }

  function onClick(id: string, work: () => Promise<string>): void {
    part(id, HTMLButtonElement).addEventListener('click', () => void act(work))
  }

  async function advance(milliseconds: number): Promise<string> {
    await askJson('POST', 'clock', { advance: milliseconds })
    return `The clock went on by ${span(milliseconds)}.`
  }

  onSubmit('advance', (data) => advance(Math.round(Number(data.get('seconds')) * 1000)))
  onClick('to-lease-end', async () => {
    const left = untilLeaseEnd()
    return left === undefined ? 'Nobody has a lease.' : advance(left)
  })
  setUpReset(act)
  onSubmit('create-queue', async (data, form) => {
    const name = String(data.get('name'))
    await ask('POST', '../queues', { body: name, headers: { 'Content-Type': 'text/plain' } })
    location.hash = encodeURIComponent(name.replaceAll('.', '/'))
    form.reset()
    return `The queue ${name} is there.`
  })
  onSubmit('send', async (data) => {
    const queue = chosen()
    if (queue === undefined)
      throw new Error('There is no such queue to send to; create it first, or choose another.')
    const type = String(data.get('type')).trim()
    const guid = String(data.get('guid')).trim() || freshId()
    const answer = await askAll('POST', `${queuePath(queue)}?guid=${encodeURIComponent(guid)}`, {
      body: String(data.get('body')),
      headers: {
        'Content-Type': type === '' ? 'text/plain' : type,
        ...propertiesOf(String(data.get('properties'))),
      },
    })
    return answer.headers.has('Idempotent-Replayed')
      ? `A message with the guid ${guid} was sent before; this one was ignored.`
      : `A message was sent to ${queue}.`
  })
  onSubmit('add-fault', async (data) => {
    const { id } = await askJson<{ id: string }>('POST', 'faults', faultOf(data))
    return `The fault ${id} is armed.`
  })
  onClick('clear-faults', async () => {
    await askJson('DELETE', 'faults')
    return 'No fault is left.'
  })
  onClick('clear-journal', async () => {
    await askJson('DELETE', 'journal')
    return 'The journal is empty.'
  })
  const kind = part('fault-kind', HTMLSelectElement)
  const showFields = () => {
    part('fault-ms', HTMLElement).hidden = kind.value !== 'delay'
    part('fault-code', HTMLElement).hidden = kind.value !== 'status'
  }
  kind.addEventListener('change', showFields)
  showFields()

  return {
    endLease: (id: string, name: string) =>
      void act(async () => {
        await askJson('POST', `subscriptions/${encodeURIComponent(id)}/end`)
        return `The lease of ${name} has ended.`
      }),
    tellLife: (sequence: number) =>
      void act(async () => {
        const query = new URLSearchParams({ queue: chosen() ?? '', sequence: `${sequence}`, stories: '1' })
        const { stories } = await askJson<{ stories: string[] }>('GET', `messages?${query}`)
        say(part('life', HTMLElement), stories.at(-1) ?? 'Nothing is remembered of it.')
        return ''
      }),
    removeFault: (id: string) =>
      void act(async () => {
        await askJson('DELETE', `faults/${id}`)
        return `The fault ${id} is removed.`
      }),
  }
}

/** Header fields for properties that are written one in a line, as `name: value`; a byte of UTF-8 is a character there. */
function propertiesOf(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = '', value = ''] = /^\s*([\w-]+)\s*[:=]\s*(.*?)\s*$/.exec(line) ?? []
      if (name === '')
        throw new Error(`A property is a name, a colon and a value; ${JSON.stringify(line)} is not.`)
      return [`Property-${name}`, String.fromCharCode(...new TextEncoder().encode(value))]
    }),
  )
}
