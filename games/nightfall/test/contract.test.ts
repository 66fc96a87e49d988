/** The contract in the README, line by line: order and gates. */

import { despawn, each, eventsOf, exists, runScene, step, thing } from 'hurtbox'
import { expect, test } from 'vitest'
import { exchanged, linesOf, neighbours, testTable } from '../../test/contract.ts'
import { UPGRADES } from '../rules/content/upgrades.ts'
import { KIND, type NightThing, type NightWorld } from '../rules/declaration.ts'
import { addHazard } from '../rules/hazards.ts'
import { nightfall } from '../rules/index.ts'
import { shortScenes } from '../scenes/index.ts'
import { allOf, bullet, emptyField, enemy, join, pickup, player, projectile, quietNight, strike } from './support.ts'

const horde = shortScenes.find(({ name }) => name === 'horde')!
let asItIs = ''

/** Nobody can tell the two orders apart: a horde of all kinds ends alike, to the last bit. */
function expectNoDifference(pair: string): void {
  asItIs ||= runScene(horde).hash
  const game = exchanged(nightfall, pair) as typeof nightfall
  expect(runScene({ ...horde, game }).hash).toBe(asItIs)
}

const nothing = (pair: string) => ({ [pair]: () => expectNoDifference(pair) })

/** What the hits of a tick were dealt by. */
function sourcesOf(world: NightWorld): number[] {
  return Array.from(eventsOf(world, 'damage'), ({ source }) => source)
}

function alone(given: Parameters<typeof emptyField>[0] = {}): readonly [NightWorld, NightThing] {
  const world = emptyField(given)
  return [world, join(world)]
}

