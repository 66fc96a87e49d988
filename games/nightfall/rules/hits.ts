/**
 * Who is hit by what, in the order of the seed document: everything that hits enemies first, so that an enemy shot in this
 * tick no longer bites; then bullets are shot down; then survivors are hurt. Touching is no hit.
 *
 * Within a rule contacts are decided oldest first. So a projectile hits the oldest enemy it meets, and of several enemies
 * that touch a survivor the oldest bites and the others meet its i-frames.
 */

import { addCircle, addShape, type Boxes, collide, emit, type Outcome, type Phase, rule } from 'hurtbox'
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
  LAYER,
  type NightOptions,
  type NightView,
  type NightWorld,
  SOURCE,
  TICK_RATE,
} from './declaration.ts'

const projectileHitsEnemy = rule(declaration, {
  name: 'projectile-enemy',
  attacker: 'projectile',
  victim: 'enemy',
  gates: ['dead', 'already-hit'],
  decide(view, { attacker: shot, victim: enemy }, outcome) {
    hurtEnemy(view, outcome, shot, enemy)
    pierce(view, outcome, shot)
    return 'hit'
  },
})

/** Blows, orbs and blasts are not spent; those that last hit the same enemy again after a while. */
const strikeHitsEnemy = rule(declaration, {
  name: 'strike-enemy',
  attacker: 'strike',
  victim: 'enemy',
  gates: ['dead', 'already-hit'],
  decide(view, { attacker: strike, victim: enemy }, outcome) {
    const { target, id, weapon } = view.tables.things
    if (target[strike] !== 0 && target[strike] !== id[enemy]) return 'not-its-target'
    hurtEnemy(view, outcome, strike, enemy)
    const { rehit = 0 } = WEAPONS[weapon[strike]]
    if (rehit > 0) outcome.remember(view.clock + rehit * TICK_RATE)
    return 'hit'
  },
})

/** Once a second. */
const hazardBurnsEnemy = rule(declaration, {
  name: 'hazard-enemy',
  attacker: 'hazard',
  victim: 'enemy',
  gates: ['dead', 'already-hit'],
  decide(view, { attacker: hazard, victim: enemy }, outcome) {
    const { damage, id } = view.tables.things
    hurt(view, outcome, enemy, damage[hazard], combat.type.fire, 0, id[hazard])
    tell(view, enemy, damage[hazard], SOURCE.hazard)
    outcome.remember(view.clock + TICK_RATE)
    return 'hit'
  },
})

/** Projectiles of different sides destroy each other. */
const projectileMeetsBullet = rule(declaration, {
  name: 'projectile-projectile',
  attacker: 'projectile',
  victim: 'bullet',
  decide(view, { attacker: shot, victim: bullet }, outcome) {
    const { x, y } = view.tables.things
    outcome.despawn(shot)
    outcome.despawn(bullet)
    emit(view.events.clash, { x: x[bullet], y: y[bullet] })
    return 'hit'
  },
})

const enemyTouchesSurvivor = rule(declaration, {
  name: 'enemy-player',
  attacker: 'enemy',
  victim: 'survivor',
  gates: ['dead', 'attacker-dead', 'invulnerable'],
  decide(view, { attacker: enemy, victim: survivor }, outcome) {
    const { id } = view.tables.things
    hurtSurvivor(view, outcome, enemy, survivor, combat.type.physical, id[enemy], SOURCE.enemy)
    knockBack(view, outcome, enemy, survivor, view.tuning.survivorKnockback)
    return 'hit'
  },
})

const bulletHitsSurvivor = rule(declaration, {
  name: 'bullet-player',
  attacker: 'bullet',
  victim: 'survivor',
  gates: ['dead', 'invulnerable'],
  decide(view, { attacker: bullet, victim: survivor }, outcome) {
    const { owner } = view.tables.things
    hurtSurvivor(view, outcome, bullet, survivor, combat.type.magic, owner[bullet], SOURCE.projectile)
    knockBack(view, outcome, bullet, survivor, view.tuning.bulletKnockback)
    outcome.despawn(bullet)
    return 'hit'
  },
})

const hazardBurnsSurvivor = rule(declaration, {
  name: 'hazard-player',
  attacker: 'hazard',
  victim: 'survivor',
  gates: ['dead', 'invulnerable'],
  decide(view, { attacker: hazard, victim: survivor }, outcome) {
    hurtSurvivor(view, outcome, hazard, survivor, combat.type.fire, 0, SOURCE.hazard)
    return 'hit'
  },
})

