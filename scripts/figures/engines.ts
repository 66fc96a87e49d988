/** The matrix of engines: which runtimes ran, and the one hash per scene that they share. */

import { type Figure, unequal } from './figure.ts'
import { parseLines, run } from './run.ts'

export type EnginesResult = {
  readonly seconds: number
  /** The hash that all runtimes found, by scene. */
  readonly scenes: Readonly<Record<string, string>>
  readonly runtimes: readonly RuntimeResult[]
}

type RuntimeResult = {
  readonly runtime: string
  readonly version: string
  readonly engine: string
  readonly cpu: string
  /** Hashes of native `Math`, in which runtimes differ. */
  readonly control: Readonly<Record<string, string>>
}

type Line = RuntimeResult & { readonly hashes: Readonly<Record<string, string>>; readonly ok?: boolean }

export const engines: Figure<EnginesResult> = {
  name: 'engines',
  command: 'npm run engines',
  async measure(log) {
    const started = performance.now()
    // Ends with an error, and so does this, when a hash differs.
    const lines = parseLines<Line>(await run('npm run --silent engines -- --json --control', log))
    const ran = lines.filter(({ ok }) => ok === undefined)
    return {
      seconds: Math.round((performance.now() - started) / 1000),
      scenes: ran[0].hashes,
      runtimes: ran.map(({ runtime, version, engine, cpu, control }) => ({ runtime, version, engine, cpu, control })),
    }
  },
  differences(saved, now) {
    // A machine has the runtimes it has; what it has must agree with what is written.
    return unequal('scene', saved.scenes, now.scenes)
  },
}
