/**
 * Run by heap.test.ts in a process of its own with --expose-gc: what does a query leave on the heap? Prints bytes a call as one JSON
 * object, by the name of the query.
 */

import { arc, arcBand, box, capsule, polygon } from '../../src/geometry/shapes/index.ts'
import { createWorld, declareGame, defineBlocks, defineGame, defineStatics, spawn } from '../../src/index.ts'
import {
  canSee,
  createFilter,
  createMapIndex,
  createSpaceMapIndex,
  createSpatialIndex,
  found,
  nearestOf,
  raycastAll,
  raycastMap,
  raycastMapInSpace,
  rebuild,
  sweepCircle,
  sweepMap,
  wallsWithin,
  within,
  withinBox,
  withinShape,
} from '../../src/kits/query/index.ts'
import { bytesPerTick } from '../heap.ts'

const declaration = declareGame({ id: 'asked', tickRate: 60, layers: { slime: [], wall: [] }, capacity: 512 })
const world = createWorld(defineGame(declaration, { phases: {} }))
for (let i = 0; i < 300; i++) spawn(world, 'slime', { x: (i * 37) % 500, y: (i * 91) % 400, radius: 6, team: i % 3 })
const statics = defineStatics(
  declaration,
  Array.from({ length: 60 }, (_, i) => {
    const [x, y] = [(i * 53) % 480, (i * 31) % 380]
    if (i % 3 > 0) return { layer: 'wall', minX: x, minY: y, maxX: x + 15, maxY: y + 8 }
    return { layer: 'wall', from: [x, y], to: [x + 20, y + 9], radius: 3 } as const
  }),
)
const blocks = defineBlocks(declaration, [
  { layer: 'wall', minX: 100, minY: 100, minZ: 0, maxX: 150, maxY: 150, maxZ: 30 },
])
const index = createSpatialIndex(world)
const map = createMapIndex(world, statics)
const round = createMapIndex(world, statics, { kind: 'torus', width: 500, height: 400 })
const space = createSpaceMapIndex(world, blocks)
const filter = createFilter(world, { layers: ['slime'], notTeam: 1 })
rebuild(index)

// Made of fractions, so that the fields are doubles from the start.
const from = { x: 0.5, y: 0.5, z: 5.5, radius: 5.5, facingX: 0.6, facingY: 0.8 }
const along = { x: 0.5, y: 0.5, z: 0.5 }
const to = { x: 0.5, y: 0.5 }
const region = { minX: 100.5, minY: 100.5, maxX: 200.5, maxY: 180.5 }
const shapes = {
  cone: arc(80, 1),
  band: arcBand(20, 60, 2),
  box: box(40, 10),
  capsule: capsule([0, 0], [50, 0], 8),
  polygon: polygon([
    [0, 0],
    [50, 0],
    [20, 40],
  ]),
}

let sum = 0
const queries: Record<string, () => void> = {
  ...Object.fromEntries(
    Object.entries(shapes).map(([name, shape]) => [name, () => void withinShape(index, shape, from, filter)]),
  ),
  within: () => void within(index, from, 50, filter),
  withinBox: () => void withinBox(index, region, filter),
  nearestOf: () => void nearestOf(index, from, 5, filter),
  raycastAll: () => void raycastAll(index, from, along, filter),
  sweepCircle: () => void sweepCircle(index, from, along, filter),
  found() {
    within(index, from, 50)
    for (const thing of found(index)) sum += thing.team
  },
  canSee: () => void canSee(map, from, to),
  raycastMap: () => void raycastMap(map, from, along),
  sweepMap: () => void sweepMap(map, from, along),
  wallsWithin: () => void wallsWithin(map, from),
  raycastMapOnTorus: () => void raycastMap(round, from, along),
  wallsWithinOnTorus: () => void wallsWithin(round, from),
  raycastMapInSpace: () => void raycastMapInSpace(space, from, along),
}

let call = 0
const measured: Record<string, number> = {}
for (const [name, ask] of Object.entries(queries)) {
  const run = (count: number) => {
    for (let i = 0; i < count; i++) {
      call++
      from.x = (call * 7.31) % 500
      from.y = (call * 3.77) % 400
      along.x = ((call * 13.7) % 300) - 150
      along.y = ((call * 5.9) % 300) - 150
      to.x = (call * 17.3) % 500
      to.y = (call * 11.1) % 400
      ask()
    }
  }
  run(3000)
  measured[name] = Math.round(bytesPerTick(run))
}
console.log(JSON.stringify({ ...measured, sum: sum > 0 ? 0 : 1000 }))
