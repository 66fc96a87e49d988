/**
 * What hits what, in the order of the seed document: first what hits enemies, so that an enemy shot in this tick no longer
 * bites; then bullets are shot down; then survivors are hurt. Within a rule the oldest come first: a projectile hits the
 * oldest enemy it meets, and of several that touch a survivor the oldest bites and the others meet its i-frames.
 */

import { addCircle, addShape, collide, despawn, emit, type Phase } from 'hurtbox'
import { hurt, knockback, pierce, protect } from 'hurtbox/combat'
import { purposeOf, TAU, unitAt } from 'hurtbox/math'
import { arc, box } from 'hurtbox/shapes'
import { gridOf } from '../../grid.ts'
import { ENEMIES } from './content/enemies.ts'
import { WEAPONS } from './content/weapons.ts'
import {
  combat,
  DT,
  declaration,
  type NightOptions,
  type NightRuleWorld,
  type NightThing,
  SOURCE,
  TICK_RATE,
} from './declaration.ts'

const { physical, magic, fire } = combat.type

export function hits(options: NightOptions): Phase<typeof declaration> {
  return collide(
    declaration,
    {
      'projectile hits enemy': {
        between: ['projectile', 'enemy'],
        gates: ['dead'],
        once: true,
        decide(shot, enemy, { world }) {
          hurtEnemy(world, enemy, shot)
          pierce(shot)
        },
      },

      /** Not used up by a hit; orbs and axes hit the same enemy again after a while. */
      'strike hits enemy': {
        between: ['strike', 'enemy'],
        gates: ['dead'],
        once: ({ weapon }) => (WEAPONS[weapon].rehit ?? 0) * TICK_RATE,
        decide(strike, enemy, { world }) {
          if (strike.target !== 0 && strike.target !== enemy.id) return 'not its target'
          hurtEnemy(world, enemy, strike)
        },
      },

      /** Once a second. */
      'hazard burns enemy': {
        between: ['hazard', 'enemy'],
        gates: ['dead'],
        once: TICK_RATE,
        decide(hazard, enemy, { world }) {
          harm(world, enemy, hazard, fire)
        },
      },

      /** Projectiles of different sides destroy each other. */
      'projectile meets bullet': {
        between: ['projectile', 'bullet'],
        decide(shot, bullet, { world }) {
          despawn(shot)
          despawn(bullet)
          emit(world, 'clash', { x: bullet.x, y: bullet.y })
        },
      },

      'enemy touches survivor': {
        between: ['enemy', 'survivor'],
        gates: ['dead', 'attacker-dead', 'invulnerable'],
        decide(enemy, survivor, { world }) {
          hurtSurvivor(world, survivor, enemy, physical)
          knockBack(world, survivor, enemy, world.tuning.survivorKnockback)
        },
      },

      'bullet hits survivor': {
        between: ['bullet', 'survivor'],
        gates: ['dead', 'invulnerable'],
        decide(bullet, survivor, { world }) {
          hurtSurvivor(world, survivor, bullet, magic)
          knockBack(world, survivor, bullet, world.tuning.bulletKnockback)
          despawn(bullet)
        },
      },

      'hazard burns survivor': {
        between: ['hazard', 'survivor'],
        gates: ['dead', 'invulnerable'],
        decide(hazard, survivor, { world }) {
          hurtSurvivor(world, survivor, hazard, fire)
        },
      },

      /** What a pickup does is in `pickups.ts`. */
      'survivor takes pickup': {
        between: ['pickup', 'survivor'],
        gates: ['dead'],
        decide(pickup, survivor, { world }) {
          despawn(pickup)
          emit(world, 'taken', { survivor, pickup, pickupKind: pickup.kind, worth: pickup.worth })
        },
      },
    },
    {
      ...gridOf(options),
      // Everything else is a circle.
      pose: {
        enemy(enemy, boxes) {
          addCircle(boxes, enemy)
          const { more } = ENEMIES[enemy.kind - 1]
          if (more === undefined) return
          for (const { x, y, radius } of more) {
            part.x = enemy.x + x
            part.y = enemy.y + y
            part.radius = radius
            addCircle(boxes, part)
          }
        },

        strike(strike, boxes) {
          const { weapon, slot, x, y, vx, vy } = strike
          if (WEAPONS[weapon].pattern !== 'sweep') addCircle(boxes, strike)
          else addShape(boxes, SWEEPS[slot], { x, y, facingX: vx, facingY: vy })
        },

        /** Ground that only glows has no box. */
        hazard(hazard, boxes, { clock }) {
          if (hazard.readyAt <= clock) addShape(boxes, HAZARDS[hazard.slot], hazard)
        },
      },
    },
  )
}

/** Scratch: a hurtbox besides the body. */
const part = { x: 0, y: 0, radius: 0 }
/** What the whip sweeps, for each level of the perk that makes it larger. */
const SWEEPS = [0, 1, 2, 3].map((size) => arc(100 * (1 + 0.3 * size), TAU / 3))
/** Burning ground lies along x or along y. */
const HAZARDS = [box(60, 30), box(30, 60)]

const DOUBLE = purposeOf('double damage')

/** Damage and knockback by a projectile or a strike. */
function hurtEnemy(world: NightRuleWorld, enemy: NightThing, shot: NightThing): void {
  const { doublePercent } = shot
  const isDouble = doublePercent > 0 && 100 * unitAt(world.seed, world.clock, shot.id, enemy.id, DOUBLE) < doublePercent
  const { type, knock } = WEAPONS[shot.weapon]
  harm(world, enemy, shot, combat.type[type], isDouble ? 2 : 1)
  knockBack(world, enemy, shot, world.tuning.enemyKnockback * knock)
}

function hurtSurvivor(world: NightRuleWorld, survivor: NightThing, by: NightThing, type: number): void {
  harm(world, survivor, by, type)
  protect(survivor, world.tuning.iframes)
}

/** Moves the victim away by the whole distance, or (as the origin did) by what a speed of that size does in one tick. */
function knockBack({ options }: NightRuleWorld, victim: NightThing, from: NightThing, distance: number): void {
  if (distance > 0) knockback(victim, from, options.knockbackMode === 'displace' ? distance : distance * DT)
}

/** Damage, and the event of the seed document. The engine's own, `damage`, has more fields. */
function harm(world: NightRuleWorld, target: NightThing, by: NightThing, type: number, times = 1): void {
  const damage = hurt(target, by.damage * times, by, type)
  emit(world, 'hit', { frame: world.tick, target, damage, source: SOURCE[by.layer] })
}
