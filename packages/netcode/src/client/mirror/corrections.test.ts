/** How a corrected thing is drawn: corrections made by hand, one at a time. Whole matches: packages/netcode/test/pictures.slow.test.ts. */

import { createWorld, declareGame, defineGame, playerAt, restore, snapshot, spawn, step } from 'hurtbox'
import { createPlace, type Place, placeBetween } from 'hurtbox/picture'
import type { AnyWorld } from 'hurtbox/tools'
import { expect, test } from 'vitest'
import { joinGame } from '../../../../colyseus/src/client/index.ts'
import { RATE, tag } from '../../../test/support.ts'
import {
  checkSmoothing,
  createCorrections,
  drawnPlace,
  fadeCorrections,
  keyOf,
  noteCorrected,
  noteDrawn,
  noteSpawned,
} from './corrections.ts'

/** A world of two things, one of them fresh, for corrections made by hand. */
function standing(): AnyWorld {
  const world: AnyWorld = createWorld(tag, { seed: 1 })
  step(world, { controls: [{ control: 'join', seat: 0 }] })
  const runner = playerAt(world, 0)!.thing!
  runner.x = 10
  runner.y = 20
  return world
}

const placeOf = (corrections: ReturnType<typeof createCorrections>, world: AnyWorld, id = 1): Place => {
  const out = createPlace()
  drawnPlace(corrections, { before: world, after: world, alpha: 1 }, id, out)
  return out
}

/** Corrects the world by hand: what `change` does to it is the correction. */
function correct(corrections: ReturnType<typeof createCorrections>, world: AnyWorld, change: () => void): void {
  const shown = { before: world, after: world, alpha: 1 }
  noteDrawn(corrections, shown)
  change()
  noteCorrected(corrections, shown, 1)
}

test('[PV1] between two states things are drawn by id; new and teleported ones where they are', () => {
  const world = standing()
  const before: AnyWorld = createWorld(tag, { seed: 1 })
  restore(before, snapshot(world))
  const { things } = world.tables
  things.x[0] = 30
  const at = (alpha: number, id = 1) => {
    const out = createPlace()
    expect(placeBetween({ before, after: world, alpha }, id, out)).toBe(true)
    return out.x
  }
  expect([at(0), at(0.25), at(1)]).toEqual([10, 15, 30])
  things.teleports[0]++
  expect(at(0.25)).toBe(30)
  expect(placeBetween({ before, after: world, alpha: 0.5 }, 99, createPlace())).toBe(false)
  // Across the edge of a world that wraps around, the shorter way.
  things.teleports[0]--
  things.x[0] = 95
  const out = createPlace()
  placeBetween({ before, after: world, alpha: 0.5 }, 1, out, { width: 100, height: 0 })
  expect(out.x).toBe(102.5)
})

/** So large that these corrections are small beside it. */
function standingLarge(): AnyWorld {
  const world = standing()
  world.tables.things.radius[0] = 100
  return world
}

test('[PV2] a corrected thing is drawn where it was, fades evenly to where it is, and is there after fadeMs', () => {
  const world = standingLarge()
  const corrections = createCorrections({ fadeMs: 200 })
  correct(corrections, world, () => void (world.tables.things.x[0] = 50))
  expect(corrections.last.get(1)).toBe(40)
  const seen: number[] = []
  for (let i = 0; i <= 4; i++) {
    seen.push(placeOf(corrections, world).x)
    fadeCorrections(corrections, 50, world)
  }
  expect(seen).toEqual([10, 20, 30, 40, 50])
  expect(corrections.offsets.size).toBe(0)
})

test('[PV2] corrections fade one by one: a second does not hold up the first', () => {
  const world = standingLarge()
  const corrections = createCorrections({ fadeMs: 200 })
  correct(corrections, world, () => void (world.tables.things.x[0] = 50))
  fadeCorrections(corrections, 150, world)
  correct(corrections, world, () => void (world.tables.things.x[0] = 46))
  expect(placeOf(corrections, world).x).toBe(40)
  // The first is over; of the second a quarter is.
  fadeCorrections(corrections, 50, world)
  expect(placeOf(corrections, world).x).toBeCloseTo(49, 9)
})

