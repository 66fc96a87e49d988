/** Seen from above: two sides shoot at whom they see, from behind pillars that stop bullets. */

import { collide, declareGame, defineGame, defineStatics, despawn, each, type Scene, spawn, type World } from 'hurtbox'
import { defineCombat, expire, hurt, spawnFrom } from 'hurtbox/combat'
import { contact, slide, travel } from 'hurtbox/contacts'
import { comesBack, matchFlow, returnIn, safestPlace } from 'hurtbox/match'
import { length } from 'hurtbox/math'
import { canSee, createMapIndex, type MapIndex } from 'hurtbox/query'

const combat = defineCombat({ damageTypes: ['shot'] })
const declaration = declareGame({
  id: 'shooter',
  tickRate: 60,
  layers: { soldier: ['pillar'], bullet: ['soldier', 'pillar'], pillar: [] },
  capacity: 128,
  things: { ...combat.columns, ...matchFlow.columns, facingX: 'f64', facingY: 'f64' },
  globals: matchFlow.globals,
  events: { ...combat.events, ...matchFlow.events },
  content: {
    map: [-110, 0, 110].flatMap((x) => [-55, 55].map((y) => ({ layer: 'pillar', x, y, radius: 20 }) as const)),
  },
})
const statics = defineStatics(declaration, declaration.content.map)
const PLACES = [-180, 180].flatMap((x) => [-90, 0, 90].map((y) => ({ x, y })))

// #region recipe
const hits = collide(
  declaration,
  {
    'bullet hits soldier': {
      between: ['bullet', 'soldier'],
      gates: ['owner', 'team', 'dead', 'invulnerable'],
      decide(bullet, soldier) {
        hurt(soldier, 8, bullet)
        despawn(bullet)
        if (soldier.hp <= 0) returnIn(soldier, 90)
      },
    },
    'bullet meets pillar': { between: ['bullet', 'pillar'], decide: (bullet) => void despawn(bullet) },
    'soldier meets pillar': {
      between: ['soldier', 'pillar'],
      decide: (body, _, hit) => void slide(body, contact(hit)),
    },
  },
  {
    statics,
    // Moved and swept to the first thing or wall on the way: nothing is jumped over at any speed.
    travel: travel(['soldier', 'bullet']),
  },
)
// #endregion recipe

const game = defineGame(declaration, {
  setup(world) {
    for (const [i, { x, y }] of PLACES.entries())
      spawn(world, 'soldier', { x, y, team: i < 3 ? 1 : 2, radius: 11, hp: 40, maxHp: 40 })
  },
  phases: {
    comeBack(world) {
      for (const soldier of each(world, 'soldier'))
        if (comesBack(soldier, 60)) Object.assign(soldier, safestPlace(PLACES, soldier))
    },
    think: {
      create(world) {
        const map = createMapIndex(world, statics)
        return { run: () => think(world, map) }
      },
    },
    hits,
    expire,
  },
})

/** Walks towards the nearest foe, and shoots when it sees it. */
function think(world: World<typeof declaration>, map: MapIndex<typeof declaration>): void {
  for (const soldier of each(world, 'soldier')) {
    Object.assign(soldier, { vx: 0, vy: 0 })
    if (soldier.hp <= 0) continue
    let [foe, nearest] = [soldier, Number.POSITIVE_INFINITY]
    for (const other of each(world, 'soldier')) {
      const way = length(other.x - soldier.x, other.y - soldier.y)
      if (other.team !== soldier.team && other.hp > 0 && way < nearest) [foe, nearest] = [other, way]
    }
    if (foe === soldier) continue
    soldier.facingX = (foe.x - soldier.x) / nearest
    soldier.facingY = (foe.y - soldier.y) / nearest
    const isSeen = canSee(map, soldier, foe)
    // Around the pillar, each by its own side.
    const aside = isSeen && nearest < 150 ? (soldier.id % 2 === 0 ? 1 : -1) : 0
    soldier.vx = 55 * (aside === 0 ? soldier.facingX : -soldier.facingY * aside)
    soldier.vy = 55 * (aside === 0 ? soldier.facingY : soldier.facingX * aside)
    if (!isSeen || (world.clock + soldier.id * 7) % 40 !== 0) continue
    const [vx, vy] = [soldier.facingX * 900, soldier.facingY * 900]
    spawnFrom(soldier, 'bullet', { radius: 2.5, vx, vy, endsAt: world.clock + 60 })
  }
}

export const scene: Scene = { name: 'shooter', about: 'two sides among pillars', game, seed: 1, ticks: 1200 }
