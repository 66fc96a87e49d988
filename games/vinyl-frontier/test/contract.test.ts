/** The contract in the README, line by line: order, timers, gates, edges. */

import { createWorld, each, exists, runScene, step } from 'hurtbox'
import { expect, test } from 'vitest'
import { exchanged, linesOf, neighbours, testTable } from '../../test/contract.ts'
import { MATERIAL, ORDER, type VinylOptions, type VinylThing, type VinylWorld } from '../rules/declaration.ts'
import { vinylFrontier } from '../rules/index.ts'
import { leadingTeams } from '../rules/match.ts'
import { applyOrder } from '../rules/orders.ts'
import { IMPACT } from '../rules/report.ts'
import { shipOf, stationOf } from '../rules/setup.ts'
import { announcerText } from '../rules/text.ts'
import { scenes } from '../scenes/index.ts'
import { emptyWorld, gunner, rock, rocks, ship, tick } from './support.ts'

type Game = typeof vinylFrontier
type Options = Partial<VinylOptions>

/** What is measured is as expected, and is not when the two phases are exchanged. */
function seen(pair: string, expected: unknown, measure: (game: Game) => unknown): void {
  expect(measure(vinylFrontier)).toEqual(expected)
  expect(measure(exchanged(vinylFrontier, pair) as Game), 'exchanged').not.toEqual(expected)
}

/** Nobody can tell the two orders apart: the scenes that have both phases go on alike, to the last bit. */
function unseen(pair: string, ...names: readonly string[]): void {
  for (const scene of scenes.filter(({ name }) => names.includes(name))) {
    const game = exchanged(vinylFrontier, pair)
    expect(runScene({ ...scene, ticks: 80, game }).hash).toBe(runScene({ ...scene, ticks: 80 }).hash)
  }
}

/** A match without rocks at the beginning of its second turn, the first that takes orders. */
function atOrders(game: Game, options: Options = {}): VinylWorld {
  const world = createWorld(game, { options: { vinyl: 0, uranium: 0, ...options } })
  step(world, { controls: [{ control: 'join', seat: 0 }] })
  for (let i = 1; i < 5; i++) step(world)
  return world
}

function docked(world: VinylWorld): number {
  return [...each(world, 'ship')].filter((one) => one.docked === 1).length
}

/** Whether the orders of this tick launch a ship in this tick. */
const launchesNow = (options: Options) => (game: Game) => {
  const world = atOrders(game, options)
  step(world, { players: [{ seat: 0, thrust0: 10 }] })
  return docked(world)
}

/** Whether a laser hits a ship that flies into its sights in this tick. */
const hitsWhatComes = (options: Options) => (game: Game) => {
  const world = emptyWorld(options, 1, game)
  gunner(world, 0, { x: 0, y: 0 }, 0, 200)
  ship(world, 1, { x: 80, y: -14, vy: 15 })
  tick(world)
  return world.events.laser.count
}

/** Whether a ship that is destroyed leaves in the same tick. */
const staysDead = (options: Options) => (game: Game) => {
  const world = emptyWorld(options, 1, game)
  const victim = ship(world, 0, { x: 0, y: 0 })
  ship(world, 1, { x: 22, y: 0, vx: -10 })
  victim.shield = 0.1
  tick(world)
  return exists(victim)
}

