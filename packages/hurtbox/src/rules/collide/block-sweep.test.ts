import { describe, expect, test } from 'vitest'
import { expectRefusal } from '../../../test/support.ts'
import { range, seedStream } from '../../geometry/math/random.ts'
import { box, capsule, createImpact, pose, setPose, sweep } from '../../geometry/volumes/index.ts'
import { type Blocks, defineBlocks, type StaticVolume } from '../../index.ts'
import { ground } from '../../kits/motion/index.ts'
import { createBlockHit, createMovingCapsule, pushOutOfBlocks, sweepBlocks } from './block-sweep.ts'

const CASES = process.env.HURTBOX_LONG ? 1_000_000 : 20_000

const crate = { minX: 2, minY: -1, minZ: 0, maxX: 4, maxY: 1, maxZ: 2 }
const hit = createBlockHit()
const mover = createMovingCapsule()
const OPEN = {}

type Box = typeof crate
const terrainOf = (boxes: readonly Box[]) => mapOf(boxes.map((box) => ({ layer: 'wall', ...box })))
const mapOf = (pieces: readonly StaticVolume[]) => defineBlocks({ layers: { wall: [], glass: [] } }, pieces)

/** Whether a ball that moves by `move` hits the map; if so, `hit` says where. */
function flies(
  blocks: Blocks,
  ball: { x: number; y: number; z: number; radius: number },
  { x: dx, y: dy, z: dz }: { x: number; y: number; z: number },
): boolean {
  Object.assign(mover, ball, { dx, dy, dz, halfLength: 0 })
  return sweepBlocks(OPEN, blocks, mover, hit)
}

