/**
 * Run by heap.test.ts in a process of its own with --expose-gc: what does a long, busy match leave on the heap?
 *
 * Prints one JSON object. `steadyBytesPerTick` is measured without collections in between, in a scene whose rules use
 * rows and numbers only; the match itself also has rules that emit events as object literals, which are theirs to pay.
 */

import { scenes } from '../scenes/index.ts'
import {
  addRow,
  collide,
  createEncodedInputs,
  createWorld,
  declareGame,
  defineGame,
  playScene,
  restore,
  rule,
  spawn,
  startScene,
  stepEncoded,
} from '../src/index.ts'
import { inputsAt } from '../src/session/log.ts'
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

/** Balls in a box that bounce off each other and are replaced when used up: contacts, takes, leaving, adding. */
function steadyState(isSorted: boolean) {
  const declaration = declareGame({
    id: 'balls',
    rulesVersion: 1,
    tickRate: 60,
    seats: { min: 0, max: 1 },
    layers: { ball: ['ball'] },
    tables: { things: { capacity: 512, columns: { hp: 'f64' } }, hits: { capacity: 4096, columns: {} } },
    events: { hit: { a: 'id', b: 'id' } },
    eventCapacity: 4096,
  })
  const bounce = rule(declaration, {
    name: 'bounce',
    attacker: 'ball',
    victim: 'ball',
    gates: ['dead', 'already-hit'],
    decide(view, { attacker, victim }, outcome) {
      const { things } = view.tables
      if (isSorted) outcome.priority((victim & 1) === 0 ? 'first' : 'second')
      outcome.add(things.hp, victim, -1)
      outcome.push(victim, (things.x[victim] - things.x[attacker]) / 8, (things.y[victim] - things.y[attacker]) / 8)
      outcome.remember(view.clock + 5)
      const row = addRow(view.events.hit)
      if (row >= 0) view.events.hit.a[row] = things.id[attacker]
      return 'hit'
    },
  })
  const game = defineGame(declaration, {
    setup({ tables: { things } }) {
      for (let i = 0; i < 300; i++) spawn(things, { x: (i * 37) % 200, y: (i * 91) % 150, radius: 6, hp: 20 })
    },
    phases: () => ({
      hits: collide([bounce], {
        takes: { things: ['hp'] },
        ...(isSorted && { orderKey: (_view, { victim }) => victim & 7, priorities: ['first', 'second'] }),
      }),
      replace: ({ tables: { things }, tick }) => {
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
    }),
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

// One at a time: code that has seen two games is no longer inlined for one.
const isSorted = process.argv.includes('sorted')
console.log(JSON.stringify(isSorted ? steadyState(true) : { ...longMatch(10_000), ...steadyState(false) }))
