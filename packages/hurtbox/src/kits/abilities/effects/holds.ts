/** Grabbing and throwing. */

import { stun as stunThing } from '../../combat/damage.ts'
import { readFields, readWhole } from '../check.ts'
import type { EffectRecord } from '../effect.ts'
import { emitStrike } from '../events.ts'
import { letGo } from '../holds.ts'
import { castAt } from '../world.ts'
import { applyForce, type ForceSpec, readForce } from './forces.ts'
import { launch, readStun, type StunSpec, stopFor } from './status.ts'

export const grab: EffectRecord<{ readonly ticks: number }> = {
  happensOn: 'hit',
  read(draft, value, place) {
    draft.ticks = readWhole(readFields(value, place, ['ticks']), 'ticks', place, { min: 1 })
  },
  happen({ ticks }, { caster, target, world }) {
    if (caster === undefined || caster.holds !== 0 || target.heldBy !== 0) return
    caster.holds = target.id
    target.heldBy = caster.id
    target.heldUntil = world.clock + 1 + ticks
  },
  disables: ({ ticks }) => ticks,
}

export const throwHeld: EffectRecord<ForceSpec & Partial<StunSpec>> = {
  happensOn: 'caster',
  canHit: true,
  read(draft, value, place) {
    const fields = readFields(value, place, ['frame', 'along', 'impulse', 'speed', 'ticks', 'launch', 'stop'])
    readForce(draft, fields, place)
    readStun(draft, fields, place)
  },
  happen(effect, use) {
    const { source: caster, world, cast } = use
    const victim = letGo(caster)
    if (victim === undefined) return
    victim.vx = 0
    victim.vy = 0
    if (victim.vz !== undefined) victim.vz = 0
    use.target = victim
    applyForce(effect, use)
    stunThing(victim, effect.ticks)
    launch(victim, effect.launch)
    stopFor(victim, effect.stop)
    stopFor(caster, effect.stop)
    castAt(world, cast).strikes++
    emitStrike(use, victim, false)
  },
}