testTable('NF53', 'nightfall', 'Order', {
  'choose → walk': () => {
    const [world, survivor] = alone()
    player(world).experience = 17
    step(world)
    player(world).offer.set(0, UPGRADES.findIndex(({ name }) => name === 'swift') + 1)
    const { x } = survivor
    const players = [{ seat: 0, first: 1, moveX: 1 }]
    step(world, { players, controls: [{ control: 'pause', paused: false }] })
    expect(survivor.x - x).toBeCloseTo((150 * 1.15) / 60, 9)
  },
  'walk → fire': () => {
    const world = quietNight()
    const survivor = join(world)
    for (let weapon = 0; weapon < 2; weapon++) player(world).readyAt.set(weapon, 0)
    const before = allOf(world, KIND.projectile).length
    step(world, { players: [{ seat: 0, moveX: 1 }] })
    const shots = allOf(world, KIND.projectile).slice(before)
    expect(shots.map(({ x }) => Math.round((x - survivor.x) * 1e6) / 1e6)).toEqual([5])
  },
  'fire → fly': () => {
    const world = quietNight()
    const survivor = join(world)
    expect(allOf(world, KIND.projectile).map(({ x }) => x - survivor.x)).toEqual([5])
  },
  ...nothing('fly → expire'),
  ...nothing('expire → waves'),
  'waves → hazards': () => {
    const world = emptyField({ options: { start: 'night', fromMinute: 1 }, tuning: { spawnRate: 100 } })
    join(world)
    const [ground] = allOf(world, KIND.hazard)
    expect(ground.id).toBeGreaterThan(allOf(world, 1).at(0)?.id ?? 1e9)
  },
  ...nothing('hazards → chase'),
  'chase → shoot': () => {
    const [world, survivor] = alone()
    const gunner = enemy(world, survivor.x + 200, survivor.y, { name: 'ranged', speed: 60 })
    gunner.readyAt = 0
    step(world)
    expect(allOf(world, KIND.bullet).map(({ x }) => x)).toEqual([gunner.x])
    expect(gunner.x - survivor.x).toBeCloseTo(199, 9)
  },
  'shoot → hits': () => {
    const [world, survivor] = alone({ tuning: { iframes: 0 } })
    const gunner = enemy(world, survivor.x + 10, survivor.y, { name: 'ranged', touch: 4 })
    gunner.readyAt = 0
    step(world)
    expect(sourcesOf(world)).toEqual([gunner.id, gunner.id + 1])
  },
  'hits → fence': () => {
    const [world, survivor] = alone()
    survivor.x = 33
    enemy(world, 40, survivor.y)
    step(world)
    expect(survivor.x).toBe(32)
  },
  ...nothing('fence → reap'),
  'reap → magnet': () => {
    const [world, survivor] = alone({ tuning: { enemyKnockback: 0 } })
    enemy(world, survivor.x + 50, survivor.y, { hp: 1 })
    projectile(world, survivor.x + 50, survivor.y)
    step(world)
    expect(allOf(world, KIND.gem)[0].x - survivor.x).toBeCloseTo(50 - 200 / 60, 9)
  },
  'magnet → useTaken': () => {
    const [world, survivor] = alone()
    const fallen = join(world, 1)
    Object.assign(fallen, { x: 700, y: 500, hp: 0 })
    const gem = pickup(world, KIND.gem, 650, 500)
    pickup(world, KIND.heal, survivor.x, survivor.y)
    step(world)
    expect([fallen.hp, gem.x]).toEqual([50, 650])
    step(world)
    expect(gem.x).toBeGreaterThan(650)
  },
  ...nothing('useTaken → tally'),
  ...nothing('tally → recordDamage'),
  ...nothing('recordDamage → judge'),
  ...nothing('judge → learn'),
  'projectile hits enemy → strike hits enemy': () => {
    const world = emptyField()
    enemy(world, 100, 100, { hp: 10 })
    const [blow, shot] = [strike(world, 100, 100), projectile(world, 100, 100)]
    step(world)
    expect(sourcesOf(world)).toEqual([shot.id])
    expect([exists(blow), exists(shot)]).toEqual([true, false])
  },
  'strike hits enemy → hazard burns enemy': () => {
    const world = emptyField()
    enemy(world, 100, 100, { hp: 8 })
    addHazard(world, { x: 100, y: 100 }, 0)
    const blow = strike(world, 100, 100)
    step(world)
    expect(sourcesOf(world)).toEqual([blow.id])
  },
  'hazard burns enemy → projectile meets bullet': () => {
    const world = emptyField()
    enemy(world, 100, 100, { hp: 30 })
    addHazard(world, { x: 100, y: 100 }, 0)
    projectile(world, 300, 100)
    bullet(world, 300, 100)
    step(world)
    expect([world.events.damage.count, world.events.clash.count]).toEqual([1, 1])
  },
  'projectile meets bullet → enemy touches survivor': () => {
    const [world, survivor] = alone()
    const biter = enemy(world, survivor.x + 10, survivor.y)
    projectile(world, survivor.x - 50, survivor.y)
    bullet(world, survivor.x - 50, survivor.y)
    step(world)
    expect([sourcesOf(world), world.events.clash.count]).toEqual([[biter.id], 1])
  },
  'enemy touches survivor → bullet hits survivor': () => {
    const [world, survivor] = alone()
    const shot = bullet(world, survivor.x + 5, survivor.y)
    const biter = enemy(world, survivor.x + 10, survivor.y)
    step(world)
    expect([sourcesOf(world), exists(shot)]).toEqual([[biter.id], true])
  },
  'bullet hits survivor → hazard burns survivor': () => {
    const [world, survivor] = alone()
    addHazard(world, { x: survivor.x, y: survivor.y }, 0)
    const shot = bullet(world, survivor.x + 5, survivor.y)
    step(world)
    expect(sourcesOf(world)).toEqual([shot.id])
  },
  'hazard burns survivor → survivor takes pickup': () => {
    const [world, survivor] = alone()
    survivor.hp = 8
    pickup(world, KIND.heal, survivor.x, survivor.y)
    addHazard(world, { x: survivor.x, y: survivor.y }, 0)
    step(world)
    expect([survivor.hp, world.events.taken.count]).toEqual([0, 0])
  },
})

test('[NF53] Order: there is a line for each two neighbouring phases of a night', () => {
  const pairs = linesOf('nightfall', 'Order').map(([pair]) => pair)
  expect(pairs.slice(0, -7)).toEqual(neighbours(quietNight()))
})

test('[NF53] an enemy bites in the tick in which its step brings it there', () => {
  const [world, survivor] = alone()
  enemy(world, survivor.x + 20.5, survivor.y, { speed: 60 })
  step(world)
  expect(world.events.hit.count).toBe(1)
})

