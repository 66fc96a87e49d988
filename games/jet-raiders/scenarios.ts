/** What the seed document says of a hit, each sentence as a small scene. Ships stand still and appear as in the seed. */

import { createWorld, each, playerAt, step } from 'hurtbox'
import { spawnFrom } from 'hurtbox/combat'
import type { Scenario } from 'hurtbox/module'
import { scenario } from '../scenario.ts'
import { DT, type declaration, type JetThing, type JetWorld, KIND } from './rules/declaration.ts'
import type { jetRaiders } from './rules/index.ts'
import { AS_IN_THE_SEED } from './scenes/index.ts'

type Game = typeof jetRaiders

/** Ships at these places of the x axis, seat by seat. */
function ships(game: Game, places: readonly number[]): { world: JetWorld; ships: JetThing[] } {
  const world = createWorld(game, { tuning: AS_IN_THE_SEED })
  step(world, { controls: places.map((_, seat) => ({ control: 'join', seat })) })
  const ships = places.map((x, seat) => Object.assign(playerAt(world, seat)!.thing!, { x, y: 0 }))
  return { world, ships }
}

/** A bullet of a ship that is at (x, y) after its next move. */
function bulletAt(world: JetWorld, owner: JetThing, x: number, y = 0): JetThing {
  const [vx, endsAt] = [world.tuning.bulletSpeed, world.clock + world.tuning.bulletLife]
  const radius = world.tuning.bulletRadius
  return spawnFrom(owner, 'bullet', { kind: KIND.bullet, radius, x: x - vx * DT, y, vx, vy: 0, endsAt })
}

/** Plays ticks and says what was hit in each, by seat, and how many bullets are left. */
function hits({ world, ships }: { world: JetWorld; ships: JetThing[] }, ticks: number): string {
  const seatOf = (id: number) => ships.findIndex((ship) => ship.id === id)
  const parts: string[] = []
  for (let tick = 1; tick <= ticks; tick++) {
    step(world)
    const { hit, kill, returned } = world.events
    for (let n = 0; n < hit.count; n++) {
      parts.push(
        `tick ${tick}: seat ${seatOf(hit.shooter[n])} hits seat ${seatOf(hit.victim[n])}, ${hit.hpAfter[n]} hp left`,
      )
    }
    for (let n = 0; n < kill.count; n++) parts.push(`tick ${tick}: seat ${seatOf(kill.victim[n])} dies`)
    for (let n = 0; n < returned.count; n++) parts.push(`tick ${tick}: seat ${seatOf(returned.ship[n])} is back`)
  }
  if (parts.length === 0) parts.push('no hit')
  parts.push(`bullets left: ${[...each(world, 'bullet')].length}`)
  return parts.join('; ')
}

export const scenarios: readonly Scenario<typeof declaration>[] = [
  scenario(
    'touching-hits',
    'collision shapes: dx*dx + dy*dy <= hit_radius_sq',
    'tick 1: seat 0 hits seat 1, 70 hp left; bullets left: 0',
    (game) => {
      const field = ships(game, [-300, 0])
      bulletAt(field.world, field.ships[0], -29)
      return hits(field, 1)
    },
  ),
  scenario('a-hair-apart', 'collision shapes', 'no hit; bullets left: 1', (game) => {
    const field = ships(game, [-300, 0])
    bulletAt(field.world, field.ships[0], -29.001)
    return hits(field, 1)
  }),
  scenario('owner-immunity', 'important behavior rules 1', 'no hit; bullets left: 1', (game) => {
    const field = ships(game, [0, 300])
    bulletAt(field.world, field.ships[0], 0)
    return hits(field, 1)
  }),
  scenario(
    'despawn-on-hit',
    'important behavior rules 2: one hit per projectile, the first in the list of players',
    'tick 1: seat 0 hits seat 1, 70 hp left; bullets left: 0',
    (game) => {
      const field = ships(game, [-300, 10, 0])
      bulletAt(field.world, field.ships[0], 0)
      return hits(field, 3)
    },
  ),
  scenario(
    'dead-are-skipped',
    'projectile vs player collision: if !e.alive continue',
    'tick 1: seat 0 hits seat 1, 0 hp left; tick 1: seat 1 dies; bullets left: 1',
    (game) => {
      const field = ships(game, [-300, 0])
      field.ships[1].hp = 30
      bulletAt(field.world, field.ships[0], 0)
      bulletAt(field.world, field.ships[0], 2)
      return hits(field, 1)
    },
  ),
  scenario(
    'four-hits-and-back',
    'notes: despawns and respawns after 1 second',
    'tick 1: seat 0 hits seat 1, 70 hp left; tick 2: seat 0 hits seat 1, 40 hp left; tick 3: seat 0 hits seat 1, 10 hp left; ' +
      'tick 4: seat 0 hits seat 1, 0 hp left; tick 4: seat 1 dies; tick 67: seat 1 is back; bullets left: 0',
    (game) => {
      const field = ships(game, [-300, 0])
      const step = field.world.tuning.bulletSpeed * DT
      for (let n = 0; n < 4; n++) bulletAt(field.world, field.ships[0], -28 - n * step)
      return hits(field, 70)
    },
  ),
]
