import { describe, expect, test } from 'vitest'
import { createMatches } from '../contender.ts'
import { regionMembers } from '../oracles/queries.ts'
import { wasmSimd } from '../prototypes/detection.ts'
import { moveBouncing, spreadScene } from '../scenes/circles.ts'
import { randomRegions } from '../scenes/queries.ts'
import { workloads } from '../workloads/index.ts'

describe('the WebAssembly prototype', () => {
  test.each([
    ['pairs', 700],
    ['bullets', 300],
  ])('[BE23] %s of %d: answers like the oracle', (name, n) => {
    const task = workloads.find((workload) => workload.name === name)?.prepare(wasmSimd, n)
    expect(task?.check()).toMatchObject({ missing: 0, extra: 0 })
  })

  test('[BE23] regions: answers like the oracle, in ascending order', () => {
    const { circles } = spreadScene(500)
    const index = wasmSimd.queries?.(circles)
    const regions = randomRegions(60, circles.width)
    const found = createMatches(regions.count)
    for (let step = 0; step < 3; step++) {
      moveBouncing(circles)
      index?.update()
      index?.regions?.(regions, found)
      const keys = Array.from({ length: regions.count }, (_, region) =>
        Array.from(
          found.things.subarray(found.start[region], found.start[region + 1]),
          (thing) => region * circles.count + thing,
        ),
      ).flat()
      expect(keys, `step ${step}`).toEqual([...regionMembers(circles, regions).keys].sort((a, b) => a - b))
    }
  })
})
