import { describe, expect, test } from 'vitest'
import { range, seedStream } from '../../src/math/random.ts'
import { createTerrainHit, defineTerrain, ground, hitTerrain } from '../../src/motion/index.ts'
import { createMover, sweepTerrain } from '../../src/motion/terrain.ts'
import { box, capsule, createImpact, pose, setPose, sweep } from '../../src/volumes/index.ts'
import { expectRefusal } from '../support.ts'

const CASES = process.env.HURTBOX_LONG ? 1_000_000 : 20_000

const crate = { minX: 2, minY: -1, minZ: 0, maxX: 4, maxY: 1, maxZ: 2 }
const hit = createTerrainHit()

describe('terrain', () => {
  test('[MT1] a bullet hits the first box it meets; the hit says when, which one, and the normal out of it', () => {
    const terrain = defineTerrain([{ ...crate, minX: 6, maxX: 8 }, crate])
    expect(hitTerrain(terrain, { x: -2.25, y: 0, z: 1, radius: 0.25 }, { x: 8, y: 0, z: 0 }, hit)).toBe(true)
    expect(hit.box).toBe(1)
    expect(hit.time).toBeCloseTo(0.5, 8)
    expect([hit.normalX, hit.normalY, hit.normalZ]).toEqual([-1, 0, 0])
    expect(hitTerrain(terrain, { x: -2.25, y: 0, z: 1, radius: 0.25 }, { x: 3.9, y: 0, z: 0 }, hit)).toBe(false)
    // Over the edge: the radius reaches round the corner, at a slant.
    expect(hitTerrain(terrain, { x: 0, y: 0, z: 2.2, radius: 0.25 }, { x: 4, y: 0, z: 0 }, hit)).toBe(true)
    expect(hit.time).toBeCloseTo((2 - Math.sqrt(0.25 ** 2 - 0.2 ** 2)) / 4, 7)
    expect(hit.normalZ).toBeCloseTo(0.8, 5)
  })

  test('[MT2] what touches a box hits it at time 0 when it moves in, and not at all when it leaves or runs along', () => {
    const terrain = defineTerrain([crate])
    expect(hitTerrain(terrain, { x: 1, y: 0, z: 1, radius: 1 }, { x: 1, y: 0, z: 0 }, hit)).toBe(true)
    expect(hit.time).toBe(0)
    expect(hitTerrain(terrain, { x: 1, y: 0, z: 1, radius: 1 }, { x: -1, y: 0, z: 0 }, hit)).toBe(false)
    expect(hitTerrain(terrain, { x: 1, y: 0, z: 1, radius: 1 }, { x: 0, y: 5, z: 1 }, hit)).toBe(false)
    // From inside: deeper is stopped, out is free.
    expect(hitTerrain(terrain, { x: 2.5, y: 0, z: 1, radius: 0.1 }, { x: 1, y: 0, z: 0 }, hit)).toBe(true)
    expect(hit.time).toBe(0)
    expect(hitTerrain(terrain, { x: 2.5, y: 0, z: 1, radius: 0.1 }, { x: -1, y: 0, z: 0 }, hit)).toBe(false)
  })

  test('[MT3] a ray, and a ball of any speed, is stopped by a plate without thickness', () => {
    const plate = defineTerrain([{ minX: -50, minY: -50, minZ: 1, maxX: 50, maxY: 50, maxZ: 1 }])
    for (const radius of [0, 0.01, 1]) {
      for (const speed of [1, 1e3, 1e6]) {
        expect(
          hitTerrain(plate, { x: 3, y: 4, z: 1 + radius + speed / 2, radius }, { x: 0.5, y: 0.25, z: -speed }, hit),
        ).toBe(true)
        expect(hit.time).toBeCloseTo(0.5, 6)
        expect(hit.normalZ).toBe(1)
      }
    }
  })

  test(`[MT4] the sweep of a capsule agrees with the general volumes in ${CASES} seeded cases`, () => {
    const random = new Uint32Array(4)
    seedStream(random, 7, 'terrain')
    const draw = (min: number, max: number) => range(random, min, max)
    const mover = createMover()
    const impact = createImpact()
    const [at, place] = [pose({ x: 0, y: 0, z: 0 }), pose({ x: 0, y: 0, z: 0 })]
    let hits = 0
    for (let i = 0; i < CASES; i++) {
      const [minX, minY, minZ] = [draw(-3, 3), draw(-3, 3), draw(-3, 3)]
      const [sizeX, sizeY, sizeZ] = [draw(0, 4), draw(0, 4), i % 5 === 0 ? 0 : draw(0, 4)]
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
      const terrain = defineTerrain([{ minX, minY, minZ, maxX: minX + sizeX, maxY: minY + sizeY, maxZ: minZ + sizeZ }])
      Object.assign(mover, { x, y, z, dx: move.x, dy: move.y, dz: move.z, radius, halfLength })
      const mine = sweepTerrain(terrain, mover, hit)
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
  })

  test('[MT5] the ground is solid everywhere below its height', () => {
    const terrain = defineTerrain([ground(-2)])
    expect(hitTerrain(terrain, { x: 12_345, y: -678, z: 0, radius: 0 }, { x: 3, y: 3, z: -4 }, hit)).toBe(true)
    expect(hit.time).toBeCloseTo(0.5, 6)
    expect(hitTerrain(terrain, { x: 12_345, y: -678, z: 0, radius: 0 }, { x: 3, y: 3, z: 4 }, hit)).toBe(false)
  })

  test('[MT6] terrain that is inside out or not a number is refused by number and side', () => {
    expectRefusal(() => defineTerrain([crate, { ...crate, maxX: 1 }]), /box 1.*min below max/)
    expectRefusal(() => defineTerrain([{ ...crate, maxZ: Number.NaN }]), /box 0 maxZ/)
  })
})
