/**
 * Skirmish: a small arena that uses every part of the engine, for tests, benchmarks and the matrix of engines.
 *
 * Gunners steer by noise and shoot; drones chase the nearest gunner and bite; a hazard burns. It is not one of the games:
 * it is the shortest program that has contacts of several rules, i-frames, a ledger, knockback, spawning and leaving,
 * random streams, joins, presses, points, a wide column, an array, globals, tuning changes and a pause.
 */

import { cos, sin } from '../src/geometry/math/index.ts'
import { int, range, unitVector } from '../src/geometry/math/random.ts'
import { bruteForce } from '../src/geometry/space/index.ts'
import {
  addRow,
  axis,
  collide,
  declareGame,
  defineGame,
  despawn,
  emit,
  findRow,
  flag,
  insert,
  layerNumbers,
  point,
  press,
  push,
  type RuleThing,
  type RuleWorld,
  rememberHits,
  seconds,
  spawn,
  tune,
  type World,
  whole,
  wide,
} from '../src/index.ts'

const declaration = declareGame({
  id: 'skirmish',
  rulesVersion: 1,
  tickRate: 60,
  seats: { min: 1, max: 8 },
  options: {
    drones: whole(40, { min: 0, max: 4000 }),
    piercing: flag(false),
    grid: flag(true),
    cellSize: whole(0, { min: 0, max: 1000 }),
  },
  layers: {
    gunner: ['drone', 'hazard'],
    drone: ['bullet'],
    bullet: ['hazard'],
    hazard: [],
  },
  capacity: 8192,
  things: { hp: 'f64', invulnerableUntil: 'timer', readyAt: wide('timer', 2), endsAt: 'timer', turn: 'f64' },
  players: { score: 'u32' },
  hits: rememberHits(4096),
  tables: { marks: { capacity: 64, columns: { x: 'f64', y: 'f64', fadesAt: 'timer' } } },
  arrays: { heat: { type: 'u16', length: 24 * 16 } },
  globals: { wave: 'u32', killed: 'u32' },
  streams: ['spawns', 'drift'],
  tuning: {
    bulletSpeed: tune(9, { unit: 'px/tick', min: 1, max: 100 }),
    bulletDamage: tune(7, { unit: 'hp', min: 0, max: 100 }),
    bite: tune(5, { unit: 'hp', min: 0, max: 100 }),
    knockback: tune(12, { unit: 'px', min: 0, max: 200 }),
    cooldown: seconds(0.1),
    protection: seconds(0.5),
    bulletLife: seconds(1.2),
  },
  input: { walk: axis(), turn: axis(), fire: press(), aim: point({ min: -1200, max: 1200, step: 0.25 }) },
  events: {
    hurt: { victim: 'id', attacker: 'id', hpAfter: 'f64' },
    killed: { victim: 'id', x: 'f64', y: 'f64' },
  },
})

interface SkirmishWorld extends World<typeof declaration> {}
interface SkirmishRuleWorld extends RuleWorld<typeof declaration> {}
interface Target extends RuleThing<typeof declaration> {}

const KIND = { gunner: 1, drone: 2, bullet: 3, hazard: 4 }
const LAYER = layerNumbers(declaration)
const WIDTH = 1200
const HEIGHT = 800

