/** A small arena: ships where a test wants them, and as many ticks as it wants. */

import { createWorld, type EventRecord, rowOf, spawn, step } from 'hurtbox'
import { ofKind } from '../../test/run.ts'
import { type declaration, type JetOptions, type JetWorld, KIND } from '../rules/declaration.ts'
import { jetRaiders } from '../rules/index.ts'

type Tuning = Partial<Record<keyof typeof declaration.tuning, number>>

export { isThere, ofKind, run } from '../../test/run.ts'

export type Place = { readonly x: number; readonly y?: number; readonly heading?: number; readonly hp?: number }

/** A world in which `places.length` ships stand where they are told, without teams. The next tick is tick 1. */
export function arena(
  places: readonly Place[],
  given: { options?: Partial<JetOptions>; tuning?: Tuning; seed?: number; teams?: readonly number[] } = {},
): JetWorld {
  const { seed = 1, options = {}, tuning = {}, teams = [] } = given
  const world = createWorld(jetRaiders, { seed, options, tuning })
  step(world, { controls: places.map((_, seat) => ({ control: 'join', seat, team: teams[seat] ?? 0 })) })
  places.forEach((place, seat) => {
    put(world, seat, place)
  })
  return world
}

/** The row of the ship that joined as number `seat`. Ships are made first, so their ids are 1, 2, … */
export function ship(world: JetWorld, seat: number): number {
  return rowOf(world.tables.things, seat + 1)
}

export function put(world: JetWorld, seat: number, { x, y = 0, heading = 0, hp = 100 }: Place): void {
  const { things } = world.tables
  const row = ship(world, seat)
  things.x[row] = x
  things.y[row] = y
  things.heading[row] = heading
  things.hp[row] = hp
}

/** A bullet of `seat` that will be at (x, y) after its next move. Gives its id. */
export function bulletTo(world: JetWorld, seat: number, x: number, y = 0, vx = 500, vy = 0): number {
  const { things } = world.tables
  return spawn(things, {
    kind: KIND.bullet,
    layer: 1,
    owner: seat + 1,
    team: things.team[ship(world, seat)],
    radius: world.tuning.bulletRadius,
    x: x - vx * 0.016,
    y: y - vy * 0.016,
    vx,
    vy,
    endsAt: world.clock + world.tuning.bulletLife - 1,
  })
}

/** Ticks in which an event of this kind was told. */
export function ticksOf(events: readonly EventRecord[], kind: string): number[] {
  return ofKind(events, kind).map(({ tick }) => tick)
}
