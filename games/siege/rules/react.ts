/** What follows from being hurt: fights, broken recalls, angry creatures, wanted champions. */

import { findRow } from 'hurtbox'
import { KIND } from './content/units.ts'
import type { SiegeWorld } from './declaration.ts'
import { isFarFromHome } from './targets.ts'

/** A creature that is on its way home this far out does not turn around. */
const BACK_HOME = 150

export function react(world: SiegeWorld): void {
  const { things } = world.tables
  const { damage } = world.events
  const { clock, tuning } = world
  for (let n = 0; n < damage.count; n++) {
    const victim = findRow(things, damage.victim[n])
    const attacker = findRow(things, damage.attacker[n])
    if (victim < 0) continue
    things.hurtAt[victim] = clock
    things.recallAt[victim] = 0
    if (attacker < 0) continue
    if (things.kind[attacker] === KIND.champion) {
      things.hurtBy[victim] = things.id[attacker]
      things.hurtAt[attacker] = clock
      if (things.kind[victim] === KIND.champion) things.wantedUntil[attacker] = clock + tuning.wanted
    }
    if (things.kind[victim] === KIND.monster) angerCamp(world, victim, attacker)
  }
}

/** A camp stands together. */
function angerCamp(world: SiegeWorld, victim: number, attacker: number): void {
  const { count, kind, camp, target, id } = world.tables.things
  for (let row = 0; row < count; row++) {
    if (kind[row] !== KIND.monster || camp[row] !== camp[victim] || target[row] !== 0) continue
    if (!isFarFromHome(world, row, BACK_HOME)) target[row] = id[attacker]
  }
}
