/** The contract in the README, line by line: order, timers, gates, edges. */

import { createWorld, each, exists, runScene, step } from 'hurtbox'
import { expect, test } from 'vitest'
import { exchanged, linesOf, neighbours, spanOf, testTable } from '../../test/contract.ts'
import { combat, HEIGHT, type JetOptions, type JetThing, type JetWorld, WIDTH } from '../rules/declaration.ts'
import { jetRaiders } from '../rules/index.ts'
import { result } from '../rules/match.ts'
import { shortScenes } from '../scenes/index.ts'
import { arena, bulletTo, ofKind, player, put, run, ship } from './support.ts'

const FIRE = { players: [{ seat: 0, shoot: true }] }
const melee = shortScenes.find(({ name }) => name === 'melee')!

/** Kinds of the events that a tick brings, once each. */
const kindsOf = (world: JetWorld) => [...new Set(run(world, 1).map(({ kind }) => kind))]

/** Nobody can tell the two orders apart: a melee ends alike, to the last bit. */
function expectNoDifference(pair: string): void {
  const game = exchanged(jetRaiders, pair) as typeof jetRaiders
  expect(runScene({ ...melee, game }).hash).toBe(runScene(melee).hash)
}

testTable('JR45', 'jet-raiders', 'Order', {
  'useSlots → steer': () => {
    const world = arena([{ x: 0, heading: Math.PI / 2 }])
    ship(world, 0).throttle = 1
    run(world, 1, { players: [{ seat: 0, slot: 1, secondary: 'dash' }] })
    expect(ship(world, 0).x).toBeCloseTo(9.6, 9)
  },
  'steer → fire': () => {
    const world = arena([{ x: 0, heading: Math.PI / 2 }])
    ship(world, 0).throttle = 1
    run(world, 1, FIRE)
    const [bullet] = each(world, 'bullet')
    expect(bullet.x - ship(world, 0).x).toBeCloseTo(32, 9)
  },
  'fire → fly': () => {
    const world = arena([{ x: 0, heading: Math.PI / 2 }])
    run(world, 1, FIRE)
    expect([...each(world, 'bullet')][0].x).toBeCloseTo(32, 9)
  },
  'fly → hits': () => {
    const world = arena([{ x: -300 }, { x: 0 }])
    bulletTo(world, 0, -29)
    expect(ofKind(run(world, 1), 'hit')).toHaveLength(1)
    bulletTo(world, 0, 33)
    expect(ofKind(run(world, 1), 'hit')).toHaveLength(0)
  },
  'hits → bury': () => {
    const world = arena([{ x: -300 }, { x: 0, hp: 30 }])
    ship(world, 1).throttle = 1
    bulletTo(world, 0, 0)
    run(world, 1)
    expect(ship(world, 1)).toMatchObject({ throttle: 0, returnsAt: 1 + 63 })
  },
  'bury → tally': () => expectNoDifference('bury → tally'),
  'tally → judge': () => {
    const world = arena([{ x: -300 }, { x: 0, hp: 30 }], { options: { matchSeconds: 1 } })
    // 1 s is 63 ticks, and the first was played before the ships were placed.
    run(world, 61)
    bulletTo(world, 0, 0)
    expect(ofKind(run(world, 1), 'matchOver')).toMatchObject([{ winner: 1 }])
  },
  'bullets clash → shield stops bullet': () => {
    const world = arena([{ x: -300 }, { x: 300 }, { x: 0 }], { options: { bulletClash: true } })
    ship(world, 2).invulnerableUntil = 100
    bulletTo(world, 0, 0)
    bulletTo(world, 1, 0, 0, -500)
    expect(kindsOf(world)).toEqual(['clash'])
  },
  'shield stops bullet → bullet hits ship': () => {
    const world = arena([{ x: -300 }, { x: 0 }])
    ship(world, 1).invulnerableUntil = 100
    bulletTo(world, 0, 0)
    expect(kindsOf(world)).toEqual(['block'])
  },
  'bullet hits ship → ship rams ship': () => {
    const world = arena([{ x: -300 }, { x: 0, hp: 20 }, { x: 40 }], { options: { ramming: true } })
    bulletTo(world, 0, -5)
    expect(ofKind(run(world, 1), 'kill')).toMatchObject([{ victim: 2, attacker: 1, type: combat.type.bullet }])
  },
  'ship rams ship → bullet meets wall': () => {
    // A bullet that is in a wall and in reach of two ships that ram each other.
    const world = arena([{ x: 0 }, { x: WIDTH / 2 - 24, hp: 20 }, { x: WIDTH / 2 - 60, hp: 20 }], {
      options: { ramming: true, edges: 'wall' },
    })
    const bullet = bulletTo(world, 1, WIDTH / 2 - 1)
    expect(ofKind(run(world, 1), 'kill').map(({ victim }) => victim)).toEqual([3, 2])
    expect(exists(bullet)).toBe(false)
  },
})

