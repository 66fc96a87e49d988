/**
 * Fog of war: what each side sees.
 *
 * Sight goes from cell to cell, so a crowd of thousands costs no more than the cells it fills. Fog is state: what was seen
 * in the last tick decides in this one.
 */

import { CHAMPION_SIGHT } from './content/champions.ts'
import { HALF, type Place, SIDE } from './content/map.ts'
import { KIND, UNITS } from './content/units.ts'
import { FOG_CELL, FOG_SIDE, type SiegeThing, type SiegeWorld } from './declaration.ts'

const CELLS = FOG_SIDE * FOG_SIDE

/** How far each kind sees, in cells. */
const SIGHT = Uint8Array.from({ length: 256 }, (_, kind) => {
  const sight = kind === KIND.champion ? CHAMPION_SIGHT : (UNITS[kind]?.sight ?? 0)
  return Math.floor(sight / FOG_CELL)
})

/** Half the width of the seen circle by sight and row of cells, from −sight to sight. */
const SPANS = Array.from({ length: 16 }, (_, sight) =>
  Array.from({ length: 2 * sight + 1 }, (_, i) => Math.floor(Math.sqrt(sight * sight - (i - sight) * (i - sight)))),
)

/** Scratch of one call: the farthest sight from each cell. */
const eyes = new Uint8Array(CELLS)

export function updateFog(world: SiegeWorld): void {
  seeFor(world, SIDE.blue)
  seeFor(world, SIDE.red)
}

/** A side sees all that is its own, all structures, and what stands in a cell it sees. */
export function visible(world: SiegeWorld, side: number, thing: SiegeThing): boolean {
  if ((side !== SIDE.blue && side !== SIDE.red) || thing.team === side) return true
  return thing.kind === KIND.tower || thing.kind === KIND.nexus || sees(world, side, thing)
}

export function sees({ arrays: { fog } }: SiegeWorld, side: number, { x, y }: Place): boolean {
  return fog[(side - 1) * CELLS + lineOf(y) * FOG_SIDE + lineOf(x)] === 1
}

function seeFor(world: SiegeWorld, side: number): void {
  const { fog } = world.arrays
  const { count, team, kind, hp, leaving, x, y } = world.tables.things
  eyes.fill(0)
  for (let row = 0; row < count; row++) {
    if (team[row] !== side || hp[row] <= 0 || leaving[row] !== 0) continue
    const cell = lineOf(y[row]) * FOG_SIDE + lineOf(x[row])
    eyes[cell] = Math.max(eyes[cell], SIGHT[kind[row]])
  }
  const from = (side - 1) * CELLS
  fog.fill(0, from, from + CELLS)
  for (let cell = 0; cell < CELLS; cell++) if (eyes[cell] > 0) see(fog, from, cell, eyes[cell])
}

function see(fog: Uint8Array, from: number, cell: number, sight: number): void {
  const row = Math.floor(cell / FOG_SIDE)
  const col = cell - row * FOG_SIDE
  for (let i = Math.max(0, row - sight); i <= Math.min(FOG_SIDE - 1, row + sight); i++) {
    const span = SPANS[sight][i - row + sight]
    const first = from + i * FOG_SIDE + Math.max(0, col - span)
    const last = from + i * FOG_SIDE + Math.min(FOG_SIDE - 1, col + span)
    for (let at = first; at <= last; at++) fog[at] = 1
  }
}

function lineOf(place: number): number {
  return Math.min(Math.max(Math.floor((place + HALF) / FOG_CELL), 0), FOG_SIDE - 1)
}
