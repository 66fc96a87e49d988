/** A small arena: ships placed where a test needs them, and bullets. */

import { createWorld, playerAt, step, thing } from 'hurtbox'
import { spawnFrom } from 'hurtbox/combat'
import { ofKind } from '../../test/run.ts'
import {
  type declaration,
  type JetOptions,
  type JetPlayer,
  type JetThing,
  type JetWorld,
  KIND,
} from '../rules/declaration.ts'
import { jetRaiders } from '../rules/index.ts'
import { AS_IN_THE_SEED } from '../scenes/index.ts'

type Tuning = Partial<Record<keyof typeof declaration.tuning, number>>

export { ofKind, run } from '../../test/run.ts'

export type Place = { readonly x: number; readonly y?: number; readonly heading?: number; readonly hp?: number }

/** A world with a ship at each of the places, without teams, and no protection. The next tick is tick 1. */
export function arena(
  places: readonly Place[],
  given: { options?: Partial<JetOptions>; tuning?: Tuning; seed?: number; teams?: readonly number[] } = {},
): JetWorld {
  const { seed = 1, options = {}, tuning = {}, teams = [] } = given
  const world = createWorld(jetRaiders, { seed, options, tuning: { ...AS_IN_THE_SEED, ...tuning } })
  step(world, { controls: places.map((_, seat) => ({ control: 'join', seat, team: teams[seat] ?? 0 })) })
  places.forEach((place, seat) => {
    put(world, seat, place)
  })
  return world
}

/** The ship that joined as number `seat`. Ships are made first, so their ids are 1, 2, … */
export function ship(world: JetWorld, seat: number): JetThing {
  return thing(world, seat + 1)!
}

export function player(world: JetWorld, seat: number): JetPlayer {
  return playerAt(world, seat)!
}

export function put(world: JetWorld, seat: number, { x, y = 0, heading = 0, hp = 100 }: Place): void {
  Object.assign(ship(world, seat), { x, y, heading, hp })
}

/** A bullet of `seat` that will be at (x, y) after its next move. */
export function bulletTo(world: JetWorld, seat: number, x: number, y = 0, vx = 500, vy = 0): JetThing {
  return spawnFrom(ship(world, seat), 'bullet', {
    kind: KIND.bullet,
    radius: world.tuning.bulletRadius,
    x: x - vx * 0.016,
    y: y - vy * 0.016,
    vx,
    vy,
    endsAt: world.clock + world.tuning.bulletLife - 1,
  })
}

/** Ticks with an event of this kind. */
export function ticksOf<E extends { readonly kind: string; readonly tick: number }>(
  events: readonly E[],
  kind: E['kind'],
): number[] {
  return ofKind(events, kind).map(({ tick }) => tick)
}
