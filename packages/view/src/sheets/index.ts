/**
 * What lies over a match: figures, choices, the title, three two one, the end.
 *
 * Each is an element that is put into one with `position: relative` around the stage.
 *
 * @module @hurtbox/view/sheets
 */

import type { Remap } from '../hand/remap.ts'
import { createKeyList, keyNameOf } from '../keys/index.ts'
import type { Outcome } from '../outcome.ts'
import { addStyle, make, setText } from '../parts/dom.ts'
import { BASE } from '../parts/style.ts'
import { moduleOf, type Playable } from '../playable.ts'
import type { Choice, HudLine, InputBinding, View } from '../view.ts'
import { STYLE } from './style.ts'

function addStyles(): void {
  addStyle(BASE)
  addStyle(STYLE)
}

export type Part<T> = {
  readonly element: HTMLElement
  update(now: T): void
  close(): void
}

/** The figures of a player. On a phone only the first lines are there until somebody touches them. */
export function createHud(parent: HTMLElement, view: View, remap?: Remap): Part<readonly HudLine[]> {
  addStyles()
  const element = make('button', { type: 'button', className: 'hb-hud', tabIndex: -1, hidden: true })
  element.dataset.part = 'hud'
  element.ariaExpanded = 'false'
  element.addEventListener('click', () => {
    element.ariaExpanded = String(element.classList.toggle('is-open'))
  })
  parent.append(element)
  let shown = ''
  return {
    element,
    update(lines) {
      const next = JSON.stringify(lines)
      if (next === shown) return
      shown = next
      element.hidden = lines.length === 0
      element.replaceChildren(...lines.map((line) => hudLine(view, line, remap)))
    },
    close: () => element.remove(),
  }
}

function hudLine(view: View, { label, value, max, tone, control }: HudLine, remap: Remap | undefined): HTMLElement {
  const isBar = typeof value === 'number' && max !== undefined && max > 0
  const keyName = keyNameOf(view, control, remap)
  const cap = keyName === '' ? undefined : make('kbd', { className: 'hb-kbd' }, keyName)
  const figure = make('b')
  // A bar from 0 to 1 needs no number.
  if (!(isBar && max === 1)) figure.append(format(value))
  if (isBar && max !== 1) figure.append(make('small', {}, ` / ${format(max)}`))
  const line = make('span', { className: `hb-hud-line ${tone ?? ''}` }, make('span', {}, cap, label))
  // On a touch screen its button shows it.
  line.classList.toggle('is-on-button', isOnButton(view, control))
  if (isBar) {
    const fill = make('i')
    fill.style.width = `${100 * Math.max(0, Math.min(1, value / max))}%`
    line.append(make('i', { className: 'hb-hud-bar' }, fill))
  }
  line.append(figure)
  return line
}

function isOnButton(view: View, control: string | undefined): boolean {
  const binding = control === undefined ? undefined : (view.controls.fields as Record<string, InputBinding>)[control]
  return (binding?.kind === 'button' || binding?.kind === 'press') && binding.touch !== undefined
}

function format(value: number | string): string {
  return typeof value === 'number' ? String(Math.round(value * 10) / 10) : value
}

export type ChoicesOptions = {
  readonly view: View
  readonly remap?: Remap
  /** Called with the field of the input that takes the card. */
  take(control: string): void
}

/** What a player is asked to choose: cards over the game, taken by key, click or tap. Nothing while there is nothing to choose. */
export function createChoices(
  parent: HTMLElement,
  { view, remap, take }: ChoicesOptions,
): Part<{ readonly choices: readonly Choice[]; readonly isPlayer: boolean }> {
  addStyles()
  const cards = make('div')
  const element = make(
    'section',
    { className: 'hb-choices', ariaLabel: 'Choose', hidden: true },
    make('h2', {}, 'Choose'),
    cards,
  )
  element.dataset.part = 'choices'
  parent.append(element)
  let shown = ''
  const cardOf = ({ control, title, text, note, colour }: Choice, isPlayer: boolean) => {
    const keyName = keyNameOf(view, control, remap)
    const card = make(
      'button',
      { type: 'button', className: 'hb-choice', disabled: !isPlayer },
      make('b', {}, title),
      note === undefined ? undefined : make('small', {}, note),
      make('span', {}, text),
      keyName === '' ? undefined : make('kbd', { className: 'hb-kbd' }, keyName),
    )
    if (colour !== undefined) card.style.setProperty('--tone', colour)
    card.addEventListener('click', () => take(control))
    return card
  }
  return {
    element,
    update({ choices, isPlayer }) {
      const next = JSON.stringify([choices, isPlayer])
      if (next === shown) return
      shown = next
      element.hidden = choices.length === 0
      cards.replaceChildren(...choices.map((choice) => cardOf(choice, isPlayer)))
    },
    close: () => element.remove(),
  }
}

