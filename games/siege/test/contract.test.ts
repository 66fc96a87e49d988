/** The contract in the README, line by line: order, timers, gates, edges. */

import { each, exists, hashWorld, step } from 'hurtbox'
import { spawnFrom } from 'hurtbox/combat'
import { expect, test } from 'vitest'
import { exchanged, linesOf, neighbours, testTable } from '../../test/contract.ts'
import { CAMPS, FOUNTAINS, LANE, SIDE, towerId } from '../rules/content/map.ts'
import { KIND } from '../rules/content/units.ts'
import type { SiegeThing, SiegeWorld } from '../rules/declaration.ts'
import { siege } from '../rules/index.ts'
import { isProtected } from '../rules/structures.ts'
import {
  addMinion,
  addStanding,
  arena,
  builtOf,
  championOf,
  disarm,
  field,
  type Inputs,
  ofKind,
  playerIn,
  run,
} from './support.ts'

type Game = typeof siege

/** What is measured is as expected, and is not when the two phases are exchanged. */
function seen(pair: string, expected: unknown, measure: (game: Game) => unknown): void {
  expect(measure(siege)).toEqual(expected)
  expect(measure(exchanged(siege, pair) as Game), 'exchanged').not.toEqual(expected)
}

/** Champions that cast, minions, a tower: what comes of it in three seconds. */
function skirmish(game: Game): string {
  const world = arena(
    [
      { side: SIDE.blue, name: 'magnus', x: 200, y: 0 },
      { side: SIDE.red, name: 'gorath', x: 330, y: 20 },
      { side: SIDE.blue, name: 'warrior', x: 150, y: -60 },
    ],
    { game, tuning: { regeneration: 2, firstWave: 1 } },
  )
  for (let n = 0; n < 4; n++) addMinion(world, SIDE.blue, 180 + 45 * n, 60)
  for (let n = 0; n < 4; n++) addMinion(world, SIDE.red, 250 + 45 * n, 100, n > 2 ? KIND.caster : KIND.melee)
  for (let t = 0; t < 90; t++) {
    const go = { x: 250 + t, y: 20 }
    const players = [0, 1, 2].map((seat) => ({
      seat,
      order: 'attackMove' as const,
      go,
      first: t % 20 === seat ? 1 : 0,
      second: t % 30 === 7 ? 1 : 0,
      aim: go,
    }))
    step(world, { players })
  }
  return hashWorld(world)
}

/** Nobody can tell the two orders apart: a skirmish ends alike, to the last bit. */
function unseen(pair: string): void {
  expect(skirmish(exchanged(siege, pair) as Game)).toBe(skirmish(siege))
}

const alone = (game: Game, name = 'warrior', tuning = {}) =>
  disarm(arena([{ side: SIDE.blue, name, x: 0, y: 0 }], { game, tuning }))

const kill = (world: SiegeWorld, victim: SiegeThing) => {
  victim.hp = 1
  const champion = championOf(world, 0)
  Object.assign(champion, { attacksAt: 0, strikesAt: world.clock, target: victim.id })
}

/** The champion strikes down the last creature of the first camp. */
function killCamp(world: SiegeWorld): void {
  const [first, second] = [...each(world, 'unit')].filter((unit) => unit.kind === KIND.monster && unit.camp === 0)
  Object.assign(second, { hp: 0, camp: 1 })
  Object.assign(championOf(world, 0), { x: first.x - 50, y: first.y })
  // So that its side sees it.
  run(world, 1, { players: [{ seat: 0, order: 'attack', target: first.id }] })
  // At home it heals at once.
  first.maxHp = 1
  kill(world, first)
  step(world)
}