test('[NF53] in a storm what has just come walks in the same tick', () => {
  // The same draws put it in the same place; only with a survivor has it somebody to walk to.
  const [walked, stood] = [true, false].map((hasSurvivor) => {
    const world = emptyField({ options: { start: 'storm', stormEnemies: 1, stormShots: 0 } })
    step(world, { controls: hasSurvivor ? [{ control: 'join', seat: 0 }] : [] })
    for (const { id } of [...each(world, 'enemy')]) despawn(thing(world, id)!)
    step(world)
    step(world)
    const [newcomer] = each(world, 'enemy')
    return [newcomer.x, newcomer.y, newcomer.speed]
  })
  const [dx, dy] = [walked[0] - stood[0], walked[1] - stood[1]]
  expect(Math.sqrt(dx * dx + dy * dy)).toBeCloseTo(walked[2] / 60, 9)
})

type Gate = 'dead' | 'attacker-dead' | 'invulnerable'

/** Whom a rule spares, of those that its gates could ask about. */
function gatesOf(asked: readonly Gate[], meets: (of: Gate | 'nobody') => boolean): string[] {
  expect(meets('nobody')).toBe(true)
  const all = ['dead', 'attacker-dead', 'invulnerable'] as const
  return all.map((of) => (asked.includes(of) ? (meets(of) ? 'meets' : 'spared') : '–'))
}

/** Whether the enemy of a new field is hit by what `add` puts on it. */
function hitsEnemy(of: Gate | 'nobody', add: (world: NightWorld) => unknown): boolean {
  const world = emptyField()
  const victim = enemy(world, 100, 100)
  if (of === 'dead') victim.hp = 0
  add(world)
  step(world)
  return world.events.hit.count > 0
}

/** Whether a survivor is met by what `add` puts there; `count` says what counts. */
function meetsSurvivor(
  of: Gate | 'nobody',
  add: (world: NightWorld, at: { x: number; y: number }) => NightThing,
  event: 'hit' | 'taken' = 'hit',
): boolean {
  const [world, survivor] = alone()
  // One more stands, or the night would be over.
  join(world, 1)
  if (of === 'dead') survivor.hp = 0
  if (of === 'invulnerable') survivor.invulnerableUntil = 1000
  const other = add(world, survivor)
  if (of === 'attacker-dead') other.hp = 0
  step(world)
  return world.events[event].count > 0 || !exists(other)
}

testTable('NF53', 'nightfall', 'Gates', {
  'projectile hits enemy': () => gatesOf(['dead'], (of) => hitsEnemy(of, (world) => projectile(world, 100, 100))),
  'strike hits enemy': () => gatesOf(['dead'], (of) => hitsEnemy(of, (world) => strike(world, 100, 100))),
  'hazard burns enemy': () =>
    gatesOf(['dead'], (of) => hitsEnemy(of, (world) => addHazard(world, { x: 100, y: 100 }, 0))),
  'projectile meets bullet': () =>
    gatesOf([], () => {
      const world = emptyField()
      projectile(world, 300, 100)
      bullet(world, 300, 100)
      step(world)
      return world.events.clash.count > 0
    }),
  'enemy touches survivor': () =>
    gatesOf(['dead', 'attacker-dead', 'invulnerable'], (of) => {
      const [world, survivor] = alone()
      if (of === 'dead') survivor.hp = 0
      if (of === 'invulnerable') survivor.invulnerableUntil = 1000
      const biter = enemy(world, survivor.x + 10, survivor.y)
      if (of === 'attacker-dead') biter.hp = 0
      step(world)
      return world.events.hit.count > 0
    }),
  'bullet hits survivor': () =>
    gatesOf(['dead', 'invulnerable'], (of) => meetsSurvivor(of, (world, { x, y }) => bullet(world, x + 5, y))),
  'hazard burns survivor': () =>
    gatesOf(['dead', 'invulnerable'], (of) => meetsSurvivor(of, (world, { x, y }) => addHazard(world, { x, y }, 0))),
  'survivor takes pickup': () =>
    gatesOf(['dead', 'invulnerable'], (of) =>
      meetsSurvivor(of, (world, { x, y }) => pickup(world, KIND.heal, x, y), 'taken'),
    ),
})
