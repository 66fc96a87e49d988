import { createWorld, step } from 'hurtbox'
import { describe, expect, test } from 'vitest'
import { UPGRADES } from '../rules/content/upgrades.ts'
import { type NightWorld, OFFERS } from '../rules/declaration.ts'
import { nightfall } from '../rules/index.ts'
import { levelOf } from '../rules/upgrades.ts'
import { emptyField, join, play, read } from './support.ts'

/** What a player is offered, by name. */
function offersOf(world: NightWorld, player = 0): string[] {
  const { offer } = world.tables.players
  const places = [...offer.subarray(player * OFFERS, (player + 1) * OFFERS)]
  return places.filter((place) => place > 0).map((place) => UPGRADES[place - 1].name)
}

/** Gives experience, and lets a tick turn it into levels. */
function teach(world: NightWorld, experience: number): void {
  const { players } = world.tables
  for (let player = 0; player < players.count; player++) players.experience[player] += experience
  step(world)
}

function levelled(world: NightWorld, upgrade: string, player = 0): number {
  return levelOf(
    world,
    player,
    UPGRADES.findIndex(({ name }) => name === upgrade),
  )
}

describe('levels', () => {
  test('[NF39] levels cost 17, 28, 43, … and what is left over stays', () => {
    const world = emptyField()
    join(world)
    const { players } = world.tables
    teach(world, 16)
    expect([players.level[0], world.paused]).toEqual([1, false])
    teach(world, 1)
    expect([players.level[0], players.experience[0], world.paused]).toEqual([2, 0, true])
    step(world, { players: [{ seat: 0, first: 1 }] })
    teach(world, 28 + 5)
    expect([players.level[0], players.experience[0]]).toEqual([3, 5])
    step(world, { players: [{ seat: 0, first: 1 }] })
    teach(world, 37)
    expect(players.level[0]).toBe(3)
    teach(world, 1)
    expect(players.level[0]).toBe(4)
  })

  test('[NF39] the match stands until the choice is made: nothing moves, the clock neither', () => {
    const world = emptyField()
    const survivor = join(world)
    teach(world, 17)
    const { clock } = world
    play(world, 50, () => ({ players: [{ seat: 0, moveX: 1 }] }))
    expect([world.clock, read(world, survivor, 'x')]).toEqual([clock, 400])
    step(world, { players: [{ seat: 0, moveX: 1, second: 1 }] })
    expect([world.paused, world.clock]).toEqual([false, clock])
    step(world)
    expect([world.clock, read(world, survivor, 'x')]).toEqual([clock + 1, 402.5])
  })

  test.each([
    [0, { first: 1 }],
    [1, { second: 1 }],
    [2, { third: 1 }],
  ] as const)('[NF39] offer %d can be taken, and that is told', (place, press) => {
    const world = emptyField()
    join(world)
    teach(world, 17)
    const offers = offersOf(world)
    const before = levelled(world, offers[place])
    step(world, { players: [{ seat: 0, ...press }] })
    expect(levelled(world, offers[place])).toBe(before + 1)
    const { drafted } = world.events
    expect([drafted.count, UPGRADES[drafted.upgrade[0]].name, drafted.level[0]]).toEqual([1, offers[place], before + 1])
    expect(offersOf(world)).toEqual([])
  })

  test('[NF39] several levels at once are several drafts, one after the other', () => {
    const world = emptyField()
    join(world)
    teach(world, 17 + 28 + 43)
    const { players } = world.tables
    const left = [1, 2, 3].map(() => {
      step(world, { players: [{ seat: 0, first: 1 }] })
      return [players.drafts[0], world.paused]
    })
    expect([players.level[0], left]).toEqual([
      4,
      [
        [2, true],
        [1, true],
        [0, false],
      ],
    ])
  })

  test('[NF39] who takes too long takes the first', () => {
    const world = emptyField({ tuning: { draftTime: 1 } })
    join(world)
    teach(world, 17)
    const [first] = offersOf(world)
    const before = levelled(world, first)
    play(world, 59)
    expect([levelled(world, first), world.paused]).toEqual([before, true])
    step(world)
    expect([levelled(world, first), world.paused]).toEqual([before + 1, false])
  })

  test('[NF39] going on by hand does not end a draft, nor does it deal anew', () => {
    const world = emptyField()
    join(world)
    teach(world, 17)
    const offers = offersOf(world)
    step(world, { controls: [{ control: 'pause', paused: false }] })
    expect([world.paused, offersOf(world)]).toEqual([true, offers])
  })
})

