/**
 * What a whole tick costs at the size the seed document speaks of: 20 enemies and 10 projectiles.
 *
 * Prints the median time of a tick, and how many bytes a tick allocates: the growth of the heap between two collections, in
 * chunks short enough that few of them have one; chunks in which the heap shrank are left out.
 *
 *   node games/nightfall/bench/document.ts
 */

import { createWorld, step } from 'hurtbox'
import { createEncodedInputs, stepEncoded } from 'hurtbox/tools'
import { nightfall } from '../rules/index.ts'

const WARM_UP = 3000
const TICKS = 6000
const CHUNK = 50

const world = createWorld(nightfall, {
  seed: 3,
  options: { start: 'storm', stormEnemies: 20, stormShots: 10 },
  tuning: { survivorHp: 1e6, gemWorth: 0 },
})
step(world, { controls: [{ control: 'join', seat: 0 }] })
const inputs = createEncodedInputs(world)
for (let tick = 0; tick < WARM_UP; tick++) stepEncoded(world, inputs)

const times = new Float64Array(TICKS)
const grown: number[] = []
for (let first = 0; first < TICKS; first += CHUNK) {
  const { heapUsed } = process.memoryUsage()
  for (let tick = first; tick < first + CHUNK; tick++) {
    const started = performance.now()
    stepEncoded(world, inputs)
    times[tick] = performance.now() - started
  }
  grown.push((process.memoryUsage().heapUsed - heapUsed) / CHUNK)
}
const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]
const bytes = median(grown.filter((each) => each >= 0))
console.log(
  `20 enemies, 10 projectiles: ${median([...times]).toFixed(4)} ms and ${Math.round(bytes)} bytes a tick, medians`,
)
