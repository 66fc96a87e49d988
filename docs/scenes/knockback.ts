/** The same hit on three victims: moved at once, given a velocity, given an impulse that heavy ones withstand. */

import { collide, declareGame, defineGame, layerNumbers, rule, type Scene, spawn } from 'hurtbox'
import { defineCombat, hurt, knockback, protect } from 'hurtbox/combat'

const combat = defineCombat({ damageTypes: ['blow'] })
const declaration = declareGame({
  id: 'knockback',
  rulesVersion: 1,
  tickRate: 30,
  seats: { min: 0, max: 1 },
  layers: { hammer: ['moved', 'pushed', 'shoved'], moved: [], pushed: [], shoved: [] },
  tables: { things: { capacity: 16, columns: combat.columns } },
  events: combat.events,
})
const LAYER = layerNumbers(declaration)

// #region recipe
const hits = (['displace', 'velocity', 'impulse'] as const).map((mode, i) =>
  rule(declaration, {
    name: `hammer-${mode}`,
    attacker: 'hammer',
    victim: (['moved', 'pushed', 'shoved'] as const)[i],
    gates: ['invulnerable'],
    decide(view, { attacker, victim }, outcome) {
      const { id, x, y } = view.tables.things
      // 60 px at once; 6 px per tick; 60 of momentum, shared out by the victim's mass.
      knockback(view, outcome, victim, x[attacker], y[attacker], [60, 6, 60][i], mode)
      hurt(view, outcome, victim, 1, combat.type.blow, id[attacker], id[attacker])
      protect(view, outcome, victim, 45)
      return 'hit'
    },
  }),
)
// #endregion recipe

const game = defineGame(declaration, {
  setup({ tables: { things } }) {
    const rows = [
      { layer: LAYER.moved, y: -80, invMass: 1 },
      { layer: LAYER.pushed, y: -25, invMass: 1 },
      { layer: LAYER.shoved, y: 25, invMass: 1 / 10 },
      { layer: LAYER.shoved, y: 80, invMass: 1 / 40 },
    ]
    for (const { layer, y, invMass } of rows) {
      spawn(things, { layer, x: -40, y, radius: 14 + 0.2 / invMass, hp: 9, maxHp: 9, invMass })
      spawn(things, { layer: LAYER.hammer, x: -120, y, vx: 2, radius: 10, hp: 1 })
    }
  },
  phases: () => ({
    move({ tables: { things } }) {
      for (let row = 0; row < things.count; row++) {
        things.x[row] += things.vx[row]
        if (things.layer[row] !== LAYER.hammer)
          things.vx[row] *= 0.9 // friction
        else if (Math.abs(things.x[row] + 100) > 40) things.vx[row] = -things.vx[row]
      }
    },
    hits: collide(hits, { takes: { things: combat.takes } }),
  }),
})

export const scene: Scene = { name: 'knockback', about: 'three sorts of knockback', game, seed: 1, ticks: 150 }