test('[PV11] all corrections of a thing move it by a sixth of its speed and three radii a second at most; it jumps by what would take longer than longestMs', () => {
  const world = standing()
  const { things } = world.tables
  expect(things.radius[0]).toBe(5)
  const moved = (ms: number, corrections: ReturnType<typeof createCorrections>) => {
    const before = placeOf(corrections, world).x
    fadeCorrections(corrections, ms, world)
    return placeOf(corrections, world).x - before
  }
  // Three radii a second are 1.5 in 100 ms. One correction of 6, then a second: together no faster.
  const slow = createCorrections({ fadeMs: 200, longestMs: 1200 })
  correct(slow, world, () => void (things.x[0] += 6))
  expect(moved(100, slow)).toBeCloseTo(1.5, 9)
  correct(slow, world, () => void (things.x[0] += 6))
  expect(moved(100, slow)).toBeCloseTo(1.5, 9)
  // 60 would take four seconds at that pace. In 1.2 s 18 of them can fade; it jumps by the rest.
  const large = createCorrections({ fadeMs: 200, longestMs: 1200 })
  const from = placeOf(large, world).x
  correct(large, world, () => void (things.x[0] += 60))
  expect(placeOf(large, world).x - from).toBeCloseTo(42, 9)
  expect(moved(600, large)).toBeCloseTo(9, 9)
  expect(large.jumps.get(1)).toBeCloseTo(42, 9)
  expect(moved(600, large)).toBeCloseTo(9, 9)
  expect(large.offsets.size).toBe(0)
  // By default that is twice `fadeMs`.
  const usual = createCorrections({ fadeMs: 200 })
  correct(usual, world, () => void (things.x[0] += 60))
  expect(moved(200, usual)).toBeCloseTo(3, 9)
  expect(moved(200, usual)).toBeCloseTo(3, 9)
  expect(usual.offsets.size).toBe(0)
  // The player's own thing is there at once.
  const own = createCorrections({ fadeMs: 200 })
  own.own = 1
  correct(own, world, () => void (things.x[0] += 60))
  expect(moved(100, own)).toBeCloseTo(30, 9)
  // What moves by 12 a tick may be moved by two more.
  const before: AnyWorld = createWorld(tag, { seed: 1 })
  restore(before, snapshot(world))
  before.tables.things.x[0] -= 12
  const shown = { before, after: world, alpha: 1 }
  const fast = createCorrections({ fadeMs: 200, longestMs: 1200 })
  noteDrawn(fast, shown)
  things.x[0] += 50
  before.tables.things.x[0] += 50
  noteCorrected(fast, shown, 1)
  expect(moved(1000 / RATE, fast)).toBeCloseTo(2 + 15 / RATE, 9)
})

test('[PV11] a thing without a radius fades a small correction and jumps by a large one, and is where it is after longestMs', () => {
  const world = standing()
  const { things } = world.tables
  things.radius[0] = 0
  for (const by of [1e-4, 0.05, 40]) {
    const corrections = createCorrections({ fadeMs: 200 })
    const from = things.x[0]
    correct(corrections, world, () => void (things.x[0] += by))
    const offAtFirst = things.x[0] - placeOf(corrections, world).x
    // 0.3 a second: 0.12 in 400 ms.
    expect(offAtFirst).toBeCloseTo(Math.min(by, 0.12), 9)
    fadeCorrections(corrections, 100, world)
    const off = things.x[0] - placeOf(corrections, world).x
    expect(off).toBeGreaterThan(0)
    expect(off).toBeLessThan(offAtFirst)
    fadeCorrections(corrections, 300, world)
    expect(placeOf(corrections, world).x).toBe(from + by)
    expect(corrections.offsets.size).toBe(0)
  }
})

