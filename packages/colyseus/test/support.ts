/** A small game with everything that netcode must carry: levels, presses, chance, straight flights, jumps, deaths, fog. */

import {
  addRow,
  axis,
  type Bot,
  button,
  collide,
  declareGame,
  defineGame,
  defineRewind,
  emit,
  findRow,
  type Game,
  press,
  recordPoses,
  rule,
  type SeenPose,
  seenPose,
  spawn,
  type World,
} from 'hurtbox'
import { purposeOf, range, unitAt } from 'hurtbox/math'

export const rewind = defineRewind(32, 16)
const KIND = { runner: 1, dart: 2 } as const
const SIZE = 200
/** Ticks a second. */
export const RATE = 30
/** How far runners of the other team are seen. */
export const SIGHT = 60

export const declaration = declareGame({
  id: 'tag',
  rulesVersion: 1,
  tickRate: RATE,
  seats: { min: 1, max: 8 },
  layers: { runner: ['dart'], dart: [] },
  tables: {
    things: { capacity: 256, columns: { hp: 'f64', endsAt: 'timer' } },
    players: { columns: { score: 'u32', presses: 'u32' } },
    ...rewind.tables,
  },
  globals: { round: 'u32', pot: 'f64' },
  streams: ['places'],
  input: { moveX: axis(), moveY: axis(), throwing: button(), zap: press(), ...rewind.input },
  events: {
    thrown: { thrower: 'id', dart: 'id' },
    hit: { victim: 'id', thrower: 'id' },
    zapped: { shooter: 'id', victim: 'id', ago: 'f64' },
  },
})
export type Tag = World<typeof declaration>

function place(world: Tag, row: number): void {
  const { things } = world.tables
  things.x[row] = range(world.random.places, -SIZE, SIZE)
  things.y[row] = range(world.random.places, -SIZE, SIZE)
  things.hp[row] = 100
  things.teleports[row]++
}

function run(world: Tag): void {
  const { things, players } = world.tables
  for (let player = 0; player < players.count; player++) {
    players.presses[player] += players.zap[player]
    const row = findRow(things, players.thing[player])
    if (row < 0) continue
    if (things.hp[row] <= 0) place(world, row)
    things.vx[row] = players.moveX[player] * 40
    things.vy[row] = players.moveY[player] * 40
    things.x[row] = Math.min(Math.max(things.x[row] + things.vx[row] / RATE, -SIZE), SIZE)
    things.y[row] = Math.min(Math.max(things.y[row] + things.vy[row] / RATE, -SIZE), SIZE)
  }
}

function throwDarts(world: Tag): void {
  const { things, players } = world.tables
  for (let player = 0; player < players.count; player++) {
    const row = findRow(things, players.thing[player])
    if (row < 0 || players.throwing[player] === 0 || things.endsAt[row] > world.clock) continue
    things.endsAt[row] = world.clock + 10
    const dart = addRow(things)
    if (dart < 0) return
    things.kind[dart] = KIND.dart
    things.layer[dart] = 1
    things.team[dart] = things.team[row]
    things.owner[dart] = things.id[row]
    things.x[dart] = things.x[row]
    things.y[dart] = things.y[row]
    things.vx[dart] = players.moveX[player] >= 0 ? 150 : -150
    things.vy[dart] = 20
    things.radius[dart] = 2
    things.endsAt[dart] = world.clock + 100
    emit(world.events.thrown, { thrower: things.id[row], dart: things.id[dart] })
  }
}

function fly(world: Tag): void {
  const { count, kind, x, y, vx, vy, endsAt, leaving } = world.tables.things
  for (let row = 0; row < count; row++) {
    if (kind[row] !== KIND.dart) continue
    x[row] += vx[row] / RATE
    y[row] += vy[row] / RATE
    if (endsAt[row] <= world.clock) leaving[row] = 1
  }
}

const dartHits = rule(declaration, {
  name: 'dart-hits',
  attacker: 'dart',
  victim: 'runner',
  gates: ['owner', 'dead'],
  decide(view, { attacker, victim }, outcome) {
    const { things } = view.tables
    outcome.add(things.hp, victim, -40)
    outcome.despawn(attacker)
    emit(view.events.hit, { victim: things.id[victim], thrower: things.owner[attacker] })
    return 'hit'
  },
})

const pose: SeenPose = { x: 0, y: 0, ago: 0 }

/** A zap hits everybody in the runner's column of the world, where the player saw them. */
function zap(world: Tag): void {
  const { things, players } = world.tables
  for (let player = 0; player < players.count; player++) {
    const shooter = findRow(things, players.thing[player])
    if (shooter < 0 || players.zap[player] === 0) continue
    for (let row = 0; row < things.count; row++) {
      if (things.kind[row] !== KIND.runner || row === shooter) continue
      seenPose(world, rewind, row, players.seenAgo[player], pose)
      if (Math.abs(pose.x - things.x[shooter]) > 8) continue
      emit(world.events.zapped, { shooter: things.id[shooter], victim: things.id[row], ago: pose.ago })
      players.score[player]++
    }
  }
}

function makeGame(hasFog: boolean): Game<typeof declaration> {
  return defineGame(declaration, {
    onJoin(world, row) {
      const { things, players } = world.tables
      players.team[row] = 1 + (players.seat[row] % 2)
      players.thing[row] = spawn(things, { kind: KIND.runner, radius: 5, team: players.team[row] })
      place(world, findRow(things, players.thing[row]))
    },
    onLeave(world, row) {
      const { things, players } = world.tables
      const thing = findRow(things, players.thing[row])
      if (thing >= 0) things.leaving[thing] = 1
    },
    phases: () => ({
      zap,
      run,
      throwDarts,
      fly,
      hits: collide([dartHits], { takes: { things: ['hp'] } }),
      count(world) {
        world.globals.round = Math.floor(world.clock / (10 * RATE))
        world.globals.pot = world.tables.things.count * 0.5
      },
      record: recordPoses(rewind, (world, row) => world.tables.things.kind[row] === KIND.runner),
    }),
    ...(hasFog && {
      visible(world: Tag, side: number, row: number) {
        const { things } = world.tables
        if (things.team[row] === side) return true
        for (let eye = 0; eye < things.count; eye++) {
          if (things.team[eye] !== side || things.kind[eye] !== KIND.runner) continue
          const [dx, dy] = [things.x[eye] - things.x[row], things.y[eye] - things.y[row]]
          if (dx * dx + dy * dy <= SIGHT * SIGHT) return true
        }
        return false
      },
    }),
  })
}

export const tag = makeGame(false)
export const fogTag = makeGame(true)

const WHIM = purposeOf('tag whim')

/** Runs to and fro, throws often and zaps at times, all by the seed. */
export const whimsical: Bot<typeof declaration> = {
  name: 'whimsical',
  about: 'does whatever comes to mind, for a while',
  think(world, seat, seed) {
    const whim = (n: number, hold: number) => unitAt(seed, Math.floor(world.tick / hold), seat, n, WHIM)
    return {
      moveX: Math.round(whim(0, 17) * 4 - 2) / 2,
      moveY: Math.round(whim(1, 23) * 4 - 2) / 2,
      throwing: whim(2, 31) < 0.6,
      zap: whim(3, 1) < 0.05 ? 1 : 0,
    }
  },
}
