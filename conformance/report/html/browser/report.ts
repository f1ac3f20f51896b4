/*
 * What runs in a report and in a comparison: it shows the filter, which would be of no use without it, and hides what
 * does not fit. An item bears `data-statuses` and `data-topic`; what bears `data-group` is hidden when no item in it is
 * left. It is no module, since it stands in the page itself.
 */
{
  const form = document.getElementById('filter') as HTMLFormElement
  const shown = document.getElementById('shown') as HTMLOutputElement
  const items = [...document.querySelectorAll<HTMLElement>('[data-statuses]')]
  const groups = [...document.querySelectorAll<HTMLElement>('[data-group]')]
  const texts = new Map(items.map((item) => [item, item.textContent?.toLowerCase() ?? '']))
  const value = (name: string) =>
    (form.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement).value

  const filter = () => {
    const words = value('text').toLowerCase().split(/\s+/)
    const topic = value('topic')
    const boxes = form.querySelectorAll<HTMLInputElement>('input[name=status]:checked')
    const statuses = new Set([...boxes].map((box) => box.value))
    const only = form.querySelector('input[name=different]:checked') !== null
    let count = 0
    for (const item of items) {
      const { topic: own, statuses: has = '' } = item.dataset
      const fits =
        (topic === '' || own === topic) &&
        has.split(' ').some((status) => statuses.has(status)) &&
        (!only || item.hasAttribute('data-different')) &&
        words.every((word) => texts.get(item)?.includes(word))
      item.hidden = !fits
      if (fits) count += 1
    }
    for (const group of groups) {
      group.hidden = !group.querySelector('[data-statuses]:not([hidden])')
      if (!group.hidden && words.join('') !== '' && group instanceof HTMLDetailsElement) group.open = true
    }
    shown.textContent = `${count} of ${items.length} checks shown`
  }

  const named = (id: string) => {
    try {
      return document.getElementById(decodeURIComponent(id))
    } catch {
      return null
    }
  }

  // An address with a check in it leads to the check, even where it is folded or filtered away.
  const reveal = () => {
    const target = named(location.hash.slice(1))
    if (target === null) return
    if (target.closest('[hidden]')) {
      form.reset()
      filter()
    }
    for (let at: HTMLElement | null = target; at; at = at.parentElement) {
      if (at instanceof HTMLDetailsElement) at.open = true
    }
    target.scrollIntoView()
  }

  form.hidden = false
  form.addEventListener('input', filter)
  form.addEventListener('submit', (event) => event.preventDefault())
  // A form's fields are reset after the event.
  form.addEventListener('reset', () => setTimeout(filter))
  for (const button of form.querySelectorAll<HTMLButtonElement>('button[data-open]')) {
    button.addEventListener('click', () => {
      for (const item of items) {
        if (item instanceof HTMLDetailsElement && !item.hidden) item.open = button.dataset.open === 'yes'
      }
    })
  }
  addEventListener('hashchange', reveal)
  filter()
  reveal()
}
