/**
 * Detection in WebAssembly with 128-bit vectors: what would it bring? A measurement, not a part of the engine.
 *
 * The same grid as in the engine, with x, y and radius of the entries also in single precision, shifted to the corner of the
 * grid, radii a little too large. Four entries are tested at once in single precision, which lets through all that overlap
 * and a few that do not; what is left is tested again in double precision. The results are those of the engine, bit by
 * bit and in canonical order.
 */

import { addMatch, type Contender } from '../contender.ts'
import { hitsFromOrderedPairs } from '../peers/hits.ts'
import type { Circles } from '../scenes/circles.ts'
import { assemble } from './assembler.ts'
import { buildKernel } from './build.ts'
import { placesFor } from './layout.ts'
import { pairsKernel, seekKernel } from './pairs.ts'
import { regionKernel } from './region.ts'

type Exports = {
  build(count: number, cellSize: number): void
  pairs(count: number): number
  seek(first: number, count: number): number
  region(x: number, y: number, radius: number, layers: number): number
}

export const wasmSimd: Contender = {
  pairs: (circles) => {
    const { kernels, copyIn, a, b } = createKernels(circles)
    const pairs = { count: 0, a, b }
    return {
      find() {
        copyIn()
        kernels.build(circles.count, 0)
        pairs.count = kernels.pairs(circles.count)
        return pairs
      },
    }
  },
  bullets: (scene) => {
    const { circles, enemies } = scene
    const { kernels, copyIn, a, b } = createKernels(circles)
    const pairs = { count: 0, a, b }
    let reach = 0
    for (let thing = 0; thing < enemies; thing++) reach = Math.max(reach, circles.radius[thing])
    const bulletRadius = circles.radius.slice(enemies).reduce((largest, radius) => Math.max(largest, radius))
    const cellSize = 2 * (reach + bulletRadius) * (1 + 1 / (1 << 18))
    return hitsFromOrderedPairs(scene, () => {
      copyIn()
      kernels.build(enemies, cellSize)
      pairs.count = kernels.seek(enemies, circles.count)
      return pairs
    })
  },
  queries: (circles) => {
    const { kernels, copyIn, out: found } = createKernels(circles)
    return {
      update() {
        copyIn()
        kernels.build(circles.count, 0)
      },
      regions(regions, out) {
        let place = 0
        for (let region = 0; region < regions.count; region++) {
          out.start[region] = place
          const count = kernels.region(regions.x[region], regions.y[region], regions.radius[region], -1)
          for (let i = 0; i < count; i++) place = addMatch(out, place, found[i])
        }
        out.start[regions.count] = place
      },
    }
  },
}

function createKernels({ count, x, y, radius, layer, meets }: Circles) {
  const at = placesFor(count)
  const pages = Math.ceil(at.end / 65536) + 1
  const memory = new WebAssembly.Memory({ initial: pages })
  const module = new WebAssembly.Module(
    assemble([buildKernel(at), pairsKernel(at), seekKernel(at), regionKernel(at)], pages),
  )
  const kernels = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as Exports
  const { buffer } = memory
  writeTables(buffer, at.swizzles, at.lanes)
  new Uint32Array(buffer, at.meets, 32).set(meets)
  const columns = [
    new Float64Array(buffer, at.x, count),
    new Float64Array(buffer, at.y, count),
    new Float64Array(buffer, at.radius, count),
  ]
  const layers = new Uint8Array(buffer, at.layer, count)
  return {
    kernels,
    /** In an engine the columns would be there already; here copying them is part of the time. */
    copyIn() {
      columns[0].set(x)
      columns[1].set(y)
      columns[2].set(radius)
      layers.set(layer)
    },
    a: new Int32Array(buffer, at.a, 16 * count),
    b: new Int32Array(buffer, at.b, 16 * count),
    out: new Uint32Array(buffer, at.out, count),
  }
}

/** For each mask of four lanes the bytes that move the marked lanes to the front. */
function writeTables(buffer: ArrayBuffer, swizzles: number, lanes: number): void {
  const bytes = new Uint8Array(buffer, swizzles, 256).fill(0x80)
  for (let mask = 0; mask < 16; mask++) {
    let to = 16 * mask
    for (let lane = 0; lane < 4; lane++) {
      if (((mask >> lane) & 1) === 0) continue
      for (let byte = 0; byte < 4; byte++) bytes[to++] = 4 * lane + byte
    }
  }
  new Int32Array(buffer, lanes, 4).set([0, 1, 2, 3])
}
