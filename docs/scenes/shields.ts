/** A shield takes the blow first, armour a part of it, and health pays what is left. */

import { collide, declareGame, defineGame, rememberHits, type Scene, spawn } from 'hurtbox'
import { defineCombat, hurt } from 'hurtbox/combat'

const combat = defineCombat({ damageTypes: ['fire', 'steel'] })
const declaration = declareGame({
  id: 'shields',
  tickRate: 30,
  layers: { fire: ['knight'], knight: [] },
  things: combat.columns,
  hits: rememberHits(16),
  events: combat.events,
})

// #region recipe
const burns = collide(declaration, {
  'fire burns knight': {
    between: ['fire', 'knight'],
    gates: ['dead'],
    once: 30, // ticks: once a second
    decide(fire, knight) {
      hurt(knight, 8, fire, combat.type.fire)
    },
  },
})
// #endregion recipe

const game = defineGame(declaration, {
  setup(world) {
    spawn(world, 'fire', { x: 0, y: 0, radius: 60 })
    spawn(world, 'knight', { x: -50, y: 0, radius: 16, hp: 40, maxHp: 40 })
    spawn(world, 'knight', { x: 0, y: 40, radius: 16, hp: 40, maxHp: 40, shield: 20 })
    spawn(world, 'knight', { x: 50, y: 0, radius: 16, hp: 40, maxHp: 40, armour: [0.5, 0] })
  },
  phases: { burns },
})

export const scene: Scene = { name: 'shields', about: 'plain, shielded, armoured', game, seed: 1, ticks: 160 }
