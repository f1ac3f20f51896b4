/**
 * What runs in the page: it shows the filter, which would be of no use without it, and hides what does not fit. An
 * item bears `data-statuses` and `data-topic`; what bears `data-group` is hidden when no item in it is left.
 */
export const SCRIPT = `
'use strict'
{
  const form = document.getElementById('filter')
  const shown = document.getElementById('shown')
  const items = [...document.querySelectorAll('[data-statuses]')]
  const groups = [...document.querySelectorAll('[data-group]')]
  const texts = new Map(items.map((item) => [item, item.textContent.toLowerCase()]))

  const filter = () => {
    const words = form.elements.text.value.toLowerCase().split(/\\s+/)
    const topic = form.elements.topic.value
    const statuses = [...form.querySelectorAll('input[name=status]:checked')].map((box) => box.value)
    const only = form.elements.different ? form.elements.different.checked : false
    let count = 0
    for (const item of items) {
      const fits =
        (topic === '' || item.dataset.topic === topic) &&
        item.dataset.statuses.split(' ').some((status) => statuses.includes(status)) &&
        (!only || item.hasAttribute('data-different')) &&
        words.every((word) => texts.get(item).includes(word))
      item.hidden = !fits
      if (fits) count += 1
    }
    for (const group of groups) {
      group.hidden = !group.querySelector('[data-statuses]:not([hidden])')
      if (!group.hidden && words.join('') !== '' && group.tagName === 'DETAILS') group.open = true
    }
    shown.textContent = count + ' of ' + items.length + ' checks shown'
  }

  // An address with a check in it leads to the check, even where it is folded or filtered away.
  const reveal = () => {
    let target = null
    try {
      target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
    } catch {}
    if (!target) return
    if (target.closest('[hidden]')) {
      form.reset()
      filter()
    }
    for (let at = target; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true
    target.scrollIntoView()
  }

  form.hidden = false
  form.addEventListener('input', filter)
  form.addEventListener('submit', (event) => event.preventDefault())
  // A form's fields are reset after the event.
  form.addEventListener('reset', () => setTimeout(filter))
  for (const button of form.querySelectorAll('button[data-open]')) {
    button.addEventListener('click', () => {
      for (const item of items) if (item.tagName === 'DETAILS' && !item.hidden) item.open = button.dataset.open === 'yes'
    })
  }
  addEventListener('hashchange', reveal)
  filter()
  reveal()
}
`
