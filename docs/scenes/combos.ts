/** Three blows of one combo: startup, active and recovery as data, the last blow throws. */

import { addCircle, collide, declareGame, defineGame, layerNumbers, rule, type Scene, spawn } from 'hurtbox'
import {
  addWindows,
  advanceAbilities,
  attackOf,
  defineAbilities,
  isStopped,
  pressSlot,
  settleHits,
  strike,
} from 'hurtbox/abilities'
import { defineCombat } from 'hurtbox/combat'

const combat = defineCombat({ damageTypes: ['blow'] })

// #region recipe
const layers = { fist: ['body'], body: [] }
const LAYER = layerNumbers({ layers })

const abilities = defineAbilities({
  source: 'combos.ts', // named when something in the content is wrong
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
  rulesVersion: 1,
  tickRate: 30,
  seats: { min: 0, max: 1 },
  layers,
  tables: {
    things: { capacity: 8, columns: { ...combat.columns, ...abilities.columns } },
    casts: abilities.casts, // abilities that run
    hits: { capacity: 64 },
  },
  events: { ...combat.events, ...abilities.events },
  globals: abilities.globals,
})

const blowHits = rule(declaration, {
  name: 'blow-hits',
  attacker: 'fist',
  victim: 'body',
  gates: ['owner', 'team', 'dead', 'already-hit'],
  attack: (view, contact) => attackOf(abilities, view, contact),
  decide: (view, contact, outcome) => strike(abilities, view, contact, outcome), // does what the content says
})

const blows = collide([blowHits], {
  takes: { things: abilities.takes },
  pose: {
    body(world, row, boxes) {
      const { x, y, radius } = world.tables.things
      addWindows(abilities, world, row, boxes, LAYER.fist) // while a blow is active; before the thing's other boxes
      addCircle(boxes, row, LAYER.body, x[row], y[row], radius[row])
    },
  },
})
// #endregion recipe

const FIGHTER = 0
/** Ticks of a round in which the fighter presses. */
const PRESSES: readonly number[] = [10, 20, 36]
const ROUND = 100

const game = defineGame(declaration, {
  setup({ tables: { things } }) {
    spawn(things, { layer: LAYER.body, team: 1, x: -40, y: 0, radius: 18, facingX: 1, invMass: 1 })
    const opponent = { layer: LAYER.body, team: 2, radius: 18, hp: 80, maxHp: 80, invMass: 1, facingX: -1 }
    spawn(things, { ...opponent, x: 10, y: 0 })
  },
  phases: () => ({
    advance: (world) => advanceAbilities(abilities, world),
    press(world) {
      const presses = PRESSES.includes(world.tick % ROUND) ? 1 : 0
      pressSlot(abilities, world, FIGHTER, abilities.slot.attack, presses)
    },
    move(world) {
      const { count, x, vx } = world.tables.things
      for (let row = 0; row < count; row++) {
        if (isStopped(world, row)) continue
        x[row] += vx[row]
        vx[row] *= 0.9
      }
      if (world.tick % ROUND === 0) x[1] = 10 // back for the next round
    },
    blows,
    settle: (world) => settleHits(abilities, world),
  }),
})

export const scene: Scene = { name: 'combos', about: 'three blows, the last one throws', game, seed: 1, ticks: 400 }