testTable('SG70', 'siege', 'Order', {
  'rebuildIndex → advance': () => unseen('rebuildIndex → advance'),
  'advance → obey': () => unseen('advance → obey'),
  'obey → cast': () =>
    seen('obey → cast', true, (game) => {
      // A recall that is due and a cast in the same tick: home first.
      const world = alone(game, 'gorath')
      const champion = championOf(world, 0)
      champion.recallAt = world.clock
      run(world, 1, { players: [{ seat: 0, order: 'hold', second: 1 }] })
      return champion.x === FOUNTAINS[SIDE.blue].x
    }),
  'cast → chooseTargets': () => unseen('cast → chooseTargets'),
  'chooseTargets → steer': () =>
    seen('chooseTargets → steer', true, (game) => {
      const world = disarm(field({ game }))
      const minion = addMinion(world, SIDE.blue, -700, 700)
      step(world)
      return minion.headX !== 0
    }),
  'steer → walk': () =>
    seen('steer → walk', true, (game) => {
      const world = disarm(field({ game }))
      const minion = addMinion(world, SIDE.blue, -700, 700)
      step(world)
      return minion.x > -700
    }),
  'walk → attack': () =>
    seen('walk → attack', true, (game) => {
      const world = alone(game)
      const minion = addStanding(world, SIDE.red, 125, 0)
      const champion = championOf(world, 0)
      run(world, 1, { players: [{ seat: 0, order: 'attack', target: minion.id }] })
      Object.assign(champion, { x: 125 - 20 - 25 - 75 - 5, y: 0, strikesAt: 0, attacksAt: 0 })
      step(world)
      return champion.strikesAt > 0
    }),
  'attack → followTargets': () =>
    seen('attack → followTargets', true, (game) => {
      const world = alone(game, 'elara')
      const minion = addStanding(world, SIDE.red, 300, 0)
      const champion = championOf(world, 0)
      Object.assign(champion, { strikesAt: world.clock, target: minion.id })
      step(world)
      const [shot] = each(world, 'shot')
      return shot.x > champion.x + 20
    }),
  'followTargets → fly': () => unseen('followTargets → fly'),
  'fly → hits': () =>
    seen('fly → hits', true, (game) => {
      const world = alone(game, 'magnus')
      const minion = addStanding(world, SIDE.red, 25 + 20 + 30, 0)
      run(world, 1, { players: [{ seat: 0, order: 'hold', first: 1, aim: { x: 500, y: 0 } }] })
      return minion.hp < minion.maxHp
    }),
  'hits → settle': () => unseen('hits → settle'),
  'settle → react': () => unseen('settle → react'),
  'react → collisions': () => unseen('react → collisions'),
  'collisions → fog': () =>
    seen('collisions → fog', true, (game) => {
      // Two that stand in each other at the border of a cell: the push takes one across it.
      const world = disarm(field({ game }))
      const other = addStanding(world, SIDE.blue, -499, -900)
      addStanding(world, SIDE.blue, -480, -900)
      const far = addStanding(world, SIDE.red, -1049, -900)
      step(world)
      return other.x < -500 && seesNow(world, far)
    }),
  'fog → waves': () =>
    seen('fog → waves', false, (game) => {
      const world = field({ game, tuning: { firstWave: 1 } })
      while (world.globals.wave === 0) step(world)
      const before = fogOf(world)
      step(world)
      return fogOf(world) === before
    }),
  'waves → camps': () =>
    seen('waves → camps', true, (game) => {
      const world = field({ game, tuning: { firstWave: 1, campEvery: 0 } })
      for (const unit of each(world, 'unit')) unit.hp = 0
      for (const unit of [...each(world, 'unit')]) unit.camp = 99
      world.arrays.campReturnsAt.fill(30)
      while (world.globals.wave === 0) step(world)
      const ids = (kind: number) => [...each(world, 'unit')].filter((unit) => unit.kind === kind).map(({ id }) => id)
      return Math.max(...ids(KIND.caster)) < Math.max(...ids(KIND.monster))
    }),
  'camps → removeDead': () =>
    seen('camps → removeDead', 0, (game) => {
      const world = alone(game, 'warrior', { campEvery: 0 })
      killCamp(world)
      return [...each(world, 'unit')].filter((unit) => unit.kind === KIND.monster && unit.camp === 0 && unit.hp > 0)
        .length
    }),
  'removeDead → learn': () =>
    seen('removeDead → learn', 2, (game) => {
      const world = alone(game)
      const minion = addStanding(world, SIDE.red, 60, 0)
      playerIn(world, 0).xp = 279
      kill(world, minion)
      step(world)
      return championOf(world, 0).level
    }),
  'learn → recover': () =>
    seen('learn → recover', true, (game) => {
      const world = alone(game)
      const champion = championOf(world, 0)
      Object.assign(champion, FOUNTAINS[SIDE.blue], { hp: 1 })
      playerIn(world, 0).xp = 300
      step(world)
      // A fifth of what it has at its new level, 670, in a second.
      return Math.abs(champion.hp - (1 + 90 + (0.2 * 670) / 30)) < 1e-6
    }),
})

