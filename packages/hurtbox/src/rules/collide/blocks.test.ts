import { describe, expect, test } from 'vitest'
import { worldWith } from '../../../test/support.ts'
import { range, seedStream } from '../../geometry/math/index.ts'
import { sphere } from '../../geometry/volumes/index.ts'
import { addVolume, collide, declareGame, defineBlocks, despawn, spawn, step, sweepBox } from '../../index.ts'
import { createSpaceMapIndex, sweepMapInSpace } from '../../kits/query/index.ts'
import type { Block } from './blocks.ts'

const declaration = declareGame({
  id: 'bullets',
  tickRate: 64,
  layers: { bullet: ['wall', 'bullet'], wall: [] },
  capacity: 8,
  things: { z: 'f64', vz: 'f64' },
})
const wall: Block = { layer: 'wall', minX: 10, maxX: 11, minY: -5, maxY: 5, minZ: 0, maxZ: 3 }
const RADIUS = 0.25

/** What bullets met in a tick in which each has come (vx, vy, vz): place in the map and time. */
function shoot(blocks: readonly Block[], bullets: readonly object[]): { place: number; time: number }[] {
  const seen: { place: number; time: number }[] = []
  const ball = sphere(RADIUS)
  const phase = collide(
    declaration,
    {
      bump: {
        between: ['bullet', 'wall'],
        touching: true,
        decide(bullet, _wall, { wall: place, time }) {
          seen.push({ place, time })
          despawn(bullet)
        },
      },
    },
    {
      statics: defineBlocks(declaration, blocks),
      pose(bullet, boxes) {
        addVolume(boxes, ball, bullet)
        sweepBox(boxes, bullet.vx, bullet.vy, bullet.vz)
      },
    },
  )
  const world = worldWith(declaration, phase)
  for (const bullet of bullets) spawn(world, 'bullet', bullet)
  step(world)
  return seen
}

describe('blocks', () => {
  test('[CO27] volumes meet the static map at its height, standing or swept', () => {
    expect(shoot([wall], [{ x: 9.9, z: 1 }])).toEqual([{ place: 0, time: 1 }])
    expect(shoot([wall], [{ x: 9.9, z: 3.3 }])).toEqual([])
    expect(shoot([wall], [{ x: 30, z: 1, vx: 25 }])).toEqual([{ place: 0, time: expect.closeTo(4.75 / 25, 9) }])
    expect(shoot([wall], [{ x: 30, z: 3.3, vx: 25 }])).toEqual([])
    const low: Block = { ...wall, minX: 5, maxX: 6, maxZ: 0.5 }
    expect(
      shoot(
        [wall, low],
        [
          { x: 30, z: 2, vx: 25 },
          { x: 30, z: 0.3, vx: 25 },
        ],
      ).map(({ place }) => place),
    ).toEqual([1, 0])
    expect(shoot([wall, low], [{ x: 8, z: 0.3, vx: 4 }]).map(({ place }) => place)).toEqual([1])
  })

  test('[CO27] agrees with the queries and the bodies on which block is met, and when', () => {
    const stream = new Uint32Array(4)
    let hits = 0
    for (let n = 0; n < 500; n++) {
      seedStream(stream, n, 'blocks')
      const any = () => range(stream, -4, 4)
      const sides = [any(), any(), any()].map((min) => [min, min + range(stream, 1, 6)])
      const [[minX, maxX], [minY, maxY], [minZ, maxZ]] = sides
      const block = { minX, maxX, minY, maxY, minZ, maxZ }
      const [x, y, z, vx, vy, vz] = [any(), any(), any(), any() * 3, any() * 3, any() * 3]
      const ball = { x: x - vx, y: y - vy, z: z - vz, radius: RADIUS }
      const index = createSpaceMapIndex(
        worldWith(declaration, () => {}),
        defineBlocks(declaration, [{ layer: 'wall', ...block }]),
      )
      const isHit = sweepMapInSpace(index, ball, { x: vx, y: vy, z: vz })
      const seen = shoot([{ layer: 'wall', ...block }], [{ x, y, z, vx, vy, vz }])
      expect(seen.length > 0, `case ${n}`).toBe(isHit)
      if (!isHit) continue
      hits++
      expect(seen[0].time, `case ${n}`).toBeCloseTo(index.wall.time, 6)
    }
    expect(hits).toBeGreaterThan(50)
  })

  test('[CO27] a block that is no block is refused', () => {
    expect(() => defineBlocks(declaration, [{ ...wall, minZ: 4 }])).toThrow(
      'block 0 must have min below max, got 10, -5, 4 to 11, 5, 3.',
    )
    expect(() => defineBlocks(declaration, [{ ...wall, maxZ: Number.NaN }])).toThrow('block 0 maxZ')
    expect(() => defineBlocks(declaration, [{ ...wall, maxX: 4 }])).toThrow('block 0 must have min below max')
    expect(() => defineBlocks(declaration, [{ layer: 'wall', x: 1, y: 2, z: 3 } as never])).toThrow(
      'piece 0 of the map must have minX',
    )
  })
})