test('[JR45] Order: there is a line for each two neighbouring phases', () => {
  const pairs = linesOf('jet-raiders', 'Order').map(([pair]) => pair)
  expect(pairs.slice(0, 7)).toEqual(neighbours(arena([{ x: 0 }])))
})

const IDLE = { players: [{ seat: 0 }] }
const DASH = { players: [{ seat: 0, slot: 1, secondary: 'dash' }] } as const
const SHIELD = { players: [{ seat: 0, slot: 1, secondary: 'shield' }] } as const

/** Two ships far from each other; the first looks to the right, at full speed if asked. */
function two(throttle = 0, given: Parameters<typeof arena>[1] = {}): JetWorld {
  const world = arena(
    [
      { x: -200, heading: Math.PI / 2 },
      { x: 300, y: 200 },
    ],
    given,
  )
  ship(world, 0).throttle = throttle
  return world
}

/** How far the first ship flies in the next tick. */
function flown(world: JetWorld, inputs: Parameters<typeof run>[2] = {}): number {
  const { x } = ship(world, 0)
  run(world, 1, inputs as never)
  return Math.round((ship(world, 0).x - x) * 1e6) / 1e6
}

/** A bullet of the second ship meets the first in the next tick; what comes of it. */
function shotAt(world: JetWorld, inputs: Parameters<typeof run>[2] = {}): string {
  bulletTo(world, 1, ship(world, 0).x, ship(world, 0).y, 0)
  const events = run(world, 1, inputs as never)
  return ['block', 'hit'].find((kind) => ofKind(events, kind as 'hit').length > 0) ?? 'nothing'
}

testTable('JR45', 'jet-raiders', 'Timers', {
  'a bullet hits': () =>
    spanOf(300, (tick) => {
      const world = arena([{ x: 0 }, { x: 0, y: tick === 0 ? -32 : 200 }])
      if (tick === 0) return ofKind(run(world, 1, FIRE), 'hit').length === 1
      run(world, 1, FIRE)
      run(world, tick - 1, IDLE)
      for (const bullet of each(world, 'bullet')) Object.assign(bullet, { x: 0, y: 200 })
      return ofKind(run(world, 1, IDLE), 'hit').length === 1
    }),
  'the gun loads': () =>
    spanOf(20, (tick) => {
      const world = two()
      if (tick > 0) run(world, 1, FIRE)
      run(world, Math.max(tick - 1, 0), IDLE)
      return ofKind(run(world, 1, FIRE), 'shot').length === 0
    }),
  'a dead ship waits': () =>
    spanOf(200, (tick) => {
      const world = two()
      ship(world, 0).hp = 30
      shotAt(world)
      run(world, tick)
      return ship(world, 0).hp === 0
    }),
  'a ship that has appeared is protected': () =>
    spanOf(300, (tick) => {
      if (tick === 0) return false
      const world = createWorld(jetRaiders, { seed: 1 })
      step(world, { controls: [0, 1].map((seat) => ({ control: 'join', seat }) as const) })
      run(world, tick - 1)
      return shotAt(world) === 'block'
    }),
  'a shield stops bullets': () =>
    spanOf(200, (tick) => {
      const world = two()
      if (tick > 0) run(world, 1, SHIELD)
      run(world, Math.max(tick - 1, 0))
      return shotAt(world, tick === 0 ? SHIELD : {}) === 'block'
    }),
  'a dash lasts': () =>
    spanOf(100, (tick) => {
      const world = two(1)
      if (tick > 0) run(world, 1, DASH)
      run(world, Math.max(tick - 1, 0))
      return flown(world, tick === 0 ? DASH : {}) === 9.6
    }),
  'the slot loads': () =>
    spanOf(1000, (tick) => {
      const world = two()
      if (tick > 0) run(world, 1, DASH)
      run(world, Math.max(tick - 1, 0))
      return ofKind(run(world, 1, DASH), 'dash').length === 0
    }),
  'ice slows': () =>
    spanOf(300, (tick) => {
      const world = two(1, { options: { iceBullets: true, edges: 'torus' } })
      if (tick === 0) return false
      bulletTo(world, 1, ship(world, 0).x, ship(world, 0).y, 0)
      run(world, tick)
      return flown(world) === 1.2
    }),
  'two that ram spare each other': () =>
    spanOf(32, (tick) => {
      const world = arena([{ x: 0 }, { x: 40 }], { options: { ramming: true } })
      run(world, tick)
      return ofKind(run(world, 1), 'damage').length === 0
    }),
  'a death counts as early': () =>
    spanOf(300, (tick) => {
      if (tick === 0) return false
      // `arena` has let them appear in the tick before.
      const world = two()
      ship(world, 0).hp = 30
      run(world, tick - 1)
      shotAt(world)
      return player(world, 0).earlyDeaths === 1
    }),
  'a match of one second': () =>
    spanOf(200, (tick) => {
      if (tick === 0) return false
      const world = two(1, { options: { matchSeconds: 1 } })
      run(world, tick - 1)
      return flown(world) > 0
    }),
})

