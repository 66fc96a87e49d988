/** A platform game: coins to take, a foe to jump on, spikes to avoid, and a lift that carries. */

import {
  collide,
  declareGame,
  defineGame,
  defineStatics,
  despawn,
  each,
  rememberHits,
  type Scene,
  spawn,
} from 'hurtbox'
import { defineCombat, hurt, protect } from 'hurtbox/combat'
import { jump, jumpSpeed, movePlatformer, platformer, run } from 'hurtbox/platformer'

const combat = defineCombat({ damageTypes: ['touch'] })
const declaration = declareGame({
  id: 'platforms',
  tickRate: 60,
  layers: { hero: ['foe', 'coin', 'wall', 'ledge', 'lift'], foe: ['wall'], coin: [], lift: [], wall: [], ledge: [] },
  capacity: 64,
  things: { ...combat.columns, ...platformer.columns, wish: 'f64' },
  globals: { coins: 'u32', beaten: 'u32' },
  hits: rememberHits(16),
  events: { ...combat.events },
  content: {
    map: [
      { layer: 'wall', minX: -215, maxX: 215, minY: 90, maxY: 120 },
      { layer: 'wall', minX: -215, maxX: -200, minY: -125, maxY: 90 },
      { layer: 'wall', minX: 200, maxX: 215, minY: -125, maxY: 90 },
      { layer: 'wall', minX: -40, maxX: 30, minY: 60, maxY: 90 },
      { layer: 'ledge', from: [-130, 25], to: [-60, 25] },
      { layer: 'ledge', from: [60, -20], to: [110, -20] },
    ],
  },
})
const GRAVITY = 1100

// #region recipe
const touch = collide(declaration, {
  'hero meets foe': {
    between: ['hero', 'foe'],
    gates: ['dead'],
    decide(hero, foe, { world }) {
      const isAbove = hero.vy > 0 && hero.y + hero.halfHeight < foe.y + 4
      if (isAbove) {
        world.globals.beaten++
        hero.vy = -0.7 * jumpSpeed(60, GRAVITY) // and up again
        despawn(foe)
      } else if (hero.invulnerableUntil > world.clock) return 'protected'
      else {
        hurt(hero, 10, foe)
        protect(hero, 90)
      }
    },
  },
})
// #endregion recipe

const take = collide(declaration, {
  'hero takes coin': {
    between: ['hero', 'coin'],
    decide(_hero, coin, { world }) {
      world.globals.coins++
      despawn(coin)
    },
  },
})

const game = defineGame(declaration, {
  setup(world) {
    spawn(world, 'hero', { x: -180, y: 60, radius: 10, halfWidth: 7, halfHeight: 11, wish: 120, hp: 30, maxHp: 30 })
    spawn(world, 'lift', { x: 165, y: 60, halfWidth: 26, halfHeight: 5, vy: -50 })
  },
  phases: {
    fill(world) {
      if (world.clock % 400 !== 0) return
      for (const x of [-120, -95, -70, 70, 85, 100]) spawn(world, 'coin', { x, y: x < 0 ? 10 : -35, radius: 4 })
      for (const x of [-110, 110])
        spawn(world, 'foe', { x, y: 80, radius: 9, halfWidth: 9, halfHeight: 9, wish: 40, hp: 1 })
    },
    control(world) {
      for (const lift of each(world, 'lift')) if (lift.y < -40 || lift.y > 82) lift.vy = lift.y < 0 ? 50 : -50
      for (const foe of each(world, 'foe')) {
        if (foe.wallSide !== 0) foe.wish = -foe.wallSide * Math.abs(foe.wish)
        run(foe, foe.wish, { acceleration: 900 })
      }
      for (const hero of each(world, 'hero')) {
        if (hero.hp <= 0) hero.hp = hero.maxHp
        if (hero.wallSide !== 0) hero.wish = -hero.wallSide * Math.abs(hero.wish)
        run(hero, hero.wish, { acceleration: 1200, inAir: 0.6 })
        // Over what is ahead, and now and then for the coins.
        const isFoeAhead = [...each(world, 'foe')].some(
          (foe) => Math.abs(foe.y - hero.y) < 30 && Math.abs(foe.x - hero.x - 34 * Math.sign(hero.vx)) < 12,
        )
        const pressed = isFoeAhead || (hero.wallSide === 0 && world.clock % 50 === 0)
        jump(hero, { pressed, held: true }, { speed: jumpSpeed(72, GRAVITY) })
      }
    },
    move: movePlatformer(declaration, {
      bodies: ['hero', 'foe'],
      statics: defineStatics(declaration, declaration.content.map),
      gravity: () => GRAVITY,
      oneWay: ['ledge'],
      platforms: ['lift'],
    }),
    touch,
    take,
  },
})

export const scene: Scene = { name: 'platforms', about: 'coins, foes to jump on, a lift', game, seed: 1, ticks: 1600 }
