/**
 * What every runtime is asked to run: the scenes of the matrix.
 *
 * The first ones need no world. They hold the ground on which a world stands: exact arithmetic, the conversions of
 * typed columns, sorting, the text of numbers (content enters the fingerprint as JSON) and the engine's own maths.
 * When a game scene differs between engines, they show whether the engine or the game differs.
 */

import { runScene, type Scene } from 'hurtbox'
import {
  atan,
  atan2,
  cos,
  direction,
  exp,
  int,
  log,
  nextU32,
  pow,
  randomAt,
  range,
  seedStream,
  sin,
  unit,
  unitVector,
} from 'hurtbox/math'
import type { LoadedModule } from 'hurtbox/module'
import { type Bits, createBits, nextDouble, nextUint32, nextUnit } from './bits.ts'
import { addDouble, addText, addUint32, createDigest, type Digest, digestHex } from './digest.ts'
import type { SceneResult } from './report.ts'

export type Probe = {
  readonly scene: string
  run(): Omit<SceneResult, 'scene'>
}

const COUNT = 100_000

/** Ten intermediate hashes per series narrow a difference down to a tenth of it. */
const PARTS = 10

/** A scene made of `count` values, each from its own seeded inputs; a tick is one value. */
export function series(scene: string, count: number, add: (digest: Digest, bits: Bits) => void): Probe {
  return {
    scene,
    run() {
      const digest = createDigest()
      const bits = createBits(0x5eed)
      const hashEvery = count / PARTS
      const hashes: string[] = []
      for (let tick = 1; tick <= count; tick++) {
        add(digest, bits)
        if (tick % hashEvery === 0) hashes.push(digestHex(digest))
      }
      return { ticks: count, hash: digestHex(digest), hashEvery, hashes }
    },
  }
}

/** A chain in which each result feeds the next, so that one wrong bit anywhere is in the hash of all that follows. */
const arithmetic: Probe = {
  scene: 'arithmetic',
  run() {
    let carried = 1
    return series('arithmetic', COUNT, (digest, bits) => {
      const x = nextDouble(bits)
      const y = nextUnit(bits) - 0.5
      const tiny = nextUint32(bits) * 5e-324
      carried = carried * 0.75 + y / (1 + carried * carried) - (y % 0.0625)
      if (!(carried > -1e6 && carried < 1e6)) carried = y
      addDouble(digest, carried)
      addDouble(digest, Math.sqrt(x < 0 ? -x : x))
      addDouble(digest, x * y + carried)
      addDouble(digest, y / x)
      addDouble(digest, tiny * 0.5 + tiny / 3)
      addDouble(digest, Math.fround(x * 1e-280) + Math.fround(y))
      addDouble(digest, Math.floor(y * 1e6) + Math.ceil(y * 1e3) + Math.trunc(y * 1e4) + Math.round(y * 1e5))
      addDouble(digest, Math.min(x, y, carried) + Math.sign(x) * Math.max(y, -0) + Math.abs(y))
      addUint32(digest, Math.imul(nextUint32(bits), nextUint32(bits)) ^ Math.clz32(nextUint32(bits)))
    }).run()
  },
}

/** What happens to a double that is stored into a narrower column. */
const conversions: Probe = {
  scene: 'conversions',
  run() {
    const f32 = new Float32Array(1)
    const u32 = new Uint32Array(1)
    const i16 = new Int16Array(1)
    const u8 = new Uint8Array(1)
    const clamped = new Uint8ClampedArray(1)
    const view = new DataView(new ArrayBuffer(8))
    return series('conversions', COUNT, (digest, bits) => {
      const x = nextDouble(bits)
      const near = (nextUnit(bits) - 0.5) * 1e11
      f32[0] = x
      u32[0] = near
      i16[0] = near
      u8[0] = near
      clamped[0] = near * 1e-8
      addDouble(digest, f32[0])
      addUint32(digest, u32[0] ^ (i16[0] << 16) ^ (u8[0] << 8) ^ clamped[0])
      addUint32(digest, x | 0)
      addUint32(digest, near >>> 0)
      view.setFloat64(0, x)
      addUint32(digest, view.getUint16(2))
    }).run()
  },
}

