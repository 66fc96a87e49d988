/**
 * Run by heap.test.ts in a process of its own with --expose-gc: what does a tick full of abilities leave on the heap?
 *
 * Eight fighters close together that punch, shoot, shake the ground and are thrown about. Prints one JSON object.
 */

import { createEncodedInputs, stepEncoded } from '../../src/host/tools/index.ts'
import type { AbilitySpec } from '../../src/kits/abilities/index.ts'
import { bytesPerTick } from '../heap.ts'
import { arena, enter, KIND } from './arena.ts'

const content: Record<string, AbilitySpec> = {
  punch: {
    startup: 2,
    active: 3,
    recovery: 2,
    cooldown: 8,
    steps: 3,
    window: 10,
    control: 'turn',
    effects: [
      { on: 'active', melee: { box: [0.5, 0.75, 1], ahead: 1.5 } },
      { on: 'hit', damage: { amount: 0.01 } },
      { on: 'hit', force: { frame: 'away', along: [1, 0, 0.3], impulse: 3 } },
      { on: 'hit', stun: { ticks: 1, launch: 1, stop: 1 } },
    ],
  },
  fireball: {
    startup: 2,
    active: 1,
    recovery: 2,
    cooldown: 12,
    effects: [
      { on: 'cast', projectile: { speed: 20, radius: 0.25, life: 40, ahead: 1.5 } },
      { on: 'hit', force: { frame: 'away', along: [1, 0, 0.3], impulse: 3 } },
    ],
  },
  wave: {
    startup: 1,
    active: 2,
    recovery: 1,
    cooldown: 20,
    effects: [
      { on: 'cast', area: { radius: 3, life: 4 } },
      { on: 'hit', ability: { name: 'hop' } },
    ],
  },
  hop: { startup: 0, active: 2, recovery: 0, cooldown: 0, effects: [{ on: 'active', dash: { speed: 3 } }] },
}

const stage = arena(content)
for (let i = 0; i < 8; i++) enter(stage, i, i % 3)
const { world } = stage
const inputs = createEncodedInputs(world)
let strikes = 0

function run(count: number): void {
  for (let i = 0; i < count; i++) {
    for (let row = 0; row < world.tables.things.count; row++) stir(row)
    stepEncoded(world, inputs)
    strikes += world.events.strike.count
  }
}

/** A function of its own: a loop that is not optimized would put its numbers on the heap, and be measured. */
function stir(row: number): void {
  const { kind, facingX, facingY, x, y, z, vx, vy, vz } = world.tables.things
  if (kind[row] !== KIND.fighter) return
  const at = world.tick + row * 5
  world.arrays.presses[row * 8 + (at % 3)] = at % 4 === 0 ? 1 : 0
  // All fighters turn, so that windows are swept around, and stay near the middle.
  facingX[row] = at % 7 < 3 ? 1 : 0
  facingY[row] = at % 7 < 3 ? 0 : 1
  x[row] *= 0.98
  y[row] *= 0.98
  z![row] *= 0.9
  vx[row] *= 0.9
  vy[row] *= 0.9
  vz![row] *= 0.9
}

run(12_000)
console.log(JSON.stringify({ bytesPerTick: bytesPerTick(run), strikesPerTick: strikes / world.tick }))