test('[PV17] smoothing with numbers that are none, or below 0, is refused by name', async () => {
  for (const [smoothing, name] of [
    [{ fadeMs: Number.NaN }, 'fadeMs'],
    [{ fadeMs: Number.POSITIVE_INFINITY }, 'fadeMs'],
    [{ longestMs: -1 }, 'longestMs'],
    [{ jumpBeyond: '9' as never }, 'jumpBeyond'],
    [{ wrap: { width: Number.POSITIVE_INFINITY, height: 0 } }, 'wrap.width'],
  ] as const) {
    expect(() => checkSmoothing(smoothing), name).toThrow(`smoothing.${name} must be a number of 0 or more`)
    await expect(joinGame('http://127.0.0.1:1', tag, { smoothing })).rejects.toThrow(`smoothing.${name}`)
  }
  checkSmoothing({ fadeMs: 0, longestMs: Number.POSITIVE_INFINITY, jumpBeyond: Number.POSITIVE_INFINITY })
  checkSmoothing(undefined)
})

test('[PV12] a corrected facing fades, too, the short way round', () => {
  const turning = declareGame({
    id: 'turning',
    tickRate: 30,
    layers: { ship: [] },
    things: { facingX: 'f64', facingY: 'f64' },
  })
  const world = createWorld(defineGame(turning, { phases: {} })) as unknown as AnyWorld
  const ship = spawn(world, 'ship', { radius: 10, facingX: -1, facingY: 0 })
  const corrections = createCorrections({ fadeMs: 200 })
  const angle = () => {
    const { facingX, facingY } = placeOf(corrections, world, ship.id)
    expect(Math.hypot(facingX, facingY)).toBeCloseTo(1, 9)
    return Math.atan2(facingY, facingX)
  }
  // From half a turn to a little beyond: not back around.
  correct(corrections, world, () => {
    ship.facingX = Math.cos(-3)
    ship.facingY = Math.sin(-3)
  })
  const turn = Math.PI - 3
  expect(Math.abs(angle())).toBeCloseTo(Math.PI, 9)
  fadeCorrections(corrections, 100, world)
  expect(angle()).toBeCloseTo(-3 - turn / 2, 9)
  fadeCorrections(corrections, 100, world)
  expect(angle()).toBeCloseTo(-3, 9)
})

test('[PV3] beyond jumpBeyond a thing jumps, and when it has teleported', () => {
  const world = standing()
  const { things } = world.tables
  const corrections = createCorrections({ jumpBeyond: 30, longestMs: 5000 })
  correct(corrections, world, () => void (things.x[0] = 39))
  expect(placeOf(corrections, world).x).toBe(10)
  correct(corrections, world, () => void (things.x[0] = 41))
  expect(placeOf(corrections, world).x).toBe(41)
  correct(corrections, world, () => {
    things.x[0] = 45
    things.teleports[0]++
  })
  expect(placeOf(corrections, world).x).toBe(45)
  // A teleport is no correction.
  expect(corrections.last.size).toBe(0)
  // A teleport while a correction fades ends it.
  correct(corrections, world, () => void (things.x[0] = 40))
  expect(placeOf(corrections, world).x).toBe(45)
  things.teleports[0]++
  expect(placeOf(corrections, world).x).toBe(40)
})

test('[PV4] what was spawned in a prediction keeps its key and its place when its id turns out to be another', () => {
  const world = standing()
  const corrections = createCorrections({ longestMs: 1200 })
  noteSpawned(corrections, world)
  const { things } = world.tables
  const confirmed = snapshot(world)
  const spawnDart = (x: number, owner: number) => {
    playerAt(world, 0)!.thing!.x = x
    step(world, { players: [{ seat: 0, throwing: true }] })
    things.owner[things.count - 1] = owner
    return things.id[things.count - 1] as number
  }
  const mine = spawnDart(10, 1)
  noteSpawned(corrections, world)
  const x = things.x[1]
  const shown = { before: world, after: world, alpha: 1 }
  noteDrawn(corrections, shown)
  restore(world, confirmed)
  // Somebody else had thrown before.
  const theirs = spawnDart(-90, 7)
  things.endsAt[0] = 0
  const again = spawnDart(13, 1)
  things.x[2] = x + 3
  noteCorrected(corrections, shown, 1)
  expect([mine, theirs, again]).toEqual([2, 2, 3])
  expect(keyOf(corrections, again)).toBe(mine)
  expect(placeOf(corrections, world, again).x).toBeCloseTo(x, 9)
  // Theirs is new, although its id is not.
  expect(keyOf(corrections, theirs)).not.toBe(mine)
  expect(placeOf(corrections, world, theirs).x).toBe(things.x[1])
})
