/** A sword that sweeps: everybody in reach is hit once per swing, however many ticks it overlaps them. */

import { addCircle, addShape, collide, declareGame, defineGame, layerNumbers, rule, type Scene, spawn } from 'hurtbox'
import { defineCombat, hurt, knockback } from 'hurtbox/combat'
import { cos, sin, TAU } from 'hurtbox/math'
import { arc } from 'hurtbox/shapes'

const combat = defineCombat({ damageTypes: ['slash'] })
const declaration = declareGame({
  id: 'melee',
  rulesVersion: 1,
  tickRate: 30,
  seats: { min: 0, max: 1 },
  layers: { fighter: ['post'], post: [] },
  tables: {
    things: { capacity: 32, columns: { ...combat.columns, swing: 'u32', facingX: 'f64', facingY: 'f64' } },
    hits: { capacity: 64 }, // who was hit by which swing
  },
  events: combat.events,
})
const LAYER = layerNumbers(declaration)
const ACTIVE = { from: 10, to: 18 } // of 40 ticks

// #region recipe
const blade = arc(90, TAU / 6)

const swordHits = rule(declaration, {
  name: 'sword-hits',
  attacker: 'fighter',
  victim: 'post',
  gates: ['dead', 'already-hit'],
  attack: (view, { attacker }) => view.tables.things.swing[attacker], // the ledger knows this swing, not the fighter
  decide(view, { attacker, victim }, outcome) {
    const { id, x, y } = view.tables.things
    hurt(view, outcome, victim, 3, combat.type.slash, id[attacker], id[attacker])
    knockback(view, outcome, victim, x[attacker], y[attacker], 6, 'displace')
    outcome.remember()
    return 'hit'
  },
})

const swings = collide([swordHits], {
  takes: { things: combat.takes },
  pose: {
    fighter({ tick, tables: { things } }, row, boxes) {
      const { x, y, facingX, facingY } = things
      const isActive = tick % 40 >= ACTIVE.from && tick % 40 < ACTIVE.to
      if (isActive) addShape(boxes, row, LAYER.fighter, blade, x[row], y[row], facingX[row], facingY[row])
    },
    post: ({ tables: { things } }, row, boxes) =>
      addCircle(boxes, row, LAYER.post, things.x[row], things.y[row], things.radius[row]),
  },
})
// #endregion recipe

const game = defineGame(declaration, {
  setup({ tables: { things } }) {
    spawn(things, { layer: LAYER.fighter, x: 0, y: 0, radius: 16, hp: 1 })
    for (let i = 0; i < 9; i++) {
      const angle = (i / 9) * TAU
      spawn(things, { layer: LAYER.post, x: cos(angle) * 80, y: sin(angle) * 80, radius: 12, hp: 12, maxHp: 12 })
    }
  },
  phases: () => ({
    turn({ tick, tables: { things } }) {
      things.facingX[0] = cos(tick * 0.12)
      things.facingY[0] = sin(tick * 0.12)
      if (tick % 40 === 0) things.swing[0]++
    },
    swings,
  }),
})

export const scene: Scene = { name: 'melee', about: 'a turning sword among posts', game, seed: 1, ticks: 400 }
