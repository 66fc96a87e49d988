/**
 * Arena: a small game for the tests of replays, with every sort of input, state and control in it.
 *
 * Walkers move, shoot and are hit; coins are dropped at random; orders put marks on the floor. `createArena` takes the
 * numbers that a rule can be changed by, and hooks for rules that break the contract.
 */

import { chance, range } from '../../src/geometry/math/random.ts'
import {
  axis,
  button,
  choice,
  collide,
  declareGame,
  defineGame,
  despawn,
  emit,
  findRow,
  fixed,
  flag,
  type Game,
  insert,
  list,
  oneOf,
  point,
  press,
  push,
  seconds,
  spawn,
  target,
  tune,
  type World,
  whole,
  wide,
} from '../../src/index.ts'

export const declaration = declareGame({
  id: 'arena',
  rulesVersion: 1,
  tickRate: 30,
  seats: { min: 0, max: 5 },
  options: {
    coins: whole(3, { min: 0, max: 20 }),
    bouncy: flag(false, 'walls bounce'),
    mode: oneOf(['duel', 'party']),
  },
  layers: { walker: ['shot'], shot: [], coin: [] },
  capacity: 64,
  things: { hp: 'f64', endsAt: 'timer', slots: wide('u16', 3) },
  players: { score: 'u32' },
  tables: { marks: { capacity: 16, columns: { x: 'f64', y: 'f64', size: 'u8' } } },
  arrays: { visits: { type: 'u16', length: 8 } },
  globals: { hits: 'u32', windX: 'f64' },
  streams: ['coins', 'wind'],
  tuning: {
    damage: tune(10, { unit: 'hp', min: 0, max: 100 }),
    shotLife: seconds(0.5),
  },
  input: {
    walk: axis(),
    strafe: axis(),
    block: button(),
    fire: press(),
    stance: choice(['low', 'middle', 'high']),
    aim: point({ min: -100, max: 100, step: 0.5 }),
    power: fixed({ min: 0, max: 2, step: 0.125 }),
    target: target(),
    orders: list(2, { at: point({ min: -100, max: 100, step: 1 }), size: choice(['s', 'm', 'l']) }),
  },
  events: { hurt: { victim: 'id', hpAfter: 'f64' } },
  content: { walls: new Float64Array([-90, -90, 90, 90]), names: { low: 'tief', high: 'höher' } },
})

export type ArenaDeclaration = typeof declaration
export interface ArenaWorld extends World<ArenaDeclaration> {}

export type Change = {
  /** Pixels a tick. */
  readonly speed?: number
  /** Runs at the end of each tick: for rules that break the contract. */
  readonly extra?: (world: ArenaWorld) => void
  /** Runs at the end of setup. */
  readonly extraSetup?: (world: ArenaWorld) => void
  readonly change?: Partial<ArenaDeclaration>
}

const WALKER = 1
const SHOT = 2
const COIN = 3

export function createArena(given: Change = {}): Game<ArenaDeclaration> {
  const speed = given.speed ?? 2.5
  const hit = collide(declaration, {
    'shot hits walker': {
      between: ['shot', 'walker'],
      touching: true,
      gates: ['owner', 'dead'],
      decide(shot, walker, { world }) {
        walker.hp -= world.tuning.damage
        push(walker, shot.vx / 4, shot.vy / 4)
        despawn(shot)
        emit(world, 'hurt', { victim: walker, hpAfter: walker.hp })
      },
    },
  })
  return defineGame({ ...declaration, ...given.change } as ArenaDeclaration, {
    setup(world) {
      for (let i = 0; i < world.options.coins; i++) dropCoin(world)
      given.extraSetup?.(world)
    },
    onJoin(world, player) {
      const x = range(world.random.coins, -50, 50)
      player.thing = spawn(world, 'walker', { kind: WALKER, x, y: player.seat * 12, radius: 6, hp: 50 })
    },
    onLeave(_world, { thing: walker }) {
      if (walker !== undefined) despawn(walker)
    },
    phases: {
      walk: (world) => walk(world, speed),
      shoot,
      hit,
      reap,
      weather,
      extra: (world) => given.extra?.(world),
    },
    stats: (world) => ({ hits: world.globals.hits }),
  })
}