/** What a pickup is good for is in `pickups.ts`. */
const survivorTakesPickup = rule(declaration, {
  name: 'pickup-player',
  attacker: 'pickup',
  victim: 'survivor',
  gates: ['dead'],
  decide(view, { attacker: pickup, victim: survivor }, outcome) {
    const { id, kind, worth } = view.tables.things
    outcome.despawn(pickup)
    emit(view.events.taken, {
      survivor: id[survivor],
      pickup: id[pickup],
      pickupKind: kind[pickup],
      worth: worth[pickup],
    })
    return 'hit'
  },
})

/** Every rule about contacts, in the order they are asked. */
export const RULES = [
  projectileHitsEnemy,
  strikeHitsEnemy,
  hazardBurnsEnemy,
  projectileMeetsBullet,
  enemyTouchesSurvivor,
  bulletHitsSurvivor,
  hazardBurnsSurvivor,
  survivorTakesPickup,
]

/** The phase in which things meet. */
export function hits(options: NightOptions): Phase<typeof declaration> {
  return collide(RULES, { takes: { things: combat.takes }, pose: POSES, ...gridOf(options) })
}

const DOUBLE = purposeOf('double damage')

/** Damage and knockback by something a survivor (or nobody) has sent. */
function hurtEnemy(view: NightView, outcome: Outcome, shot: number, enemy: number): void {
  const { things } = view.tables
  const isDouble =
    things.doublePercent[shot] > 0 &&
    100 * unitAt(view.seed, view.clock, things.id[shot], things.id[enemy], DOUBLE) < things.doublePercent[shot]
  const asked = things.damage[shot] * (isDouble ? 2 : 1)
  const { type, knock } = WEAPONS[things.weapon[shot]]
  hurt(view, outcome, enemy, asked, combat.type[type], things.owner[shot], things.id[shot])
  tell(view, enemy, asked, SOURCE.projectile)
  knockBack(view, outcome, shot, enemy, view.tuning.enemyKnockback * knock)
}

/** Damage and i-frames. */
function hurtSurvivor(
  view: NightView,
  outcome: Outcome,
  by: number,
  survivor: number,
  type: number,
  attacker: number,
  source: number,
): void {
  const { damage, id } = view.tables.things
  hurt(view, outcome, survivor, damage[by], type, attacker, id[by])
  tell(view, survivor, damage[by], source)
  protect(view, outcome, survivor, view.tuning.iframes)
}

/** Moves the victim away by the whole distance, or (as the origin did) by what a speed of that size does in one tick. */
function knockBack(view: NightView, outcome: Outcome, from: number, victim: number, distance: number): void {
  if (distance === 0) return
  const { x, y } = view.tables.things
  const scale = view.options.knockbackMode === 'displace' ? 1 : DT
  knockback(view, outcome, victim, x[from], y[from], distance * scale, 'displace')
}

/** The damage event of the seed document. The engine's own, `damage`, says more. */
function tell(view: NightView, target: number, damage: number, source: number): void {
  emit(view.events.hit, { frame: view.tick, target: view.tables.things.id[target], damage, source })
}

/** What the whip sweeps, for each level of the perk that makes it larger. */
const SWEEPS = [0, 1, 2, 3].map((size) => arc(100 * (1 + 0.3 * size), TAU / 3))
/** Burning ground lies along x or along y. */
const HAZARDS = [box(60, 30), box(30, 60)]

/** Whatever is not named here is a circle. */
export const POSES = { enemy: poseEnemy, strike: poseStrike, hazard: poseHazard }

/** The body, and what sticks out of it. */
function poseEnemy(world: NightWorld, row: number, boxes: Boxes): void {
  const { kind, x, y, radius } = world.tables.things
  addCircle(boxes, row, LAYER.enemy, x[row], y[row], radius[row])
  const { more } = ENEMIES[kind[row] - 1]
  if (more === undefined) return
  for (const part of more) {
    addCircle(boxes, row, LAYER.enemy, x[row] + part.x, y[row] + part.y, part.radius)
  }
}

function poseStrike(world: NightWorld, row: number, boxes: Boxes): void {
  const { weapon, x, y, vx, vy, radius, slot } = world.tables.things
  if (WEAPONS[weapon[row]].pattern === 'sweep') {
    addShape(boxes, row, LAYER.strike, SWEEPS[slot[row]], x[row], y[row], vx[row], vy[row])
  } else {
    addCircle(boxes, row, LAYER.strike, x[row], y[row], radius[row])
  }
}

/** Ground that only glows yet has no box. */
function poseHazard(world: NightWorld, row: number, boxes: Boxes): void {
  const { x, y, slot, readyAt } = world.tables.things
  if (readyAt[row] > world.clock) return
  addShape(boxes, row, LAYER.hazard, HAZARDS[slot[row]], x[row], y[row])
}
