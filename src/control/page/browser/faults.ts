import type { Fault } from '../../faults/fault.js'
import { dim, foreign, make, part, say, showList, type View } from './dom.js'
import { span } from './format.js'

/** Shows what goes wrong on purpose. @param remove is called with a fault's id */
export function showFaults(faults: readonly Fault[], remove: (id: string) => void): void {
  part('faults-table', HTMLElement).hidden = faults.length === 0
  part('no-faults', HTMLElement).hidden = faults.length > 0
  dim(part('clear-faults', HTMLButtonElement), faults.length === 0)
  // After a reset the numbers begin again, with other faults.
  const keyOf = ({ fired: _, ...spec }: Fault) => JSON.stringify(spec)
  showList(part('faults', HTMLElement), faults, keyOf, (fault) => faultView(fault, remove))
}

function faultView(fault: Fault, remove: (id: string) => void): View<Fault> {
  const fired = make('td', { class: 'number' })
  const button = make('button', { type: 'button', 'aria-label': `Remove fault ${fault.id}` }, 'Remove')
  button.addEventListener('click', () => remove(fault.id))
  return {
    element: make(
      'tr',
      {},
      make('th', { scope: 'row' }, fault.id),
      make('td', {}, whatItDoes(fault)),
      make('td', {}, foreign(`${fault.method ?? '*'} ${fault.path ?? '/**'}`)),
      fired,
      make('td', {}, button),
    ),
    update: ({ fired: times }) =>
      say(fired, fault.times === undefined ? `${times}` : `${times} of ${fault.times}`),
  }
}

function whatItDoes({ fault, ms, code, probability }: Fault): string {
  const detail = ms === undefined ? code : span(ms)
  return [
    fault,
    ...(detail === undefined ? [] : [detail]),
    ...(probability === undefined ? [] : [`p = ${probability}`]),
  ].join(' ')
}

/** What a fault of the form is, as the server wants it; a field that is left empty is not said. */
export function faultOf(form: FormData): Record<string, unknown> {
  const text = (name: string) => `${form.get(name) ?? ''}`.trim()
  const fault = text('fault')
  const spec: Record<string, unknown> = { fault }
  for (const name of ['method', 'path']) if (text(name) !== '') spec[name] = text(name)
  for (const name of [
    'times',
    'probability',
    ...(fault === 'delay' ? ['ms'] : fault === 'status' ? ['code'] : []),
  ]) {
    if (text(name) !== '') spec[name] = Number(text(name))
  }
  return spec
}
