/** One hero among a hundred that walk at it: bites with a pause, a gun that aims itself, and crystals that come flying. */

import { collide, declareGame, defineGame, despawn, each, type Scene, spawn, type World } from 'hurtbox'
import { defineCombat, expire, hurt, protect, spawnFrom } from 'hurtbox/combat'
import { travel } from 'hurtbox/contacts'
import { cos, length, range, sin, TAU } from 'hurtbox/math'
import { separate } from 'hurtbox/motion'

const combat = defineCombat({ damageTypes: ['bite', 'shot'] })
const declaration = declareGame({
  id: 'survivors',
  tickRate: 60,
  layers: { zombie: ['hero'], shot: ['zombie'], hero: ['crystal'], crystal: [] },
  capacity: 512,
  things: { ...combat.columns, invMass: 'f64' },
  globals: { xp: 'u32' },
  events: combat.events,
  streams: ['places'],
})
const [BITE, SHOT] = [0, 1]
const MAGNET = 60

// #region recipe
const hits = collide(
  declaration,
  {
    'shot hits zombie': {
      between: ['shot', 'zombie'],
      decide(shot, zombie, { world }) {
        hurt(zombie, 6, shot, SHOT)
        despawn(shot)
        if (zombie.hp > 0) return
        spawn(world, 'crystal', { x: zombie.x, y: zombie.y, radius: 3 })
        despawn(zombie)
      },
    },
    'zombie bites hero': {
      between: ['zombie', 'hero'],
      gates: ['dead', 'invulnerable'],
      decide(zombie, hero) {
        hurt(hero, 5, zombie, BITE)
        protect(hero, 30) // however many bite: once in half a second
      },
    },
  },
  { travel: travel(['shot']) }, // moves the shots; a fast one jumps over nobody
)
// #endregion recipe

const take = collide(declaration, {
  'hero takes crystal': {
    between: ['hero', 'crystal'],
    decide(_hero, crystal, { world }) {
      world.globals.xp++
      despawn(crystal)
    },
  },
})

const game = defineGame(declaration, {
  setup(world) {
    spawn(world, 'hero', { radius: 10, hp: 100, maxHp: 100, invMass: 1 })
  },
  phases: {
    arrive(world) {
      if (world.clock % 12 !== 0 || world.tables.things.count > 200) return
      const turn = range(world.random.places, 0, TAU)
      spawn(world, 'zombie', { x: 230 * cos(turn), y: 230 * sin(turn), radius: 7, invMass: 4, hp: 12, maxHp: 12 })
    },
    walk,
    shoot,
    magnet,
    separate: separate({ takesRoom: ({ tables }, row) => tables.things.maxHp[row] > 0 }),
    hits,
    take,
    expire,
  },
})

/** The horde comes nearer; the hero runs in a circle, and so gathers it behind itself. */
function walk(world: World<typeof declaration>): void {
  const [hero] = each(world, 'hero')
  hero.vx = -1.1 * sin(world.clock / 90)
  hero.vy = 1.1 * cos(world.clock / 90)
  if (hero.hp <= 0) Object.assign(hero, { hp: hero.maxHp, invulnerableUntil: world.clock + 180 })
  hero.x += hero.vx
  hero.y += hero.vy
  for (const zombie of each(world, 'zombie')) {
    const [dx, dy] = [hero.x - zombie.x, hero.y - zombie.y]
    const way = Math.max(1, length(dx, dy))
    zombie.x += (dx / way) * 0.7
    zombie.y += (dy / way) * 0.7
  }
}

/** At the nearest one, five times a second. */
function shoot(world: World<typeof declaration>): void {
  if (world.clock % 12 !== 0) return
  const [hero] = each(world, 'hero')
  let [wayX, wayY, nearest] = [0, 0, 160]
  for (const zombie of each(world, 'zombie')) {
    const [dx, dy] = [zombie.x - hero.x, zombie.y - hero.y]
    const way = length(dx, dy)
    if (way < nearest && way > 0) [wayX, wayY, nearest] = [dx / way, dy / way, way]
  }
  if (nearest === 160) return
  spawnFrom(hero, 'shot', { radius: 3, vx: wayX * 540, vy: wayY * 540, endsAt: world.clock + 25 })
}

/** Crystals near the hero fly to it. */
function magnet(world: World<typeof declaration>): void {
  const [hero] = each(world, 'hero')
  for (const crystal of each(world, 'crystal')) {
    const [dx, dy] = [hero.x - crystal.x, hero.y - crystal.y]
    const way = length(dx, dy)
    if (way > MAGNET || way < 1) continue
    crystal.x += (dx / way) * 4
    crystal.y += (dy / way) * 4
  }
}

export const scene: Scene = { name: 'survivors', about: 'one against a horde', game, seed: 3, ticks: 1800 }