function seesNow({ arrays: { fog } }: SiegeWorld, { x, y }: SiegeThing): boolean {
  const cell = (at: number) => Math.floor((at + 1800) / 100)
  return fog[cell(y) * 36 + cell(x)] === 1
}

const fogOf = ({ arrays: { fog } }: SiegeWorld) => fog.reduce((sum, seen) => sum + seen, 0)

test('[SG70] Order: there is a line for each two neighbouring phases', () => {
  expect(linesOf('siege', 'Order').map(([pair]) => pair)).toEqual(neighbours(field()))
})

/** In how many of the next ticks something holds, from the first to the last. */
function span(last: number, world: SiegeWorld, holds: () => boolean, inputs: Inputs = {}): [number, number] {
  const found: number[] = []
  for (let t = 1; t <= last; t++) {
    step(world, t === 1 ? inputs : {})
    if (holds()) found.push(t)
  }
  return [found[0] ?? 0, found.at(-1) ?? 0]
}

testTable('SG70', 'siege', 'Timers', {
  'a recall takes': () => {
    const world = alone(siege)
    const { x } = championOf(world, 0)
    return span(300, world, () => championOf(world, 0).x === x, { players: [{ seat: 0, order: 'hold', recall: 1 }] })
  },
  'a champion of level 1 is dead': () => {
    const world = alone(siege)
    const champion = championOf(world, 0)
    champion.hp = 1
    const foe = addMinion(world, SIDE.red, 40, 0)
    Object.assign(foe, { speed: 0, target: champion.id, strikesAt: world.clock, damage: 500 })
    return span(300, world, () => championOf(world, 0).hp <= 0)
  },
  'a fight lasts': () => {
    const world = alone(siege, 'warrior', { regeneration: 3 })
    const champion = championOf(world, 0)
    champion.hp = 100
    champion.hurtAt = world.clock
    let { hp } = champion
    return span(200, world, () => {
      const healed = champion.hp - hp
      hp = champion.hp
      return healed < 0.15
    })
  },
  'a meteor slows': () => {
    const world = alone(siege, 'magnus')
    const minion = addMinion(world, SIDE.red, 300, 0)
    minion.damage = 0
    minion.hp = 1e6
    run(world, 1, { players: [{ seat: 0, order: 'move', go: { x: 0, y: 0 }, second: 1, aim: { x: 290, y: 0 } }] })
    while (minion.slowedUntil === 0) step(world)
    Object.assign(championOf(world, 0), { x: -1500, y: 1500 })
    let { x, y } = minion
    return span(80, world, () => {
      const moved = Math.hypot(minion.x - x, minion.y - y)
      ;({ x, y } = minion)
      return moved > 0 && moved < 5
    })
  },
  'a champion that hurt a champion is wanted': () => {
    const world = disarm(
      arena([
        { side: SIDE.blue, name: 'warrior', x: 0, y: 0 },
        { side: SIDE.red, name: 'gorath', x: 60, y: 0 },
      ]),
    )
    const [attacker, victim] = [championOf(world, 0), championOf(world, 1)]
    Object.assign(attacker, { strikesAt: world.clock, target: victim.id })
    const { clock } = world
    step(world)
    return [1, attacker.wantedUntil - clock - 1]
  },
  'before the first wave': () => {
    const world = field({ tuning: { firstWave: 5 } })
    return span(200, world, () => world.globals.wave === 0)
  },
  'between two waves': () => {
    const world = field({ tuning: { firstWave: 1, waveEvery: 2 } })
    while (world.globals.wave === 0) step(world)
    return span(100, world, () => world.globals.wave === 1)
  },
  'a camp is empty': () => {
    const world = alone(siege, 'warrior', { campEvery: 2 })
    killCamp(world)
    return span(
      100,
      world,
      () => ![...each(world, 'unit')].some((unit) => unit.kind === KIND.monster && unit.camp === 0 && unit.hp > 0),
    )
  },
})