/** A total order sorts alike everywhere; rows with equal keys are ordered by their index. */
const sorting: Probe = series('sorting', 100, (digest, bits) => {
  const rows = Array.from({ length: 200 }, (_, index) => ({ key: nextUint32(bits) % 50, index }))
  for (const row of rows.sort((a, b) => a.key - b.key || b.index - a.index)) addUint32(digest, row.index)
  const doubles = Float64Array.from({ length: 200 }, () => nextDouble(bits))
  doubles[0] = -0
  doubles[1] = 0
  for (const value of doubles.sort()) addDouble(digest, value)
})

const numberText: Probe = series('number-text', 20_000, (digest, bits) => {
  const x = nextDouble(bits)
  const text = JSON.stringify([x, nextUnit(bits), nextUint32(bits)])
  addText(digest, text)
  addDouble(digest, (JSON.parse(text) as number[])[0]!)
})

const vector = { x: 0, y: 0 }

/** The engine's own maths, over the ranges a game meets and, for every tenth value, over all doubles. */
const maths: readonly Probe[] = [
  mathsProbe('sin', (bits) => sin(anyOr(bits, spread(bits, 1e4)))),
  mathsProbe('cos', (bits) => cos(anyOr(bits, spread(bits, 1e4)))),
  mathsProbe('direction', (bits) => {
    direction(spread(bits, 1e4), vector)
    return vector.x - 2 * vector.y
  }),
  mathsProbe('atan', (bits) => atan(anyOr(bits, spread(bits, 100)))),
  mathsProbe('atan2', (bits) => atan2(anyOr(bits, spread(bits, 100)), anyOr(bits, spread(bits, 100)))),
  mathsProbe('exp', (bits) => exp(anyOr(bits, spread(bits, 750)))),
  mathsProbe('log', (bits) => log(anyOr(bits, nextUnit(bits) * 1e6))),
  mathsProbe('pow', (bits) => pow(anyOr(bits, nextUnit(bits) * 100), anyOr(bits, spread(bits, 20)))),
]

const random: Probe = {
  scene: 'random',
  run() {
    const stream = new Uint32Array(4)
    seedStream(stream, 7, 'probe')
    return series('random', COUNT, (digest, bits) => {
      addUint32(digest, nextU32(stream))
      addDouble(digest, unit(stream))
      addDouble(digest, range(stream, -3, 5))
      addDouble(digest, int(stream, 0, nextUint32(bits) >>> 1))
      unitVector(stream, vector)
      addDouble(digest, vector.x)
      addDouble(digest, vector.y)
      addUint32(digest, randomAt(nextUint32(bits), nextUint32(bits), nextUint32(bits), nextUint32(bits), 3))
    }).run()
  },
}

/** What needs no world. */
export const ground: readonly Probe[] = [arithmetic, conversions, sorting, numberText, ...maths, random]

/** The probes of games, named by game and scene. */
export function gameProbes(modules: readonly LoadedModule[]): Probe[] {
  return modules.flatMap(({ id, probes }) =>
    probes.map((scene) => gameProbe({ ...scene, name: `${id}-${scene.name}` })),
  )
}

/** A scene of a game, with a hash after every tick. */
function gameProbe(scene: Scene): Probe {
  return { scene: scene.name, run: () => ({ ...runScene(scene, 1), hashEvery: 1 }) }
}

function mathsProbe(name: string, value: (bits: Bits) => number): Probe {
  return series(name, COUNT, (digest, bits) => addDouble(digest, value(bits)))
}

function spread(bits: Bits, limit: number): number {
  return (nextUnit(bits) * 2 - 1) * limit
}

function anyOr(bits: Bits, usual: number): number {
  return nextUint32(bits) % 10 === 0 ? nextDouble(bits) : usual
}
