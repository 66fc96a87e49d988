/** A small game with everything that netcode must carry: levels, presses, chance, straight flights, jumps, deaths, fog. */

import {
  axis,
  type Bot,
  button,
  collide,
  declareGame,
  defineGame,
  despawn,
  each,
  emit,
  exists,
  type Game,
  players,
  press,
  spawn,
  type Thing,
  type World,
} from 'hurtbox'
import { purposeOf, range, unitAt } from 'hurtbox/math'
import { defineRewind, recordPoses, type SeenPose, seenPose } from 'hurtbox/rewind'
import { rowOf } from 'hurtbox/tools'

export const rewind = defineRewind(32, 16)
const KIND = { runner: 1, dart: 2 } as const
const SIZE = 200
/** Ticks a second. */
export const RATE = 30
/** How far runners of the other team are seen. */
export const SIGHT = 60

export const declaration = declareGame({
  id: 'tag',
  tickRate: RATE,
  seats: { min: 1, max: 8 },
  layers: { runner: ['dart'], dart: [] },
  capacity: 256,
  things: { hp: 'f64', endsAt: 'timer' },
  players: { score: 'u32', presses: 'u32' },
  tables: rewind.tables,
  globals: { round: 'u32', pot: 'f64' },
  streams: ['places'],
  input: { moveX: axis(), moveY: axis(), throwing: button(), zap: press(), ...rewind.input },
  events: {
    thrown: { thrower: 'id', dart: 'id' },
    hit: { victim: 'id', thrower: 'id' },
    zapped: { shooter: 'id', victim: 'id', ago: 'f64' },
  },
})
export interface Tag extends World<typeof declaration> {}
interface TagThing extends Thing<typeof declaration> {}

function place(world: Tag, runner: TagThing): void {
  runner.x = range(world.random.places, -SIZE, SIZE)
  runner.y = range(world.random.places, -SIZE, SIZE)
  runner.hp = 100
  runner.teleports++
}

function run(world: Tag): void {
  for (const player of players(world)) {
    player.presses += player.zap
    const runner = player.thing
    if (runner === undefined) continue
    if (runner.hp <= 0) place(world, runner)
    runner.vx = player.moveX * 40
    runner.vy = player.moveY * 40
    runner.x = Math.min(Math.max(runner.x + runner.vx / RATE, -SIZE), SIZE)
    runner.y = Math.min(Math.max(runner.y + runner.vy / RATE, -SIZE), SIZE)
  }
}

function throwDarts(world: Tag): void {
  for (const player of players(world)) {
    const thrower = player.thing
    if (thrower === undefined || player.throwing === 0 || thrower.endsAt > world.clock) continue
    thrower.endsAt = world.clock + 10
    const dart = spawn(world, 'dart', {
      kind: KIND.dart,
      team: thrower.team,
      owner: thrower,
      x: thrower.x,
      y: thrower.y,
      vx: player.moveX >= 0 ? 150 : -150,
      vy: 20,
      radius: 2,
      endsAt: world.clock + 100,
    })
    if (!exists(dart)) return
    emit(world, 'thrown', { thrower, dart })
  }
}

function fly(world: Tag): void {
  for (const dart of each(world, 'dart')) {
    dart.x += dart.vx / RATE
    dart.y += dart.vy / RATE
    if (dart.endsAt <= world.clock) despawn(dart)
  }
}

const hits = collide(declaration, {
  'dart hits runner': {
    between: ['dart', 'runner'],
    gates: ['owner', 'dead'],
    decide(dart, runner, { world }) {
      runner.hp -= 40
      despawn(dart)
      emit(world, 'hit', { victim: runner, thrower: dart.owner })
    },
  },
})

const pose: SeenPose = { x: 0, y: 0, ago: 0 }

/** A zap hits everybody in the runner's column of the world, where the player saw them. */
function zap(world: Tag): void {
  for (const player of players(world)) {
    const shooter = player.thing
    if (shooter === undefined || player.zap === 0) continue
    for (const runner of each(world, 'runner')) {
      if (runner === shooter) continue
      seenPose(world, rewind, rowOf(world.tables.things, runner.id), player.seenAgo, pose)
      if (Math.abs(pose.x - shooter.x) > 8) continue
      emit(world, 'zapped', { shooter, victim: runner, ago: pose.ago })
      player.score++
    }
  }
}

function isSeenBy(world: Tag, side: number, seen: TagThing): boolean {
  if (seen.team === side) return true
  for (const eye of each(world, 'runner')) {
    const [dx, dy] = [eye.x - seen.x, eye.y - seen.y]
    if (eye.team === side && dx * dx + dy * dy <= SIGHT * SIGHT) return true
  }
  return false
}

export const phases = {
  zap,
  run,
  throwDarts,
  fly,
  hits,
  count(world: Tag): void {
    world.globals.round = Math.floor(world.clock / (10 * RATE))
    world.globals.pot = world.tables.things.count * 0.5
  },
  record: recordPoses<typeof declaration>(rewind, (world, row) => world.tables.things.kind[row] === KIND.runner),
}

function makeGame(hasFog: boolean): Game<typeof declaration> {
  return defineGame(declaration, {
    onJoin(world, player) {
      player.team = 1 + (player.seat % 2)
      const runner = spawn(world, 'runner', { kind: KIND.runner, radius: 5, team: player.team })
      player.thing = runner
      place(world, runner)
    },
    onLeave(_world, player) {
      if (player.thing !== undefined) despawn(player.thing)
    },
    phases,
    ...(hasFog && { visible: isSeenBy }),
  })
}

export const tag = makeGame(false)
export const fogTag = makeGame(true)

const WHIM = purposeOf('tag whim')

/** Runs to and fro, throws often and zaps at times, all by the seed. */
export const whimsical: Bot<typeof declaration> = {
  name: 'whimsical',
  about: 'does whatever comes to mind, for a while',
  think(world, { seat }, seed) {
    const whim = (n: number, hold: number) => unitAt(seed, Math.floor(world.tick / hold), seat, n, WHIM)
    return {
      moveX: Math.round(whim(0, 17) * 4 - 2) / 2,
      moveY: Math.round(whim(1, 23) * 4 - 2) / 2,
      throwing: whim(2, 31) < 0.6,
      zap: whim(3, 1) < 0.05 ? 1 : 0,
    }
  },
}
