/** A fan of bolts, and a meteor that falls where it is aimed, after a delay in which one could leave. */

import { addCircle, collide, declareGame, defineGame, each, rememberHits, type Scene, spawn } from 'hurtbox'
import {
  advanceAbilities,
  defineAbilities,
  flyMissiles,
  poseMissile,
  pressSlot,
  settleHits,
  strikes,
} from 'hurtbox/abilities'
import { defineCombat } from 'hurtbox/combat'
import { cos, sin } from 'hurtbox/math'

const combat = defineCombat({ damageTypes: ['fire'] })

// #region recipe
const bolt = { speed: 240, radius: 4, life: 60, ahead: 20 }
const abilities = defineAbilities({
  source: 'spells.ts',
  damageTypes: combat.typeNames,
  projectile: { kind: 1, layer: 'missile' },
  area: { kind: 2, layer: 'missile' },
  slots: { first: ['fan'], second: ['meteor'] },
  abilities: {
    fan: {
      startup: 6,
      active: 1,
      recovery: 10,
      cooldown: 60,
      effects: [
        // Three projectiles, each with a turn of its own; the one in the middle passes through one victim.
        { on: 'cast', projectile: { ...bolt, turn: -0.3 } },
        { on: 'cast', projectile: { ...bolt, pierce: 1 } },
        { on: 'cast', projectile: { ...bolt, turn: 0.3 } },
        { on: 'hit', damage: { amount: 4 } },
      ],
    },
    meteor: {
      startup: 4,
      active: 1,
      recovery: 20,
      cooldown: 120,
      effects: [
        // Where the caster aims (columns aimX, aimY), at most 200 away; there at once, hitting 30 ticks later.
        { on: 'cast', area: { radius: 40, life: 3, delay: 30, aim: 200 } },
        { on: 'hit', damage: { amount: 15 } },
        { on: 'hit', force: { frame: 'away', along: [1, 0, 0], speed: 120 } },
      ],
    },
  },
})
// #endregion recipe

const declaration = declareGame({
  id: 'spells',
  tickRate: 30,
  layers: { missile: ['body'], body: [] },
  things: { ...combat.columns, ...abilities.columns, aimX: 'f64', aimY: 'f64' },
  tables: { casts: abilities.casts },
  hits: rememberHits(64),
  events: { ...combat.events, ...abilities.events },
  globals: abilities.globals,
})

const hits = collide(
  declaration,
  { 'missile hits body': { between: ['missile', 'body'], gates: ['owner', 'team', 'dead'], ...strikes(abilities) } },
  {
    pose: {
      missile: (missile, boxes) => poseMissile(abilities, missile, boxes),
      body: (body, boxes) => addCircle(boxes, body),
    },
  },
)

const ROUND = 120

const game = defineGame(declaration, {
  setup(world) {
    spawn(world, 'body', { team: 1, x: -130, radius: 14, facingX: 1, hp: 1 })
    for (let i = 0; i < 7; i++) {
      const turn = (i - 3) * 0.3
      const [x, y] = [-130 + (150 + 60 * (i % 2)) * cos(turn), (150 + 60 * (i % 2)) * sin(turn)]
      spawn(world, 'body', { team: 2, x, y, radius: 12, hp: 60, maxHp: 60, invMass: 1, facingX: -1 })
    }
  },
  phases: {
    fly: flyMissiles(),
    advance: advanceAbilities(abilities),
    press(world) {
      const [caster, ...others] = each(world, 'body')
      const at = others[Math.floor(world.tick / ROUND) % others.length]
      if (at !== undefined) Object.assign(caster, { aimX: at.x, aimY: at.y })
      pressSlot(abilities, caster, 'first', world.tick % ROUND === 10 ? 1 : 0)
      pressSlot(abilities, caster, 'second', world.tick % ROUND === 50 ? 1 : 0)
    },
    move(world) {
      for (const body of each(world, 'body')) {
        body.x += body.vx / 30
        body.y += body.vy / 30
        body.vx *= 0.8
        body.vy *= 0.8
      }
    },
    hits,
    settle: settleHits(abilities),
  },
})

export const scene: Scene = { name: 'spells', about: 'a fan of bolts, and a meteor', game, seed: 1, ticks: 600 }
