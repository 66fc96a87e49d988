/** Bolts that pass through two victims, spare their shooter, end by themselves, and are too fast to be seen twice. */

import {
  addCircle,
  addMovingCircle,
  collide,
  declareGame,
  defineGame,
  layerNumbers,
  rule,
  type Scene,
  spawn,
} from 'hurtbox'
import { defineCombat, expire, hurt, pierce } from 'hurtbox/combat'

const combat = defineCombat({ damageTypes: ['bolt'] })
const declaration = declareGame({
  id: 'projectiles',
  rulesVersion: 1,
  tickRate: 30,
  seats: { min: 0, max: 1 },
  layers: { bolt: ['body'], body: [] },
  tables: { things: { capacity: 64, columns: combat.columns }, hits: { capacity: 128 } },
  events: combat.events,
})
const LAYER = layerNumbers(declaration)
const SPEED = 70 // px per tick: more than twice a body's width

// #region recipe
const boltHits = rule(declaration, {
  name: 'bolt-hits',
  attacker: 'bolt',
  victim: 'body',
  gates: ['owner', 'dead', 'already-hit'],
  decide(view, { attacker, victim }, outcome) {
    const { id, owner } = view.tables.things
    hurt(view, outcome, victim, 4, combat.type.bolt, owner[attacker], id[attacker])
    pierce(view, outcome, attacker) // one victim fewer to go, and not this one again
    return 'hit'
  },
})

const hits = collide([boltHits], {
  takes: { things: combat.takes },
  // A bolt is tested along its way of this tick: nothing is jumped over at any speed.
  pose: {
    bolt: ({ tables: { things } }, row, boxes) =>
      addMovingCircle(boxes, row, LAYER.bolt, things.x[row], things.y[row], 3, SPEED, 0),
    body: ({ tables: { things } }, row, boxes) =>
      addCircle(boxes, row, LAYER.body, things.x[row], things.y[row], things.radius[row]),
  },
})
// #endregion recipe

const game = defineGame(declaration, {
  setup({ tables: { things } }) {
    spawn(things, { layer: LAYER.body, x: -150, y: 0, radius: 16, hp: 1 })
    for (let i = 0; i < 4; i++)
      spawn(things, { layer: LAYER.body, x: -40 + 50 * i, y: 0, radius: 12, hp: 20, maxHp: 20 })
  },
  phases: () => ({
    fire({ tick, clock, tables: { things } }) {
      if (tick % 20 !== 0) return
      const shooter = things.id[0]
      spawn(things, {
        layer: LAYER.bolt,
        x: -150,
        y: 0,
        radius: 3,
        owner: shooter,
        hp: 1,
        pierceLeft: 1,
        endsAt: clock + 8,
      })
    },
    fly({ tables: { things } }) {
      for (let row = 0; row < things.count; row++) if (things.layer[row] === LAYER.bolt) things.x[row] += SPEED
    },
    hits,
    expire,
  }),
})

export const scene: Scene = { name: 'projectiles', about: 'piercing bolts', game, seed: 1, ticks: 200 }