describe('what moves and a map in space', () => {
  test('[MT1] a bullet hits the first box it meets; the hit says when, which one, and the normal out of it', () => {
    const terrain = terrainOf([{ ...crate, minX: 6, maxX: 8 }, crate])
    expect(flies(terrain, { x: -2.25, y: 0, z: 1, radius: 0.25 }, { x: 8, y: 0, z: 0 })).toBe(true)
    expect(hit.place).toBe(1)
    expect(hit.time).toBeCloseTo(0.5, 8)
    expect([hit.normalX, hit.normalY, hit.normalZ]).toEqual([-1, 0, 0])
    expect(flies(terrain, { x: -2.25, y: 0, z: 1, radius: 0.25 }, { x: 3.9, y: 0, z: 0 })).toBe(false)
    // Over the edge: the radius reaches round the corner, at a slant.
    expect(flies(terrain, { x: 0, y: 0, z: 2.2, radius: 0.25 }, { x: 4, y: 0, z: 0 })).toBe(true)
    expect(hit.time).toBeCloseTo((2 - Math.sqrt(0.25 ** 2 - 0.2 ** 2)) / 4, 7)
    expect(hit.normalZ).toBeCloseTo(0.8, 5)
  })

  test('[MT2] what touches a box hits it at time 0 when it moves in, and not at all when it leaves or runs along', () => {
    const terrain = terrainOf([crate])
    expect(flies(terrain, { x: 1, y: 0, z: 1, radius: 1 }, { x: 1, y: 0, z: 0 })).toBe(true)
    expect(hit.time).toBe(0)
    expect(flies(terrain, { x: 1, y: 0, z: 1, radius: 1 }, { x: -1, y: 0, z: 0 })).toBe(false)
    expect(flies(terrain, { x: 1, y: 0, z: 1, radius: 1 }, { x: 0, y: 5, z: 1 })).toBe(false)
    // From inside: deeper is stopped, out is free.
    expect(flies(terrain, { x: 2.5, y: 0, z: 1, radius: 0.1 }, { x: 1, y: 0, z: 0 })).toBe(true)
    expect(hit.time).toBe(0)
    expect(flies(terrain, { x: 2.5, y: 0, z: 1, radius: 0.1 }, { x: -1, y: 0, z: 0 })).toBe(false)
  })

  test('[MT3] a ray, and a ball of any speed, is stopped by a plate without thickness', () => {
    const plate = terrainOf([{ minX: -50, minY: -50, minZ: 1, maxX: 50, maxY: 50, maxZ: 1 }])
    for (const radius of [0, 0.01, 1]) {
      for (const speed of [1, 1e3, 1e6]) {
        expect(flies(plate, { x: 3, y: 4, z: 1 + radius + speed / 2, radius }, { x: 0.5, y: 0.25, z: -speed })).toBe(
          true,
        )
        expect(hit.time).toBeCloseTo(0.5, 6)
        expect(hit.normalZ).toBe(1)
      }
    }
  })

  test(`[MT4] the sweep of a capsule agrees with the general volumes in ${CASES} seeded cases`, () => {
    const random = new Uint32Array(4)
    seedStream(random, 7, 'terrain')
    const draw = (min: number, max: number) => range(random, min, max)
    const impact = createImpact()
    const [at, place] = [pose({ x: 0, y: 0, z: 0 }), pose({ x: 0, y: 0, z: 0 })]
    let hits = 0
    // Maps of 20 boxes, each on a layer of its own, so that a case can meet just one: a map takes longer to build than a case.
    const names = Array.from({ length: 20 }, (_, i) => `box${i}`)
    const layers = Object.fromEntries(names.map((name) => [name, []]))
    let boxes: Extract<StaticVolume, Box>[] = []
    let terrain = mapOf([])
    for (let i = 0; i < CASES; i++) {
      if (i % 20 === 0) {
        boxes = names.map((layer, k) => {
          const [minX, minY, minZ] = [draw(-3, 3), draw(-3, 3), draw(-3, 3)]
          const [sizeX, sizeY, sizeZ] = [draw(0, 4), draw(0, 4), k % 5 === 0 ? 0 : draw(0, 4)]
          return { layer, minX, minY, minZ, maxX: minX + sizeX, maxY: minY + sizeY, maxZ: minZ + sizeZ }
        })
        terrain = defineBlocks({ layers }, boxes)
      }
      const { minX, minY, minZ, maxX, maxY, maxZ } = boxes[i % 20]
      const [sizeX, sizeY, sizeZ] = [maxX - minX, maxY - minY, maxZ - minZ]
      const [x, y, z] = [draw(-8, 8), draw(-8, 8), draw(-8, 8)]
      // Towards the box or somewhat past it, so that half of them hit, many of them barely.
      const far = draw(0.5, 2.5)
      const move = {
        x: (minX + draw(-2, 4) - x) * far,
        y: (minY + draw(-2, 4) - y) * far,
        z: (minZ + draw(-2, 4) - z) * far,
      }
      const radius = i % 7 === 0 ? 0.01 : draw(0.05, 2)
      const halfLength = i % 3 === 0 ? 0 : draw(0, 2)
      Object.assign(mover, { x, y, z, dx: move.x, dy: move.y, dz: move.z, radius, halfLength, meets: 1 << (i % 20) })
      const mine = sweepBlocks(OPEN, terrain, mover, hit)
      setPose(at, { x, y, z })
      setPose(place, { x: minX + sizeX / 2, y: minY + sizeY / 2, z: minZ + sizeZ / 2 })
      const solid = box(sizeX / 2, sizeY / 2, sizeZ / 2)
      const theirs = sweep(
        { volume: capsule(radius, halfLength), pose: at, dx: move.x, dy: move.y, dz: move.z },
        { volume: solid, pose: place },
        impact,
      )
      if (theirs && impact.time === 0) continue // Inside at the start: ours lets out what is leaving.
      expect(mine, `case ${i} of seed 7`).toBe(theirs)
      if (!mine) continue
      hits++
      // On a graze a touch of 1e-8 is early by its square root.
      expect(Math.abs(hit.time - impact.time), `case ${i} of seed 7`).toBeLessThan(1e-4)
      const turned = hit.normalX * impact.normalX + hit.normalY * impact.normalY + hit.normalZ * impact.normalZ
      expect(turned, `normal of case ${i} of seed 7`).toBeLessThan(-1 + 1e-3)
    }
    expect(hits).toBeGreaterThan(CASES / 10)
    mover.meets = 0xffffffff
  })

  test('[MT5] the ground is solid everywhere below its height', () => {
    const terrain = terrainOf([ground(-2)])
    expect(flies(terrain, { x: 12_345, y: -678, z: 0, radius: 0 }, { x: 3, y: 3, z: -4 })).toBe(true)
    expect(hit.time).toBeCloseTo(0.5, 6)
    expect(flies(terrain, { x: 12_345, y: -678, z: 0, radius: 0 }, { x: 3, y: 3, z: 4 })).toBe(false)
  })

  test('[MT6] a block that is inside out or not a number is refused by number and side', () => {
    expectRefusal(() => terrainOf([crate, { ...crate, maxX: 1 }]), /block 1 must have min below max/)
    expectRefusal(() => terrainOf([{ ...crate, maxZ: Number.NaN }]), /block 0 maxZ/)
  })
})

/** Seeded pieces of every kind over a square of 60, and the ground under them. */
function randomMap(draw: (min: number, max: number) => number, count: number): StaticVolume[] {
  const pieces = Array.from({ length: count }, (_, i): StaticVolume => {
    const layer = i % 5 === 0 ? 'glass' : 'wall'
    const [x, y, z, size] = [draw(-30, 30), draw(-30, 30), draw(0, 8), draw(0.2, 3)]
    if (i % 3 === 0) return { layer, x, y, z, radius: size }
    if (i % 3 === 1) return { layer, from: [x, y, z], to: [x + draw(-3, 3), y + draw(-3, 3), z + 2], radius: size / 2 }
    return { layer, minX: x, minY: y, minZ: z, maxX: x + size, maxY: y + draw(0, 4), maxZ: z + draw(0, 2) }
  })
  return [...pieces, { layer: 'wall', ...ground(0) }]
}

