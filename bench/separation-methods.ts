/**
 * How much overlap the methods of separation leave, and what they cost: `npm run measure -- separation`.
 *
 * Fields of seed 002's units at random; all methods start from the same places. Medians of five fields.
 */

import { createWorld, declareGame, defineGame, spawn, step, type World } from 'hurtbox'
import { range } from 'hurtbox/math'
import {
  residualOverlap,
  SEPARATION_CROWD,
  SEPARATION_DEFAULTS,
  SEPARATION_PAIRWISE,
  type SeparationSettings,
  separate,
} from 'hurtbox/motion'

const declaration = declareGame({
  id: 'field',
  tickRate: 30,
  layers: { unit: [] },
  capacity: 8192,
  things: { invMass: 'f64' },
  streams: ['places', 'steps'],
})
const TICKS = 5
const STEADY_TICKS = 100
const FIELDS = 5
const METHODS = { 'pairs of the start': SEPARATION_DEFAULTS, pairwise: SEPARATION_PAIRWISE, yielding: SEPARATION_CROWD }

function field(count: number, side: number, seed: number, settings: SeparationSettings): World<typeof declaration> {
  const world = createWorld(defineGame(declaration, { phases: { separate: separate({ settings: () => settings }) } }), {
    seed,
  })
  const { places } = world.random
  for (let i = 0; i < count; i++) {
    const [radius, mass] =
      i % 50 === 0 ? [50, Number.POSITIVE_INFINITY] : i % 10 === 0 ? [25, 100] : [20, i % 2 ? 50 : 30]
    spawn(world, 'unit', { x: range(places, 0, side), y: range(places, 0, side), radius, invMass: 1 / mass })
  }
  return world
}

function measure(count: number, side: number, settings: SeparationSettings) {
  const results = Array.from({ length: FIELDS }, (_, seed) => {
    const world = field(count, side, seed + 1, settings)
    for (let tick = 0; tick < TICKS; tick++) step(world)
    const { mean, deepest } = residualOverlap(world, { settings: () => settings })
    const { things } = world.tables
    const before = process.cpuUsage()
    for (let tick = 0; tick < STEADY_TICKS; tick++) {
      for (let row = 0; row < things.count; row++) {
        if (things.invMass[row] === 0) continue
        things.x[row] += range(world.random.steps, -4, 4)
        things.y[row] += range(world.random.steps, -4, 4)
      }
      step(world)
    }
    const { user, system } = process.cpuUsage(before)
    return { mean, deepest, ms: (user + system) / 1000 / STEADY_TICKS }
  })
  const median = (of: (result: (typeof results)[number]) => number) => results.map(of).sort((a, b) => a - b)[2]
  return [median(({ mean }) => mean), median(({ deepest }) => deepest), median(({ ms }) => ms)]
}

process.stdout.write(
  `| units | side | method | mean overlap after ${TICKS} ticks | deepest | CPU ms per tick |\n|---|---|---|---|---|---|\n`,
)
for (const [count, side] of [
  [300, 1200],
  [1000, 2000],
  [5000, 5000],
] as const) {
  for (const [name, settings] of Object.entries(METHODS)) {
    const figures = measure(count, side, settings).map((value) => value.toFixed(2))
    process.stdout.write(`| ${count} | ${side} | ${name} | ${figures.join(' | ')} |\n`)
  }
}
