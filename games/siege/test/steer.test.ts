/** Walking around what stands: the seed's "units should not get stuck on towers", measured. */

import { despawn, step } from 'hurtbox'
import { describe, expect, test } from 'vitest'
import { LANE, SIDE, STRUCTURES, WAYS } from '../rules/content/map.ts'
import { KIND } from '../rules/content/units.ts'
import type { SiegeThing } from '../rules/declaration.ts'
import { addMarcher } from '../rules/waves.ts'
import { addStanding, arena, builtOf, championOf, disarm, distanceOf, field, run } from './support.ts'
import { createWatch } from './watch.ts'

/** Ticks that a minion of blue needs in the top lane from y = 600 to y = -400, with or without the tower at 200. */
function ticksPastTower(offset: number, hasTower: boolean): number {
  const world = field()
  const place = STRUCTURES.findIndex(({ side, lane, tier }) => side === SIDE.blue && lane === LANE.top && tier === 2)
  const tower = builtOf(world, place)
  expect([tower.x, tower.y]).toEqual([-1200, 200])
  if (!hasTower) despawn(tower)
  const minion = addMarcher(world, KIND.melee, { team: SIDE.blue, lane: LANE.top, x: -1200 + offset, y: 600 })
  for (let tick = 1; tick < 600; tick++) {
    step(world)
    if (minion.y < -400) return tick
  }
  return Number.POSITIVE_INFINITY
}

describe('towers on the lane line', () => {
  const free = ticksPastTower(0, false)

  test('[SG13] the free way takes as long as it is', () => {
    // 5 s, and the tick in which it is beyond.
    expect(free).toBeGreaterThanOrEqual(150)
    expect(free).toBeLessThanOrEqual(152)
  })

  // 0 is dead on, where the seed's rules alone would hold a minion for ever.
  test.each([0, 1e-6, 0.01, 0.5, 20, 50, 69, -1e-6, -0.5, -20, -50])(
    '[SG13] a minion %d beside the line passes a tower within 1.6 times the free time',
    (offset) => {
      expect(ticksPastTower(offset, true)).toBeLessThanOrEqual(1.6 * free)
    },
  )

  test('[SG13] from any direction a champion gets to the other side of any structure', () => {
    const world = disarm(arena([{ side: SIDE.blue, name: 'gorath', x: 0, y: 0 }]))
    const champion = championOf(world, 0)
    const clamp = (place: number) => Math.min(Math.max(place, -1580), 1580)
    for (const { x, y } of STRUCTURES) {
      for (let angle = 0; angle < 8; angle++) {
        const [dx, dy] = [200 * Math.cos(angle * 0.785), 200 * Math.sin(angle * 0.785)]
        champion.x = clamp(x - dx)
        champion.y = clamp(y - dy)
        const go = { x: clamp(x + dx), y: clamp(y + dy) }
        run(world, Math.ceil((1.6 * 400 * 30) / 330), { players: [{ seat: 0, order: 'move', go }] })
        const left = distanceOf(champion, go)
        expect(left, `structure at ${x}, ${y}, direction ${angle}`).toBeLessThan(5)
      }
    }
  })

  test.each([LANE.top, LANE.mid, LANE.bot])('[SG14] a wave of 30 passes its own towers whole, lane %d', (lane) => {
    const world = disarm(field())
    const [from, to] = WAYS[SIDE.blue][lane]
    const length = Math.hypot(to.x - from.x, to.y - from.y)
    const [dx, dy] = [(to.x - from.x) / length, (to.y - from.y) / length]
    const wave: SiegeThing[] = []
    for (let i = 0; i < 30; i++) {
      const ahead = 120 + 45 * (i % 6)
      const aside = 45 * (Math.floor(i / 6) - 2)
      const [x, y] = [from.x + dx * ahead - dy * aside, from.y + dy * ahead + dx * aside]
      wave.push(addMarcher(world, i % 5 < 3 ? KIND.melee : KIND.caster, { team: SIDE.blue, lane, x, y }))
    }
    // The line ends where the last own tower is well behind: 1,100 to 1,700 from the nexus.
    const beyond = lane === LANE.bot ? 1750 : 1250
    const along = ({ x, y }: SiegeThing) => (x - from.x) * dx + (y - from.y) * dy
    const watch = createWatch(world)
    const arrived = new Set<SiegeThing>()
    // 200 a second, and 1.6 times that long for the last of them.
    const limit = Math.ceil((1.6 * beyond * 30) / 200)
    for (let tick = 0; tick < limit; tick++) {
      step(world)
      watch.look()
      for (const minion of wave) if (along(minion) > beyond) arrived.add(minion)
    }
    expect(arrived.size).toBe(30)
    expect(watch.stuck).toEqual([])
  })
})

describe('each other', () => {
  /** A minion of blue at (−150, 0) that wants to get to the other side of what stands around the origin. */
  function walkPast(standing: readonly (readonly [number, number])[], ticks: number) {
    const world = disarm(field())
    const crowd = standing.map(([x, y]) => addStanding(world, SIDE.blue, x, y))
    // They stand because they want to, not only because they have no speed.
    for (const minion of crowd) minion.stunnedUntil = 1000
    const walker = addMarcher(world, KIND.melee, { team: SIDE.blue, lane: LANE.mid, x: -150, y: 0 })
    walker.leg = 3
    run(world, ticks)
    const pushed = crowd.map((minion, i) => distanceOf(minion, { x: standing[i][0], y: standing[i][1] }))
    return { x: walker.x, pushed: Math.max(...pushed) }
  }

  test('[SG15] a minion goes around a wall of standing allies, and does not shove it away', () => {
    const wall = [-3, -2, -1, 0, 1, 2, 3].map((i) => [0, i * 42] as const)
    const { x, pushed } = walkPast(wall, 150)
    expect(x).toBeGreaterThan(60)
    expect(pushed).toBeLessThan(5)
  })

  test('[SG15] it finds its way out of a pocket instead of turning back and forth', () => {
    const pocket = [
      ...[-3, -2, -1, 0, 1, 2, 3].map((i) => [0, i * 42] as const),
      ...[-42, -84].flatMap((x) => [[x, -126] as const, [x, 126] as const]),
    ]
    expect(walkPast(pocket, 240).x).toBeGreaterThan(60)
  })

  test('[SG15] a unit whose goal is taken stands beside it instead of circling', () => {
    const world = arena([
      { side: SIDE.blue, name: 'warrior', x: 0, y: 0 },
      { side: SIDE.blue, name: 'warrior', x: 300, y: 0 },
    ])
    const [first, second] = [championOf(world, 0), championOf(world, 1)]
    run(world, 90, {
      players: [
        { seat: 0, order: 'hold' },
        { seat: 1, order: 'move', go: { x: 0, y: 0 } },
      ],
    })
    expect(second.walks).toBe(0)
    expect(distanceOf(first, second)).toBeLessThan(75)
    const before = second.x
    run(world, 30)
    expect(second.x).toBe(before)
  })

  test('[SG15] the watch that looks for stuck units finds one that is', () => {
    const world = disarm(field())
    addStanding(world, SIDE.blue, 300, -100)
    const watch = createWatch(world)
    for (let tick = 0; tick < 200; tick++) {
      step(world)
      watch.look()
    }
    expect(watch.stuck.length).toBeGreaterThan(0)
  })
})