describe('a large map in space', () => {
  const random = new Uint32Array(4)
  const draw = (min: number, max: number) => range(random, min, max)

  test('[SM8] the grid finds the hit that asking every piece finds, to the last bit, and by layers', () => {
    for (let seed = 1; seed <= (process.env.HURTBOX_LONG ? 200 : 10); seed++) {
      seedStream(random, seed, 'large map')
      const pieces = randomMap(draw, 150)
      const blocks = mapOf(pieces)
      expect([...blocks.map.wide], 'the ground is not in the cells').toEqual([150])
      const alone = pieces.map((piece) => mapOf([piece]))
      let hits = 0
      for (let i = 0; i < 100; i++) {
        const [x, y, z, radius, halfLength] = [draw(-32, 32), draw(-32, 32), draw(1, 12), draw(0, 1), draw(0, 1)]
        const [dx, dy, dz, meets] = [draw(-20, 20), draw(-20, 20), draw(-8, 4), i % 4 === 0 ? 1 : 3]
        const ask = (map: Blocks) => {
          Object.assign(mover, { x, y, z, radius, halfLength, dx, dy, dz, meets })
          return sweepBlocks(OPEN, map, mover, hit)
        }
        const wanted = { time: Number.POSITIVE_INFINITY, place: -1 }
        alone.forEach((map, place) => {
          if (ask(map) && hit.time < wanted.time) Object.assign(wanted, { time: hit.time, place })
        })
        const label = `seed ${seed}, case ${i}`
        expect(ask(blocks), label).toBe(wanted.place >= 0)
        if (wanted.place < 0) continue
        hits++
        expect([hit.time, hit.place], label).toEqual([wanted.time, wanted.place])
      }
      expect(hits).toBeGreaterThan(20)
    }
    mover.meets = 0xffffffff
  })

  test('[SM8] spheres and capsules are met when and where the general volumes meet them', () => {
    seedStream(random, 3, 'round pieces')
    const impact = createImpact()
    let hits = 0
    for (let i = 0; i < CASES / 10; i++) {
      const [x, y, z, radius] = [draw(-8, 8), draw(-8, 8), draw(-8, 8), draw(0.05, 2)]
      const to = [draw(-2, 2), draw(-2, 2), draw(-2, 2)] as const
      const piece: StaticVolume =
        i % 2 === 0 ? { layer: 'wall', x: 0, y: 0, z: 0, radius } : { layer: 'wall', from: [0, 0, 0], to, radius }
      const map = mapOf([piece])
      const move = { dx: draw(-3, 3) - 2 * x, dy: draw(-3, 3) - 2 * y, dz: draw(-3, 3) - 2 * z }
      const halfLength = i % 3 === 0 ? 0 : draw(0, 2)
      Object.assign(mover, { x, y, z, radius: 0.5, halfLength, ...move })
      const isMet = sweepBlocks(OPEN, map, mover, hit)
      const { shape, ...at } = map.pieces[0]
      const target = { volume: shape as ReturnType<typeof box>, pose: pose(at) }
      const body = { volume: capsule(0.5, halfLength), pose: pose({ x, y, z }), ...move }
      const isWanted = sweep(body, target, impact)
      if (isWanted && impact.time === 0) continue // Inside at the start: ours lets out what is leaving.
      expect(isMet, `case ${i} of seed 3`).toBe(isWanted)
      if (!isMet) continue
      hits++
      expect(Math.abs(hit.time - impact.time), `case ${i} of seed 3`).toBeLessThan(1e-4)
      const turned = hit.normalX * impact.normalX + hit.normalY * impact.normalY + hit.normalZ * impact.normalZ
      expect(turned, `normal of case ${i} of seed 3`).toBeLessThan(-1 + 1e-3)
    }
    expect(hits).toBeGreaterThan(CASES / 50)
  })

  test('[SM8] what is in it leaves it as if every piece were asked in turn', () => {
    const gap = { distance: 0, x: 0, y: 0, z: 0 }
    for (let seed = 1; seed <= 20; seed++) {
      seedStream(random, seed, 'way out')
      const pieces = randomMap(draw, 150)
      const blocks = mapOf(pieces)
      for (let i = 0; i < 50; i++) {
        const start = {
          x: draw(-30, 30),
          y: draw(-30, 30),
          z: draw(-1, 8),
          radius: draw(0.1, 2),
          halfLength: draw(0, 1),
        }
        Object.assign(mover, start)
        for (let pass = 0; pass < 3; pass++) {
          for (const place of pieces.keys()) {
            blocks.gap(place, mover, gap)
            if (gap.distance >= -1e-8) continue
            mover.x -= gap.distance * gap.x
            mover.y -= gap.distance * gap.y
            mover.z -= gap.distance * gap.z
          }
        }
        const wanted = [mover.x, mover.y, mover.z]
        Object.assign(mover, start)
        pushOutOfBlocks(OPEN, blocks, mover)
        expect([mover.x, mover.y, mover.z], `seed ${seed}, case ${i}`).toEqual(wanted)
      }
    }
  })
})
