import { describe, expect, test } from 'vitest'
import { DT, MATERIAL, type VinylThing } from '../rules/declaration.ts'
import { type Place, wrapCoordinate } from '../rules/torus.ts'
import { emptyWorld, gunner, rock, rocks, seeded, ship, type Totals, tick, totals } from './support.ts'

const CASES = process.env.HURTBOX_LONG ? 20_000 : 400

/** Somewhere away from the stations, often beside a seam of the torus. */
function somewhere(random: ReturnType<typeof seeded>): { x: number; y: number } {
  const side = () => (random() < 0.5 ? random(-60, 60) : random() < 0.5 ? random(-512, -500) : random(500, 511.9))
  return { x: side(), y: random() < 0.5 ? side() : 0 }
}

/** Where to be now in order to overlap `place` by less than `reach` after this tick. */
function beside(place: Place, reach: number, random: ReturnType<typeof seeded>, v: Velocity): Place & Velocity {
  const angle = random(-Math.PI, Math.PI)
  const away = random(0, reach)
  return before({ x: place.x + Math.cos(angle) * away, y: place.y + Math.sin(angle) * away }, v)
}

/** Where to be now in order to be at `place` after this tick. */
function before({ x, y }: Place, v: Velocity): Place & Velocity {
  return { x: wrapCoordinate(x - v.vx * DT), y: wrapCoordinate(y - v.vy * DT), ...v }
}

type Velocity = { readonly vx: number; readonly vy: number }

function velocity(random: ReturnType<typeof seeded>): { vx: number; vy: number } {
  const angle = random(-Math.PI, Math.PI)
  const speed = random() < 0.1 ? 0 : random(0, 29.9)
  return { vx: Math.cos(angle) * speed, vy: Math.sin(angle) * speed }
}

function expectMomentum(before: Totals, after: Totals, name: string): void {
  const scale = Math.max(1, before.mass * 30)
  expect(Math.abs(after.px - before.px) / scale, `${name}: px`).toBeLessThan(1e-9)
  expect(Math.abs(after.py - before.py) / scale, `${name}: py`).toBeLessThan(1e-9)
}

describe('random impacts, the seam included', { timeout: process.env.HURTBOX_LONG ? 3_600_000 : 60_000 }, () => {
  test('[VF10] ships bounce: momentum and energy stay, both are hurt alike', () => {
    let hurt = 0
    for (let seed = 1; seed <= CASES; seed++) {
      const random = seeded(seed)
      const world = emptyWorld({}, seed)
      const place = somewhere(random)
      const load = () => ({ fuel: random(0, 30), cargo: random(0, 30) })
      const a = ship(world, 0, before(place, velocity(random)), load())
      const same = random() < 0.1
      const b = ship(
        world,
        1,
        same ? before(place, velocity(random)) : beside(place, 23.9, random, velocity(random)),
        load(),
      )
      const start = totals(world)
      tick(world)
      const after = totals(world)
      expectMomentum(start, after, `seed ${seed}`)
      expect(Math.abs(after.energy - start.energy) / Math.max(1, start.energy), `seed ${seed}`).toBeLessThan(1e-9)
      expect(a.shield, `seed ${seed}`).toBeCloseTo(b.shield, 12)
      expect(world.events.contact.count, `seed ${seed}`).toBe(1)
      if (a.shield < 15) hurt++
      // Two in the same place always move towards each other, unless they move alike.
      if (same && start.energy > 1) expect(a.shield, `seed ${seed}`).toBeLessThan(15)
    }
    expect(hurt).toBeGreaterThan(CASES / 4)
  })

  test('[VF11] a ship swallows rocks, several at once: mass and momentum stay', () => {
    for (let seed = 1; seed <= CASES; seed++) {
      const random = seeded(seed)
      const world = emptyWorld({}, seed)
      const place = somewhere(random)
      // Three rocks of 8 t must fit, into the tank as into the hold.
      const eater = ship(world, 0, before(place, velocity(random)), { fuel: random(0, 6), cargo: random(0, 6) })
      const count = 1 + Math.floor(random(0, 3))
      for (let i = 0; i < count; i++) {
        const material = random() < 0.5 ? MATERIAL.vinyl : MATERIAL.uranium
        rock(world, material, random(3, 8), beside(place, 17, random, velocity(random)))
      }
      const start = totals(world)
      tick(world)
      const after = totals(world)
      expectMomentum(start, after, `seed ${seed}`)
      expect(after.mass, `seed ${seed}`).toBeCloseTo(start.mass, 9)
      expect(rocks(world).length, `seed ${seed}`).toBe(0)
      expect(eater.shield).toBe(15)
    }
  })

  test('[VF12] a rock breaks on a ship: mass and momentum stay', () => {
    let broken = 0
    for (let seed = 1; seed <= CASES; seed++) {
      const random = seeded(seed)
      const world = emptyWorld({}, seed)
      const place = somewhere(random)
      ship(world, 0, before(place, velocity(random)), { fuel: 30, cargo: random(0, 30) })
      rock(world, MATERIAL.uranium, random(9, 60), beside(place, 19, random, velocity(random)))
      const start = totals(world)
      tick(world)
      const after = totals(world)
      expectMomentum(start, after, `seed ${seed}`)
      expect(after.mass, `seed ${seed}`).toBeCloseTo(start.mass, 9)
      if (rocks(world).length === 3) broken++
    }
    expect(broken).toBeGreaterThan(CASES / 4)
  })

  test('[VF13] a rock broken by a laser keeps M·(Mv + Lw)/(M + L)', () => {
    for (let seed = 1; seed <= CASES; seed++) {
      const random = seeded(seed)
      const world = emptyWorld({}, seed)
      const { x, y } = somewhere(random)
      gunner(world, 0, { x, y }, 0, 200)
      const { vx, vy } = velocity(random)
      const at = { x: x + 80 > 511 ? x + 80 - 1024 : x + 80, y, vx: vx / 10, vy: vy / 10 }
      const mass = random(9, 60)
      rock(world, MATERIAL.vinyl, mass, at)
      tick(world)
      const { laser } = world.events
      expect(laser.count, `seed ${seed}`).toBe(1)
      const light = laser.figures[8]
      const pieces = rocks(world)
      expect(pieces.length, `seed ${seed}`).toBe(3)
      const sum = (value: (piece: VinylThing) => number) => pieces.reduce((total, piece) => total + value(piece), 0)
      expect(sum(({ mass: tons }) => tons)).toBeCloseTo(mass, 9)
      const expectedX = (mass * (mass * at.vx + light * 30)) / (mass + light)
      const expectedY = (mass * (mass * at.vy)) / (mass + light)
      expect(Math.abs(sum((piece) => piece.mass * piece.vx) - expectedX) / (mass * 30), `seed ${seed}`).toBeLessThan(
        1e-9,
      )
      expect(Math.abs(sum((piece) => piece.mass * piece.vy) - expectedY) / (mass * 30), `seed ${seed}`).toBeLessThan(
        1e-9,
      )
    }
  })
})
