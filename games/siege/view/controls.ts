/**
 * Playing Siege by hand. With the mouse: right button to walk or to attack, the mouse to aim. With keys, stick or
 * finger: directions, and the champion attacks by itself whatever comes near while it stands.
 */

import type { Controls, Devices, HandInput } from '@hurtbox/view'
import { playerAt, thing } from 'hurtbox'
import { HALF, type Place } from '../rules/content/map.ts'
import type { declaration, SiegeWorld } from '../rules/declaration.ts'

const WALKING_KEYS = ['KeyW', 'KeyA', 'KeyS', 'KeyD', 'ArrowUp', 'ArrowLeft', 'ArrowDown', 'ArrowRight']
/** How far ahead keys and sticks point, in units. */
const STRIDE = 250
/** Nearer than this a champion has arrived. */
const ARRIVED = 90

export const controls: Controls<typeof declaration> = {
  fields: {
    order: { kind: 'choice', keys: { move: WALKING_KEYS }, label: 'walk' },
    go: { kind: 'point', pointer: 'secondary', label: 'walk there' },
    target: { kind: 'thing', pointer: 'secondary', label: 'attack it' },
    aim: { kind: 'point', pointer: 'hover', label: 'aim' },
    first: {
      kind: 'press',
      keys: ['KeyQ', 'Space'],
      pad: [0],
      pointer: 'primary',
      touch: 'Skill 1',
      label: 'first ability',
    },
    second: { kind: 'press', keys: ['KeyE'], pad: [1], touch: 'Skill 2', label: 'second ability' },
    recall: { kind: 'press', keys: ['KeyB'], pad: [3], touch: 'Recall', label: 'go home' },
    buy: {
      kind: 'choice',
      keys: {
        nothing: ['KeyZ'],
        blade: ['KeyX'],
        plate: ['KeyC'],
        boots: ['KeyV'],
        lens: ['KeyG'],
        ward: ['KeyN'],
        might: ['Digit7'],
        vigour: ['Digit8'],
        haste: ['Digit9'],
        guard: ['Digit0'],
      },
      touch: {
        blade: 'Blade',
        plate: 'Plate',
        boots: 'Boots',
        lens: 'Lens',
        ward: 'Ward',
        might: 'Might',
        vigour: 'Vigour',
        haste: 'Haste',
        guard: 'Guard',
      },
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
function adjust(input: HandInput<typeof declaration>, devices: Devices, world: SiegeWorld, seat: number): void {
  const champion = playerAt(world, seat)?.thing
  if (champion === undefined) return
  const { x, y } = champion
  const left = directionOf(devices)
  if (left.x !== 0 || left.y !== 0) {
    input.order = 'move'
    input.go = onMap(x + left.x * STRIDE, y + left.y * STRIDE)
    input.target = 0
    // It would walk back to where the last click was.
    devices.forgetClicks?.()
  } else {
    const clicked = input.go
    const target = thing(world, input.target ?? 0)
    const isEnemy = target !== undefined && target.hp > 0 && target.team !== champion.team
    const isWalking = clicked !== undefined && Math.hypot(clicked.x - x, clicked.y - y) > ARRIVED
    input.order = isEnemy ? 'attack' : isWalking ? 'move' : 'attackMove'
    input.go = isEnemy || !isWalking ? onMap(x, y) : onMap(clicked.x, clicked.y)
    if (!isEnemy) input.target = 0
  }
  if (devices.rightX !== 0 || devices.rightY !== 0) {
    input.aim = onMap(x + devices.rightX * STRIDE * 2, y + devices.rightY * STRIDE * 2)
  } else if (!devices.hasPointer) {
    input.aim = onMap(x + champion.headX * STRIDE, y + champion.headY * STRIDE)
  } else {
    input.aim = onMap(devices.pointerX, devices.pointerY)
  }
}

function directionOf({ isDown, leftX, leftY }: Devices): Place {
  const key = (...codes: string[]) => (codes.some((code) => isDown(code)) ? 1 : 0)
  const x = leftX + key('KeyD', 'ArrowRight') - key('KeyA', 'ArrowLeft')
  const y = leftY + key('KeyS', 'ArrowDown') - key('KeyW', 'ArrowUp')
  const length = Math.max(1, Math.hypot(x, y))
  return { x: x / length, y: y / length }
}

/** The nearest place of the map: one outside would be refused. */
function onMap(x: number, y: number): Place {
  return { x: Math.min(Math.max(x, -HALF), HALF), y: Math.min(Math.max(y, -HALF), HALF) }
}
