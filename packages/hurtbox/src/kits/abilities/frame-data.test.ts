import { expect, test } from 'vitest'
import { int, pick, seedStream } from '../../geometry/math/index.ts'
import { arena, enter, press, tick } from './fixtures/arena.ts'
import { type AbilitySpec, type EffectSpec, frameData } from './index.ts'

// Rule AB40; see docs/spec.md, section "Abilities".

const jab: AbilitySpec = { startup: 0, active: 1, recovery: 0, cooldown: 0, effects: [] }

test('[AB40] the advantage in the frame data is the one that players have', () => {
  const stream = new Uint32Array(4)
  for (let n = 0; n < 200; n++) {
    seedStream(stream, n, 'frame data')
    const isShot = int(stream, 0, 1) === 1
    const active = int(stream, 1, 5)
    const at = int(stream, 0, active - 1)
    const hits: EffectSpec = isShot
      ? { on: 'cast', at, projectile: { speed: 0, radius: 0.25, life: 20, ahead: 1.5 } }
      : { on: 'active', at, melee: { box: [0.5, 0.75, 1], ahead: 1.5 } }
    const blow: AbilitySpec = {
      startup: int(stream, 0, 4),
      active,
      recovery: int(stream, 0, 9),
      cooldown: 99,
      effects: [hits, { on: 'hit', stun: { ticks: int(stream, 0, 20), stop: pick(stream, [0, 0, 3]) } }],
    }
    const stage = arena({ blow, jab })
    const [attacker, victim] = [enter(stage, 0), enter(stage, 2.2)]
    // Both press all the time from the hit on; the first that can act does.
    press(stage, attacker, 'blow')
    let isHit = false
    const acts = new Map<number, number>()
    for (let t = 0; t < 80 && acts.size < 2; t++) {
      if (isHit) for (const id of [attacker, victim]) press(stage, id, 'jab')
      if (tick(stage).length > 0) isHit = true
      const { cast } = stage.world.events
      for (let e = 0; e < cast.count; e++) {
        if (cast.ability[e] === 1 && !acts.has(cast.caster[e])) acts.set(cast.caster[e], t)
      }
    }
    const { advantage, startup } = frameData(stage.abilities, 64)[0]
    expect(acts.get(victim)! - acts.get(attacker)!, `case ${n}: ${JSON.stringify(blow)}`).toBe(advantage)
    expect(startup).toBe(blow.startup)
  }
})

test('[AB40] damage is summed by step, reach is to the surface of a body, and what cannot hit has neither', () => {
  const hit = (step: number[], amount: number): EffectSpec => ({ on: 'hit', step, damage: { amount } })
  const { abilities } = arena({
    combo: {
      ...jab,
      steps: 2,
      effects: [
        { on: 'active', step: 1, melee: { sphere: { radius: 0.5 }, ahead: 1 } },
        { on: 'active', step: 2, melee: { capsule: { radius: 0.25, halfLength: 1 }, ahead: 2 } },
        { on: 'active', step: 2, melee: { arc: { reach: 2.5, angle: 1, halfHeight: 1 } } },
        hit([1, 2], 3),
        hit([2], 4),
      ],
    },
    bolt: { ...jab, effects: [{ on: 'cast', projectile: { speed: 64, radius: 0.5, life: 11, ahead: 1 } }] },
    quake: { ...jab, effects: [{ on: 'cast', area: { radius: 4, life: 2, ahead: 1 } }] },
    jab,
  })
  const rows = frameData(abilities, 64).map(({ ability, step, damage, reach }) => [ability, step, damage, reach])
  expect(rows).toEqual([
    ['combo', 1, 3, 1.5],
    ['combo', 2, 7, 3.25],
    // Ten ticks of flight at a metre each.
    ['bolt', 1, 0, 11.5],
    ['quake', 1, 0, 5],
    ['jab', 1, 0, undefined],
  ])
  const advantages = frameData(abilities, 64).map(({ advantage }) => typeof advantage)
  expect(advantages).toEqual(['number', 'number', 'number', 'number', 'undefined'])
})
