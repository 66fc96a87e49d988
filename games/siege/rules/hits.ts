/** Who is hit by what. Structures are hit by shots and hands alone: abilities are for units. */

import { addCircle, addMovingCircle, type Boxes, collide, type Phase, rule } from 'hurtbox'
import { hurt, knockback, pierce } from 'hurtbox/combat'
import { gridOf } from '../../grid.ts'
import { abilityOf } from './abilities.ts'
import { KIND } from './content/units.ts'
import { combat, declaration, type SiegeOptions, type SiegeView, type SiegeWorld } from './declaration.ts'
import { dt, ticks } from './units.ts'

/** A knockback covers its way in this time. */
const THROW_SECONDS = 0.2

/** A shot passes through everybody but its target. */
const shotHits = (victim: 'unit' | 'structure') =>
  rule(declaration, {
    name: `shot-hits-${victim}`,
    attacker: 'shot',
    victim,
    touching: true,
    gates: ['dead'],
    decide(view, { attacker: shot, victim: row }, outcome) {
      const { things } = view.tables
      if (things.target[shot] !== things.id[row]) return 'not its target'
      hurt(view, outcome, row, things.damage[shot], combat.type.physical, things.owner[shot], things.id[shot])
      outcome.despawn(shot)
      return 'hit'
    },
  })

/** Skillshots, dashes, slams: each hits a victim once, and some throw it, stun it or slow it down. */
const blowHitsUnit = rule(declaration, {
  name: 'blow-hits-unit',
  attacker: 'blow',
  victim: 'unit',
  touching: true,
  gates: ['team', 'dead', 'already-hit'],
  decide(view, { attacker: blow, victim: row }, outcome) {
    const { things } = view.tables
    const ability = abilityOf(things.ability[blow])
    if (ability.effect === 'shield') return 'not a blow'
    hurt(view, outcome, row, things.damage[blow], combat.type.magic, things.owner[blow], things.id[blow])
    const { stun = 0, slow = 0, knockback: distance = 0 } = ability
    if (stun > 0) outcome.put(things.stunnedUntil, row, after(view, stun))
    if (slow > 0) outcome.put(things.slowedUntil, row, after(view, slow))
    if (distance > 0 && things.invMass[row] > 0) {
      outcome.put(things.thrownUntil, row, after(view, THROW_SECONDS))
      knockback(view, outcome, row, things.x[blow], things.y[blow], distance / THROW_SECONDS, 'velocity')
    }
    if (things.kind[blow] === KIND.missile) pierce(view, outcome, blow)
    else outcome.remember()
    return 'hit'
  },
})

/** The tick that ends so many seconds from the next one on: what a hit does begins when its tick is over. */
function after(view: SiegeView, seconds: number): number {
  return view.clock + 1 + ticks(view, seconds)
}

/** The phase in which things hit. Of several units that a missile meets in one tick, the first on its way is hit. */
export function hits(options: SiegeOptions): Phase<typeof declaration> {
  return collide([shotHits('unit'), shotHits('structure'), blowHitsUnit], {
    takes: { things: combat.takes },
    pose: { blow: poseBlow },
    orderKey: (_, contact) => contact.time,
    ...gridOf(options),
  })
}

/** Missiles are on their way; a burst is where it is, once its time has come. */
function poseBlow(world: SiegeWorld, row: number, boxes: Boxes): void {
  const { kind, layer, x, y, vx, vy, radius, readyAt } = world.tables.things
  if (kind[row] === KIND.missile) {
    const seconds = dt(world)
    addMovingCircle(boxes, row, layer[row], x[row], y[row], radius[row], vx[row] * seconds, vy[row] * seconds)
  } else if (readyAt[row] <= world.clock) addCircle(boxes, row, layer[row], x[row], y[row], radius[row])
}
