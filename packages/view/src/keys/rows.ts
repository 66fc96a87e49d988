/** What one presses and what it does, from the controls of a view: for keys, a gamepad or a touch screen. */

import { nameKey } from '../hand/keys.ts'
import { padCode } from '../hand/pads.ts'
import type { Remap } from '../hand/remap.ts'
import type { InputBinding, View } from '../view.ts'

export type Device = 'keys' | 'pad' | 'touch'

/** What the player most likely holds. */
export function likelyDevice(): Device {
  if (navigator.getGamepads?.().some((pad) => pad?.mapping === 'standard')) return 'pad'
  return matchMedia('(pointer: coarse)').matches ? 'touch' : 'keys'
}

/** The first key of a field of the input, for a figure or a choice that is about it; '' for none. */
export function keyNameOf(view: View, control: string | undefined, remap: Remap | undefined): string {
  const binding = control === undefined ? undefined : (view.controls.fields as Record<string, InputBinding>)[control]
  const code = binding !== undefined && 'keys' in binding && Array.isArray(binding.keys) ? binding.keys[0] : undefined
  return code === undefined ? '' : nameKey(remap?.keyFor(code) ?? code)
}

/** The keys of something, and with a choice the keys of each name. */
export type Row = {
  readonly label: string
  readonly codes: readonly string[]
  readonly choices: readonly { readonly name: string; readonly codes: readonly string[] }[]
}

export function rowsOf(view: View, device: Device): readonly Row[] {
  const rows = new Map<string, Row>()
  const add = (label: string, codes: readonly string[], choices: Row['choices'] = []) => {
    if (codes.length + choices.length === 0) return
    const row = rows.get(label)
    const all = [...(row?.codes ?? []), ...codes]
    rows.set(label, { label, codes: inOrder([...new Set(all)]), choices: [...(row?.choices ?? []), ...choices] })
  }
  if (device === 'touch') {
    for (const side of ['left', 'right'] as const) {
      const label = view.controls.sticks?.[side]
      if (label !== undefined) add(label, [`${side} thumb`])
    }
  }
  for (const binding of Object.values(view.controls.fields as Record<string, InputBinding>)) {
    if (device === 'touch') add(binding.label, touchNames(binding))
    else if (binding.kind === 'choice') add(binding.label, ...choiceCodes(binding, device))
    else add(binding.label, codesOf(binding, device))
  }
  return [...rows.values()]
}

/** As they lie under the fingers. */
const DIRECTIONS = ['KeyW', 'KeyA', 'KeyS', 'KeyD', 'ArrowUp', 'ArrowLeft', 'ArrowDown', 'ArrowRight']

function inOrder(codes: readonly string[]): readonly string[] {
  if (!codes.every((code) => DIRECTIONS.includes(code))) return codes
  return codes.toSorted((a, b) => DIRECTIONS.indexOf(a) - DIRECTIONS.indexOf(b))
}

/** One word stands for all arrows. */
export function withoutArrows(codes: readonly string[]): readonly string[] {
  const others = codes.filter((code) => !code.startsWith('Arrow'))
  return codes.length - others.length < 4 ? codes : [...others, 'arrows']
}

/** The keys, mouse buttons or parts of the pad for a field. What is no code of a key is its own name. */
function codesOf(binding: Exclude<InputBinding, { kind: 'choice' }>, device: 'keys' | 'pad'): readonly string[] {
  const pads = (buttons: readonly number[] = []) => buttons.map(padCode)
  switch (binding.kind) {
    case 'axis': {
      const { less = [], more = [], stick, pointer } = binding
      if (device === 'keys') return [...less, ...more, ...(pointer === undefined ? [] : ['mouse'])]
      const named = stick === undefined ? [] : [`${stick.slice(0, -1)} stick`]
      return [...named, ...pads(binding.lessPad), ...pads(binding.morePad)]
    }
    case 'button':
    case 'press':
      if (device === 'pad') return pads(binding.pad)
      return [...(binding.keys ?? []), ...(binding.pointer === undefined ? [] : [nameButton(binding.pointer)])]
    default:
      if (device === 'pad') return []
      return [binding.pointer === 'hover' ? 'mouse' : nameButton(binding.pointer)]
  }
}

/** A choice of one name needs no name. */
function choiceCodes(
  { keys = {} }: Extract<InputBinding, { kind: 'choice' }>,
  device: 'keys' | 'pad',
): [codes: readonly string[], choices: Row['choices']] {
  const choices = Object.entries(keys).map(([name, codes]) => ({ name, codes }))
  if (device === 'pad') return [[], []]
  return choices.length === 1 ? [choices[0].codes, []] : [[], choices]
}

function touchNames(binding: InputBinding): readonly string[] {
  switch (binding.kind) {
    case 'button':
    case 'press':
      return binding.touch === undefined ? [] : [binding.touch]
    case 'choice':
      return Object.values(binding.touch ?? {})
    case 'point':
      return binding.pointer === 'hover' ? [] : ['tap']
    default:
      return []
  }
}

function nameButton(button: 'primary' | 'secondary'): string {
  return button === 'primary' ? 'click' : 'right click'
}

/** The mouse and sticks stay what they are. */
const UNCHANGED = /mouse|click|stick/

export function canChange(code: string): boolean {
  return !UNCHANGED.test(code)
}

const PAD_NAMES = ['A', 'B', 'X', 'Y', 'LB', 'RB', 'LT', 'RT', 'Select', 'Start']

/** What is written on the key, or the button of the pad, that acts as a code of the game's map. */
export function capOf(code: string, remap: Remap): string {
  const key = remap.keyFor(code)
  if (!/^pad\d/.test(key)) return nameKey(key)
  const button = Number(key.slice(3))
  return PAD_NAMES[button] ?? `button ${button}`
}