testTable('VF63', 'vinyl-frontier', 'Order', {
  'clearMessages → giveTasks': () => unseen('clearMessages → giveTasks', 'match', 'legacy', 'commands'),
  'giveTasks → orders': () =>
    seen('giveTasks → orders', true, (game) => {
      const world = atOrders(game, { vinyl: 5, uranium: 5 })
      step(world, { players: [{ seat: 0, task: 1 }] })
      const { orders } = shipOf(world, 0, 1)!
      return orders.get(ORDER.turn) !== 0 || orders.get(ORDER.thrust) !== 0
    }),
  'orders → move': () => seen('orders → move', 7, launchesNow({})),
  'move → aim': () => seen('move → aim', 1, hitsWhatComes({})),
  'aim → hits': () => seen('aim → hits', 1, hitsWhatComes({})),
  'hits → settle': () => seen('hits → settle', false, staysDead({})),
  'settle → announceEvents': () => unseen('settle → announceEvents', 'match'),
  'announceEvents → keepTime': () => unseen('announceEvents → keepTime', 'match'),
  'keepTime → countStep': () =>
    seen('keepTime → countStep', 1, (game) => {
      const world = emptyWorld({ maxTurns: 1 }, 1, game)
      for (let i = 0; i < 5; i++) tick(world)
      return Math.round(world.globals.time * 1e6) / 1e6
    }),
  'aim → pipeline': () => seen('aim → pipeline', 1, hitsWhatComes({ preset: 'commands' })),
  'pipeline → settle': () => seen('pipeline → settle', false, staysDead({ preset: 'commands' })),
  'settle → keepTime': () => unseen('settle → keepTime', 'commands'),
  'orders → moveAndMeet': () => seen('orders → moveAndMeet', 7, launchesNow({ legacyCollisionHandling: true })),
  'moveAndMeet → fire': () => seen('moveAndMeet → fire', 1, hitsWhatComes({ legacyCollisionHandling: true })),
  'fire → keepTime': () => unseen('fire → keepTime', 'legacy'),
  'orders → simulate': () => unseenLaunch(),
  'simulate → fire': () => seen('simulate → fire', 1, hitsWhatComes({ preset: 'original' })),
  'fire → countStep': () => seen('fire → countStep', 1, hitsWhatComes({ preset: 'original' })),
  'ship docks → ship meets rock': () => {
    const world = emptyWorld()
    const docking = ship(world, 1, { x: 256, y: 230 })
    rock(world, MATERIAL.vinyl, 6, { x: 256, y: 215 })
    tick(world)
    expect([docking.docked, rocks(world).length]).toEqual([1, 1])
  },
  'ship docks → ship meets ship': () => {
    const world = emptyWorld()
    const other = ship(world, 0, { x: 256, y: 212, vy: 9 })
    const docking = ship(world, 1, { x: 256, y: 230 })
    tick(world)
    expect([docking.docked, docking.shield, other.shield]).toEqual([1, 15, 15])
  },
  'impacts by age, not rule by rule': () => {
    // The oldest meets a ship that destroys it, and a younger rock that would fit.
    const world = emptyWorld()
    const victim = ship(world, 0, { x: 0, y: 0 })
    ship(world, 1, { x: 22, y: 0, vx: -10 })
    rock(world, MATERIAL.vinyl, 6, { x: -12, y: 0 })
    victim.shield = 0.1
    tick(world)
    expect(rocks(world)).toHaveLength(1)
  },
  'impacts → lasers': () => {
    const world = emptyWorld()
    rock(world, MATERIAL.vinyl, 40, { x: 0, y: 0 })
    gunner(world, 1, { x: 100, y: 0 }, Math.PI, 300)
    ship(world, 0, { x: -20, y: 0, vx: 10 })
    tick(world)
    expect([world.events.contact.count, world.events.laser.count]).toEqual([1, 0])
  },
  'lasers by age of who fires, not rule by rule': () => {
    const world = emptyWorld()
    gunner(world, 0, { x: 0, y: 0 }, 0, 200)
    gunner(world, 1, { x: 0, y: 200 }, 0, 200)
    rock(world, MATERIAL.vinyl, 40, { x: 80, y: 0 })
    ship(world, 0, { x: 80, y: 200 })
    tick(world)
    const { targetKind } = world.events.laser
    expect([targetKind[0], targetKind[1]]).toEqual([3, 2])
  },
})