function hits(options: SkirmishWorld['options']) {
  return collide(
    declaration,
    {
      'bullet hits drone': {
        between: ['bullet', 'drone'],
        touching: true,
        gates: ['owner', 'dead'],
        once: true,
        decide(bullet, drone, { world }) {
          push(drone, bullet.vx, bullet.vy)
          if (!world.options.piercing) despawn(bullet)
          hurt(world, drone, bullet, world.tuning.bulletDamage)
        },
      },

      'drone bites gunner': {
        between: ['drone', 'gunner'],
        gates: ['dead', 'attacker-dead', 'invulnerable'],
        decide(drone, gunner, { world }) {
          const { bite, knockback, protection } = world.tuning
          const dx = gunner.x - drone.x
          const dy = gunner.y - drone.y
          const distance = Math.sqrt(dx * dx + dy * dy)
          gunner.invulnerableUntil = world.clock + protection
          push(
            gunner,
            distance > 0 ? (dx / distance) * knockback : knockback,
            distance > 0 ? (dy / distance) * knockback : 0,
          )
          hurt(world, gunner, drone, bite)
        },
      },

      'hazard burns gunner': {
        between: ['hazard', 'gunner'],
        gates: ['dead'],
        once: 15,
        decide(hazard, gunner, { world }) {
          hurt(world, gunner, hazard, 1)
        },
      },

      'hazard eats bullet': {
        between: ['hazard', 'bullet'],
        decide(_hazard, bullet) {
          despawn(bullet)
        },
      },
    },
    {
      sharedOrder: [['drone bites gunner', 'hazard burns gunner']],
      broadPhase: options.grid ? undefined : bruteForce,
      cellSize: options.cellSize,
    },
  )
}

function hurt(world: SkirmishRuleWorld, victim: Target, attacker: Target, damage: number): void {
  victim.hp -= damage
  emit(world, 'hurt', { victim, attacker, hpAfter: victim.hp })
}

export const skirmish = defineGame(declaration, {
  setup(world) {
    for (let i = 0; i < 3; i++) {
      spawn(world, 'hazard', {
        kind: KIND.hazard,
        x: range(world.random.spawns, 100, WIDTH - 100),
        y: range(world.random.spawns, 100, HEIGHT - 100),
        radius: 40,
      })
    }
    for (let i = 0; i < world.options.drones; i++) spawnDrone(world)
  },
  onJoin(world, player) {
    player.thing = spawn(world, 'gunner', {
      kind: KIND.gunner,
      x: range(world.random.spawns, 50, WIDTH - 50),
      y: range(world.random.spawns, 50, HEIGHT - 50),
      radius: 12,
      hp: 100,
    })
  },
  onLeave(_world, { thing: gunner }) {
    if (gunner !== undefined) despawn(gunner)
  },
  phases: (options) => ({ steer, fire, fly, hits: hits(options), reap, waves, fade: { run: fade, whilePaused: true } }),
  result: (world) => ({ over: world.tables.players.count > 0 && world.globals.killed >= 1_000_000 }),
  stats: (world) => ({ killed: world.globals.killed, waves: world.globals.wave, things: world.tables.things.count }),
})

function steer(world: SkirmishWorld): void {
  const { things, players } = world.tables
  for (let row = 0; row < players.count; row++) {
    const gunner = findRow(things, players.thing[row])
    if (gunner < 0) continue
    things.turn[gunner] += players.turn[row] * 0.1
    things.vx[gunner] = cos(things.turn[gunner]) * players.walk[row] * 3
    things.vy[gunner] = sin(things.turn[gunner]) * players.walk[row] * 3
  }
  for (let row = 0; row < things.count; row++) {
    if (things.kind[row] !== KIND.drone) continue
    const target = nearestGunner(world, row)
    if (target < 0) continue
    const dx = things.x[target] - things.x[row]
    const dy = things.y[target] - things.y[row]
    const distance = Math.sqrt(dx * dx + dy * dy) || 1
    things.vx[row] = (dx / distance) * 1.5 + range(world.random.drift, -0.5, 0.5)
    things.vy[row] = (dy / distance) * 1.5 + range(world.random.drift, -0.5, 0.5)
  }
}

