import { describe, expect, test } from 'vitest'
import {
  addVolume,
  type Block,
  type Boxes,
  collide,
  declareGame,
  defineBlocks,
  defineLayers,
  rule,
  spawn,
  step,
  type World,
} from '../../src/index.ts'
import { range, seedStream } from '../../src/math/index.ts'
import { createTerrainHit, defineTerrain, hitTerrain } from '../../src/motion/index.ts'
import { sphere } from '../../src/volumes/index.ts'
import { worldWith } from '../support.ts'

const declaration = declareGame({
  id: 'bullets',
  rulesVersion: 1,
  tickRate: 64,
  seats: { min: 0, max: 1 },
  layers: { bullet: ['wall', 'bullet'], wall: [] },
  tables: { things: { capacity: 8, columns: { z: 'f64', vz: 'f64' } } },
})
const layers = defineLayers(declaration.layers)
const wall: Block = { layer: 'wall', minX: 10, maxX: 11, minY: -5, maxY: 5, minZ: 0, maxZ: 3 }
const RADIUS = 0.25

/** What bullets met in a tick in which each has come (vx, vy, vz): `static` and time. */
function shoot(blocks: readonly Block[], bullets: readonly object[]): { place: number; time: number }[] {
  const seen: { place: number; time: number }[] = []
  const bump = rule(declaration, {
    name: 'bump',
    attacker: 'bullet',
    victim: 'wall',
    touching: true,
    decide(_view, contact, outcome) {
      seen.push({ place: contact.static, time: contact.time })
      outcome.despawn(contact.attacker)
      return 'hit'
    },
  })
  const ball = sphere(RADIUS)
  const pose = ({ tables: { things } }: World<typeof declaration>, row: number, boxes: Boxes) => {
    const { x, y, z, vx, vy, vz } = things
    addVolume(boxes, row, 0, ball, x[row], y[row], z[row], 1, 0, vx[row], vy[row], vz[row])
  }
  const phase = collide([bump], { statics: defineBlocks(layers, blocks), pose })
  const world = worldWith(declaration, phase)
  for (const bullet of bullets) spawn(world.tables.things, { layer: 0, ...bullet })
  step(world)
  return seen
}

describe('blocks', () => {
  test('[CO27] volumes meet the static map at its height, standing or on their way', () => {
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
    ).toEqual([0, 0])
    expect(shoot([wall, low], [{ x: 8, z: 0.3, vx: 4 }]).map(({ place }) => place)).toEqual([1])
  })

  test('[CO27] agrees with the terrain of the bodies on who meets a block, and when', () => {
    const stream = new Uint32Array(4)
    const out = createTerrainHit()
    let hits = 0
    for (let n = 0; n < 500; n++) {
      seedStream(stream, n, 'blocks')
      const any = () => range(stream, -4, 4)
      const sides = [any(), any(), any()].map((min) => [min, min + range(stream, 1, 6)])
      const [[minX, maxX], [minY, maxY], [minZ, maxZ]] = sides
      const block = { minX, maxX, minY, maxY, minZ, maxZ }
      const [x, y, z, vx, vy, vz] = [any(), any(), any(), any() * 3, any() * 3, any() * 3]
      const start = [x - vx, y - vy, z - vz] as const
      const isHit = hitTerrain(defineTerrain([block]), ...start, vx, vy, vz, RADIUS, out)
      const seen = shoot([{ layer: 'wall', ...block }], [{ x, y, z, vx, vy, vz }])
      // The terrain lets go what leaves it; a rule is told of it as well.
      const isInside = seen.length > 0 && seen[0].time === 0
      if (isInside) continue
      expect(seen.length > 0, `case ${n}`).toBe(isHit)
      if (!isHit) continue
      hits++
      expect(seen[0].time, `case ${n}`).toBeCloseTo(out.time, 6)
    }
    expect(hits).toBeGreaterThan(50)
  })

  test('[CO27] a block that is no block is refused', () => {
    expect(() => defineBlocks(layers, [{ ...wall, minZ: 4 }])).toThrow('block 0 must have minZ below maxZ, got 4 to 3.')
    expect(() => defineBlocks(layers, [{ ...wall, maxZ: Number.NaN }])).toThrow('block 0 maxZ')
    expect(() => defineBlocks(layers, [{ ...wall, maxX: 4 }])).toThrow('rectangle 0 must have min below max')
  })
})