/** What a shot or a blow of a side does to a unit. */
function shotAt(change: (victim: SiegeThing, shot: SiegeThing, world: SiegeWorld) => void): string {
  const world = disarm(field())
  const shooter = addStanding(world, SIDE.blue, -100, 0, KIND.caster)
  const victim = addStanding(world, SIDE.red, 0, 0)
  const shot = spawnFrom(shooter, 'shot', { kind: KIND.shot, radius: 8, speed: 0, damage: 10, target: victim.id })
  Object.assign(shot, { x: victim.x, y: victim.y })
  change(victim, shot, world)
  const { hp } = victim
  step(world)
  return !exists(victim) || victim.hp < hp ? 'hit' : 'spared'
}

/** What gorath's slam does to a unit near it. */
function slam(change: (victim: SiegeThing) => void): { hurt: boolean; pushed: boolean; stunned: boolean } {
  const world = alone(siege, 'gorath')
  const victim = addStanding(world, SIDE.red, 100, 0)
  victim.hp = victim.maxHp = 1e4
  change(victim)
  const { hp } = victim
  run(world, 3, { players: [{ seat: 0, order: 'move', go: { x: 0, y: 0 }, first: 1 }] })
  return { hurt: victim.hp < hp, pushed: victim.x > 101, stunned: victim.stunnedUntil > 0 }
}

const shielded = (victim: SiegeThing) => void Object.assign(victim, { shield: 1e6, shieldUntil: 1e6 })

testTable('SG70', 'siege', 'Gates', {
  'shot hits unit': () => [shotAt(() => {})],
  'shot hits unit: one that is not its target': () => [
    shotAt((victim, shot, world) => {
      shot.target = addStanding(world, SIDE.red, 900, 0).id
      Object.assign(shot, { x: victim.x, y: victim.y })
    }),
  ],
  'shot hits unit: a dead one': () => [shotAt((victim) => void (victim.hp = 0))],
  'shot hits structure: a dead one': () => {
    const world = disarm(field())
    const tower = builtOf(world, towerId(SIDE.red, LANE.mid, 2) - 1)
    const shooter = addStanding(world, SIDE.blue, -100, 0, KIND.caster)
    const shot = spawnFrom(shooter, 'shot', { kind: KIND.shot, radius: 8, speed: 0, damage: 10, target: tower.id })
    Object.assign(shot, { x: tower.x, y: tower.y })
    tower.hp = 0
    return [ofKind(run(world, 1), 'damage').length === 0 ? 'spared' : 'hit']
  },
  'blow hits unit': () => [slam(() => {}).hurt ? 'hit' : 'spared'],
  'blow hits unit: one of its own side': () => [
    slam((victim) => void (victim.team = SIDE.blue)).hurt ? 'hit' : 'spared',
  ],
  'blow hits unit: a dead one': () => [slam((victim) => void (victim.hp = 0)).stunned ? 'hit' : 'spared'],
  'a shield and damage': () => [slam(shielded).hurt ? 'hit' : 'spared'],
  'a shield and a push': () => [slam(shielded).pushed ? 'hit' : 'spared'],
  'a shield and a stun': () => [slam(shielded).stunned ? 'hit' : 'spared'],
  'a missile and the second in its way': () => {
    const world = alone(siege, 'magnus')
    const [first, second] = [100, 160].map((x) => addStanding(world, SIDE.red, x, 0))
    run(world, 20, { players: [{ seat: 0, order: 'move', go: { x: 0, y: 0 }, first: 1, aim: { x: 500, y: 0 } }] })
    expect(first.hp).toBeLessThan(first.maxHp)
    return [second.hp < second.maxHp ? 'hit' : 'spared']
  },
})

