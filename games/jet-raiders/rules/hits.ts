/** Who is hit by what. */

import { addCircle, addMovingCircle, type Boxes, type CollideOptions, collide, emit, ROLE, type Rule, rule } from 'hurtbox'
import { hurt } from 'hurtbox/combat'
import { combat, DT, declaration, HEIGHT, type JetWorld, KIND, WIDTH } from './declaration.ts'

const bulletHitsShip = rule(declaration, {
  name: 'bullet-hits-ship',
  attacker: 'bullet',
  victim: 'ship',
  touching: true,
  gates: ['owner', 'team', 'dead', 'invulnerable'],
  decide(view, { attacker: bullet, victim: ship }, outcome) {
    const { things } = view.tables
    const { tuning } = view
    const shooter = things.owner[bullet]
    const taken = hurt(view, outcome, ship, tuning.bulletDamage, combat.type.bullet, shooter, things.id[bullet])
    if (view.options.iceBullets) outcome.put(things.slowUntil, ship, view.clock + tuning.slowTime)
    outcome.despawn(bullet)
    emit(view.events.hit, {
      victim: things.id[ship],
      shooter,
      projectile: things.id[bullet],
      hpAfter: things.hp[ship] - taken,
    })
    return 'hit'
  },
})

/** Ships that touch hurt each other, for as long as they do. */
const shipRamsShip = rule(declaration, {
  name: 'ship-rams-ship',
  attacker: 'ship',
  victim: 'ship',
  mutual: true,
  gates: ['team', 'dead', 'invulnerable'],
  decide(view, { attacker, victim }, outcome) {
    const { things } = view.tables
    const wasAlive = things.maxHp[attacker] > 0 && things.returnsAt[attacker] <= view.clock
    if (!wasAlive) return 'wreck'
    hurt(view, outcome, victim, view.tuning.rammingDamage, combat.type.ramming, things.id[attacker], things.id[attacker])
    return 'hit'
  },
})

const bulletsClash = rule(declaration, {
  name: 'bullets-clash',
  attacker: 'bullet',
  victim: 'bullet',
  touching: true,
  gates: ['owner', 'team'],
  decide(_view, { attacker, victim }, outcome) {
    outcome.despawn(attacker)
    outcome.despawn(victim)
    return 'hit'
  },
})

type Options = JetWorld['options']

export function hits({ torus, ramming, bulletClash, swept, grid }: Options) {
  const rules: Rule<typeof declaration>[] = [bulletHitsShip]
  if (ramming) rules.push(shipRamsShip)
  if (bulletClash) rules.unshift(bulletsClash)
  const options: CollideOptions<typeof declaration> = {
    takes: { things: combat.takes },
    pose: swept ? poseSwept : poseStanding,
    useSpatialGrid: grid,
    ...(torus && { topology: { kind: 'torus', width: WIDTH, height: HEIGHT } }),
    // With swept bullets the earliest impact wins; ties go by age as ever.
    ...(swept && { orderKey: (_view, { time }) => time }),
  }
  return collide(rules, options)
}

function poseStanding({ tables: { things } }: JetWorld, row: number, boxes: Boxes): void {
  const { kind, layer, x, y, radius, hp } = things
  if (kind[row] === KIND.ship && hp[row] <= 0) return
  addCircle(boxes, row, kind[row] === KIND.ship ? ROLE.hurt : ROLE.hit, layer[row], x[row], y[row], radius[row])
}

function poseSwept(world: JetWorld, row: number, boxes: Boxes): void {
  const { kind, layer, x, y, vx, vy, radius } = world.tables.things
  if (kind[row] !== KIND.bullet) return poseStanding(world, row, boxes)
  addMovingCircle(boxes, row, ROLE.hit, layer[row], x[row], y[row], radius[row], vx[row] * DT, vy[row] * DT)
}
