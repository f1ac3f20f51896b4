import type { Fault } from '../../faults/fault.js'
import { dim, foreign, make, makeButton, part, say, showList, type View } from './dom.js'
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
  const label = { 'aria-label': `Remove fault ${fault.id}` }
  const button = makeButton('Remove', label, () => remove(fault.id))
  return {
    element: make(
      'tr',
      {},
      make('th', { scope: 'row' }, fault.id),
      make('td', {}, whatItDoes(fault)),
      make('td', {}, foreign(whichRequests(fault))),
      fired,
      make('td', {}, button),
    ),
    update: ({ fired: times }) =>
      say(fired, fault.times === undefined ? `${times}` : `${times} of ${fault.times}`),
  }
}

function whichRequests(fault: Fault): string {
  const { method = '*', path = '/**', query = {}, header = {}, body, principal } = fault
  const text = (pattern: unknown) => (typeof pattern === 'object' ? JSON.stringify(pattern) : `${pattern}`)
  return [
    `${method} ${path}`,
    ...Object.entries(query).map(([name, value]) => `${name}=${text(value)}`),
    ...Object.entries(header).map(([name, value]) => `${name}: ${text(value)}`),
    ...(body === undefined ? [] : [`body ${text(body)}`]),
    ...(principal === undefined ? [] : [`by ${principal}`]),
  ].join(', ')
}

function whatItDoes(given: Fault): string {
  const { fault, scenario, ms, code, probability, nth, after } = given
  const detail = ms === undefined ? code : span(ms)
  return [
    scenario === undefined ? fault : `${scenario}: ${fault}`,
    ...(detail === undefined ? [] : [detail]),
    ...(probability === undefined ? [] : [`p = ${Math.round(probability * 1000) / 1000}`]),
    ...(nth === undefined ? [] : [`only number ${nth}`]),
    ...(after === undefined ? [] : [`after ${after}`]),
    ...(given.for === undefined ? [] : [`for ${span(given.for)}`]),
  ].join(' ')
}

/** What a fault of the form is, as the server wants it; a field that is left empty is not said. */
export function faultOf(form: FormData): Record<string, unknown> {
  const text = (name: string) => `${form.get(name) ?? ''}`.trim()
  const kind = text('fault')
  const [, scenario] = /^scenario (.+)$/.exec(kind) ?? []
  const spec: Record<string, unknown> = scenario === undefined ? { fault: kind } : { scenario }
  for (const name of ['method', 'path', 'body', 'principal']) if (text(name) !== '') spec[name] = text(name)
  for (const [name, separator] of [
    ['query', '='],
    ['header', ':'],
  ] as const) {
    const [key = '', ...value] = text(name).split(separator)
    if (key !== '') spec[name] = { [key.trim()]: value.length === 0 ? true : value.join(separator).trim() }
  }
  for (const name of [
    'times',
    'probability',
    'nth',
    ...(kind === 'delay' ? ['ms'] : kind === 'status' ? ['code'] : []),
  ]) {
    if (text(name) !== '') spec[name] = Number(text(name))
  }
  if (text('for') !== '') spec.for = Math.round(Number(text('for')) * 1000)
  return spec
}
