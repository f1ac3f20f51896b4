import type { ClientReport } from '../../client/rules.js'
import { foreign, make, part, say, showList } from './dom.js'
import { count, shortenIds } from './format.js'

/** Shows which rules for clients were broken, and in the head how many. */
export function showVerdict({ conformant, exchanges, violations }: ClientReport): void {
  const verdict = part('verdict', HTMLElement)
  verdict.className = conformant ? 'fine' : 'broken'
  say(verdict, conformant ? 'every rule kept' : count(violations.length, 'violation'))
  say(part('no-violations', HTMLElement), `Clients kept every rule in ${count(exchanges, 'exchange')}.`)
  part('no-violations', HTMLElement).hidden = !conformant
  showList(
    part('violations', HTMLElement),
    violations.map((violation, index) => ({
      ...violation,
      key: `${index} ${violation.rule} ${violation.what}`,
    })),
    ({ key }) => key,
    ({ rule, what, exchanges: shown }) => {
      const item = make('li', {}, make('code', {}, rule), ' ', foreign(shortenIds(what)))
      for (const { number } of shown)
        item.append(' ', make('a', { href: `#exchange-${number}` }, `#${number}`))
      return { element: item, update: () => undefined }
    },
  )
}

/** Opens the exchange that a violation names. */
export function openExchange(number: string): void {
  const details = document.querySelector<HTMLDetailsElement>(`[data-exchange="${number}"] details`)
  if (details === null) return
  details.open = true
  details.querySelector('summary')?.focus()
  details.scrollIntoView({ block: 'nearest' })
}
