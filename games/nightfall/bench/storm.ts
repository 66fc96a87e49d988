/**
 * What the full rules cost on top of bare detection: a storm of 10,000 projectiles and 2,000 enemies of all kinds.
 *
 * Two worlds play the same storm. In one a whole tick is timed: flying, walking, shooting, contacts, damage, shields,
 * knockback, deaths, gems, events, rows that leave; all but the rain, which is not a rule of the game but keeps the storm
 * going. In the other, `findPairs` over the boxes of the same tick. The two take turns, and the thread rests before each, so
 * that a busy machine slows both alike; only the ratio means anything.
 *
 *   node games/nightfall/bench/storm.ts [ticks]
 */

import { createWorld, defineGame, type Phase, step } from 'hurtbox'
import { createPairFinder, createPairList, findPairs } from 'hurtbox/space'
import { collisionsOf, createEncodedInputs, stepEncoded } from 'hurtbox/tools'
import { declaration, type NightOptions, type NightWorld } from '../rules/declaration.ts'
import { nightfall } from '../rules/index.ts'
import { rain } from '../rules/starts.ts'

const ticks = Number(process.argv[2] ?? 300)
/** Ticks for the compiler. */
const WARM_UP = 120

/** Milliseconds that the rain and bare detection took in the latest tick. */
const spent = { rain: 0, detection: 0 }
const pairs = createPairList()

type Phases = Readonly<Record<string, Phase<typeof declaration>>>

/** A storm with its phases replaced. */
function storm(replace: (phases: Phases) => Phases): NightWorld {
  const phasesOf = nightfall.behaviour.phases as (options: NightOptions) => Phases
  const game = defineGame(declaration, {
    ...nightfall.behaviour,
    phases: (options) => replace(phasesOf(options)),
  })
  const world = createWorld(game, {
    seed: 3,
    options: { start: 'storm' },
    tuning: { survivorHp: 1e6, gemWorth: 0 },
  })
  step(world, { controls: [{ control: 'join', seat: 0 }] })
  return world
}

const whole = storm((phases) => ({
  ...phases,
  rain(world) {
    spent.rain = time(() => rain(world))
  },
}))
const finder = createPairFinder()
const bare = storm((phases) =>
  Object.fromEntries(
    Object.entries(phases).flatMap(([name, phase]) =>
      name === 'hits'
        ? [
            [name, phase],
            ['detect', detect],
          ]
        : [[name, phase]],
    ),
  ),
)

/** A phase after the hits, when their boxes are those of this tick. */
function detect(world: NightWorld): void {
  const { boxes, pairOptions } = collisionsOf(world).get('hits')!
  spent.detection = time(() => findPairs(finder, boxes, pairs, pairOptions))
}

/** Never notified: waiting on it rests the thread. */
const never = new Int32Array(new SharedArrayBuffer(4))
const inputs = createEncodedInputs(whole)
const [tickTimes, detectionTimes] = [[] as number[], [] as number[]]
let [found, hits, kills] = [0, 0, 0]
for (let tick = -WARM_UP; tick < ticks; tick++) {
  Atomics.wait(never, 0, 0, 5)
  const tickTime = time(() => stepEncoded(whole, inputs)) - spent.rain
  Atomics.wait(never, 0, 0, 5)
  stepEncoded(bare, inputs)
  if (tick < 0) continue
  tickTimes.push(tickTime)
  detectionTimes.push(spent.detection)
  found += pairs.count
  hits += whole.events.damage.count
  kills += whole.events.kill.count
}

const { stormShots, stormEnemies } = whole.options
const each = (total: number) => Math.round(total / ticks)
console.log(`${stormShots} projectiles, ${stormEnemies} enemies, ${ticks} ticks`)
console.log(`a tick has      ${each(found)} pairs, ${each(hits)} hits, ${each(kills)} kills`)
const [detection, tick] = [quantile(detectionTimes, 0.5), quantile(tickTimes, 0.5)]
console.log(`bare detection  ${detection.toFixed(2)} ms (median)`)
console.log(`whole tick      ${tick.toFixed(2)} ms`)
console.log(`ratio           ${(tick / detection).toFixed(2)}, at most 4`)
// On a busy machine the longer of the two is interrupted more often; the fastest tenth shows what it takes undisturbed.
const undisturbed = quantile(tickTimes, 0.1) / quantile(detectionTimes, 0.1)
console.log(`undisturbed     ${undisturbed.toFixed(2)} (fastest tenth)`)

function time(run: () => void): number {
  const start = performance.now()
  run()
  return performance.now() - start
}

function quantile(times: readonly number[], part: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * part)]
}
