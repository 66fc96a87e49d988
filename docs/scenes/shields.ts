/** A shield takes the blow first, armour a part of it, and what is left over reaches the health. */

import { collide, declareGame, defineGame, layerNumbers, rule, type Scene, spawn } from 'hurtbox'
import { defineCombat, hurt } from 'hurtbox/combat'

const combat = defineCombat({ damageTypes: ['fire', 'steel'] })
const declaration = declareGame({
  id: 'shields',
  rulesVersion: 1,
  tickRate: 30,
  seats: { min: 0, max: 1 },
  layers: { fire: ['knight'], knight: [] },
  tables: { things: { capacity: 16, columns: combat.columns }, hits: { capacity: 16 } },
  events: combat.events,
})
const LAYER = layerNumbers(declaration)

// #region recipe
const fireBurns = rule(declaration, {
  name: 'fire-burns',
  attacker: 'fire',
  victim: 'knight',
  gates: ['dead', 'already-hit'],
  decide(view, { attacker, victim }, outcome) {
    const { id } = view.tables.things
    hurt(view, outcome, victim, 8, combat.type.fire, id[attacker], id[attacker])
    outcome.remember(view.clock + 30) // burns once a second
    return 'hit'
  },
})
// #endregion recipe

const game = defineGame(declaration, {
  setup({ tables: { things } }) {
    spawn(things, { layer: LAYER.fire, x: 0, y: 0, radius: 60 })
    spawn(things, { layer: LAYER.knight, x: -50, y: 0, radius: 16, hp: 40, maxHp: 40 })
    spawn(things, { layer: LAYER.knight, x: 0, y: 40, radius: 16, hp: 40, maxHp: 40, shield: 20 })
    spawn(things, { layer: LAYER.knight, x: 50, y: 0, radius: 16, hp: 40, maxHp: 40, armour: [0.5, 0] })
  },
  phases: () => ({ burns: collide([fireBurns], { takes: { things: combat.takes } }) }),
})

export const scene: Scene = { name: 'shields', about: 'plain, shielded, armoured', game, seed: 1, ticks: 160 }
