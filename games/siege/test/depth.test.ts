/** What there is to choose: wares, one of two at a level, champions, creatures, bots. */

import { createWorld, each, step } from 'hurtbox'
import { expect, test } from 'vitest'
import { bots } from '../bots/index.ts'
import { CHAMPIONS, WARES } from '../rules/content/champions.ts'
import { FOUNTAINS, SIDE } from '../rules/content/map.ts'
import { CREATURES, KIND } from '../rules/content/units.ts'
import type { SiegeThing, SiegeWorld } from '../rules/declaration.ts'
import { siege } from '../rules/index.ts'
import { arena, championOf, disarm, field, type PlayerInput, playerIn } from './support.ts'

function atHome(level = 1, gold = 5000): SiegeWorld {
  const world = disarm(arena([{ side: SIDE.blue, name: 'elara', ...FOUNTAINS[SIDE.blue] }]))
  playerIn(world, 0).gold = gold
  championOf(world, 0).level = level
  return world
}

const figures = ({ maxHp, damage, speed, range, armour }: SiegeThing) => ({
  maxHp,
  damage,
  speed,
  range,
  armour: armour.get(0),
})

function take(world: SiegeWorld, ...wares: readonly NonNullable<PlayerInput['buy']>[]): void {
  for (const buy of wares) step(world, { players: [{ seat: 0, buy }] })
  step(world, { players: [{ seat: 0, buy: 'nothing' }] })
}

test('[SG74] five wares and two choices each do what their record says, and no other thing', () => {
  for (const { name, ...adds } of WARES.slice(1)) {
    const [without, having] = [atHome(8), atHome(8)]
    take(without, 'blade')
    take(having, 'blade', name)
    const [before, after] = [without, having].map((world) => figures(championOf(world, 0)))
    const { speed = 0, range = 0, resist = 0 } = adds as { speed?: number; range?: number; resist?: number }
    expect(after, name).toEqual({
      maxHp: before.maxHp + adds.hp,
      damage: before.damage + adds.damage,
      speed: before.speed + speed,
      range: before.range + range,
      armour: resist === 0 ? before.armour : (22 + resist) / (122 + resist),
    })
    expect(playerIn(having, 0).gold).toBe(5000 - 300 - adds.price)
  }
})

test('[SG74] boots are bought once and at home, and not without gold', () => {
  const world = atHome()
  take(world, 'boots', 'boots')
  expect([playerIn(world, 0).gold, championOf(world, 0).speed]).toEqual([4650, 375])
  const away = atHome()
  Object.assign(championOf(away, 0), { x: 0, y: 0 })
  take(away, 'boots')
  const poor = atHome(1, 349)
  take(poor, 'boots')
  expect([playerIn(away, 0).gold, playerIn(poor, 0).gold]).toEqual([5000, 349])
})

test('[SG74] a choice waits for its level, needs neither gold nor home, and there is one of two', () => {
  for (const [level, damage] of [
    [3, 0],
    [4, 20],
  ]) {
    const world = atHome(level, 0)
    const champion = championOf(world, 0)
    Object.assign(champion, { x: 0, y: 0 })
    take(world, 'plate')
    const before = champion.damage
    take(world, 'might')
    expect(champion.damage === before, `level ${level}`).toBe(damage === 0)
    const { maxHp } = champion
    take(world, 'vigour', 'haste')
    expect([champion.maxHp === maxHp || level === 3, champion.speed]).toEqual([true, 335])
  }
})

test('[SG75] drafted champions differ from side to side, by the seed, and none is given up for one of the others', () => {
  const drafts = [1, 2, 3].map((seed) => {
    const world = field({ seed, options: { draft: true } })
    step(world, { controls: [0, 1, 2, 3].map((seat) => ({ control: 'join', seat, team: 1 + (seat % 2) })) })
    const champions = [0, 1, 2, 3].map((seat) => championOf(world, seat).champion)
    expect(new Set(champions).size).toBe(4)
    const [blue, red] = champions
    step(world, { players: [{ seat: 0, pick: CHAMPIONS[red].name as 'vex' }] })
    expect(championOf(world, 0).champion).toBe(blue)
    const free = [0, 1, 2, 3, 4].find((champion) => !champions.includes(champion))!
    step(world, { players: [{ seat: 0, pick: CHAMPIONS[free].name as 'vex' }] })
    expect(championOf(world, 0).champion).toBe(free)
    return champions.join()
  })
  expect(new Set(drafts).size).toBeGreaterThan(1)
})

test('[SG76] with jungle=three monsters, wolves and golems come in turn, never the same to both camps', () => {
  const sorts = (jungle: 'plain' | 'three', minute: number) => {
    const world = field({ options: { jungle }, tuning: { campEvery: 2 } })
    for (const unit of each(world, 'unit')) Object.assign(unit, { hp: 0, camp: 99 })
    world.arrays.campReturnsAt.fill(minute * 60)
    while (world.clock <= minute * 60) step(world)
    return [0, 1].map((camp) => {
      const creatures = [...each(world, 'unit')].filter(
        (unit) => unit.kind === KIND.monster && unit.camp === camp && unit.hp > 0,
      )
      expect(creatures).toHaveLength(CREATURES[creatures[0].tier].count)
      expect(creatures[0].maxHp).toBe(900 * CREATURES[creatures[0].tier].hp)
      return CREATURES[creatures[0].tier].name
    })
  }
  expect(sorts('plain', 1)).toEqual(['monster', 'monster'])
  expect([1, 2, 3].map((minute) => sorts('three', minute))).toEqual([
    ['wolf', 'golem'],
    ['golem', 'monster'],
    ['monster', 'wolf'],
  ])
})

test('[SG77] three kinds of bots: one for the lane, one for the jungle, one for the towers', () => {
  expect(bots.map(({ name }) => name)).toEqual(['laner', 'hunter', 'besieger'])
  const goal = (n: number) => {
    const world = createWorld(siege, { seed: 1, tuning: { firstWave: 600 } })
    step(world, { controls: [{ control: 'join', seat: 0, team: SIDE.blue }] })
    Object.assign(championOf(world, 0), { x: -300, y: 100 })
    playerIn(world, 0).gold = 500
    step(world)
    const thought = bots[n].think(world, playerIn(world, 0), 1)
    return { order: thought.order, buy: thought.buy, isCamp: thought.target !== undefined && thought.target > 14 }
  }
  const [lane, jungle, towers] = [0, 1, 2].map(goal)
  expect([lane.buy, jungle.buy, towers.buy]).toEqual(['blade', 'boots', 'ward'])
  expect(jungle.isCamp).toBe(true)
  expect(towers.isCamp).toBe(false)
})
