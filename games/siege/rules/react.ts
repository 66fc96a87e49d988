/** What follows from being hurt: fights, broken recalls, angry creatures, wanted champions. */

import { each, eventsOf, thing } from 'hurtbox'
import { KIND } from './content/units.ts'
import type { SiegeThing, SiegeWorld } from './declaration.ts'
import { isFarFromHome } from './targets.ts'

/** A creature on its way home this far out does not turn around. */
const BACK_HOME = 150

export function react(world: SiegeWorld): void {
  const { clock, tuning } = world
  for (const damage of eventsOf(world, 'damage')) {
    const victim = thing(world, damage.victim)!
    const attacker = thing(world, damage.attacker)
    victim.hurtAt = clock
    victim.recallAt = 0
    if (attacker === undefined) continue
    if (attacker.kind === KIND.champion) {
      victim.hurtBy = attacker.id
      attacker.hurtAt = clock
      if (victim.kind === KIND.champion) attacker.wantedUntil = clock + tuning.wanted
    }
    if (victim.kind === KIND.monster) angerCamp(world, victim.camp, attacker)
  }
}

/** A camp stands together. */
function angerCamp(world: SiegeWorld, camp: number, attacker: SiegeThing): void {
  for (const unit of each(world, 'unit')) {
    if (unit.kind !== KIND.monster || unit.camp !== camp || unit.target !== 0) continue
    if (!isFarFromHome(unit, BACK_HOME)) unit.target = attacker.id
  }
}
