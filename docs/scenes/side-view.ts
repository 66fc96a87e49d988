/** Heroes that run to and fro, over a slope and a ledge, and ride a lift. */

import { declareGame, defineGame, defineStatics, each, type Scene, spawn } from 'hurtbox'
import { jump, jumpSpeed, movePlatformer, platformer, run } from 'hurtbox/platformer'

const declaration = declareGame({
  id: 'side-view',
  tickRate: 60,
  layers: { hero: ['wall', 'ledge', 'lift'], lift: [], wall: [], ledge: [] },
  things: { ...platformer.columns, wish: 'f64' },
  content: {
    map: [
      { layer: 'wall', minX: -200, maxX: 200, minY: 90, maxY: 110 },
      { layer: 'wall', minX: -200, maxX: -190, minY: -110, maxY: 90 },
      { layer: 'wall', minX: 190, maxX: 200, minY: -110, maxY: 90 },
      {
        layer: 'wall',
        points: [
          [-110, 90],
          [-50, 50],
          [-20, 50],
          [20, 90],
        ],
      },
      { layer: 'ledge', from: [-10, 0], to: [70, 0] },
    ],
  },
})

const game = defineGame(declaration, {
  setup(world) {
    const box = { halfWidth: 7, halfHeight: 12, y: 60 }
    for (const [x, wish] of [
      [-150, 110],
      [40, 90],
      [150, -70],
    ])
      spawn(world, 'hero', { ...box, x, wish })
    spawn(world, 'lift', { x: 140, y: 80, halfWidth: 30, halfHeight: 5, vy: -60 })
  },
  // #region recipe
  phases: {
    control(world) {
      for (const lift of each(world, 'lift')) if (lift.y < -60 || lift.y > 82) lift.vy = lift.y < 0 ? 60 : -60
      for (const hero of each(world, 'hero')) {
        if (hero.wallSide !== 0) hero.wish = -hero.wallSide * Math.abs(hero.wish)
        run(hero, hero.wish, { acceleration: 900, inAir: 0.5 })
        const pressed = (world.clock + hero.id * 35) % 110 === 0
        jump(hero, { pressed, held: true }, { speed: jumpSpeed(100, 900) })
      }
    },
    move: movePlatformer(declaration, {
      bodies: ['hero'],
      statics: defineStatics(declaration, declaration.content.map),
      gravity: () => 900,
      oneWay: ['ledge'],
      platforms: ['lift'],
    }),
  },
  // #endregion recipe
})

export const scene: Scene = {
  name: 'side-view',
  about: 'running, jumping, a slope, a ledge and a lift',
  game,
  seed: 1,
  ticks: 600,
}
