/**
 * A game with nothing but abilities, in space or in the plane, for tests that say what content they are about.
 *
 * There is no gravity and no ground: what moves, moves because of an ability. `press` writes presses for the next step; tests
 * write facings and places themselves.
 */

import { capsule } from '../../src/geometry/volumes/index.ts'
import {
  addCircle,
  addVolume,
  type Blocks,
  collide,
  createWorld,
  declareGame,
  defineGame,
  each,
  findRow,
  press as pressInput,
  spawn,
  step,
  thing,
} from '../../src/index.ts'
import {
  type AbilitySpec,
  addWindows,
  advanceAbilities,
  carry,
  defineAbilities,
  type EffectSpec,
  flyMissiles,
  isStopped,
  poseMissile,
  pressSlot,
  settleHits,
  strikes,
} from '../../src/kits/abilities/index.ts'
import { defineCombat } from '../../src/kits/combat/index.ts'

export type Content = Readonly<Record<string, AbilitySpec>>

export const KIND = { fighter: 1, shot: 2, area: 3 }
const BODY = { radius: 1, halfLength: 0.5 }

export type ArenaOptions = {
  /** By slot; default: a slot of its name for every ability. */
  readonly slots?: Readonly<Record<string, readonly string[]>>
  readonly plane?: boolean
  readonly statics?: Blocks
  readonly wear?: number
  readonly shieldsStop?: 'everything' | 'damage'
  /** With levels, aims and slowness, which content may ask for. */
  readonly isRich?: boolean
  /** How many hits can be remembered. */
  readonly hits?: number
}

/** Whether the things of an arena have a height: not in the plane. */
function isInSpace<T extends object>(thing: T): thing is T & { z: number; vz: number } {
  return 'z' in thing
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
    projectile: { kind: KIND.shot, layer: 'shot' },
    area: { kind: KIND.area, layer: 'hitbox' },
    ...(options.wear !== undefined && { wear: options.wear }),
    ...(options.shieldsStop !== undefined && { shieldsStop: options.shieldsStop }),
  })
  const space = { z: 'f64', vz: 'f64', halfLength: 'f64', grounded: 'u8' } as const
  const rich = { level: 'u8', aimX: 'f64', aimY: 'f64', slowedUntil: 'timer', slowFactor: 'f64' } as const
  const declaration = declareGame({
    id: 'arena',
    tickRate: 64,
    layers: { body: ['hitbox', 'shot'], hitbox: [], shot: [] },
    capacity: 64,
    things: {
      ...combat.columns,
      ...abilities.columns,
      ...(options.plane !== true && space),
      ...(options.isRich === true && rich),
      ownTimer: 'timer',
    },
    hits: options.hits ?? 256,
    tables: { casts: abilities.casts },
    arrays: { presses: { type: 'u8', length: 64 * 8 } },
    globals: abilities.globals,
    input: { unused: pressInput() },
    events: { ...combat.events, ...abilities.events },
  })
  const body = capsule(BODY.radius, BODY.halfLength)
  const rule = { touching: true, gates: ['owner', 'team'], ...strikes(abilities) } as const

  const game = defineGame(declaration, {
    phases: {
      fly: flyMissiles(options.statics),
      advance: advanceAbilities(abilities),
      act(world) {
        const { things } = world.tables
        const { presses } = world.arrays
        for (let row = 0; row < things.count; row++) {
          const presser = thing(world, things.id[row])!
          for (let slot = 0; slot < abilities.slotNames.length; slot++) {
            const at = row * 8 + slot
            pressSlot(abilities, presser, abilities.slotNames[slot], presses[at])
            presses[at] = 0
          }
        }
      },
      move(world) {
        for (const fighter of each(world, 'body')) {
          if (fighter.heldBy !== 0 || isStopped(fighter)) continue
          fighter.x += fighter.vx / 64
          fighter.y += fighter.vy / 64
          if (isInSpace(fighter)) fighter.z += fighter.vz / 64
        }
      },
      carry,
      hits: collide(
        declaration,
        {
          'hitbox hits body': { between: ['hitbox', 'body'], ...rule },
          'shot hits body': { between: ['shot', 'body'], ...rule },
        },
        {
          pose: {
            body(fighter, boxes) {
              addWindows(abilities, fighter, boxes, 'hitbox')
              if (isInSpace(fighter)) addVolume(boxes, body, fighter)
              else addCircle(boxes, fighter)
            },
            hitbox: (area, boxes) => poseMissile(abilities, area, boxes),
            shot: (shot, boxes) => poseMissile(abilities, shot, boxes),
          },
        },
      ),
      settle: settleHits(abilities),
    },
  })
  return { game, abilities, world: createWorld(game) }
}

export type Arena = ReturnType<typeof arena>
export type ArenaThing = NonNullable<ReturnType<typeof thing<Arena['game']['declaration']>>>

/** Adds a fighter; returns its id. It looks along +x unless a facing is given. */
export function enter({ world }: Arena, x: number, y = 0, facingX = 1, facingY = 0): number {
  const health = { hp: 100, maxHp: 100, invMass: 0.5 }
  return spawn(world, 'body', { kind: KIND.fighter, x, y, radius: BODY.radius, facingX, facingY, ...health }).id
}

/** The thing with this id. */
export function fighter({ world }: Arena, id: number): ArenaThing {
  return thing(world, id)!
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

/** Steps once; returns the strikes of the tick as [attacker, victim]. */
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