type Spared = 'owner' | 'team' | 'dead' | 'invulnerable'

/** Of which ships and bullets a rule spares, and whom it meets all the same; `meets` plays it. */
function gatesOf(conditions: readonly Spared[], meets: (of: string) => boolean): string[] {
  if (!meets('nobody')) throw new Error('it meets nobody')
  const all = ['owner', 'team', 'dead', 'invulnerable'] as const
  return all.map((of) => (conditions.includes(of) ? (meets(of) ? 'meets' : 'spared') : '–'))
}

/** A ship at 0 that is in the state a gate asks about, and the one that shoots at it, at 300. */
function target(of: string, given: Partial<JetOptions> = {}): readonly [world: JetWorld, victim: JetThing] {
  const teams = of === 'team' ? [2, 2, 2] : [0, 0, 0]
  const world = arena([{ x: 0 }, { x: 300 }, { x: -300 }], { teams, options: given })
  const victim = ship(world, 0)
  if (of === 'dead') Object.assign(victim, { hp: 0, returnsAt: 100 })
  if (of === 'invulnerable') victim.invulnerableUntil = 100
  return [world, victim]
}

testTable('JR45', 'jet-raiders', 'Gates', {
  'bullets clash': () =>
    gatesOf(['owner', 'team'], (of) => {
      const [world] = target(of, { bulletClash: true })
      bulletTo(world, 1, 100)
      bulletTo(world, of === 'owner' ? 1 : 2, 100)
      return kindsOf(world).includes('clash')
    }),
  'shield stops bullet': () =>
    gatesOf(['owner', 'team', 'dead', 'invulnerable'], (of) => {
      const [world, victim] = target(of)
      victim.invulnerableUntil = 100
      bulletTo(world, of === 'owner' ? 0 : 1, 0)
      return kindsOf(world).includes('block')
    }),
  'bullet hits ship': () =>
    gatesOf(['owner', 'team', 'dead', 'invulnerable'], (of) => {
      const [world] = target(of)
      bulletTo(world, of === 'owner' ? 0 : 1, 0)
      return kindsOf(world).includes('hit')
    }),
  'ship rams ship': () =>
    gatesOf(['team', 'dead', 'invulnerable'], (of) => {
      const [world, { id }] = target(of, { ramming: true })
      put(world, 1, { x: 40 })
      const events = ofKind(run(world, 1), 'damage')
      // Nor is it remembered as rammed, or it would be spared when it is back.
      return events.some(({ victim }) => victim === id) || (of === 'dead' && world.tables.hits.count > 0)
    }),
})

/** What happens just below a threshold, at it, and just above. */
const around = (at: number, happens: (value: number) => string): readonly string[] =>
  [at - 0.1, at, at + 0.1].map(happens)

