/** Four walkers cross a swamp, a fire, ice and a well: poison that adds up, burns side by side, a slow, healing, and a cure. */

import { collide, declareGame, defineGame, each, rememberHits, type Scene, spawn } from 'hurtbox'
import { defineCombat } from 'hurtbox/combat'
import { cleanse, defineStatus, inflict, isStunned, makeImmune, runStatus, speedFactor } from 'hurtbox/status'

// #region recipe
const combat = defineCombat({ damageTypes: ['fire', 'venom'] })
const status = defineStatus(
  {
    poison: { damage: 1, type: 'venom', every: 30, ticks: 300, stacking: 'add', most: 3 },
    burn: { damage: 2, type: 'fire', every: 20, ticks: 60, stacking: 'independent' },
    slow: { speed: 0.4, ticks: 20, stacking: 'strongest' },
    haste: { speed: 1.6, ticks: 120 },
    stun: { stuns: true, ticks: 40 },
    mending: { heal: 3, every: 15, ticks: 90 },
  },
  { damageTypes: combat.typeNames },
)

const declaration = declareGame({
  id: 'status',
  tickRate: 60,
  layers: { walker: [], swamp: ['walker'], fire: ['walker'], ice: ['walker'], well: ['walker'] },
  capacity: 64,
  hits: rememberHits(64),
  things: { ...combat.columns, ...status.columns },
  tables: { ...status.tables },
  events: { ...combat.events, ...status.events },
})

const game = defineGame(declaration, {
  phases: {
    status: runStatus(status), // first: what is due hurts and heals, what is over ends
    walk(world) {
      for (const walker of each(world, 'walker')) {
        if (walker.hp <= 0 || isStunned(status, walker)) continue
        walker.x += walker.vx * speedFactor(status, walker)
        if (Math.abs(walker.x) > 190) walker.vx = -walker.vx
      }
    },
    touch: collide(declaration, {
      swamp: {
        between: ['swamp', 'walker'],
        once: 30,
        decide: (swamp, walker) => void inflict(status, walker, 'poison', { by: swamp }),
      },
      fire: {
        between: ['fire', 'walker'],
        once: 15,
        decide(fire, walker) {
          if (!inflict(status, walker, 'burn', { by: fire })) return 'does not burn'
        },
      },
      ice: {
        between: ['ice', 'walker'],
        decide(_, walker) {
          inflict(status, walker, 'slow')
          // Slips once, and is safe from that for three seconds.
          if (inflict(status, walker, 'stun')) makeImmune(status, walker, 'stun', 180)
        },
      },
      well: {
        between: ['well', 'walker'],
        once: 60,
        decide(_, walker) {
          cleanse(status, walker, 'poison')
          inflict(status, walker, 'mending')
          inflict(status, walker, 'haste')
        },
      },
    }),
  },
  // #endregion recipe
  setup(world) {
    for (const [layer, x] of [
      ['swamp', -120],
      ['fire', -30],
      ['ice', 50],
      ['well', 140],
    ] as const) {
      spawn(world, layer, { x, radius: 28 })
    }
    for (const [row, x] of [-180, -60, 20, 100].entries()) {
      const walker = spawn(world, 'walker', { x, y: row * 14 - 20, vx: 1.2, radius: 9, hp: 40, maxHp: 40 })
      // The last one does not burn.
      if (row === 3) makeImmune(status, walker, 'burn')
    }
  },
})

export const scene: Scene = {
  name: 'status',
  about: 'poison that adds up, burns side by side, a slow, a slip, healing and a cure',
  game,
  seed: 1,
  ticks: 900,
}
