/** Vinyl Frontier on a canvas: what one sees and presses. */

import type { HudLine, View } from '@hurtbox/view'
import { playerAt } from 'hurtbox'
import { FLY } from '../../view/controls.ts'
import { SEAT_COLOURS } from '../../view/paint.ts'
import { TASK_NAMES } from '../rules/crew.ts'
import { type declaration, SHIP, type VinylWorld } from '../rules/declaration.ts'
import { shipOf, stationOf } from '../rules/setup.ts'
import { SIDE } from '../rules/torus.ts'
import { createVinylDrawing } from './draw.ts'

export const view: View<typeof declaration> = {
  help: [
    'Each team has four ships. Touch a vinyl rock that fits into your hold, carry it to your station: most tons win.',
    'Large rocks must be broken: look at them and fire. Uranium is fuel; thrust, turns, shields and lasers burn it.',
    'You fly one ship; the crews of the other three mine, hunt, guard or go home, as you tell them. Their task stands beside them.',
    'Orders are taken once a second. Speed is kept until you brake: there is no friction out here.',
    'Hard impacts and lasers cost shield, and a ship without shield is lost. Stations are safe.',
  ],
  target: 'canvas',
  controls: {
    fields: {
      ...FLY,
      fire: { kind: 'button', keys: ['Space', 'KeyJ'], pad: [0], pointer: 'primary', touch: 'Laser', label: 'laser' },
      boost: { kind: 'button', keys: ['KeyK', 'ShiftLeft'], pad: [1], touch: 'Shield', label: 'charge the shield' },
      dump: {
        kind: 'choice',
        keys: { nothing: ['KeyZ'], vinyl: ['KeyX'], uranium: ['KeyC'] },
        label: 'throw overboard',
      },
      ship: {
        kind: 'choice',
        keys: { '1': ['Digit1'], '2': ['Digit2'], '3': ['Digit3'], '4': ['Digit4'] },
        touch: { '1': '1', '2': '2', '3': '3', '4': '4' },
        label: 'which ship',
      },
      task: { kind: 'press', keys: ['KeyT', 'KeyE'], pad: [3], touch: 'Task', label: 'next task for this ship' },
      taskForAll: { kind: 'press', keys: ['KeyG'], pad: [2], touch: 'All', label: 'this task for all ships' },
    },
    sticks: { left: 'fly' },
  },
  bounds: () => ({ minX: -SIDE / 2, minY: -SIDE / 2, maxX: SIDE / 2, maxY: SIDE / 2 }),
  hud,
  colourOf: (seat) => SEAT_COLOURS[seat % SEAT_COLOURS.length],
  sounds: {
    shot: { from: 1800, to: 700, wave: 'sawtooth', seconds: 0.14, gain: 0.14 },
    hit: { noise: 500, seconds: 0.14, gain: 0.5 },
    death: { noise: 200, seconds: 0.8, gain: 0.8 },
    pickup: { from: 440, to: 660, wave: 'square', seconds: 0.16, gain: 0.2 },
  },
  create: createVinylDrawing,
}

function hud(world: VinylWorld, seat: number): readonly HudLine<typeof declaration>[] {
  const player = playerAt(world, seat)
  if (player === undefined) return []
  const tons = stationOf(world, seat)?.vinyl ?? 0
  const lines: HudLine<typeof declaration>[] = [{ label: 'vinyl at home', value: `${tons.toFixed(1)} t`, tone: 'good' }]
  const label = `ship ${player.ship}`
  const ship = shipOf(world, seat, Number(player.ship) - 1)
  const chosen: HudLine<typeof declaration>[] =
    ship === undefined
      ? [{ label, value: 'lost', tone: 'bad' }]
      : [
          { label: `${label} shield`, value: ship.shield.toFixed(1), tone: ship.shield > 5 ? 'cool' : 'bad' },
          { label: 'fuel', value: ship.fuel, max: ship.fuelCapacity, tone: 'warn' },
          { label: 'hold', value: ship.cargo, max: Math.max(SHIP.hold, ship.cargoCapacity), tone: 'good' },
        ]
  const crews = [0, 1, 2, 3].flatMap((number): HudLine<typeof declaration>[] => {
    if (number === Number(player.ship) - 1) return []
    const mate = shipOf(world, seat, number)
    if (mate === undefined) return [{ label: `ship ${number + 1}`, value: 'lost', tone: 'bad' }]
    const task = player.byHand === 0 ? 'waits' : TASK_NAMES[mate.task]
    return [
      {
        label: `ship ${number + 1}`,
        value: `${task}, shield ${mate.shield.toFixed(0)}`,
        tone: mate.shield > 5 ? 'cool' : 'bad',
      },
    ]
  })
  return [...lines, ...chosen, ...crews, { label: 'turn', value: `${world.globals.turn} of ${world.options.maxTurns}` }]
}