/** Where a ship is after a tick in which it stands. */
function stands(place: { x: number; y?: number }, edges: JetOptions['edges'] = 'wrap'): string {
  const world = arena([place], { options: { edges } })
  run(world, 1)
  const { x, y } = ship(world, 0)
  if (x === place.x && y === (place.y ?? 0)) return 'stays'
  return Math.abs(x - place.x) + Math.abs(y - (place.y ?? 0)) > 1 ? 'crosses' : 'is held'
}

/** What becomes of a bullet that stands there. */
function bulletAt(x: number, y: number, edges: JetOptions['edges']): string {
  const world = arena([{ x: 0 }], { options: { edges } })
  const bullet = bulletTo(world, 0, x, y, 0)
  run(world, 1)
  if (!exists(bullet)) return 'ends'
  return bullet.x === x && bullet.y === y ? 'flies on' : 'crosses'
}

testTable('JR45', 'jet-raiders', 'Edges', {
  'bullet and ship, 29 px apart': () =>
    around(29, (x) => {
      const world = arena([{ x: 0 }, { x: 300 }])
      bulletTo(world, 1, x, 0, 0)
      return kindsOf(world).includes('hit') ? 'hits' : 'flies on'
    }),
  'ship and ship, 48 px apart': () =>
    around(48, (x) => {
      const world = arena([{ x: 0 }, { x }], { options: { ramming: true } })
      return kindsOf(world).includes('damage') ? 'rams' : 'passes'
    }),
  'right edge, x 400': () => around(WIDTH / 2, (x) => stands({ x })),
  'left edge, 400 px out': () => around(WIDTH / 2, (x) => stands({ x: -x })),
  'lower edge, y 230': () => around(HEIGHT / 2, (y) => stands({ x: 0, y })),
  'upper edge, 230 px out': () => around(HEIGHT / 2, (y) => stands({ x: 0, y: -y })),
  'ship at a wall, x 376': () => around(WIDTH / 2 - 24, (x) => stands({ x }, 'wall')),
  'bullet at a wall, x 395': () => around(WIDTH / 2 - 5, (x) => bulletAt(x, 100, 'wall')),
  'bullet at the right edge of a closed plane': () => around(WIDTH / 2, (x) => bulletAt(x, 0, 'torus')),
  'bullet at the lower edge of a closed plane': () => around(HEIGHT / 2, (y) => bulletAt(0, y, 'torus')),
  'health before a hit of 30': () =>
    around(30, (hp) => {
      const world = arena([{ x: 0, hp }, { x: 300 }])
      bulletTo(world, 1, 0)
      return kindsOf(world).includes('kill') ? 'dies' : 'lives'
    }),
  'kills of seat 0, seat 1 has 3': () =>
    [2, 3, 4].map((score) => winner({ score, deaths: 1 }, { score: 3, deaths: 1 })),
  'deaths of seat 0, seat 1 has 3': () =>
    [2, 3, 4].map((deaths) => winner({ score: 1, deaths }, { score: 1, deaths: 3 })),
  'tick in which a ship that rams came back': () =>
    [-1, 0, 1].map((late) => {
      const world = arena([{ x: 0 }, { x: 40 }], { options: { ramming: true } })
      ship(world, 0).returnsAt = world.clock + late
      const rammed = ofKind(run(world, 1), 'damage').map(({ attacker }) => attacker)
      return rammed.includes(ship(world, 0).id) ? 'rams' : 'is a wreck'
    }),
})

function winner(a: { score: number; deaths: number }, b: { score: number; deaths: number }): string {
  const world = arena([{ x: 0 }, { x: 100 }])
  Object.assign(player(world, 0), a)
  Object.assign(player(world, 1), b)
  return String(result(world).winner ?? 'nobody')
}

test('[JR45] a ship takes the best of eight places, unless it is tuned', () => {
  const place = (tuning: { spawnChoices?: number }) => {
    const world = createWorld(jetRaiders, { seed: 3, tuning })
    const foes = [0, 1, 2].map((seat) => ({ control: 'join', seat }) as const)
    step(world, { controls: foes })
    return world.random.spawns.join()
  }
  // The stream has gone on by so many draws.
  expect(place({})).toBe(place({ spawnChoices: 8 }))
  for (const spawnChoices of [7, 9]) expect(place({})).not.toBe(place({ spawnChoices }))
})
