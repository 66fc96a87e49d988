/** The keys of a game as key caps, from its controls: what one presses, and what it does. */

import type { InputBinding, View } from '@hurtbox/view'
import { nameKey, padCode, type Remap } from '@hurtbox/view/hand'

type Device = 'keys' | 'pad' | 'touch'

/** What the player most likely holds. */
export function likelyDevice(): Device {
  if (navigator.getGamepads?.().some((pad) => pad?.mapping === 'standard')) return 'pad'
  return matchMedia('(pointer: coarse)').matches ? 'touch' : 'keys'
}

/** With `onChange` every cap is a button that asks for another key. */
export function GameKeys({
  view,
  remap,
  device,
  onChange,
}: {
  view: View
  remap: Remap
  device: Device
  onChange?: (code: string) => void
}) {
  const cap = (code: string) => {
    const key = remap.keyFor(code)
    const text = /^pad\d/.test(code) ? namePad(Number(key.slice(3))) : nameKey(key)
    if (onChange === undefined || UNCHANGED.test(code)) return <kbd key={code}>{text}</kbd>
    return (
      <button key={code} type="button" class="key" title="Another key" onClick={() => onChange(code)}>
        <kbd>{text}</kbd>
      </button>
    )
  }
  const rows = new Map<string, Row>()
  const add = (label: string, codes: readonly string[], choices: Row['choices'] = []) => {
    if (codes.length + choices.length === 0) return
    const row = rows.get(label)
    const all = [...(row?.codes ?? []), ...codes]
    rows.set(label, { codes: inOrder([...new Set(all)]), choices: [...(row?.choices ?? []), ...choices] })
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
  return (
    <dl class="keys">
      {[...rows].map(([label, { codes, choices }]) => (
        <div key={label} class={choices.length > 0 ? 'is-wide' : ''}>
          <dt>
            {/* Where keys are changed each is there; else one word stands for all arrows. */}
            {(onChange === undefined ? withoutArrows(codes) : codes).map(cap)}
            {choices.map(({ name, codes: keys }) => (
              <span key={name} class="named">
                {/* A key that is called like what it chooses says it already. */}
                {keys.map(cap)} {keys.some((code) => nameKey(remap.keyFor(code)) === name) ? '' : name}
              </span>
            ))}
          </dt>
          <dd>{label}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The keys of something, and with a choice the keys of each name. */
type Row = {
  readonly codes: readonly string[]
  readonly choices: readonly { readonly name: string; readonly codes: readonly string[] }[]
}

/** As they lie under the fingers. */
const DIRECTIONS = ['KeyW', 'KeyA', 'KeyS', 'KeyD', 'ArrowUp', 'ArrowLeft', 'ArrowDown', 'ArrowRight']

function inOrder(codes: readonly string[]): readonly string[] {
  if (!codes.every((code) => DIRECTIONS.includes(code))) return codes
  return codes.toSorted((a, b) => DIRECTIONS.indexOf(a) - DIRECTIONS.indexOf(b))
}

function withoutArrows(codes: readonly string[]): readonly string[] {
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

const PAD_NAMES = ['A', 'B', 'X', 'Y', 'LB', 'RB', 'LT', 'RT', 'Select', 'Start']

function namePad(button: number): string {
  return PAD_NAMES[button] ?? `button ${button}`
}