/** In `original` the orders themselves run the physics for no time, and launches happen there. */
function unseenLaunch(): void {
  seen('orders → simulate', true, (game) => {
    const world = atOrders(game, { preset: 'original' })
    step(world, { players: [{ seat: 0, thrust0: 10 }] })
    return shipOf(world, 0, 0)!.speed > 1.9
  })
}

test('[VF63] Order: there is a line for each two neighbouring phases of each engine', () => {
  const engines: Options[] = [{}, { preset: 'commands' }, { legacyCollisionHandling: true }, { preset: 'original' }]
  const pairs = new Set(engines.flatMap((options) => neighbours(emptyWorld(options))))
  const lines = linesOf('vinyl-frontier', 'Order').map(([pair]) => pair)
  expect(lines.filter((line) => /^\w+ → \w+$/.test(line) && line !== 'impacts → lasers').sort()).toEqual(
    [...pairs].sort(),
  )
})

/** Plays two turns with an order that is taken in the first tick: the ticks in which something happens, first and last. */
function spanOf(
  order: number,
  value: number,
  happens: (
    own: VinylThing,
    before: Readonly<{ speed: number; orient: number; shield: number; cargo: number; fuel: number }>,
    world: VinylWorld,
  ) => boolean,
  start: Partial<VinylThing> = {},
): [number, number] {
  const world = emptyWorld()
  const own = ship(world, 0, { x: 0, y: 0 }, { cargo: 10 })
  Object.assign(own, start)
  world.globals.ordersTaken = 1
  applyOrder(world, own, order, value)
  const found: number[] = []
  for (let t = 1; t <= 10; t++) {
    const { speed, orient, shield, cargo, fuel } = own
    step(world)
    if (happens(own, { speed, orient, shield, cargo, fuel }, world)) found.push(t)
  }
  return [found[0] ?? -1, found.at(-1) ?? -1]
}

testTable('VF63', 'vinyl-frontier', 'Timers', {
  'a thrust pushes': () => spanOf(ORDER.thrust, 10, (own, before) => own.speed > before.speed),
  'a turn turns': () => spanOf(ORDER.turn, 1, (own, before) => own.orient > before.orient + 1e-9),
  'a laser fires': () => {
    const world = emptyWorld()
    const own = ship(world, 0, { x: 0, y: 0 })
    ship(world, 1, { x: 80, y: 0 })
    world.globals.ordersTaken = 1
    applyOrder(world, own, ORDER.laser, 100)
    const found: number[] = []
    for (let t = 1; t <= 10; t++) {
      step(world)
      if (world.events.laser.count > 0) found.push(t)
    }
    return [found[0], found.at(-1)!]
  },
  'a shield is charged': () => spanOf(ORDER.shield, 3, (own, before) => own.shield > before.shield),
  'vinyl is thrown overboard': () => spanOf(ORDER.jettison, -5, (own, before) => own.cargo < before.cargo),
  'thrust from a dock is free': () =>
    spanOf(ORDER.thrust, 10, (own, before) => own.fuel === before.fuel && own.speed > before.speed, {
      docked: 1,
      wasDocked: 1,
      x: -256,
      y: -256,
    }),
  'a match of 2 turns goes on': () => {
    const world = emptyWorld({ maxTurns: 2 })
    const own = ship(world, 0, { x: 0, y: 0, vx: 10 })
    const found: number[] = []
    for (let t = 1; t <= 15; t++) {
      const { x } = own
      step(world)
      if (own.x > x) found.push(t)
    }
    return [found[0], found.at(-1)!]
  },
})

