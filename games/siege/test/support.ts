/** A map without waves: units and champions where a test wants them, and as many ticks as it wants. */

import { createWorld, playerAt, step, thing } from 'hurtbox'
import type { TickInputs } from 'hurtbox/tools'
import { run } from '../../test/run.ts'
import type { Place } from '../rules/content/map.ts'
import { STRUCTURES } from '../rules/content/map.ts'
import { KIND } from '../rules/content/units.ts'
import type { declaration, SiegeOptions, SiegePlayer, SiegeThing, SiegeWorld } from '../rules/declaration.ts'
import { siege, siegeAt } from '../rules/index.ts'
import { addMarcher } from '../rules/waves.ts'

export { isThere, ofKind, run } from '../../test/run.ts'

export type Inputs = TickInputs<typeof declaration>
export type PlayerInput = NonNullable<Inputs['players']>[number]
export type Tuning = Partial<Record<keyof typeof declaration.tuning, number>>
type Given = {
  tuning?: Tuning
  options?: Partial<SiegeOptions>
  seed?: number
  tickRate?: number
  game?: typeof siege
}

/** No wave comes for ten minutes, and no champion heals by itself. */
const QUIET: Tuning = { firstWave: 600, regeneration: 0 }

export function field({ tuning = {}, options = {}, seed = 1, tickRate = 30, game }: Given = {}): SiegeWorld {
  return createWorld(game ?? (tickRate === 30 ? siege : siegeAt(tickRate)), {
    seed,
    options,
    tuning: { ...QUIET, ...tuning },
  })
}

export type Fighter = Place & { readonly side: number; readonly name: string }

/** Champions of the given sorts in seats 0, 1, …; the next tick is tick 3. */
export function arena(fighters: readonly Fighter[], given: Given = {}): SiegeWorld {
  const world = field(given)
  step(world, { controls: fighters.map(({ side }, seat) => ({ control: 'join', seat, team: side })) })
  step(world, { players: fighters.map(({ name }, seat) => ({ seat, pick: name as 'warrior' })) })
  fighters.forEach(({ x, y }, seat) => {
    Object.assign(championOf(world, seat), { x, y })
  })
  run(world, 1, {})
  fighters.forEach(({ x, y }, seat) => {
    const champion = championOf(world, seat)
    Object.assign(champion, { x, y, target: 0, strikesAt: 0, attacksAt: 0, hp: champion.maxHp })
  })
  return world
}

export function playerIn(world: SiegeWorld, seat: number): SiegePlayer {
  return playerAt(world, seat)!
}

export function championOf(world: SiegeWorld, seat: number): SiegeThing {
  return playerIn(world, seat).thing!
}

/** A tower or nexus by its place in `STRUCTURES`; creatures of the camps follow from 14 on. */
export function builtOf(world: SiegeWorld, place: number): SiegeThing {
  return thing(world, place + 1)!
}

/** Adds a minion that marches along the middle lane. */
export function addMinion(
  world: SiegeWorld,
  team: number,
  x: number,
  y: number,
  kind: number = KIND.melee,
): SiegeThing {
  return addMarcher(world, kind, { team, lane: 1, x, y })
}

/** Adds a minion that stands where it is and does no damage. */
export function addStanding(
  world: SiegeWorld,
  team: number,
  x: number,
  y: number,
  kind: number = KIND.melee,
): SiegeThing {
  return Object.assign(addMinion(world, team, x, y, kind), { speed: 0, damage: 0 })
}

/** Disarms all towers: for tests about walking. */
export function disarm(world: SiegeWorld): SiegeWorld {
  STRUCTURES.forEach((_, place) => {
    builtOf(world, place).damage = 0
  })
  return world
}

export function distanceOf(a: Place, b: Place): number {
  return Math.hypot(b.x - a.x, b.y - a.y)
}
