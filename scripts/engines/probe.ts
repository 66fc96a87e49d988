/**
 * The entry of the bundle that every runtime runs: no imports left, no Node, no DOM, no console.
 *
 * It defines two functions that give JSON, so that what crosses from the engine under test to the program that
 * compares is text, whatever the runtime.
 */

// The games of the project, which the bundler writes here.
import exported from 'hurtbox:games'
import { readModule } from 'hurtbox/module'
import { controls } from './control.ts'
import { gameProbes, ground, type Probe } from './probes.ts'
import type { SceneResult } from './report.ts'

const modules = exported.map(([name, module]) => readModule({ default: module }, name))
/** What every runtime runs. */
const probes: readonly Probe[] = [...ground, ...gameProbes(modules)]

Object.assign(globalThis, {
  hurtboxProbe: () => JSON.stringify({ scenes: probes.map(run) }),
  hurtboxControl: () => JSON.stringify({ scenes: controls.map(run) }),
})

function run(probe: Probe): SceneResult {
  return { scene: probe.scene, ...probe.run() }
}
