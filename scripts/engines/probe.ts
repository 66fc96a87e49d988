/**
 * The entry of the bundle that every runtime runs: no imports left, no Node, no DOM, no console.
 *
 * It defines two functions that give JSON, so that what crosses from the engine under test to the program that
 * compares is text, whatever the runtime.
 */

import { controls } from './control.ts'
import { type Probe, probes } from './probes.ts'
import type { SceneResult } from './report.ts'

Object.assign(globalThis, {
  hurtboxProbe: () => JSON.stringify({ scenes: probes.map(run) }),
  hurtboxControl: () => JSON.stringify({ scenes: controls.map(run) }),
})

function run(probe: Probe): SceneResult {
  return { scene: probe.scene, ...probe.run() }
}