/** What two of these do to each other, counted by events; each can be dead or docked before. */
function meeting(
  between: 'dock' | 'rock' | 'ship' | 'station',
  change: (first: VinylThing, second: VinylThing) => void,
): string {
  const world = emptyWorld()
  const station = stationOf(world, 1)!
  const { x, y } = station
  const first =
    between === 'station'
      ? rock(world, MATERIAL.vinyl, 10, { x: x - 30, y, vx: 5 })
      : ship(world, 1, { x: between === 'dock' ? x - 35 : 0, y: between === 'dock' ? y : 0, vx: 5 })
  const second =
    between === 'rock'
      ? rock(world, MATERIAL.vinyl, 40, { x: 20, y: 0 })
      : between === 'ship'
        ? ship(world, 0, { x: 20, y: 0 })
        : station
  change(first, second)
  tick(world)
  return world.events.contact.count > 0 ? 'met' : 'spared'
}

/** What a laser does to what it is aimed at. */
function beam(at: 'station' | 'ship' | 'rock', change: (shooter: VinylThing, target: VinylThing) => void): string {
  const world = emptyWorld()
  const station = stationOf(world, 1)!
  const y = at === 'station' ? 256 : 0
  const shooter = gunner(world, 0, { x: 156, y }, 0, 200)
  const target =
    at === 'station'
      ? station
      : at === 'ship'
        ? ship(world, 1, { x: 236, y: 0 })
        : rock(world, MATERIAL.vinyl, 40, { x: 236, y: 0 })
  change(shooter, target)
  tick(world)
  return world.events.laser.count > 0 ? 'hit' : 'spared'
}

const nothing = () => {}
const firstDead = (first: VinylThing) => void (first.dead = 1)
const secondDead = (_: VinylThing, second: VinylThing) => void (second.dead = 1)
const firstDocked = (first: VinylThing) => void (first.docked = first.wasDocked = 1)
const secondDocked = (_: VinylThing, second: VinylThing) => void (second.docked = second.wasDocked = 1)

testTable('VF63', 'vinyl-frontier', 'Gates', {
  'ship docks': () => [meeting('dock', nothing)],
  'ship docks: a dead ship': () => [meeting('dock', firstDead)],
  'ship docks: a docked ship': () => [meeting('dock', firstDocked)],
  'ship meets rock': () => [meeting('rock', nothing)],
  'ship meets rock: a dead ship': () => [meeting('rock', firstDead)],
  'ship meets rock: a docked ship': () => [meeting('rock', firstDocked)],
  'ship meets rock: a dead rock': () => [meeting('rock', secondDead)],
  'ship meets ship': () => [meeting('ship', nothing)],
  'ship meets ship: the first is dead': () => [meeting('ship', firstDead)],
  'ship meets ship: the second is dead': () => [meeting('ship', secondDead)],
  'ship meets ship: the first is docked': () => [meeting('ship', firstDocked)],
  'ship meets ship: the second is docked': () => [meeting('ship', secondDocked)],
  'rock bounces off station': () => [meeting('station', nothing)],
  'beam hits station': () => [beam('station', nothing)],
  'beam hits ship': () => [beam('ship', nothing)],
  'beam hits ship: a dead ship': () => [beam('ship', secondDead)],
  'beam hits ship: a docked ship': () => [beam('ship', secondDocked)],
  'beam hits ship: the shooter is dead': () => [beam('ship', firstDead)],
  'beam hits ship: the shooter is docked': () => [beam('ship', firstDocked)],
  'beam hits rock': () => [beam('rock', nothing)],
  'beam hits rock: a dead rock': () => [beam('rock', secondDead)],
  'beam hits ship: what stands behind its target': () => {
    const world = emptyWorld()
    gunner(world, 0, { x: 0, y: 0 }, 0, 300)
    ship(world, 1, { x: 80, y: 0 })
    const behind = ship(world, 1, { x: 82, y: 0 })
    behind.docked = 0
    tick(world)
    return [world.events.laser.count === 1 ? 'spared' : 'hit']
  },
  'beam hits ship: destroyed by an impact of the same tick': () => {
    const world = emptyWorld()
    const victim = ship(world, 0, { x: 0, y: 0 })
    victim.shield = 0.1
    ship(world, 1, { x: -22, y: 0, vx: 10 })
    gunner(world, 1, { x: 0, y: 100 }, -Math.PI / 2, 300)
    tick(world)
    expect(announcerText(world).match(/S0-0 destroyed/g)).toHaveLength(1)
    return [world.events.destroyed.count === 1 && world.events.laser.count === 0 ? 'spared' : 'hit']
  },
  'beam hits ship: destroyed by an older beam of the same tick': () => {
    const world = emptyWorld()
    const victim = ship(world, 0, { x: 0, y: 0 })
    victim.shield = 0.1
    gunner(world, 1, { x: 0, y: 100 }, -Math.PI / 2, 300)
    gunner(world, 1, { x: 100, y: 0 }, Math.PI, 300)
    tick(world)
    return [world.events.destroyed.count === 1 && world.events.laser.count === 1 ? 'spared' : 'hit']
  },
})

