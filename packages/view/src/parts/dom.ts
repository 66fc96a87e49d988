/** Elements and styles of the parts: plain DOM, so that they work in a page of any framework and of none. */

type Child = Node | string | undefined

/** An element with properties and children. What is `undefined` is left out. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Readonly<Partial<HTMLElementTagNameMap[K]>> = {} as never,
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  Object.assign(element, properties)
  element.append(...children.filter((child) => child !== undefined))
  return element
}

/** A button that says what it is in `data-part`. It gives the focus back: one that kept it would be pressed again by the keys of the game. */
export function makeButton(part: string, label: string, act: () => void): HTMLButtonElement {
  const button = make('button', { type: 'button', className: 'hb-button' }, label)
  button.dataset.part = part
  button.addEventListener('click', () => {
    button.blur()
    act()
  })
  return button
}

/** Writes a text where it has changed: one that is written again is read out again. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text
}

const added = new Set<string>()

/** Adds a sheet to the page, once. Sheets that are made by code are admitted by policies that forbid inline styles. */
export function addStyle(css: string): void {
  if (added.has(css)) return
  added.add(css)
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
}
