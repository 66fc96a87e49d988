/**
 * Run by heap.test.ts in a process of its own with --expose-gc: what does a tick of things that travel leave on the heap?
 *
 * Twenty balls between walls and pillars, two bats that swing: bounces, exchanges, pushes, several passes in a tick. Prints one
 * JSON object.
 */

import { arcBand } from '../../src/geometry/shapes/index.ts'
import { createEncodedInputs, stepEncoded } from '../../src/host/tools/index.ts'
import { addShape, collide, createWorld, declareGame, defineGame, defineStatics, each, spawn } from '../../src/index.ts'
import { bounce, contact, exchange, travel } from '../../src/rules/contacts/index.ts'
import { bytesPerTick } from '../heap.ts'

const declaration = declareGame({
  id: 'travelling',
  tickRate: 60,
  layers: { ball: ['ball', 'wall', 'bat'], bat: [], wall: [] },
  things: { invMass: 'f64', facingX: 'f64', facingY: 'f64', spin: 'f64' },
  globals: { bounces: 'u32' },
})
const statics = defineStatics(declaration, [
  { layer: 'wall', minX: -600, minY: -600, maxX: 600, maxY: -300 },
  { layer: 'wall', minX: -600, minY: 300, maxX: 600, maxY: 600 },
  { layer: 'wall', minX: -600, minY: -300, maxX: -300, maxY: 300 },
  { layer: 'wall', minX: 300, minY: -300, maxX: 600, maxY: 300 },
  { layer: 'wall', x: 0, y: 0, radius: 40 },
])
const keepSpeed = { restitution: 1, atMost: 25 }
const shield = arcBand(40, 50, 2)
const play = collide(
  declaration,
  {
    'ball meets wall': {
      between: ['ball', 'wall'],
      decide(ball, _wall, hit) {
        bounce(ball, contact(hit), keepSpeed)
        hit.world.globals.bounces += 1
      },
    },
    'ball meets bat': {
      between: ['ball', 'bat'],
      decide(ball, _bat, hit) {
        bounce(ball, contact(hit), keepSpeed)
        hit.world.globals.bounces += 1
      },
    },
    'balls meet': {
      between: ['ball', 'ball'],
      decide(one, other, hit) {
        exchange(one, other, contact(hit))
        hit.world.globals.bounces += 1
      },
    },
  },
  {
    statics,
    travel: travel(['ball', 'bat'], { perTick: true }),
    pose: { bat: (bat, boxes) => addShape(boxes, shield, bat) },
  },
)
const game = defineGame(declaration, {
  setup(world) {
    for (let i = 0; i < 20; i++) {
      const place = { x: -250 + 120 * (i % 5), y: -250 + 160 * Math.floor(i / 5) }
      spawn(world, 'ball', { ...place, radius: 8, invMass: 1, vx: 20 - 2 * i, vy: 5 + i })
    }
    for (const x of [-150, 150]) spawn(world, 'bat', { x, facingX: 1, spin: x / 500 })
  },
  phases: {
    play,
    drive(world) {
      // What came to rest goes on.
      for (const ball of each(world, 'ball')) if (ball.vx * ball.vx + ball.vy * ball.vy < 25) ball.vx += 5
    },
  },
})
const world = createWorld(game)
const inputs = createEncodedInputs(world)
const run = (count: number) => {
  for (let i = 0; i < count; i++) stepEncoded(world, inputs)
}
run(12_000)
const { bounces } = world.globals
const measured = bytesPerTick(run)
console.log(
  JSON.stringify({ bytesPerTick: measured, bouncesPerTick: (world.globals.bounces - bounces) / (world.tick - 12_000) }),
)
