/** Who is hit by what. */

import { addMovingCircle, type Boxes, collide, emit, type Phase, type Rule, rule } from 'hurtbox'
import { hurt } from 'hurtbox/combat'
import { gridOf } from '../../grid.ts'
import { combat, DT, declaration, HEIGHT, type JetOptions, type JetWorld, WIDTH } from './declaration.ts'
import { afflict } from './effects.ts'

/** A shielded ship ignores damage: the shield stops the bullet and nothing else happens. */
const shieldStopsBullet = rule(declaration, {
  name: 'shield-stops-bullet',
  attacker: 'bullet',
  victim: 'ship',
  touching: true,
  gates: ['owner', 'team', 'dead'],
  decide(view, { attacker: bullet, victim: ship }, outcome) {
    const { things } = view.tables
    if (things.hittableFrom[ship] <= view.clock) return 'no shield'
    outcome.despawn(bullet)
    emit(view.events.block, { victim: things.id[ship], shooter: things.owner[bullet], projectile: things.id[bullet] })
    return 'hit'
  },
})

const bulletHitsShip = rule(declaration, {
  name: 'bullet-hits-ship',
  attacker: 'bullet',
  victim: 'ship',
  touching: true,
  gates: ['owner', 'team', 'dead'],
  decide(view, { attacker: bullet, victim: ship }, outcome) {
    const { things } = view.tables
    const [shooter, projectile] = [things.owner[bullet], things.id[bullet]]
    const taken = hurt(view, outcome, ship, view.tuning.bulletDamage, combat.type.bullet, shooter, projectile)
    afflict(view, outcome, ship)
    outcome.despawn(bullet)
    emit(view.events.hit, { victim: things.id[ship], shooter, projectile, hpAfter: things.hp[ship] - taken })
    return 'hit'
  },
})

/** Ships that touch hurt each other at once, and again after a while if they stay. Both may die of it. */
const shipRamsShip = rule(declaration, {
  name: 'ship-rams-ship',
  attacker: 'ship',
  victim: 'ship',
  mutual: true,
  touching: true,
  gates: ['team', 'dead', 'invulnerable', 'already-hit'],
  decide(view, { attacker, victim }, outcome) {
    const { things } = view.tables
    const { rammingDamage, rammingInterval } = view.tuning
    // Who dies in this tick still rams; who was dead before is not there.
    if (things.returnsAt[attacker] > view.clock) return 'wreck'
    hurt(view, outcome, victim, rammingDamage, combat.type.ramming, things.id[attacker], things.id[attacker])
    outcome.remember(view.clock + rammingInterval)
    return 'hit'
  },
})

const bulletsClash = rule(declaration, {
  name: 'bullets-clash',
  attacker: 'bullet',
  victim: 'bullet',
  touching: true,
  gates: ['owner', 'team'],
  decide(view, { attacker: older, victim: younger }, outcome) {
    const { id } = view.tables.things
    outcome.despawn(older)
    outcome.despawn(younger)
    emit(view.events.clash, { older: id[older], younger: id[younger] })
    return 'hit'
  },
})

/** The phase in which things meet. Of several ships that a bullet meets, the one that joined first is hit. */
export function hits(options: JetOptions): Phase<typeof declaration> {
  const { edges, ramming, bulletClash, swept } = options
  const rules: Rule<typeof declaration>[][] = [[shieldStopsBullet, bulletHitsShip]]
  if (bulletClash) rules.unshift([bulletsClash])
  if (ramming) rules.push([shipRamsShip])
  return collide(swept ? [rules.flat()] : rules, {
    takes: { things: combat.takes },
    ...gridOf(options),
    ...(edges === 'torus' && { topology: { kind: 'torus', width: WIDTH, height: HEIGHT } }),
    // Swept, all rules share one order: the earliest impact wins, and among equals the lowest index as ever.
    ...(swept && { pose: { bullet: poseFlight }, orderKey: (_view, { time }) => time }),
  })
}

/** Ships have moved before the bullets do, so bullets pass ships that stand. */
function poseFlight(world: JetWorld, row: number, boxes: Boxes): void {
  const { layer, x, y, vx, vy, radius } = world.tables.things
  addMovingCircle(boxes, row, layer[row], x[row], y[row], radius[row], vx[row] * DT, vy[row] * DT)
}
