/** Five biters on one hero: protected after the first bite, he loses 5 and not 25. */

import { collide, declareGame, defineGame, each, type Scene, spawn } from 'hurtbox'
import { defineCombat, hurt, knockback, protect } from 'hurtbox/combat'

const combat = defineCombat({ damageTypes: ['bite'] })
const declaration = declareGame({
  id: 'i-frames',
  tickRate: 30,
  layers: { biter: ['hero'], hero: [] },
  things: combat.columns,
  events: combat.events,
})

// #region recipe
const bites = collide(declaration, {
  'biter bites hero': {
    between: ['biter', 'hero'],
    gates: ['dead', 'invulnerable'], // asked first: a protected hero is not hit at all
    decide(biter, hero) {
      hurt(hero, 5, biter)
      knockback(hero, biter, 20)
      protect(hero, 30) // one second
    },
  },
})
// #endregion recipe

const game = defineGame(declaration, {
  setup(world) {
    spawn(world, 'hero', { x: 0, y: 0, radius: 20, hp: 100, maxHp: 100 })
    for (const [x, y] of [
      [60, 0],
      [-60, 10],
      [10, 60],
      [-10, -60],
      [45, 45],
    ]) {
      spawn(world, 'biter', { x, y, radius: 12, hp: 1 })
    }
  },
  phases: {
    chase(world) {
      const [hero] = each(world, 'hero')
      for (const biter of each(world, 'biter')) {
        const [dx, dy] = [hero.x - biter.x, hero.y - biter.y]
        const distance = Math.sqrt(dx * dx + dy * dy)
        if (distance < 24) continue
        biter.x += (dx / distance) * 1.5
        biter.y += (dy / distance) * 1.5
      }
    },
    bites,
  },
})

export const scene: Scene = { name: 'i-frames', about: 'five biters, one hero', game, seed: 1, ticks: 300 }