const reach = (apart: number, layer: 'tower' | 'champion') => {
  const world = layer === 'tower' ? field() : alone(siege)
  if (layer === 'tower') {
    const tower = builtOf(world, towerId(SIDE.red, LANE.mid, 2) - 1)
    const minion = addStanding(world, SIDE.blue, tower.x, tower.y + 50 + 20 + apart)
    step(world)
    step(world)
    return tower.target === minion.id ? 'shoots' : 'does not'
  }
  const champion = championOf(world, 0)
  const minion = addStanding(world, SIDE.red, 25 + 20 + apart, 0)
  Object.assign(champion, { target: minion.id, x: 0, y: 0, speed: 0 })
  step(world)
  return champion.strikesAt > 0 ? 'strikes' : 'walks'
}

testTable('SG70', 'siege', 'Edges', {
  'to a tower: 350': () => [349.99, 350, 350.01].map((apart) => reach(apart, 'tower')),
  'to a warrior: 75': () => [74.99, 75, 75.01].map((apart) => reach(apart, 'champion')),
  'experience for level 2: 280': () =>
    [279.99, 280, 280.01].map((xp) => {
      const world = alone(siege)
      playerIn(world, 0).xp = xp
      step(world)
      return championOf(world, 0).level
    }),
  'gold for a blade: 300': () =>
    [299, 300, 301].map((gold) => {
      const world = alone(siege)
      Object.assign(championOf(world, 0), FOUNTAINS[SIDE.blue])
      playerIn(world, 0).gold = gold
      step(world, { players: [{ seat: 0, buy: 'blade' }] })
      return playerIn(world, 0).owned.get(1) === 1 ? 'is bought' : 'is not'
    }),
  'from home, to buy: 250': () =>
    [249.99, 250, 250.01].map((away) => {
      const world = alone(siege)
      Object.assign(championOf(world, 0), { x: FOUNTAINS[SIDE.blue].x + away, y: FOUNTAINS[SIDE.blue].y })
      playerIn(world, 0).gold = 300
      step(world, { players: [{ seat: 0, buy: 'blade' }] })
      return playerIn(world, 0).owned.get(1) === 1 ? 'is bought' : 'is not'
    }),
  'from a death, to learn: 800': () =>
    [799.99, 800, 800.01].map((away) => {
      const world = alone(siege)
      const minion = addStanding(world, SIDE.red, away, 0)
      const killer = addStanding(world, SIDE.blue, away + 45, 0)
      Object.assign(killer, { damage: 1e4, target: minion.id, strikesAt: world.clock })
      step(world)
      return playerIn(world, 0).xp > 0 ? 'learns' : 'does not'
    }),
  'towers of a lane that still stand, for its nexus: 1': () =>
    [0, 1, 2].map((standing) => {
      const world = field()
      for (let tier = 2; tier > standing; tier--) builtOf(world, towerId(SIDE.red, LANE.mid, tier) - 1).hp = 0
      const [nexus] = [...each(world, 'structure')].filter((one) => one.kind === KIND.nexus && one.team === SIDE.red)
      return isProtected(world, nexus) ? 'is protected' : 'is open'
    }),
})

test('[SG70] camps are where the map has them, and creatures come back to what they guard', () => {
  const world = field()
  for (const unit of each(world, 'unit')) expect(Math.abs(unit.x - CAMPS[unit.camp].x)).toBeLessThan(60)
})
