/**
 * The keys of a game as key caps, from its controls, and a dialog in which each can be changed for another one.
 *
 * @module @hurtbox/view/keys
 */

import { nameKey } from '../hand/keys.ts'
import { padCode, readPads } from '../hand/pads.ts'
import type { Remap } from '../hand/remap.ts'
import { addStyle, make, makeButton, setText } from '../parts/dom.ts'
import { BASE } from '../parts/style.ts'
import { moduleOf, type Playable } from '../playable.ts'
import type { View } from '../view.ts'
import { canChange, capOf, type Device, likelyDevice, type Row, rowsOf, withoutArrows } from './rows.ts'

export { type Device, keyNameOf, likelyDevice } from './rows.ts'

const STYLE = `
.hb-keys { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 230px), 1fr)); gap: 0 20px; margin: 0; }
.hb-keys > div { display: flex; align-items: baseline; justify-content: space-between; gap: 10px; padding: 3px 0; }
.hb-keys > .is-wide { grid-column: 1 / -1; }
.hb-keys dt { flex: none; min-width: 92px; max-width: 62%; }
.hb-keys > .is-wide dt { flex: 0 1 auto; max-width: 80%; }
.hb-keys dd { margin: 0; color: var(--hb-muted); text-align: right; }
.hb-keys .named { margin-right: 6px; white-space: nowrap; }
.hb-key { padding: 0; border: 0; background: none; cursor: pointer; }
.hb-dialog {
  box-sizing: border-box; width: min(560px, 100%); padding: 20px 24px; border: 1px solid var(--hb-line); border-radius: 16px; background: var(--hb-surface);
  color: var(--hb-text); font: var(--hb-font);
}
.hb-dialog::backdrop { background: #05070bb8; }
.hb-dialog h2 { margin: 0 0 8px; font-size: 22px; line-height: 1.2; }
.hb-dialog p { margin: 8px 0; }
`

export type KeyListOptions = {
  readonly view: View
  readonly remap: Remap
  /** Default: what the player most likely holds. */
  readonly device?: Device
  /** Makes every cap a button that asks for another key. */
  onChange?(code: string): void
}

/** What one presses, and what it does. */
export function createKeyList({ view, remap, device = likelyDevice(), onChange }: KeyListOptions): HTMLElement {
  addStyle(BASE)
  addStyle(STYLE)
  const cap = (code: string): HTMLElement => {
    const text = capOf(code, remap)
    const key = make('kbd', { className: 'hb-kbd' }, text)
    if (onChange === undefined || !canChange(code)) return key
    const button = make('button', { type: 'button', className: 'hb-key', title: `Another key for ${text}` }, key)
    button.addEventListener('click', () => onChange(code))
    return button
  }
  // Where keys are changed each is there; else one word stands for all arrows.
  const codesIn = ({ codes }: Row) => (onChange === undefined ? withoutArrows(codes) : codes)
  const rows = rowsOf(view, device).map((row) => {
    const named = row.choices.map(({ name, codes }) => {
      // A key that is called like what it chooses says it already.
      const isSaid = codes.some((code) => nameKey(remap.keyFor(code)) === name)
      return make('span', { className: 'named' }, ...spaced(codes.map(cap)), isSaid ? '' : ` ${name}`)
    })
    const keys = make('dt', {}, ...spaced([...codesIn(row).map(cap), ...named]))
    return make('div', { className: named.length > 0 ? 'is-wide' : '' }, keys, make('dd', {}, row.label))
  })
  return make('dl', { className: 'hb-keys' }, ...rows)
}

function spaced(elements: readonly HTMLElement[]): (HTMLElement | string)[] {
  return elements.flatMap((element) => [element, ' '])
}

export type KeySheet = {
  readonly element: HTMLDialogElement
  close(): void
}

const CHANGE = 'Click a key to take another one for it.'
const PRESS = 'Press the key that you want instead; Escape leaves it.'

/** How a game is played, in a dialog; every key and button of a pad may be changed. `onClose` is called once it is closed. */
export function showKeys(
  parent: HTMLElement,
  { playable, view, remap }: { readonly playable: Playable; readonly view: View; readonly remap: Remap },
  onClose: () => void = () => {},
): KeySheet {
  addStyle(BASE)
  addStyle(STYLE)
  const { title, goal } = moduleOf(playable)
  const device = likelyDevice()
  const keys = make('div')
  const says = make('p', { className: 'hb-muted', role: 'status' })
  const reset = makeButton('reset-keys', 'Keys as they were', () => remap.reset())
  const close = makeButton('close', 'Close', () => element.close())
  const lines = [goal, ...view.help].filter((line, at, all) => line !== '' && all.indexOf(line) === at)
  const element = make(
    'dialog',
    { className: 'hb-dialog', ariaLabel: `How to play ${title}` },
    make('h2', {}, title),
    ...lines.map((line) => make('p', {}, line)),
    keys,
    says,
    make('div', { className: 'hb-actions' }, reset, close),
  )
  let endWait = () => {}
  const show = () => {
    keys.replaceChildren(createKeyList({ view, remap, device, ...(device !== 'touch' && { onChange: wait }) }))
    reset.hidden = !remap.isChanged
  }
  const wait = (code: string) => {
    endWait()
    setText(says, PRESS)
    endWait = nextKey(code.startsWith('pad'), (key) => {
      endWait()
      setText(says, CHANGE)
      if (key !== '') remap.change(code, key)
    })
  }
  setText(says, device === 'touch' ? '' : CHANGE)
  const endShow = remap.onChange(show)
  element.addEventListener('close', () => {
    endWait()
    endShow()
    element.remove()
    onClose()
  })
  show()
  parent.append(element)
  element.showModal()
  return { element, close: () => element.close() }
}

/** Calls `take` with the next key, or button of the pad, that is pressed; with '' for Escape. Returns a function that stops it. */
export function nextKey(isPad: boolean, take: (key: string) => void): () => void {
  const stop = new AbortController()
  addEventListener(
    'keydown',
    (event) => {
      event.preventDefault()
      event.stopImmediatePropagation()
      if (event.key === 'Escape' || !isPad) take(event.key === 'Escape' ? '' : event.code)
    },
    { signal: stop.signal, capture: true },
  )
  const pads = { axes: [], buttons: new Set<number>(), presses: new Map<number, number>() }
  const timer = setInterval(() => {
    if (!isPad) return
    readPads(pads)
    const [button] = pads.presses.keys()
    if (button !== undefined) take(padCode(button))
  }, 50)
  return () => {
    stop.abort()
    clearInterval(timer)
  }
}