testTable('VF63', 'vinyl-frontier', 'Edges', {
  'between two ships: 24 units': () =>
    [23.9999, 24, 24.0001].map((x) => {
      const world = emptyWorld()
      ship(world, 0, { x: 0, y: 0 })
      ship(world, 1, { x, y: 0 })
      tick(world)
      return world.events.contact.count > 0 ? 'meet' : 'apart'
    }),
  'shield, against an impact of 0.7': () =>
    [0.6999, 0.7, 0.7001].map((shield) => {
      const world = emptyWorld()
      const victim = ship(world, 0, { x: 0, y: 0 })
      ship(world, 1, { x: 22, y: 0, vx: -10 })
      victim.shield = shield
      tick(world)
      return exists(victim) ? 'lives' : 'dies'
    }),
  'shield, against light of 3030 t': () =>
    [3.0299, 3.03, 3.0301].map((shield) => {
      const world = emptyWorld()
      gunner(world, 0, { x: 0, y: 0 }, 0, 200)
      const victim = ship(world, 1, { x: 100, y: 0 })
      victim.shield = shield
      tick(world)
      return exists(victim) ? 'lives' : 'dies'
    }),
  'light on a rock: 1000 t': () => {
    const [below, above] = [999.99, 1000.01].map((mass) => {
      const world = emptyWorld()
      gunner(world, 0, { x: 0, y: 0 }, 0, 79 + mass / 30)
      rock(world, MATERIAL.vinyl, 40, { x: 80, y: 0 })
      tick(world)
      return rocks(world).length === 3 ? 'breaks' : 'is pushed'
    })
    return [below, 'not reached', above]
  },
  'a rock, with room for 10 t': () =>
    [9.9999, 10, 10.0001].map((mass) => {
      const world = emptyWorld()
      ship(world, 0, { x: 0, y: 0, vx: 5 }, { cargo: 20 })
      rock(world, MATERIAL.vinyl, mass, { x: 15, y: 0 })
      tick(world)
      return rocks(world).length === 0 ? 'is eaten' : 'breaks'
    }),
  'uranium, with room for 10 t': () =>
    [9.9999, 10, 10.0001].map((mass) => {
      const world = emptyWorld()
      const own = ship(world, 0, { x: 0, y: 0, vx: 5 }, { fuel: 20, cargo: 30 })
      rock(world, MATERIAL.uranium, mass, { x: 15, y: 0 })
      tick(world)
      expect(own.cargo).toBe(30)
      return own.fuel > 20 ? 'is eaten' : 'breaks'
    }),
  'a rock that does not fit: 9 t': () =>
    [8.9999, 9, 9.0001].map((mass) => {
      const world = emptyWorld()
      ship(world, 0, { x: 0, y: 0, vx: 5 })
      rock(world, MATERIAL.generic, mass, { x: 15, y: 0 })
      tick(world)
      return rocks(world).length === 3 ? 'breaks' : 'bounces'
    }),
  'speed: 30': () =>
    [29.9999, 30, 30.0001].map((vx) => {
      const world = emptyWorld()
      ship(world, 0, { x: 0, y: 0, vx })
      tick(world)
      const { count, impact } = world.events.momentum
      return count === 1 && impact[0] === IMPACT.limit ? 'is cut' : 'is kept'
    }),
  'length of a laser, at 80 units': () =>
    [79.9999, 80, 80.0001].map((length) => {
      const world = emptyWorld()
      gunner(world, 0, { x: 0, y: 0 }, 0, length)
      ship(world, 1, { x: 80, y: 0 })
      tick(world)
      return world.events.laser.count === 1 ? 'reaches' : 'falls short'
    }),
  'thrown overboard: 3 t': () =>
    [2.9999, 3, 3.0001].map((tons) => {
      const world = emptyWorld()
      const own = ship(world, 0, { x: 0, y: 0 }, { cargo: 10 })
      applyOrder(world, own, ORDER.jettison, -tons)
      tick(world)
      return rocks(world).length === 1 ? 'is thrown' : 'stays'
    }),
  'vinyl at home, against 10 t': () =>
    [9.9999, 10, 10.0001].map((vinyl) => {
      const world = emptyWorld()
      stationOf(world, 0)!.vinyl = vinyl
      stationOf(world, 1)!.vinyl = 10
      const leaders = leadingTeams(world)
      return leaders.length > 1 ? 'draws' : leaders[0] === 0 ? 'wins' : 'loses'
    }),
  'damage of a bump that is told: 0.1': () => {
    const [below, above] = [0.0999, 0.1001].map((damage) => {
      const world = emptyWorld()
      ship(world, 0, { x: 0, y: 0 })
      ship(world, 1, { x: 22, y: 0, vx: -(damage * 1000) / 70 })
      tick(world)
      return announcerText(world).includes('hit') ? 'is told' : 'is not'
    })
    return [below, 'not reached', above]
  },
})

