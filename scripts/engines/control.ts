/**
 * The negative control: native `Math` functions that the language leaves open.
 *
 * They are known to differ between engines. When the matrix shows that they do, it shows that it can see a difference,
 * and that the ban on them is not a superstition. They are never part of the verdict.
 */

import { nextUnit } from './bits.ts'
import { addDouble } from './digest.ts'
import { type Probe, series } from './probes.ts'

const COUNT = 100_000

function control(name: string, from: number, to: number, call: (x: number, y: number) => number): Probe {
  return series(`Math.${name}`, COUNT, (digest, bits) => {
    const x = from + nextUnit(bits) * (to - from)
    addDouble(digest, call(x, nextUnit(bits) * 8 - 4))
  })
}

export const controls: readonly Probe[] = [
  // First what is exact: the control has its own control.
  control('sqrt', 0, 1e6, Math.sqrt),
  control('sin', -1000, 1000, Math.sin),
  control('cos', -1000, 1000, Math.cos),
  control('tan', -1000, 1000, Math.tan),
  control('atan2', -1000, 1000, Math.atan2),
  control('exp', -700, 700, Math.exp),
  control('log', 0, 1e6, Math.log),
  control('pow', 0, 1000, Math.pow),
  control('hypot', -1000, 1000, Math.hypot),
  control('cbrt', -1000, 1000, Math.cbrt),
]
