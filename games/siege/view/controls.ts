/**
 * Playing Siege by hand. With the mouse: right button to walk or to attack somebody, the mouse to aim. With keys, stick or
 * finger: directions, and the champion attacks by itself whatever comes near while it stands.
 */

import { findRow, seatRow, thingOf } from 'hurtbox'
import type { Controls, Devices } from '../../view.ts'
import { HALF } from '../rules/content/map.ts'
import type { declaration, SiegeWorld } from '../rules/declaration.ts'

const WALKING_KEYS = ['KeyW', 'KeyA', 'KeyS', 'KeyD', 'ArrowUp', 'ArrowLeft', 'ArrowDown', 'ArrowRight']
/** How far ahead keys and sticks point, in units. */
const STRIDE = 250
/** Nearer than this one has arrived. */
const ARRIVED = 90

export const controls: Controls<typeof declaration> = {
  fields: {
    order: { kind: 'choice', keys: { move: WALKING_KEYS }, label: 'walk' },
    go: { kind: 'point', pointer: 'secondary', label: 'walk there' },
    target: { kind: 'thing', pointer: 'secondary', label: 'attack it' },
    aim: { kind: 'point', pointer: 'hover', label: 'aim' },
    first: { kind: 'press', keys: ['KeyQ', 'Space'], pad: [0], pointer: 'primary', touch: 'Q', label: 'first ability' },
    second: { kind: 'press', keys: ['KeyE'], pad: [1], touch: 'E', label: 'second ability' },
    recall: { kind: 'press', keys: ['KeyB'], pad: [3], touch: 'Recall', label: 'go home' },
    buy: {
      kind: 'choice',
      keys: { nothing: ['KeyZ'], blade: ['KeyX'], plate: ['KeyC'] },
      touch: { blade: 'Blade', plate: 'Plate' },
      label: 'buy at the fountain',
    },
    pick: {
      kind: 'choice',
      keys: { warrior: ['Digit1'], elara: ['Digit2'], gorath: ['Digit3'], magnus: ['Digit4'], vex: ['Digit5'] },
      label: 'champion, until the first wave',
    },
  },
  sticks: { left: 'walk', right: 'aim' },
  adjust,
}

/** Makes orders of it: what a table of keys cannot say. */
function adjust(input: Record<string, unknown>, devices: Devices, world: SiegeWorld, seat: number): void {
  const row = thingOf(world, seatRow(world, seat))
  if (row < 0) return
  const { things } = world.tables
  const here = { x: things.x[row], y: things.y[row] }
  const left = directionOf(devices)
  if (left.x !== 0 || left.y !== 0) {
    input.order = 'move'
    input.go = within(here.x + left.x * STRIDE, here.y + left.y * STRIDE)
    input.target = 0
  } else {
    const clicked = input.go as { x: number; y: number } | undefined
    const target = findRow(things, (input.target as number | undefined) ?? 0)
    const isEnemy = target >= 0 && things.hp[target] > 0 && things.team[target] !== things.team[row]
    const isWalking = clicked !== undefined && Math.hypot(clicked.x - here.x, clicked.y - here.y) > ARRIVED
    input.order = isEnemy ? 'attack' : isWalking && devices.hasPointer ? 'move' : 'attackMove'
    input.go = isEnemy || !isWalking || !devices.hasPointer ? within(here.x, here.y) : within(clicked.x, clicked.y)
    if (!isEnemy) input.target = 0
  }
  if (devices.rightX !== 0 || devices.rightY !== 0) {
    input.aim = within(here.x + devices.rightX * STRIDE * 2, here.y + devices.rightY * STRIDE * 2)
  } else if (!devices.hasPointer) {
    input.aim = within(here.x + things.headX[row] * STRIDE, here.y + things.headY[row] * STRIDE)
  } else {
    input.aim = within(devices.pointerX, devices.pointerY)
  }
}

function directionOf({ isDown, leftX, leftY }: Devices): { x: number; y: number } {
  const key = (...codes: string[]) => (codes.some((code) => isDown(code)) ? 1 : 0)
  const x = leftX + key('KeyD', 'ArrowRight') - key('KeyA', 'ArrowLeft')
  const y = leftY + key('KeyS', 'ArrowDown') - key('KeyW', 'ArrowUp')
  const length = Math.max(1, Math.hypot(x, y))
  return { x: x / length, y: y / length }
}

/** A place of the map: what lies outside is refused. */
function within(x: number, y: number): { x: number; y: number } {
  return { x: Math.min(Math.max(x, -HALF), HALF), y: Math.min(Math.max(y, -HALF), HALF) }
}
