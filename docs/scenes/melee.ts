/** A sword that sweeps: every post in reach is hit once per swing, however many ticks the blade overlaps it. */

import { addShape, collide, declareGame, defineGame, each, rememberHits, type Scene, spawn } from 'hurtbox'
import { defineCombat, hurt, knockback } from 'hurtbox/combat'
import { cos, sin, TAU } from 'hurtbox/math'
import { arc } from 'hurtbox/shapes'

const combat = defineCombat({ damageTypes: ['slash'] })
const declaration = declareGame({
  id: 'melee',
  tickRate: 30,
  layers: { fighter: ['post'], post: [] },
  things: { ...combat.columns, swing: 'u32', facingX: 'f64', facingY: 'f64' },
  hits: rememberHits(64),
  events: combat.events,
})
const ACTIVE = { from: 10, to: 18 } // of 40 ticks

// #region recipe
const blade = arc(90, TAU / 6)

const swings = collide(
  declaration,
  {
    'sword hits post': {
      between: ['fighter', 'post'],
      gates: ['dead'],
      once: ACTIVE.to - ACTIVE.from, // one attack hits a victim once while it lasts
      attack: (fighter) => fighter.swing, // and one attack is one swing, not the fighter
      decide(fighter, post) {
        hurt(post, 3, fighter)
        knockback(post, fighter, 6)
      },
    },
  },
  {
    // Posts are their circle, as by default. The fighter has a blade while it swings, and no other box.
    pose: {
      fighter(fighter, boxes, { tick }) {
        const isActive = tick % 40 >= ACTIVE.from && tick % 40 < ACTIVE.to
        if (isActive) addShape(boxes, blade, fighter)
      },
    },
  },
)
// #endregion recipe

const game = defineGame(declaration, {
  setup(world) {
    spawn(world, 'fighter', { x: 0, y: 0, radius: 16, hp: 1 })
    for (let i = 0; i < 9; i++) {
      const angle = (i / 9) * TAU
      spawn(world, 'post', { x: cos(angle) * 80, y: sin(angle) * 80, radius: 12, hp: 12, maxHp: 12 })
    }
  },
  phases: {
    turn(world) {
      for (const fighter of each(world, 'fighter')) {
        fighter.facingX = cos(world.tick * 0.12)
        fighter.facingY = sin(world.tick * 0.12)
        if (world.tick % 40 === 0) fighter.swing++
      }
    },
    swings,
  },
})

export const scene: Scene = { name: 'melee', about: 'a turning sword among posts', game, seed: 1, ticks: 400 }
