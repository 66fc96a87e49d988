/**
 * What the phases of a game cost: plays one of its scenes and prints the median time of a tick and of every phase.
 *
 * Bots think outside the tick and are not counted. The stopwatch stands between the phases and changes nothing.
 *
 *   npm run measure -- phases siege crowd crowd=5000
 *   npm run measure -- phases sumo royal
 */

import { defineGame, type Phase, type Scene } from 'hurtbox'
import {
  type AnyGame,
  createEncodedInputs,
  type Declaration,
  encodeInputs,
  startScene,
  stepEncoded,
} from 'hurtbox/tools'

/** Ticks for the compiler, and ticks that are timed. */
const WARM_UP = 100
const TICKS = 400

const [name = 'siege', sceneName = 'match', ...given] = process.argv.slice(2)
const { scenes } = (await import(`../${name}/scenes/index.ts`)) as { scenes: readonly Scene[] }
const scene = scenes.find((each) => each.name === sceneName)
if (scene === undefined) {
  throw new Error(`${name} has no scene "${sceneName}"; its scenes are ${scenes.map((each) => each.name).join(', ')}.`)
}
const options = Object.fromEntries(given.map((option) => option.split('=')).map(([key, value]) => [key, Number(value)]))

type Phases = Readonly<Record<string, Phase<Declaration>>>

/** What each phase took, tick by tick. */
const taken = new Map<string, number[]>()
let since = 0
const { declaration, behaviour } = scene.game
const phasesOf = behaviour.phases as Phases | ((options: object) => Phases)
const game = defineGame(declaration, {
  ...behaviour,
  phases: (chosen: object) =>
    Object.fromEntries(
      Object.entries(typeof phasesOf === 'function' ? phasesOf(chosen) : phasesOf).flatMap(([phase, run]) => [
        [`${phase}Begins`, () => void (since = performance.now())],
        [phase, run],
        [`${phase}Ends`, () => taken.get(phase)?.push(performance.now() - since) ?? taken.set(phase, [])],
      ]),
    ),
} as never) as AnyGame

const timed = { ...scene, game, options: { ...scene.options, ...options } }
const { world } = startScene(timed)
const inputs = createEncodedInputs(world)
const ticks: number[] = []
for (let tick = 0; tick < WARM_UP + TICKS; tick++) {
  if (tick === WARM_UP) for (const times of taken.values()) times.length = 0
  encodeInputs(world, scene.inputs?.(world.tick, world) ?? {}, inputs)
  const began = performance.now()
  stepEncoded(world, inputs)
  if (tick >= WARM_UP) ticks.push(performance.now() - began)
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]
const rows = [...taken].map(([phase, times]) => ({ phase, ms: median(times) })).sort((a, b) => b.ms - a.ms)
console.log(
  `${name}, scene ${sceneName}, ${world.tables.things.count} things at the end: ${median(ticks).toFixed(4)} ms a tick, median`,
)
for (const { phase, ms } of rows.slice(0, 8)) console.log(`  ${phase.padEnd(16)} ${ms.toFixed(4)} ms`)
