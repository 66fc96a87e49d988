/**
 * Run by heap.slow.test.ts in a process of its own with --expose-gc: what does a long, busy match leave on the heap?
 *
 * Prints one JSON object. `steadyBytesPerTick` is measured without collections in between, in a scene whose rules
 * write no object literals; the match itself also has rules that emit events as literals, which are theirs to pay.
 */

import { scenes } from '../scenes/index.ts'
import { createEncodedInputs, inputsAt, playScene, startScene, stepEncoded } from '../src/host/tools/index.ts'
import {
  addRow,
  collide,
  createWorld,
  declareGame,
  defineGame,
  despawn,
  each,
  emit,
  eventsOf,
  playerAt,
  players,
  push,
  rememberHits,
  restore,
  spawn,
  step,
  wide,
} from '../src/index.ts'
import { bytesPerTick, heapUsed } from './heap.ts'

function longMatch(ticks: number) {
  const session = startScene(scenes[0])
  playScene(scenes[0], session, scenes[0].ticks)
  const { world, log } = session
  const start = session.keyframes[0].state
  const inputs = createEncodedInputs(world)
  const run = (count: number) => {
    for (let i = 0; i < count; i++) {
      if (world.tick === log.length) restore(world, start)
      inputsAt(log, world.tick, inputs)
      stepEncoded(world, inputs)
    }
  }
  run(ticks)
  const before = heapUsed()
  run(ticks)
  return { growthBytes: heapUsed() - before, ticks }
}

/** Balls in a box that bounce off each other and are replaced when used up: contacts, ledger, leaving, adding. */
function steadyState(isSorted: boolean) {
  const declaration = declareGame({
    id: 'balls',
    tickRate: 60,
    layers: { ball: ['ball'] },
    capacity: 512,
    things: { hp: 'f64' },
    hits: rememberHits(4096),
    events: { hit: { a: 'id', b: 'id' } },
    eventCapacity: 4096,
  })
  const meet = collide(
    declaration,
    {
      bounce: {
        between: ['ball', 'ball'],
        gates: ['dead'],
        once: 5,
        decide(first, second, hit) {
          second.hp -= 1
          push(second, (second.x - first.x) / 8, (second.y - first.y) / 8)
          const { events } = hit.world
          const row = addRow(events.hit)
          if (row >= 0) events.hit.a[row] = first.id
        },
      },
    },
    isSorted ? { orderBy: (_first, second) => second.id & 7 } : {},
  )
  const game = defineGame(declaration, {
    setup(world) {
      for (let i = 0; i < 300; i++) spawn(world, 'ball', { x: (i * 37) % 200, y: (i * 91) % 150, radius: 6, hp: 20 })
    },
    phases: {
      hits: meet,
      replace({ tables: { things }, tick }) {
        for (let row = 0, count = things.count; row < count; row++) {
          if (things.hp[row] > 0) continue
          things.leaving[row] = 1
          const fresh = addRow(things)
          if (fresh < 0) continue
          things.x[fresh] = (tick * 53 + row) % 200
          things.y[fresh] = (tick * 29 + row) % 150
          things.radius[fresh] = 6
          things.hp[fresh] = 20
        }
      },
    },
  })
  const world = createWorld(game)
  const inputs = createEncodedInputs(world)
  let hits = 0
  const run = (count: number) => {
    for (let i = 0; i < count; i++) {
      stepEncoded(world, inputs)
      hits += world.events.hit.count
    }
  }
  run(3000)
  return { steadyBytesPerTick: bytesPerTick(run), hitsPerTick: hits / world.tick }
}

/** Things as objects only: loops, writes, spawning, leaving, events and players, in rules and phases. */
function handlesOnly() {
  const declaration = declareGame({
    id: 'handles',
    tickRate: 60,
    seats: { min: 0, max: 4 },
    layers: { knight: ['slime'], slime: ['slime'] },
    capacity: 256,
    things: { hp: 'f64', combo: 'u8', armour: wide('f64', 2) },
    players: { score: 'u32' },
    hits: rememberHits(1024),
    events: { cut: { victim: 'id', depth: 'f64' } },
  })
  const values = { x: 0, y: 0, radius: 6, hp: 400 }
  const cut = { victim: 0, depth: 0 }
  const game = defineGame(declaration, {
    setup(world) {
      for (let i = 0; i < 120; i++) spawn(world, 'slime', { x: (i * 37) % 200, y: (i * 91) % 150, radius: 6, hp: 400 })
    },
    onJoin(world, player) {
      player.thing = spawn(world, 'knight', { x: 50 * player.seat, y: 70, radius: 30, hp: 1 })
    },
    phases: {
      walk(world) {
        for (const slime of each(world, 'slime')) {
          slime.vx = (75 - slime.x) / 64
          slime.x += slime.vx
          slime.y += (70 - slime.y) / 16
          slime.armour.set(1, slime.armour.get(0) + 1)
        }
        for (const player of players(world)) {
          const { thing: knight } = player
          if (knight !== undefined) knight.combo++
        }
      },
      hits: collide(declaration, {
        strike: {
          between: ['knight', 'slime'],
          once: 3,
          decide(knight, slime, { world }) {
            if (slime.combo > 200) return 'tired'
            slime.hp -= 3
            slime.combo += 1
            push(slime, 1, slime.y > knight.y ? 1 : -1)
            cut.victim = slime.id
            cut.depth = slime.hp
            emit(world, 'cut', cut)
          },
        },
      }),
      reap(world) {
        for (const slime of each(world, 'slime')) {
          if (slime.hp > 0) continue
          despawn(slime)
          values.x = (world.tick * 53 + slime.id) % 200
          values.y = (world.tick * 29 + slime.id) % 150
          spawn(world, 'slime', values)
        }
        const player = playerAt(world, 0)
        for (const { depth } of eventsOf(world, 'cut')) if (player !== undefined && depth <= 0) player.score += 1
      },
    },
  })
  const world = createWorld(game)
  step(world, { controls: [0, 1, 2, 3].map((seat) => ({ control: 'join', seat })) })
  const inputs = createEncodedInputs(world)
  let hits = 0
  const run = (count: number) => {
    for (let i = 0; i < count; i++) {
      stepEncoded(world, inputs)
      hits += world.events.cut.count
    }
  }
  run(3000)
  const score = playerAt(world, 0)!.score
  return { steadyBytesPerTick: bytesPerTick(run), hitsPerTick: hits / world.tick, score }
}

// One at a time: code that has seen two games is no longer inlined for one. A match of several rules comes first, because
// V8 gives up inlining what a rule calls when the engine has only ever seen one rule.
const [, , which] = process.argv
const match = longMatch(which === undefined ? 10_000 : 2_000)
const measured =
  which === 'sorted' ? steadyState(true) : which === 'handles' ? handlesOnly() : { ...match, ...steadyState(false) }
console.log(JSON.stringify(measured))
