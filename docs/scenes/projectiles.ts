/** Bolts that pass through two victims, spare their shooter, end by themselves, and never jump over a victim. */

import { addCircle, collide, declareGame, defineGame, each, rememberHits, type Scene, spawn, sweepBox } from 'hurtbox'
import { defineCombat, expire, hurt, pierce } from 'hurtbox/combat'

const combat = defineCombat({ damageTypes: ['bolt'] })
const declaration = declareGame({
  id: 'projectiles',
  tickRate: 30,
  layers: { bolt: ['body'], body: [] },
  things: combat.columns,
  hits: rememberHits(128),
  events: combat.events,
})
const SPEED = 70 // px per tick: more than twice a body's width

// #region recipe
const hits = collide(
  declaration,
  {
    'bolt hits body': {
      between: ['bolt', 'body'],
      gates: ['owner', 'dead'],
      once: true,
      decide(bolt, body) {
        hurt(body, 4, bolt)
        pierce(bolt) // one victim fewer to pass through; at none left the bolt leaves
      },
    },
  },
  {
    // A bolt is swept along the distance it flew in this tick: it jumps over nothing at any speed.
    pose: {
      bolt(bolt, boxes) {
        addCircle(boxes, bolt)
        sweepBox(boxes, SPEED, 0)
      },
    },
  },
)
// #endregion recipe

const game = defineGame(declaration, {
  setup(world) {
    spawn(world, 'body', { x: -150, y: 0, radius: 16, hp: 1 })
    for (let i = 0; i < 4; i++) spawn(world, 'body', { x: -40 + 50 * i, y: 0, radius: 12, hp: 20, maxHp: 20 })
  },
  phases: {
    fire(world) {
      if (world.tick % 20 !== 0) return
      const [shooter] = each(world, 'body')
      const bolt = { owner: shooter, x: shooter.x, y: shooter.y, radius: 3, hp: 1, pierceLeft: 1 }
      spawn(world, 'bolt', { ...bolt, endsAt: world.clock + 8 })
    },
    fly(world) {
      for (const bolt of each(world, 'bolt')) bolt.x += SPEED
    },
    hits,
    expire,
  },
})

export const scene: Scene = { name: 'projectiles', about: 'piercing bolts', game, seed: 1, ticks: 200 }