export type Sheet = { readonly element: HTMLElement; close(): void }

export type StartOptions = {
  readonly playable: Playable
  readonly view: View
  readonly remap: Remap
  /** The first has the focus. */
  readonly actions: readonly HTMLElement[]
}

/** What a game is called, what to do, and with which keys. */
export function showStart(parent: HTMLElement, { playable, view, remap, actions }: StartOptions): Sheet {
  const { title, goal } = moduleOf(playable)
  const words = goal === '' ? undefined : make('p', { className: 'hb-goal' }, goal)
  return showSheet(parent, 'start', title, [make('h2', {}, title), words, createKeyList({ view, remap })], actions)
}

/** How long each number of the countdown stays, ms. */
const COUNT_MS = 650

/** Three, two, one; then `done`. */
export function countDown(parent: HTMLElement, done: () => void): Sheet {
  addStyles()
  const element = make('div', { className: 'hb-countdown', role: 'status' })
  element.dataset.part = 'countdown'
  let left = 3
  const show = () => element.replaceChildren(make('b', {}, String(left)))
  const timer = setInterval(() => {
    left--
    if (left > 0) return show()
    close()
    done()
  }, COUNT_MS)
  const close = () => {
    clearInterval(timer)
    element.remove()
  }
  show()
  parent.append(element)
  return { element, close }
}

/** Who has won, by name and colour, the table, and what to do now. `note` is said below. */
export function showEnd(
  parent: HTMLElement,
  outcome: Outcome,
  actions: readonly HTMLElement[],
  note: string | undefined = undefined,
): Sheet {
  const headline = make('h2', {}, outcome.headline)
  headline.style.color = outcome.colour
  const summary = outcome.summary === '' ? undefined : make('p', { className: 'hb-goal' }, outcome.summary)
  const words = note === undefined ? undefined : make('p', { className: 'hb-muted' }, note)
  return showSheet(
    parent,
    'end',
    'The end of the match',
    [headline, summary, createOutcomeTable(outcome)],
    actions,
    words,
  )
}

/** A sheet of one's own: a headline, what to say, and buttons. */
export function showMessage(
  parent: HTMLElement,
  headline: string,
  text: string,
  actions: readonly HTMLElement[],
): Sheet {
  const words = text === '' ? undefined : make('p', {}, text)
  const sheet = showSheet(parent, 'message', headline, [make('h2', {}, headline), words], actions)
  sheet.element.role = 'alert'
  return sheet
}

function showSheet(
  parent: HTMLElement,
  part: string,
  label: string,
  content: readonly (HTMLElement | undefined)[],
  actions: readonly HTMLElement[],
  after?: HTMLElement,
): Sheet {
  addStyles()
  const row = make('div', { className: 'hb-actions' }, ...actions)
  const card = make('div', { className: 'hb-card' }, ...content, row, after)
  const element = make('section', { className: 'hb-sheet', ariaLabel: label }, card)
  element.dataset.part = part
  parent.append(element)
  actions[0]?.focus({ preventScroll: true })
  return { element, close: () => element.remove() }
}

/** The table of the players; undefined where there is nothing to compare. */
export function createOutcomeTable({ columns, rows }: Outcome): HTMLElement | undefined {
  addStyles()
  if (rows.length === 0 || columns.length === 0) return undefined
  const head = ['Player', ...columns].map((name) => make('th', { scope: 'col' }, name))
  const body = rows.map(({ name, colour, hasWon, values }) => {
    const swatch = make('i', { className: 'hb-swatch' })
    swatch.style.background = colour
    const cells = values.map((value) => make('td', {}, String(value)))
    return make('tr', { className: hasWon ? 'has-won' : '' }, make('th', { scope: 'row' }, swatch, name), ...cells)
  })
  return make(
    'table',
    { className: 'hb-outcome' },
    make('thead', {}, make('tr', {}, ...head)),
    make('tbody', {}, ...body),
  )
}

/** A word or two below the middle of the stage, such as that the connection is lost; '' for none. */
export function createNotice(
  parent: HTMLElement,
  part = 'notice',
): Part<{ readonly says: string; readonly more?: string }> {
  addStyles()
  const [says, more] = [make('b'), make('span')]
  const element = make('div', { className: 'hb-notice', role: 'alert', hidden: true }, says, more)
  element.dataset.part = part
  parent.append(element)
  return {
    element,
    update(now) {
      element.hidden = now.says === ''
      setText(says, now.says)
      setText(more, now.more ?? '')
    },
    close: () => element.remove(),
  }
}