function walk(world: ArenaWorld, speed: number): void {
  const { things, players } = world.tables
  const { walls } = declaration.content
  for (let row = 0; row < players.count; row++) {
    const walker = findRow(things, players.thing[row])
    if (walker < 0) continue
    const pace = players.block[row] === 1 ? speed / 2 : speed * (1 + players.stance[row] / 4)
    things.vx[walker] = players.walk[row] * pace
    things.vy[walker] = players.strafe[row] * pace
    things.slots[walker * 3 + players.stance[row]]++
    if (findRow(things, players.target[row]) >= 0) things.owner[walker] = players.target[row]
  }
  for (let row = 0; row < things.count; row++) {
    things.x[row] += things.vx[row] + world.globals.windX
    things.y[row] += things.vy[row]
    if (things.x[row] < walls[0] || things.x[row] > walls[2]) {
      things.x[row] = Math.min(Math.max(things.x[row], walls[0]), walls[2])
      if (world.options.bouncy) things.vx[row] = -things.vx[row]
    }
    things.y[row] = Math.min(Math.max(things.y[row], walls[1]), walls[3])
    world.arrays.visits[Math.min(Math.floor((things.x[row] + 90) / 22.5), 7)]++
  }
}

function shoot(world: ArenaWorld): void {
  const { things, players } = world.tables
  for (let row = 0; row < players.count; row++) {
    const walker = findRow(things, players.thing[row])
    if (walker < 0) continue
    for (let shot = 0; shot < players.fire[row]; shot++) {
      const dx = players.aimX[row] - things.x[walker] + shot
      const dy = players.aimY[row] - things.y[walker]
      const distance = Math.sqrt(dx * dx + dy * dy) || 1
      spawn(world, 'shot', {
        kind: SHOT,
        owner: things.id[walker],
        x: things.x[walker],
        y: things.y[walker],
        vx: (dx / distance) * (3 + players.power[row]),
        vy: (dy / distance) * (3 + players.power[row]),
        radius: 2,
        endsAt: world.clock + world.tuning.shotLife,
      })
    }
    for (let i = 0; i < players.ordersCount[row]; i++) {
      insert(world, 'marks', {
        x: players.ordersAtX[row * 2 + i],
        y: players.ordersAtY[row * 2 + i],
        size: players.ordersSize[row * 2 + i],
      })
    }
  }
}

function reap(world: ArenaWorld): void {
  const { things, players, marks } = world.tables
  for (let row = 0; row < things.count; row++) {
    if (things.kind[row] === SHOT && things.endsAt[row] <= world.clock) things.leaving[row] = 1
    if (things.kind[row] !== WALKER || things.hp[row] > 0) continue
    things.hp[row] = 50
    things.x[row] = range(world.random.coins, -50, 50)
    world.globals.hits++
    for (let player = 0; player < players.count; player++) {
      if (players.thing[player] === things.owner[row]) players.score[player]++
      // A walker that falls loses its stick, so that a held stick is new input.
      if (players.thing[player] === things.id[row]) players.walk[player] = 0
    }
  }
  if (marks.count > 12) marks.leaving[0] = 1
}

function weather(world: ArenaWorld): void {
  if (chance(world.random.wind, 0.1)) world.globals.windX = range(world.random.wind, -0.5, 0.5)
  if (world.entropy !== 0 && world.clock % 32 === 0) world.globals.windX = (world.entropy % 100) / 200
  if (world.clock % 40 === 39) dropCoin(world)
}

function dropCoin(world: ArenaWorld): void {
  const stream = world.random.coins
  spawn(world, 'coin', { kind: COIN, x: range(stream, -80, 80), y: range(stream, -80, 80), radius: 3 })
}
