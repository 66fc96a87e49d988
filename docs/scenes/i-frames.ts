/** Five biters on one hero: protected after the first bite, he loses 5 and not 25. */

import { collide, declareGame, defineGame, layerNumbers, rule, type Scene, spawn } from 'hurtbox'
import { defineCombat, hurt, knockback, protect } from 'hurtbox/combat'

const combat = defineCombat({ damageTypes: ['bite'] })
const declaration = declareGame({
  id: 'i-frames',
  rulesVersion: 1,
  tickRate: 30,
  seats: { min: 0, max: 1 },
  layers: { biter: ['hero'], hero: [] },
  tables: { things: { capacity: 16, columns: combat.columns } },
  events: combat.events,
})
const LAYER = layerNumbers(declaration)

// #region recipe
const biterBites = rule(declaration, {
  name: 'biter-bites',
  attacker: 'biter',
  victim: 'hero',
  gates: ['dead', 'invulnerable'], // asked first: who is protected is not hit at all
  decide(view, { attacker, victim }, outcome) {
    const { id, x, y } = view.tables.things
    hurt(view, outcome, victim, 5, combat.type.bite, id[attacker], id[attacker])
    knockback(view, outcome, victim, x[attacker], y[attacker], 20, 'displace')
    protect(view, outcome, victim, 30) // one second
    return 'hit'
  },
})
// #endregion recipe

const game = defineGame(declaration, {
  setup({ tables: { things } }) {
    spawn(things, { layer: LAYER.hero, x: 0, y: 0, radius: 20, hp: 100, maxHp: 100 })
    for (const [x, y] of [
      [60, 0],
      [-60, 10],
      [10, 60],
      [-10, -60],
      [45, 45],
    ]) {
      spawn(things, { layer: LAYER.biter, x, y, radius: 12, hp: 1 })
    }
  },
  phases: () => ({
    chase({ tables: { things } }) {
      for (let row = 1; row < things.count; row++) {
        const [dx, dy] = [things.x[0] - things.x[row], things.y[0] - things.y[row]]
        const distance = Math.sqrt(dx * dx + dy * dy)
        if (distance < 24) continue
        things.x[row] += (dx / distance) * 1.5
        things.y[row] += (dy / distance) * 1.5
      }
    },
    bites: collide([biterBites], { takes: { things: combat.takes } }),
  }),
})

export const scene: Scene = { name: 'i-frames', about: 'five biters, one hero', game, seed: 1, ticks: 300 }
