/** Seen from the side: a fighter grabs another, carries it a step and throws it up and ahead, whichever way it faces. */

import {
  addCircle,
  collide,
  declareGame,
  defineGame,
  defineStatics,
  each,
  rememberHits,
  type Scene,
  spawn,
} from 'hurtbox'
import {
  addWindows,
  advanceAbilities,
  carry,
  defineAbilities,
  isStopped,
  pressSlot,
  settleHits,
  strikes,
} from 'hurtbox/abilities'
import { defineCombat } from 'hurtbox/combat'
import { movePlatformer, platformer, run } from 'hurtbox/platformer'

const combat = defineCombat({ damageTypes: ['blow'] })

// #region recipe
const abilities = defineAbilities({
  source: 'grabs.ts',
  damageTypes: combat.typeNames,
  slots: { grab: ['throw', 'grab'] }, // who holds somebody throws, who has free hands grabs
  abilities: {
    grab: {
      startup: 4,
      active: 3,
      recovery: 8,
      cooldown: 0,
      requires: ['free-hands'],
      effects: [
        { on: 'active', melee: { sphere: { radius: 10 }, ahead: 22 } },
        { on: 'hit', grab: { ticks: 60 } }, // let go by itself after so long
      ],
    },
    throw: {
      startup: 6,
      active: 1,
      recovery: 10,
      cooldown: 0,
      requires: ['holding'],
      effects: [
        // In a side view: ahead as it faces, and up. The victim has no control of its own for 20 ticks.
        { on: 'cast', throw: { frame: 'side', along: [1, 0, 2], speed: 420, launch: 20, ticks: 20 } },
      ],
    },
  },
})
// #endregion recipe

const declaration = declareGame({
  id: 'grabs',
  tickRate: 60,
  layers: { hand: ['body'], body: ['wall'], wall: [] },
  things: { ...combat.columns, ...abilities.columns, ...platformer.columns },
  tables: { casts: abilities.casts },
  hits: rememberHits(64),
  events: { ...combat.events, ...abilities.events },
  globals: abilities.globals,
  content: {
    map: [
      { layer: 'wall', minX: -200, maxX: 200, minY: 70, maxY: 90 },
      { layer: 'wall', minX: -200, maxX: -180, minY: -130, maxY: 70 },
      { layer: 'wall', minX: 180, maxX: 200, minY: -130, maxY: 70 },
    ],
  },
})

const hits = collide(
  declaration,
  { 'hand takes body': { between: ['hand', 'body'], gates: ['owner', 'team'], ...strikes(abilities) } },
  {
    pose: {
      body(body, boxes) {
        addWindows(abilities, body, boxes, 'hand')
        addCircle(boxes, body)
      },
    },
  },
)

/** In each round one after the other grabs and, holding, throws. */
const ROUND = 150

const game = defineGame(declaration, {
  setup(world) {
    const box = { radius: 12, halfWidth: 12, halfHeight: 12, y: 50, invMass: 1, hp: 1 }
    spawn(world, 'body', { ...box, team: 1, x: -90, facingX: 1 })
    spawn(world, 'body', { ...box, team: 2, x: -30, facingX: -1 })
  },
  phases: {
    advance: advanceAbilities(abilities),
    press(world) {
      const [one, other] = each(world, 'body')
      const isFirst = Math.floor(world.tick / ROUND) % 2 === 0
      const [grabber, prey] = isFirst ? [one, other] : [other, one]
      const way = prey.x - grabber.x
      const holds = grabber.holds !== 0
      const isNear = Math.abs(way) < 32
      // It turns to its prey, and with it to the middle.
      const side = holds ? -grabber.x : way
      grabber.facingX = side < 0 ? -1 : 1
      run(grabber, holds || !isNear ? grabber.facingX * 110 : 0, { acceleration: 900 })
      run(prey, 0, { acceleration: 900, inAir: 0 })
      const now = world.tick % ROUND
      const isTime = holds ? now % 30 === 0 : isNear && prey.grounded === 1 && now > 20 && now < 90
      pressSlot(abilities, grabber, 'grab', isTime ? 1 : 0)
    },
    move: movePlatformer(declaration, {
      bodies: ['body'],
      statics: defineStatics(declaration, declaration.content.map),
      gravity: () => 900,
      moves: (body: { heldBy: number; id: number; stillUntil: number }) => body.heldBy === 0 && !isStopped(body),
    }),
    carry,
    hits,
    settle: settleHits(abilities),
  },
})

export const scene: Scene = { name: 'grabs', about: 'grabbed and thrown, to both sides', game, seed: 1, ticks: 600 }
