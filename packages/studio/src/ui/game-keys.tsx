/** The keys of a game as key caps, from its controls: what one presses, and what it does. */

import type { Binding, View } from 'hurtbox/module'
import type { ComponentChild } from 'preact'
import { nameKey } from '../input/keys.ts'
import { padCode } from '../input/pads.ts'
import type { Remap } from '../input/remap.ts'

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
  // Read so that the caps follow a change.
  void remap.isChanged.value
  const cap = (code: string) => {
    const key = remap.keyFor(code)
    const text = code.startsWith('pad') ? namePad(Number(key.slice(3))) : nameKey(key)
    if (onChange === undefined) return <kbd key={code}>{text}</kbd>
    return (
      <button key={code} type="button" class="key" title="Another key" onClick={() => onChange(code)}>
        <kbd>{text}</kbd>
      </button>
    )
  }
  const rows = new Map<string, ComponentChild[]>()
  const add = (label: string, caps: ComponentChild[]) => {
    if (caps.length > 0) rows.set(label, [...(rows.get(label) ?? []), ...caps])
  }
  if (device === 'touch') {
    for (const side of ['left', 'right'] as const) {
      const label = view.controls.sticks?.[side]
      if (label !== undefined) add(label, [<kbd key={side}>{`${side} thumb`}</kbd>])
    }
  }
  for (const binding of Object.values(view.controls.fields as Record<string, Binding>)) {
    add(binding.label, device === 'touch' ? touchCaps(binding) : capsOf(binding, device, cap))
  }
  return (
    <dl class="keys">
      {[...rows].map(([label, caps]) => (
        <div key={label}>
          <dt>{caps}</dt>
          <dd>{label}</dd>
        </div>
      ))}
    </dl>
  )
}

function capsOf(binding: Binding, device: 'keys' | 'pad', cap: (code: string) => ComponentChild): ComponentChild[] {
  const all = (codes: readonly string[] | undefined) => (codes ?? []).map(cap)
  const pads = (buttons: readonly number[] | undefined) => (buttons ?? []).map((button) => cap(padCode(button)))
  const mouse = (what: string) => <kbd key={what}>{what}</kbd>
  switch (binding.kind) {
    case 'axis':
      if (device === 'pad') {
        const stick = binding.stick === undefined ? [] : [mouse(`${binding.stick.slice(0, -1)} stick`)]
        return [...stick, ...pads(binding.lessPad), ...pads(binding.morePad)]
      }
      return [...all(binding.less), ...all(binding.more), ...(binding.pointer === undefined ? [] : [mouse('mouse')])]
    case 'button':
    case 'press':
      if (device === 'pad') return pads(binding.pad)
      return [...all(binding.keys), ...(binding.pointer === undefined ? [] : [mouse(nameButton(binding.pointer))])]
    case 'choice':
      if (device === 'pad') return []
      return Object.entries(binding.keys ?? {}).flatMap(([name, codes]) => [
        ...all(codes),
        <small key={name}>{name} </small>,
      ])
    default:
      if (device === 'pad') return []
      return [mouse(binding.pointer === 'hover' ? 'mouse' : nameButton(binding.pointer))]
  }
}

function touchCaps(binding: Binding): ComponentChild[] {
  switch (binding.kind) {
    case 'button':
    case 'press':
      return binding.touch === undefined ? [] : [<kbd key={binding.touch}>{binding.touch}</kbd>]
    case 'choice':
      return Object.values(binding.touch ?? {}).map((label) => <kbd key={label}>{label}</kbd>)
    case 'point':
      return binding.pointer === 'hover' ? [] : [<kbd key="tap">tap</kbd>]
    default:
      return []
  }
}

function nameButton(button: 'primary' | 'secondary'): string {
  return button === 'primary' ? 'click' : 'right click'
}

const PAD_NAMES = ['A', 'B', 'X', 'Y', 'LB', 'RB', 'LT', 'RT', 'Select', 'Start']

function namePad(button: number): string {
  return PAD_NAMES[button] ?? `button ${button}`
}
