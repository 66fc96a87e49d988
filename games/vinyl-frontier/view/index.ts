/** Vinyl Frontier on a canvas: what one sees and presses. */

import { seatRow } from 'hurtbox'
import { FLY } from '../../view/controls.ts'
import type { HudLine, View } from '../../view.ts'
import { type declaration, KIND, MATERIAL, SHIP, type VinylWorld } from '../rules/declaration.ts'
import { shipRow, stationRow } from '../rules/setup.ts'
import { readName } from '../rules/text.ts'
import { SIDE } from '../rules/torus.ts'
import { createVinylDrawing } from './draw.ts'

export const view: View<typeof declaration> = {
  title: 'Vinyl Frontier',
  about: 'Mine records from the rocks of a world without edges, and bring them home before the others do.',
  help: [
    'Each team has four ships. Touch a vinyl rock that fits into your hold, carry it to your station: most tons win.',
    'Large rocks must be broken: look at them and fire. Uranium is fuel; thrust, turns, shields and lasers burn it.',
    'Orders are taken once a second. Speed is kept until you brake: there is no friction out here.',
    'Hard impacts and lasers cost shield, and a ship without shield is lost. Stations are safe.',
  ],
  target: 'canvas',
  match: { seats: 2, teamOf: (seat) => seat, botOf: () => 0 },
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
  nameOf,
  create: createVinylDrawing,
}

function hud(world: VinylWorld, seat: number): readonly HudLine[] {
  const { things, players } = world.tables
  const player = seatRow(world, seat)
  if (player < 0) return []
  const lines: HudLine[] = [
    { label: 'vinyl at home', value: `${things.vinyl[stationRow(world, seat)].toFixed(1)} t`, tone: 'good' },
  ]
  const row = shipRow(world, seat, players.ship[player])
  if (row < 0) return [...lines, { label: `ship ${players.ship[player] + 1}`, value: 'lost', tone: 'bad' }]
  const shield = things.shield[row]
  return [
    ...lines,
    { label: `ship ${players.ship[player] + 1} shield`, value: shield.toFixed(1), tone: shield > 5 ? 'cool' : 'bad' },
    { label: 'fuel', value: things.fuel[row], max: things.fuelCapacity[row], tone: 'warn' },
    { label: 'hold', value: things.cargo[row], max: Math.max(SHIP.hold, things.cargoCapacity[row]), tone: 'good' },
    { label: 'turn', value: `${world.globals.turn} of ${world.options.maxTurns}` },
  ]
}

function nameOf(world: VinylWorld, row: number): string {
  const { kind, material } = world.tables.things
  const name = readName(world, row)
  if (kind[row] === KIND.asteroid) return `${material[row] === MATERIAL.vinyl ? 'vinyl' : 'uranium'} rock ${name}`
  return kind[row] === KIND.station ? `station ${name}` : `ship ${name}`
}
