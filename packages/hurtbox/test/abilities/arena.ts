/**
 * A game with nothing but abilities, in space or in the plane, for tests that say what content they are about.
 *
 * There is no gravity and no ground: what moves, moves because an ability said so. Slots are pressed by `press`, which puts
 * the presses where the next step finds them; facings and places are written by the tests.
 */

import {
  type AbilitySpec,
  addWindows,
  advanceAbilities,
  attackOf,
  carry,
  defineAbilities,
  type EffectSpec,
  flyMissiles,
  isStopped,
  poseMissile,
  pressSlot,
  settleHits,
  strike,
} from '../../src/abilities/index.ts'
import { defineCombat } from '../../src/combat/index.ts'
import {
  addBody,
  addCircle,
  addRow,
  type Boxes,
  collide,
  createWorld,
  declareGame,
  defineGame,
  findRow,
  press as pressInput,
  rule,
  step,
  type World,
} from '../../src/index.ts'
import type { Terrain } from '../../src/motion/index.ts'
import { capsule } from '../../src/volumes/index.ts'

export type Content = Readonly<Record<string, AbilitySpec>>

const LAYER = { body: 0, hitbox: 1, shot: 2 }
export const KIND = { fighter: 1, shot: 2, area: 3 }
const BODY = { radius: 1, halfLength: 0.5 }

export type ArenaOptions = {
  /** By slot; default: a slot of its name for every ability. */
  readonly slots?: Readonly<Record<string, readonly string[]>>
  readonly plane?: boolean
  readonly terrain?: Terrain
  readonly wear?: number
}

/** The game for some content. */
export function arena(content: Content, options: ArenaOptions = {}) {
  const combat = defineCombat({ damageTypes: ['blow', 'fire'] })
  const names = Object.keys(content)
  const abilities = defineAbilities({
    source: 'arena.ts',
    abilities: content,
    slots: options.slots ?? Object.fromEntries(names.map((name) => [name, [name]])),
    damageTypes: combat.typeNames,
    projectile: { kind: KIND.shot, layer: LAYER.shot },
    area: { kind: KIND.area, layer: LAYER.hitbox },
    ...(options.wear !== undefined && { wear: options.wear }),
  })
  const space = { z: 'f64', vz: 'f64', halfLength: 'f64', grounded: 'u8' } as const
  const declaration = declareGame({
    id: 'arena',
    rulesVersion: 1,
    tickRate: 64,
    seats: { min: 0, max: 8 },
    layers: { body: ['hitbox', 'shot'], hitbox: [], shot: [] },
    tables: {
      things: {
        capacity: 64,
        columns: { ...combat.columns, ...abilities.columns, ...(options.plane !== true && space), ownTimer: 'timer' },
      },
      casts: abilities.casts,
      hits: { capacity: 256, columns: {} },
    },
    arrays: { presses: { type: 'u8', length: 64 * 8 } },
    globals: abilities.globals,
    input: { unused: pressInput() },
    events: { ...combat.events, ...abilities.events },
  })
  type ArenaWorld = World<typeof declaration>
  const body = capsule(BODY.radius, BODY.halfLength)

  const hits = (attacker: 'hitbox' | 'shot') =>
    rule(declaration, {
      name: `${attacker}-hits-body`,
      attacker,
      victim: 'body',
      touching: true,
      gates: ['owner', 'team', 'already-hit'],
      attack: (view, contact) => attackOf(abilities, view, contact),
      decide: (view, contact, outcome) => strike(abilities, view, contact, outcome),
    })
  const poseBody = (world: ArenaWorld, row: number, boxes: Boxes): void => {
    const { things } = world.tables
    addWindows(abilities, world, row, boxes, LAYER.hitbox)
    if (things.z === undefined) addCircle(boxes, row, LAYER.body, things.x[row], things.y[row], BODY.radius)
    else addBody(boxes, things as typeof things & { z: Float64Array }, row, LAYER.body, body)
  }
  const poseReleased = (world: ArenaWorld, row: number, boxes: Boxes) => poseMissile(abilities, world, row, boxes)

  const game = defineGame(declaration, {
    phases: () => ({
      fly: (world) => flyMissiles(world, options.terrain),
      advance: (world) => advanceAbilities(abilities, world),
      act(world) {
        const { things } = world.tables
        const { presses } = world.arrays
        for (let row = 0; row < things.count; row++) {
          for (let slot = 0; slot < abilities.slotNames.length; slot++) {
            const at = row * 8 + slot
            pressSlot(abilities, world, row, slot, presses[at])
            presses[at] = 0
          }
        }
      },
      move(world) {
        const { count, kind, x, y, z, vx, vy, vz, heldBy } = world.tables.things
        for (let row = 0; row < count; row++) {
          if (kind[row] !== KIND.fighter || heldBy[row] !== 0 || isStopped(world, row)) continue
          x[row] += vx[row] / 64
          y[row] += vy[row] / 64
          if (z !== undefined) z[row] += vz![row] / 64
        }
      },
      carry,
      hits: collide([hits('hitbox'), hits('shot')], {
        takes: { things: abilities.takes },
        pose: { body: poseBody, hitbox: poseReleased, shot: poseReleased },
      }),
      settle: (world) => settleHits(abilities, world),
    }),
  })
  return { game, abilities, world: createWorld(game) }
}

export type Arena = ReturnType<typeof arena>
export type ArenaWorld = Arena['world']

/** Adds a fighter; gives its id. It looks along +x unless told otherwise. */
export function enter({ world }: Arena, x: number, y = 0, facingX = 1, facingY = 0): number {
  const { things } = world.tables
  const row = addRow(things)
  things.kind[row] = KIND.fighter
  things.layer[row] = LAYER.body
  things.x[row] = x
  things.y[row] = y
  things.radius[row] = BODY.radius
  things.facingX[row] = facingX
  things.facingY[row] = facingY
  things.hp[row] = 100
  things.maxHp[row] = 100
  things.invMass[row] = 0.5
  return things.id[row]
}

export function row({ world }: Arena, id: number): number {
  return findRow(world.tables.things, id)
}

/** The fighter `id` presses a slot in the next step. */
export function press(stage: Arena, id: number, slot: string, times = 1): void {
  const number = stage.abilities.slotNames.indexOf(slot)
  stage.world.arrays.presses[row(stage, id) * 8 + number] += times
}

const PHASES = ['-', 'startup', 'active', 'recovery', 'waiting']

/** The phase of what keeps `id` busy, with its step, as text: `active 1`; `-` for nothing. */
export function phaseOf({ world }: Arena, id: number): string {
  const { things, casts } = world.tables
  const cast = findRow(casts, things.busyWith[findRow(things, id)])
  return cast < 0 ? '-' : `${PHASES[casts.phase[cast]]} ${casts.step[cast]}`
}

/** Steps once; gives the strikes of the tick as [attacker, victim]. */
export function tick({ world }: Arena): [number, number][] {
  step(world)
  const { strike: struck } = world.events
  return Array.from({ length: struck.count }, (_, n) => [struck.attacker[n], struck.victim[n]])
}

export function ticks(stage: Arena, count: number): [number, number][] {
  return Array.from({ length: count }, () => tick(stage)).flat()
}

/** The document's melee box. */
export const box: EffectSpec = { on: 'active', melee: { box: [0.5, 0.75, 1], ahead: 1.5 } }

/** An ability of one tick. */
export function cast(...effects: readonly EffectSpec[]): AbilitySpec {
  return { startup: 0, active: 1, recovery: 0, cooldown: 0, effects }
}
