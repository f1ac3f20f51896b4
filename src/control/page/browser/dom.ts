/** Makes an element. A text is always a text here: nothing on the page is ever read as markup. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children)
  return element
}

/** Makes a button. */
export function makeButton(
  label: string,
  attributes: Readonly<Record<string, string>>,
  act: () => void,
): HTMLButtonElement {
  const button = make('button', { type: 'button', ...attributes }, label)
  button.addEventListener('click', act)
  return button
}

/** A text of somebody else's making, whose direction of writing stays its own. */
export function foreign(text: string): HTMLElement {
  return make('bdi', {}, text)
}

/** An element of the page, by its id. */
export function part<T extends HTMLElement>(id: string, kind: new () => T): T {
  const element = document.getElementById(id)
  if (element instanceof kind) return element
  throw new Error(`The page has no ${kind.name} with the id ${id}.`)
}

/** Says something in an element; what is said already is not said again, so that nobody is read it twice. */
export function say(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text
}

/** Shows that a button has nothing to do now. It keeps the keyboard's focus, which one that is disabled would lose. */
export function dim(button: HTMLButtonElement, idle: boolean): void {
  button.setAttribute('aria-disabled', `${idle}`)
}

/** How one thing of a list is shown. */
export interface View<T> {
  readonly element: Element
  update(item: T): void
}

const shownIn = new WeakMap<Element, Map<string, View<unknown>>>()

/**
 * Shows a list. What was shown before keeps its element, and with it the keyboard's focus and what is folded out.
 *
 * @param create makes the view of something that was not there; `update` is called next
 */
export function showList<T>(
  parent: Element,
  items: readonly T[],
  keyOf: (item: T) => string,
  create: (item: T) => View<T>,
): void {
  const before = (shownIn.get(parent) ?? new Map()) as Map<string, View<T>>
  const after = new Map<string, View<T>>()
  for (const item of items) {
    const key = keyOf(item)
    after.set(key, before.get(key) ?? create(item))
  }
  let left: number | undefined
  for (const [key, { element }] of before) {
    if (after.has(key)) continue
    if (element.contains(document.activeElement)) left = [...parent.children].indexOf(element)
    element.remove()
  }
  let place = parent.firstElementChild
  for (const item of items) {
    const view = after.get(keyOf(item)) as View<T>
    view.update(item)
    if (view.element === place) place = place.nextElementSibling
    else parent.insertBefore(view.element, place)
  }
  shownIn.set(parent, after as Map<string, View<unknown>>)
  if (left !== undefined) focusNear(parent, left)
}

/** Where somebody goes on with the keyboard when what had the focus is gone: what took its place, or what is around. */
function focusNear(parent: Element, place: number): void {
  const next = parent.children[Math.min(place, parent.children.length - 1)]
  const target =
    next?.querySelector<HTMLElement>('a, button, summary') ?? parent.closest<HTMLElement>('[tabindex="-1"]')
  target?.focus()
}
