/** Small fights for tests: a world in practice mode, fighters at given places, inputs by seat. */

import { createWorld, step, thing } from 'hurtbox'
import type { Control, PlayerInput } from 'hurtbox/tools'
import type { SumoThing, SumoWorld } from '../rules/declaration.ts'
import { STANDING } from '../rules/fighters.ts'
import { sumo } from '../rules/index.ts'

export type Input = Omit<PlayerInput<(typeof sumo.declaration)['input']>, 'seat'>
type Setup = NonNullable<Parameters<typeof createWorld<typeof sumo.declaration>>[1]>

export type Fight = {
  readonly world: SumoWorld
  /** Ids of the fighters by seat. */
  readonly ids: readonly number[]
}

/** Fighters at these places of the plane, all looking along +x, in a ring without rounds unless the options say so. */
export function fight(
  places: readonly (readonly [x: number, y: number])[],
  setup: Setup = {},
  game: typeof sumo = sumo,
): Fight {
  const world = createWorld(game, { ...setup, options: { mode: 'practice', ...setup.options } })
  step(world, { controls: places.map((_, seat): Control => ({ control: 'join', seat })) })
  const ids = places.map((_, seat) => world.tables.players.thing[seat])
  const stage = { world, ids }
  for (const [seat, [x, y]] of places.entries()) place(stage, seat, x, y)
  return stage
}

/** The fighter of a seat. */
export function fighterOf({ world, ids }: Fight, seat: number): SumoThing {
  return thing(world, ids[seat])!
}

/** Puts a fighter somewhere on the ring, at rest. */
export function place(stage: Fight, seat: number, x: number, y: number): void {
  const values = { x, y, z: STANDING, vx: 0, vy: 0, vz: 0, facingX: 1, facingY: 0, grounded: 1 }
  Object.assign(fighterOf(stage, seat), values)
}

/** One tick with these inputs by seat; seats without one are idle. Returns the strikes as `attacker>victim`. */
export function tick(stage: Fight, inputs: Readonly<Record<number, Input>> = {}): string[] {
  const { world, ids } = stage
  step(world, { players: ids.map((_, seat) => ({ ...inputs[seat], seat })) })
  const { strike } = world.events
  return Array.from({ length: strike.count }, (_, n) => `${strike.attacker[n]}>${strike.victim[n]}`)
}

export function ticks(stage: Fight, count: number): string[] {
  return Array.from({ length: count }, () => tick(stage)).flat()
}

/** Ticks with an input in the first, until `isDone` says so; returns how many, or throws after `most`. */
export function until(stage: Fight, isDone: () => boolean, most = 600): number {
  for (let count = 0; count < most; count++) {
    if (isDone()) return count
    tick(stage)
  }
  throw new Error(`not done after ${most} ticks`)
}
