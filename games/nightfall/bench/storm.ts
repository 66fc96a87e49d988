/**
 * What the full rules cost on top of bare detection: a storm of 10,000 projectiles and 2,000 enemies.
 *
 * Compares a whole tick (flying, walking, contacts, damage, knockback, deaths, gems, events, rows that leave) with
 * `findPairs` over the boxes of that very tick: a phase right before the hits poses them and times it. Both are taken in
 * the same ticks, and the thread rests before each, so that a busy machine gives it a whole slice; only the ratio means
 * anything.
 *
 *   node games/nightfall/bench/storm.ts [ticks]
 */

import {
  type Collision,
  createCollision,
  createEncodedInputs,
  createWorld,
  defineGame,
  pose as poseAll,
  step,
  stepEncoded,
} from 'hurtbox'
import { createPairFinder, createPairList, findPairs } from 'hurtbox/space'
import { declaration, type NightWorld } from '../rules/declaration.ts'
import { pose, RULES } from '../rules/hits.ts'
import { nightfall } from '../rules/index.ts'

const ticks = Number(process.argv[2] ?? 300)
/** Ticks for the compiler. */
const WARM_UP = 120

const finder = createPairFinder()
const pairs = createPairList()
let collision: Collision | undefined
let bareTime = 0
let ownTime = 0

/** Bare detection, and what this phase itself takes in all. */
function measure(world: NightWorld): void {
  const start = performance.now()
  collision ??= createCollision(world, RULES, { pose })
  poseAll(collision)
  const posed = performance.now()
  findPairs(finder, collision.boxes, collision.meets, pairs)
  const end = performance.now()
  bareTime = end - posed
  ownTime = end - start
}

const measured = defineGame(declaration, {
  ...nightfall.behaviour,
  phases(options) {
    const phases = Object.entries(nightfall.behaviour.phases(options))
    const at = phases.findIndex(([name]) => name === 'hits')
    return Object.fromEntries([...phases.slice(0, at), ['measure', measure], ...phases.slice(at)])
  },
})
const world = createWorld(measured, {
  seed: 3,
  options: { start: 'storm' },
  tuning: { survivorHp: 1e6, gemWorth: 0 },
})
step(world, { controls: [{ control: 'join', seat: 0 }] })

/** Nobody wakes it: waiting here is sleeping. */
const bed = new Int32Array(new SharedArrayBuffer(4))
const inputs = createEncodedInputs(world)
const [bare, full] = [[] as number[], [] as number[]]
let [found, hits, kills] = [0, 0, 0]
for (let tick = -WARM_UP; tick < ticks; tick++) {
  Atomics.wait(bed, 0, 0, 5)
  const start = performance.now()
  stepEncoded(world, inputs)
  const time = performance.now() - start
  if (tick < 0) continue
  bare.push(bareTime)
  full.push(time - ownTime)
  found += pairs.count
  hits += world.events.damage.count
  kills += world.events.kill.count
}

const perTick = (total: number) => (total / ticks).toFixed(1)
const { stormShots, stormEnemies } = world.options
console.log(`${stormShots} projectiles, ${stormEnemies} enemies, median of ${ticks} ticks`)
console.log(`per tick        ${perTick(found)} pairs, ${perTick(hits)} hits, ${perTick(kills)} kills`)
console.log(`bare detection  ${median(bare).toFixed(2)} ms`)
console.log(`the whole tick  ${median(full).toFixed(2)} ms`)
console.log(`ratio           ${(median(full) / median(bare)).toFixed(2)}`)

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1]
}
for (const [n, a] of [
  ['bare', bare],
  ['full', full],
] as const) {
  const s = a.toSorted((x, y) => x - y)
  console.log(n, [0, 0.05, 0.1, 0.25, 0.5, 0.75].map((q) => s[Math.floor(q * s.length)].toFixed(2)).join(' '))
}
console.log(process.cpuUsage())
