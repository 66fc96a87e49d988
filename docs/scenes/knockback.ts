/** The same hit on three victims: moved at once, given a velocity, given an impulse that heavy ones withstand. */

import { collide, declareGame, defineGame, each, type Rule, type Scene, spawn } from 'hurtbox'
import { defineCombat, hurt, type KnockbackMode, knockback, protect } from 'hurtbox/combat'

const combat = defineCombat({ damageTypes: ['blow'] })
const declaration = declareGame({
  id: 'knockback',
  tickRate: 30,
  layers: { hammer: ['moved', 'pushed', 'shoved'], moved: [], pushed: [], shoved: [] },
  things: combat.columns,
  events: combat.events,
})

// #region recipe
const strike =
  (strength: number, mode: KnockbackMode): Rule<typeof declaration>['decide'] =>
  (hammer, victim) => {
    knockback(victim, hammer, strength, mode)
    hurt(victim, 1, hammer)
    protect(victim, 45)
  }
const gates = ['invulnerable'] as const

const hits = collide(declaration, {
  'hammer moves 60 px at once': { between: ['hammer', 'moved'], gates, decide: strike(60, 'displace') },
  'hammer adds 6 px per tick': { between: ['hammer', 'pushed'], gates, decide: strike(6, 'velocity') },
  'hammer gives 60 of momentum': { between: ['hammer', 'shoved'], gates, decide: strike(60, 'impulse') },
})
// #endregion recipe

const game = defineGame(declaration, {
  setup(world) {
    const victims = [
      { layer: 'moved', y: -80, invMass: 1 },
      { layer: 'pushed', y: -25, invMass: 1 },
      { layer: 'shoved', y: 25, invMass: 1 / 10 },
      { layer: 'shoved', y: 80, invMass: 1 / 40 },
    ] as const
    for (const { layer, y, invMass } of victims) {
      spawn(world, layer, { x: -40, y, radius: 14 + 0.2 / invMass, hp: 9, maxHp: 9, invMass })
      spawn(world, 'hammer', { x: -120, y, vx: 2, radius: 10, hp: 1 })
    }
  },
  phases: {
    move(world) {
      for (const thing of each(world)) {
        thing.x += thing.vx
        if (thing.layer !== 'hammer')
          thing.vx *= 0.9 // friction
        else if (Math.abs(thing.x + 100) > 40) thing.vx = -thing.vx
      }
    },
    hits,
  },
})

export const scene: Scene = { name: 'knockback', about: 'three sorts of knockback', game, seed: 1, ticks: 150 }
