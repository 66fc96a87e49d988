import { createWorld, players, step } from 'hurtbox'
import { describe, expect, test } from 'vitest'
import { UPGRADES } from '../rules/content/upgrades.ts'
import { type NightWorld, OFFERS } from '../rules/declaration.ts'
import { nightfall } from '../rules/index.ts'
import { emptyField, join, play, player } from './support.ts'

/** What a player is offered, by name. */
function offersOf(world: NightWorld, seat = 0): string[] {
  const { offer } = player(world, seat)
  const places = Array.from({ length: OFFERS }, (_, i) => offer.get(i))
  return places.filter((place) => place > 0).map((place) => UPGRADES[place - 1].name)
}

/** Gives experience, and lets a tick turn it into levels. */
function teach(world: NightWorld, experience: number): void {
  for (const one of players(world)) one.experience += experience
  step(world)
}

function levelled(world: NightWorld, upgrade: string, seat = 0): number {
  return player(world, seat).owned.get(UPGRADES.findIndex(({ name }) => name === upgrade))
}

describe('levels', () => {
  test('[NF39] levels cost 17, 28, 43, … and what is left over stays', () => {
    const world = emptyField()
    join(world)
    const one = player(world)
    teach(world, 16)
    expect([one.level, world.paused]).toEqual([1, false])
    teach(world, 1)
    expect([one.level, one.experience, world.paused]).toEqual([2, 0, true])
    step(world, { players: [{ seat: 0, first: 1 }] })
    teach(world, 28 + 5)
    expect([one.level, one.experience]).toEqual([3, 5])
    step(world, { players: [{ seat: 0, first: 1 }] })
    teach(world, 37)
    expect(one.level).toBe(3)
    teach(world, 1)
    expect(one.level).toBe(4)
  })

  test('[NF39] the match is paused until the choice is made: neither things nor the clock move', () => {
    const world = emptyField()
    const survivor = join(world)
    teach(world, 17)
    const { clock } = world
    play(world, 50, () => ({ players: [{ seat: 0, moveX: 1 }] }))
    expect([world.clock, survivor.x]).toEqual([clock, 400])
    step(world, { players: [{ seat: 0, moveX: 1, second: 1 }] })
    expect([world.paused, world.clock]).toEqual([false, clock])
    step(world)
    expect([world.clock, survivor.x]).toEqual([clock + 1, 402.5])
  })

  test.each([
    [0, { first: 1 }],
    [1, { second: 1 }],
    [2, { third: 1 }],
  ] as const)('[NF39] offer %d can be taken, with an event', (place, press) => {
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
    const one = player(world)
    const left = [1, 2, 3].map(() => {
      step(world, { players: [{ seat: 0, first: 1 }] })
      return [one.drafts, world.paused]
    })
    expect([one.level, left]).toEqual([
      4,
      [
        [2, true],
        [1, true],
        [0, false],
      ],
    ])
  })

  test('[NF39] a player who takes too long gets the first', () => {
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

  test('[NF39] resuming by hand does not end a draft, nor does it deal anew', () => {
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
      player(world).level = 1
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

  test('[NF39] what is at its highest level is not offered; when there is nothing left, levels go on without drafts', () => {
    const world = emptyField()
    join(world)
    const one = player(world)
    UPGRADES.forEach(({ name, maxLevel }, upgrade) => {
      one.owned.set(upgrade, name === 'power' || name === 'haste' ? maxLevel - 1 : maxLevel)
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
    expect([one.level, offersOf(world), one.drafts, world.paused]).toEqual([4, [], 0, false])
  })
})

describe('four at once', () => {
  test('[NF43] each player drafts alone, and the match waits for the last', () => {
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

  test('[NF43] the match does not wait for a player who has left', () => {
    const world = emptyField()
    join(world)
    join(world, 1)
    teach(world, 17)
    step(world, { players: [{ seat: 0, first: 1 }] })
    expect(world.paused).toBe(true)
    step(world, { controls: [{ control: 'leave', seat: 1 }] })
    expect([world.paused, world.tables.players.count]).toEqual([false, 1])
  })

  test('[NF43] a late player has as many upgrades as the others, at random, and a moment of protection', () => {
    const world = emptyField()
    join(world)
    teach(world, 17 + 28 + 43)
    for (let i = 0; i < 3; i++) step(world, { players: [{ seat: 0, first: 1 }] })
    const late = join(world, 2)
    const { level, owned, drafts } = player(world, 2)
    const levels = UPGRADES.map((_, upgrade) => owned.get(upgrade))
    expect([level, levels.reduce((sum, one) => sum + one), drafts]).toEqual([4, 4, 0])
    expect(world.events.drafted.count).toBe(3)
    expect(late.invulnerableUntil).toBe(world.clock - 1 + 60)
    expect(world.paused).toBe(false)
  })

  test('[NF43] joining during a draft does not disturb it', () => {
    const world = emptyField()
    join(world)
    teach(world, 17)
    const offers = offersOf(world)
    join(world, 3)
    expect([offersOf(world), offersOf(world, 3), world.paused]).toEqual([offers, [], true])
    step(world, { players: [{ seat: 0, first: 1 }] })
    expect(world.paused).toBe(false)
  })
})