function fire(world: SkirmishWorld): void {
  const { things, players } = world.tables
  const { clock, tuning } = world
  for (let row = 0; row < players.count; row++) {
    const gunner = findRow(things, players.thing[row])
    if (gunner < 0 || players.fire[row] === 0 || things.hp[gunner] <= 0) continue
    if (things.readyAt[gunner * 2] > clock) continue
    things.readyAt[gunner * 2] = clock + tuning.cooldown
    const dx = players.aimX[row] - things.x[gunner]
    const dy = players.aimY[row] - things.y[gunner]
    const distance = Math.sqrt(dx * dx + dy * dy) || 1
    for (let shot = 0; shot < Math.min(players.fire[row], 3); shot++) {
      const bullet = addRow(things)
      if (bullet < 0) return
      things.kind[bullet] = KIND.bullet
      things.layer[bullet] = LAYER.bullet
      things.owner[bullet] = things.id[gunner]
      things.radius[bullet] = 3
      things.x[bullet] = things.x[gunner]
      things.y[bullet] = things.y[gunner]
      things.vx[bullet] = (dx / distance) * tuning.bulletSpeed + (shot - 1) * 0.3
      things.vy[bullet] = (dy / distance) * tuning.bulletSpeed
      things.endsAt[bullet] = clock + tuning.bulletLife
    }
  }
}

function fly(world: SkirmishWorld): void {
  const { things } = world.tables
  const { heat } = world.arrays
  for (let row = 0; row < things.count; row++) {
    things.x[row] += things.vx[row]
    things.y[row] += things.vy[row]
    if (things.kind[row] === KIND.bullet) {
      if (things.endsAt[row] <= world.clock) things.leaving[row] = 1
      continue
    }
    things.x[row] = Math.min(Math.max(things.x[row], 0), WIDTH)
    things.y[row] = Math.min(Math.max(things.y[row], 0), HEIGHT)
    const cell = Math.min(Math.floor(things.y[row] / 50), 15) * 24 + Math.min(Math.floor(things.x[row] / 50), 23)
    heat[cell]++
  }
}

function reap(world: SkirmishWorld): void {
  const { things } = world.tables
  for (let row = 0; row < things.count; row++) {
    if (things.hp[row] > 0) continue
    if (things.kind[row] === KIND.gunner) {
      things.hp[row] = 100
      things.teleports[row]++
      things.x[row] = range(world.random.spawns, 50, WIDTH - 50)
      things.y[row] = range(world.random.spawns, 50, HEIGHT - 50)
      things.invulnerableUntil[row] = world.clock + 60
    } else if (things.kind[row] === KIND.drone && things.leaving[row] === 0) {
      things.leaving[row] = 1
      world.globals.killed++
      emit(world, 'killed', { victim: things.id[row], x: things.x[row], y: things.y[row] })
      insert(world, 'marks', { x: things.x[row], y: things.y[row], fadesAt: world.clock + 30 })
    }
  }
}

function waves(world: SkirmishWorld): void {
  if (world.clock % 30 !== 0) return
  world.globals.wave++
  for (let i = 0; i < int(world.random.spawns, 1, 4); i++) spawnDrone(world)
}

function fade(world: SkirmishWorld): void {
  const { marks } = world.tables
  for (let row = 0; row < marks.count; row++) if (marks.fadesAt[row] <= world.clock) marks.leaving[row] = 1
}

function spawnDrone(world: SkirmishWorld): void {
  const direction = { x: 0, y: 0 }
  unitVector(world.random.spawns, direction)
  spawn(world, 'drone', {
    kind: KIND.drone,
    x: WIDTH / 2 + (direction.x * WIDTH) / 2,
    y: HEIGHT / 2 + (direction.y * HEIGHT) / 2,
    radius: 8,
    hp: 20,
  })
}

function nearestGunner(world: SkirmishWorld, row: number): number {
  const { things, players } = world.tables
  let nearest = -1
  let nearestSquared = Number.POSITIVE_INFINITY
  for (let player = 0; player < players.count; player++) {
    const gunner = findRow(things, players.thing[player])
    if (gunner < 0) continue
    const dx = things.x[gunner] - things.x[row]
    const dy = things.y[gunner] - things.y[row]
    if (dx * dx + dy * dy >= nearestSquared) continue
    nearest = gunner
    nearestSquared = dx * dx + dy * dy
  }
  return nearest
}