describe('offers', () => {
  test('[NF39] three different ones, rarer ones less often: 100 to 30 to 10', () => {
    const seen: Record<string, number> = {}
    const rounds = 1500
    const world = createWorld(nightfall, { seed: 5, options: { start: 'empty' } })
    join(world)
    const fresh = world.tables.players.owned.slice()
    for (let i = 0; i < rounds; i++) {
      world.tables.players.owned.set(fresh)
      world.tables.players.level[0] = 1
      teach(world, 17)
      const offers = offersOf(world)
      expect(new Set(offers).size, `round ${i}`).toBe(3)
      seen[offers[0]] = (seen[offers[0]] ?? 0) + 1
      step(world, { players: [{ seat: 0, first: 1 }] })
    }
    const weight = { common: 100, rare: 30, epic: 10, never: 0 }
    const total = UPGRADES.reduce((sum, { rarity }) => sum + weight[rarity], 0)
    for (const { name, rarity } of UPGRADES) {
      const likely = weight[rarity] / total
      const spread = 4 * Math.sqrt((likely * (1 - likely)) / rounds)
      expect(Math.abs((seen[name] ?? 0) / rounds - likely), name).toBeLessThanOrEqual(spread)
    }
    expect(seen.blast).toBeUndefined()
  })

  test('[NF39] nobody is offered what is at its highest level; when there is nothing left, levels go on without drafts', () => {
    const world = emptyField()
    join(world)
    const { players } = world.tables
    UPGRADES.forEach(({ name, maxLevel }, upgrade) => {
      players.owned[upgrade] = name === 'power' || name === 'haste' ? maxLevel - 1 : maxLevel
    })
    teach(world, 17)
    expect(offersOf(world).sort()).toEqual(['haste', 'power'])
    // The third place is empty: pressing it chooses nothing.
    step(world, { players: [{ seat: 0, third: 1 }] })
    expect(world.paused).toBe(true)
    step(world, { players: [{ seat: 0, second: 1 }] })
    teach(world, 28)
    step(world, { players: [{ seat: 0, first: 1 }] })
    teach(world, 43)
    expect([players.level[0], offersOf(world), players.drafts[0], world.paused]).toEqual([4, [], 0, false])
  })
})

describe('four at once', () => {
  test('[NF43] everybody drafts for themselves, and the match waits for the last', () => {
    const world = emptyField()
    for (const seat of [0, 1, 2, 3]) join(world, seat)
    teach(world, 17)
    const offers = [0, 1, 2, 3].map((player) => offersOf(world, player))
    expect(offers.every(({ length }) => length === 3)).toBe(true)
    expect(new Set(offers.map((each) => each.join())).size).toBeGreaterThan(1)
    const paused = [2, 0, 3, 1].map((seat) => {
      step(world, { players: [{ seat, first: 1 }] })
      return world.paused
    })
    expect(paused).toEqual([true, true, true, false])
    offers.forEach(([first], player) => {
      expect(levelled(world, first, player)).toBe(first === 'starter' ? 2 : 1)
    })
  })

  test('[NF43] nobody waits for somebody who has left', () => {
    const world = emptyField()
    join(world)
    join(world, 1)
    teach(world, 17)
    step(world, { players: [{ seat: 0, first: 1 }] })
    expect(world.paused).toBe(true)
    step(world, { controls: [{ control: 'leave', seat: 1 }] })
    expect([world.paused, world.tables.players.count]).toEqual([false, 1])
  })

  test('[NF43] whoever comes late has as many upgrades as the others, by lot, and a moment of protection', () => {
    const world = emptyField()
    join(world)
    teach(world, 17 + 28 + 43)
    for (let i = 0; i < 3; i++) step(world, { players: [{ seat: 0, first: 1 }] })
    const late = join(world, 2)
    const { players, things } = world.tables
    const owned = players.owned.subarray(UPGRADES.length, 2 * UPGRADES.length)
    expect([players.level[1], owned.reduce((sum, level) => sum + level), players.drafts[1]]).toEqual([4, 4, 0])
    expect(world.events.drafted.count).toBe(3)
    expect(things.hittableFrom[things.id.indexOf(late)]).toBe(world.clock - 1 + 60)
    expect(world.paused).toBe(false)
  })

  test('[NF43] joining during a draft disturbs nobody', () => {
    const world = emptyField()
    join(world)
    teach(world, 17)
    const offers = offersOf(world)
    join(world, 3)
    expect([offersOf(world), offersOf(world, 1), world.paused]).toEqual([offers, [], true])
    step(world, { players: [{ seat: 0, first: 1 }] })
    expect(world.paused).toBe(false)
  })
})
