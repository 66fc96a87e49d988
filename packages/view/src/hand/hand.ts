/**
 * The person at the controls: keyboard, mouse, gamepad and touch screen as an input of the game.
 *
 * It is read once for every tick that is requested. Levels are what holds now; presses are what has come since the last
 * reading, so that none is lost between two ticks or counted twice. The engine quantises what it gets.
 */

import { playerAt } from 'hurtbox'
import type { AnyGame, AnyWorld, InputSpec } from 'hurtbox/tools'
import type { Controls, Devices, HandInput, InputBinding, MouseButton } from '../view.ts'
import type { Keyboard } from './keys.ts'
import { type Pads, readPads } from './pads.ts'

/** What fingers on the screen do; written by the touch controls. */
type Touch = {
  leftX: number
  leftY: number
  rightX: number
  rightY: number
  readonly held: Set<string>
  readonly presses: Map<string, number>
  readonly chosen: Map<string, string>
}

/** The mouse over the stage, in world units; written by the stage's listeners. */
export type Mouse = {
  x: number
  y: number
  isUsed: boolean
  readonly down: Set<MouseButton>
  readonly presses: Map<MouseButton, number>
  /** Where, and on which thing, each button last went down or was dragged to. */
  readonly clicked: Map<MouseButton, { x: number; y: number; thing: number }>
}

export type Hand = {
  readonly keyboard: Keyboard
  readonly touch: Touch
  readonly mouse: Mouse
  readonly pads: Pads
  /** Choices hold until another name is chosen. */
  readonly choices: Map<string, string>
  /** What a button of the pad acts as. */
  readonly acts: ((code: string) => string) | undefined
}

export function createHand(keyboard: Keyboard, acts?: (code: string) => string): Hand {
  return {
    keyboard,
    touch: { leftX: 0, leftY: 0, rightX: 0, rightY: 0, held: new Set(), presses: new Map(), chosen: new Map() },
    mouse: { x: 0, y: 0, isUsed: false, down: new Set(), presses: new Map(), clicked: new Map() },
    pads: { axes: [0, 0, 0, 0], buttons: new Set(), presses: new Map() },
    choices: new Map(),
    acts,
  }
}

/** All codes that the game's map uses. */
export function keysOf(controls: Controls): Set<string> {
  const codes = new Set<string>()
  for (const binding of Object.values(controls.fields as Record<string, InputBinding>)) {
    for (const code of keysOfBinding(binding)) codes.add(code)
  }
  return codes
}

function keysOfBinding(binding: InputBinding): readonly string[] {
  switch (binding.kind) {
    case 'axis':
      return [...(binding.less ?? []), ...(binding.more ?? [])]
    case 'button':
    case 'press':
      return binding.keys ?? []
    case 'choice':
      return Object.values(binding.keys ?? {}).flat()
    default:
      return []
  }
}

/** Reads all devices: the input for the next tick. */
export function readHand(hand: Hand, game: AnyGame, controls: Controls, world: AnyWorld, seat: number): HandInput {
  readPads(hand.pads, hand.acts)
  const input: Record<string, unknown> = {}
  const specs: Readonly<Record<string, InputSpec>> = game.declaration.input ?? {}
  for (const [name, binding] of Object.entries(controls.fields as Record<string, InputBinding>)) {
    if (specs[name] === undefined) continue
    const value = readField(hand, name, binding, world, seat)
    if (value !== undefined) input[name] = value
  }
  controls.adjust?.(input, devicesOf(hand), world, seat)
  return input
}

function readField(hand: Hand, name: string, binding: InputBinding, world: AnyWorld, seat: number): unknown {
  const { keyboard, touch, mouse, pads } = hand
  switch (binding.kind) {
    case 'axis':
      return readAxis(hand, binding, world, seat)
    case 'button':
      return (
        (binding.keys ?? []).some((code) => keyboard.down.has(code)) ||
        (binding.pad ?? []).some((button) => pads.buttons.has(button)) ||
        (binding.pointer !== undefined && mouse.down.has(binding.pointer)) ||
        touch.held.has(name)
      )
    case 'press': {
      let count = take(touch.presses, name)
      for (const code of binding.keys ?? []) count += keyboard.takePresses(code)
      for (const button of binding.pad ?? []) count += take(pads.presses, button)
      if (binding.pointer !== undefined) count += take(mouse.presses, binding.pointer)
      return Math.min(count, 255)
    }
    case 'choice':
      for (const [each, codes] of Object.entries(binding.keys ?? {})) {
        if (codes.some((code) => keyboard.takePresses(code) > 0)) hand.choices.set(name, each)
      }
      if (touch.chosen.has(name)) {
        hand.choices.set(name, touch.chosen.get(name)!)
        touch.chosen.delete(name)
      }
      return hand.choices.get(name)
    case 'point': {
      if (binding.pointer === 'hover') return mouse.isUsed ? { x: mouse.x, y: mouse.y } : undefined
      const clicked = mouse.clicked.get(binding.pointer)
      return clicked && { x: clicked.x, y: clicked.y }
    }
    case 'thing':
      return mouse.clicked.get(binding.pointer)?.thing
  }
}

function readAxis(hand: Hand, binding: Extract<InputBinding, { kind: 'axis' }>, world: AnyWorld, seat: number): number {
  const { keyboard, touch, pads, mouse } = hand
  const any = (codes: readonly string[] | undefined, buttons: readonly number[] | undefined) =>
    (codes ?? []).some((code) => keyboard.down.has(code)) || (buttons ?? []).some((button) => pads.buttons.has(button))
  let value = (any(binding.more, binding.morePad) ? 1 : 0) - (any(binding.less, binding.lessPad) ? 1 : 0)
  if (binding.stick !== undefined) {
    const place = STICKS.indexOf(binding.stick)
    const stick = pads.axes[place] + touch[binding.stick]
    value += binding.invertStick === true ? -stick : stick
  }
  if (value === 0 && binding.pointer !== undefined && mouse.isUsed) value = aim(mouse, binding.pointer, world, seat)
  return Math.max(-1, Math.min(1, value))
}

const STICKS = ['leftX', 'leftY', 'rightX', 'rightY'] as const

/** One coordinate of the direction from the player's own thing to the mouse. */
function aim(mouse: Mouse, coordinate: 'aimX' | 'aimY', world: AnyWorld, seat: number): number {
  const own = playerAt(world, seat)?.thing
  if (own === undefined) return 0
  const dx = mouse.x - own.x
  const dy = mouse.y - own.y
  const length = Math.hypot(dx, dy)
  if (length === 0) return 0
  return (coordinate === 'aimX' ? dx : dy) / length
}

function devicesOf({ keyboard, touch, mouse, pads }: Hand): Devices {
  return {
    isDown: (code) => keyboard.down.has(code),
    leftX: pads.axes[0] + touch.leftX,
    leftY: pads.axes[1] + touch.leftY,
    rightX: pads.axes[2] + touch.rightX,
    rightY: pads.axes[3] + touch.rightY,
    pointerX: mouse.x,
    pointerY: mouse.y,
    hasPointer: mouse.isUsed,
    isPointerDown: (button) => mouse.down.has(button),
    forgetClicks: () => mouse.clicked.clear(),
  }
}

function take<K>(counts: Map<K, number>, key: K): number {
  const count = counts.get(key) ?? 0
  counts.delete(key)
  return count
}
