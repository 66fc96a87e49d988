/** A map without waves: units and champions where a test wants them, and as many ticks as it wants. */

import { createWorld, rowOf, step, type TickInputs } from 'hurtbox'
import { run } from '../../test/run.ts'
import { CHAMPIONS } from '../rules/content/champions.ts'
import { KIND } from '../rules/content/units.ts'
import type { declaration, SiegeOptions, SiegeWorld } from '../rules/declaration.ts'
import { siege, siegeAt } from '../rules/index.ts'
import { addMarcher } from '../rules/waves.ts'

export { ofKind, run } from '../../test/run.ts'

export type Inputs = TickInputs<typeof declaration>
export type PlayerInput = NonNullable<Inputs['players']>[number]
export type Tuning = Partial<Record<keyof typeof declaration.tuning, number>>
type Given = { tuning?: Tuning; options?: Partial<SiegeOptions>; seed?: number; tickRate?: number }

/** Nobody comes for ten minutes, and nobody heals by itself. */
const QUIET: Tuning = { firstWave: 600, regeneration: 0 }

export function field({ tuning = {}, options = {}, seed = 1, tickRate = 30 }: Given = {}): SiegeWorld {
  const game = tickRate === 30 ? siege : siegeAt(tickRate)
  return createWorld(game, { seed, options, tuning: { ...QUIET, ...tuning } })
}

export type Fighter = { readonly side: number; readonly name: string; readonly x: number; readonly y: number }

/** Champions of the given sorts in seats 0, 1, …; the next tick is tick 2. */
export function arena(fighters: readonly Fighter[], given: Given = {}): SiegeWorld {
  const world = field(given)
  step(world, { controls: fighters.map(({ side }, seat) => ({ control: 'join', seat, team: side })) })
  step(world, { players: fighters.map(({ name }, seat) => ({ seat, pick: name as 'warrior' })) })
  fighters.forEach(({ x, y }, seat) => {
    const row = championRow(world, seat)
    world.tables.things.x[row] = x
    world.tables.things.y[row] = y
  })
  run(world, 1, {})
  fighters.forEach(({ x, y }, seat) => {
    const row = championRow(world, seat)
    world.tables.things.x[row] = x
    world.tables.things.y[row] = y
    world.tables.things.target[row] = 0
    world.tables.things.strikesAt[row] = 0
    world.tables.things.readyAt[row] = 0
    world.tables.things.hp[row] = world.tables.things.maxHp[row]
  })
  return world
}

export function championRow(world: SiegeWorld, seat: number): number {
  return rowOf(world.tables.things, world.tables.players.thing[seat])
}

export function championNumber(name: string): number {
  return CHAMPIONS.findIndex((each) => each.name === name)
}

/** Adds a minion that marches along the middle lane; gives its id. */
export function addMinion(world: SiegeWorld, side: number, x: number, y: number, kind: number = KIND.melee): number {
  return world.tables.things.id[addMarcher(world, kind, side, 1, x, y)]
}

/** Adds a minion that stands where it is and hurts nobody; gives its id. */
export function addStanding(world: SiegeWorld, side: number, x: number, y: number, kind: number = KIND.melee): number {
  const id = addMinion(world, side, x, y, kind)
  const row = rowOf(world.tables.things, id)
  world.tables.things.speed[row] = 0
  world.tables.things.damage[row] = 0
  return id
}

/** Lets no tower shoot: for tests about walking. */
export function disarm(world: SiegeWorld): SiegeWorld {
  world.tables.things.damage.fill(0, 0, 14)
  return world
}

export function distanceOf(world: SiegeWorld, a: number, b: number): number {
  const { x, y } = world.tables.things
  return Math.hypot(x[b] - x[a], y[b] - y[a])
}