test('[VF11] vinyl goes into the hold and uranium into the tank', () => {
  for (const [material, cargo, fuel] of [
    [MATERIAL.vinyl, 16, 20],
    [MATERIAL.uranium, 10, 26],
  ]) {
    const world = emptyWorld()
    const own = ship(world, 0, { x: 0, y: 0, vx: 5 }, { fuel: 20, cargo: 10 })
    rock(world, material, 6, { x: 15, y: 0 })
    tick(world)
    expect([own.cargo, own.fuel]).toEqual([cargo, fuel])
  }
})

test('[VF67] rocks come back every so many turns, one of each kind, and never more than at the start', () => {
  const play = (options: Options, turns: number) => {
    const world = createWorld(vinylFrontier, { seed: 5, options: { vinyl: 2, uranium: 2, ...options } })
    world.globals.ordersTaken = 1
    for (const one of each(world, 'asteroid')) if (options.returns !== 1) one.mass = 3
    for (let i = 0; i < turns * 5; i++) step(world)
    return rocks(world)
  }
  const kinds = (list: readonly VinylThing[]) => list.filter(({ mass }) => mass === 40).map(({ material }) => material)
  expect(kinds(play({ returns: 0 }, 5))).toEqual([])
  expect(kinds(play({ returns: 3 }, 3))).toEqual([])
  const [vinyl, uranium] = play({ returns: 3 }, 4).slice(-2)
  expect(kinds([vinyl, uranium])).toEqual([MATERIAL.vinyl, MATERIAL.uranium])
  expect([vinyl.speed >= 3, vinyl.speed <= 12, vinyl.heading === uranium.heading]).toEqual([true, true, false])
  // Six and forty tons are afloat: another rock would be more than the eighty of the start.
  expect(kinds(play({ returns: 3 }, 8))).toEqual([MATERIAL.vinyl, MATERIAL.uranium])
  expect(kinds(play({ returns: 1 }, 3))).toHaveLength(4)
})
