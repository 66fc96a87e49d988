/** Vinyl Frontier on a canvas: what one sees and presses. */

import { playerAt } from 'hurtbox'
import type { HudLine, View } from 'hurtbox/module'
import { FLY } from '../../view/controls.ts'
import { type declaration, SHIP, type VinylWorld } from '../rules/declaration.ts'
import { shipOf, stationOf } from '../rules/setup.ts'
import { SIDE } from '../rules/torus.ts'
import { createVinylDrawing } from './draw.ts'

export const view: View<typeof declaration> = {
  help: [
    'Each team has four ships. Touch a vinyl rock that fits into your hold, carry it to your station: most tons win.',
    'Large rocks must be broken: look at them and fire. Uranium is fuel; thrust, turns, shields and lasers burn it.',
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
    },
    sticks: { left: 'fly' },
  },
  bounds: () => ({ minX: -SIDE / 2, minY: -SIDE / 2, maxX: SIDE / 2, maxY: SIDE / 2 }),
  hud,
  create: createVinylDrawing,
}

function hud(world: VinylWorld, seat: number): readonly HudLine[] {
  const player = playerAt(world, seat)
  if (player === undefined) return []
  const tons = stationOf(world, seat)?.vinyl ?? 0
  const lines: HudLine[] = [{ label: 'vinyl at home', value: `${tons.toFixed(1)} t`, tone: 'good' }]
  const label = `ship ${player.ship + 1}`
  const ship = shipOf(world, seat, player.ship)
  if (ship === undefined) return [...lines, { label, value: 'lost', tone: 'bad' }]
  const { shield, fuel, fuelCapacity, cargo, cargoCapacity } = ship
  return [
    ...lines,
    { label: `${label} shield`, value: shield.toFixed(1), tone: shield > 5 ? 'cool' : 'bad' },
    { label: 'fuel', value: fuel, max: fuelCapacity, tone: 'warn' },
    { label: 'hold', value: cargo, max: Math.max(SHIP.hold, cargoCapacity), tone: 'good' },
    { label: 'turn', value: `${world.globals.turn} of ${world.options.maxTurns}` },
  ]
}
