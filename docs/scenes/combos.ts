/** Three blows of one combo: startup, active and recovery as data, the last blow throws. */

import { addCircle, collide, declareGame, defineGame, each, rememberHits, type Scene, spawn } from 'hurtbox'
import {
  addWindows,
  advanceAbilities,
  defineAbilities,
  isStopped,
  pressSlot,
  settleHits,
  strikes,
} from 'hurtbox/abilities'
import { defineCombat } from 'hurtbox/combat'

const combat = defineCombat({ damageTypes: ['blow'] })

// #region recipe
const abilities = defineAbilities({
  source: 'combos.ts', // named in errors about the content
  damageTypes: combat.typeNames,
  slots: { attack: ['punches'] }, // what a player presses, and what it may start
  abilities: {
    punches: {
      startup: 5,
      active: 3,
      recovery: 8,
      cooldown: 20,
      steps: 3, // pressed again in time, the next blow follows
      window: 12, // ticks from the start of recovery
      effects: [
        { on: 'active', melee: { arc: { reach: 70, angle: 1.5, halfHeight: 1 } } },
        { on: 'hit', step: [1, 2], damage: { amount: 4 } },
        { on: 'hit', step: 3, damage: { amount: 12 } },
        { on: 'hit', step: 3, force: { frame: 'away', along: [1, 0, 0], speed: 9 } },
        { on: 'hit', stun: { ticks: 12, stop: 3 } }, // three ticks of hit stop
      ],
    },
  },
})

const declaration = declareGame({
  id: 'combos',
  tickRate: 30,
  layers: { fist: ['body'], body: [] },
  things: { ...combat.columns, ...abilities.columns },
  tables: { casts: abilities.casts }, // running abilities
  hits: rememberHits(64),
  events: { ...combat.events, ...abilities.events },
  globals: abilities.globals,
})

const blows = collide(
  declaration,
  {
    // `strikes` brings the rest of the rule: it does what the content says.
    'fist hits body': { between: ['fist', 'body'], gates: ['owner', 'team', 'dead'], ...strikes(abilities) },
  },
  {
    pose: {
      body(body, boxes) {
        addWindows(abilities, body, boxes, 'fist') // while a blow is active; before the thing's other boxes
        addCircle(boxes, body)
      },
    },
  },
)
// #endregion recipe

/** Ticks of a round in which the fighter presses. */
const PRESSES: readonly number[] = [10, 20, 36]
const ROUND = 100

const game = defineGame(declaration, {
  setup(world) {
    spawn(world, 'body', { team: 1, x: -40, y: 0, radius: 18, facingX: 1, invMass: 1 })
    spawn(world, 'body', { team: 2, x: 10, y: 0, radius: 18, hp: 80, maxHp: 80, invMass: 1, facingX: -1 })
  },
  phases: {
    advance: advanceAbilities(abilities),
    press(world) {
      const [fighter] = each(world, 'body')
      pressSlot(abilities, fighter, 'attack', PRESSES.includes(world.tick % ROUND) ? 1 : 0)
    },
    move(world) {
      for (const body of each(world, 'body')) {
        if (isStopped(body)) continue
        body.x += body.vx
        body.vx *= 0.9
        if (body.team === 2 && world.tick % ROUND === 0) body.x = 10 // back for the next round
      }
    },
    blows,
    settle: settleHits(abilities),
  },
})

export const scene: Scene = { name: 'combos', about: 'three blows, the last one throws', game, seed: 1, ticks: 400 }
