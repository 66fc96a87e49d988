import { createWorld, snapshot, step } from 'hurtbox'
import { type AnyBot, botInputs } from 'hurtbox/tools'
import { describe, expect, test } from 'vitest'
import { ace, bots, hunter, rookie } from '../bots/index.ts'
import type { JetOptions, JetWorld } from '../rules/declaration.ts'
import { jetRaiders } from '../rules/index.ts'
import { arena, bulletTo, player, put, ship } from './support.ts'

/** Plays with one bot per seat; `each` sees the world after every tick. */
function play(
  pilots: readonly AnyBot[],
  seed: number,
  ticks: number,
  options: Partial<JetOptions> = {},
  each: (world: JetWorld) => void = () => {},
): JetWorld {
  const world = createWorld(jetRaiders, { seed, options })
  step(world, { controls: pilots.map((_, seat) => ({ control: 'join', seat })) })
  for (let tick = 1; tick < ticks; tick++) {
    step(world, { players: pilots.flatMap((bot, own) => botInputs(bot, world, seed, (seat) => seat === own)) as never })
    each(world)
  }
  return world
}

describe('pilots', () => {
  test('[JR36] they are listed best first', () => {
    expect(bots.map(({ name }) => name)).toEqual(['ace', 'hunter', 'rookie'])
  })

  test.each([
    { better: ace, worse: hunter },
    { better: hunter, worse: rookie },
    { better: ace, worse: rookie },
  ])('[JR36] in duels the $better.name beats the $worse.name', ({ better, worse }) => {
    const kills = [0, 0]
    for (let seed = 1; seed <= 4; seed++) {
      // Each has both seats, so that joining first is no advantage.
      const [first, swapped] = [play([better, worse], seed, 2000), play([worse, better], seed, 2000)]
      kills[0] += player(first, 0).score + player(swapped, 1).score
      kills[1] += player(first, 1).score + player(swapped, 0).score
    }
    expect(kills[0], `${better.name} ${kills[0]} : ${kills[1]} ${worse.name}`).toBeGreaterThan(1.2 * kills[1])
  })

  test('[JR37] thinking changes nothing, and twice gives the same', () => {
    play([ace, hunter, rookie], 9, 300, {}, (world) => {
      const before = snapshot(world)
      for (const bot of bots)
        expect(bot.think(world, player(world, 1), 9)).toEqual(bot.think(world, player(world, 1), 9))
      expect(snapshot(world)).toEqual(before)
    })
  })

  test.each(['wrap', 'torus', 'wall'] as const)('[JR37] they fight on every kind of plane (%s)', (edges) => {
    const counts = { hit: 0, shield: 0, dash: 0, block: 0 }
    play([ace, hunter, rookie, ace], 3, 1500, { edges }, ({ events }) => {
      for (const kind of ['hit', 'shield', 'dash', 'block'] as const) counts[kind] += events[kind].count
    })
    for (const [kind, times] of Object.entries(counts)) expect(times, kind).toBeGreaterThan(0)
  })

  test('[JR37] the dead do nothing, and empty seats have no input', () => {
    const world = arena([{ x: 0, hp: 0 }, { x: 100 }])
    for (const bot of bots) {
      expect(bot.think(world, player(world, 0), 1)).toEqual({})
      expect(botInputs(bot, world, 1).map(({ seat }) => seat)).toEqual([0, 1])
    }
  })

  test('[JR37] an ace aims where its target will be, a rookie where it is', () => {
    const world = arena([{ x: 0 }, { x: 0, y: -200, heading: Math.PI / 2 }])
    // The target is straight ahead and crosses to the right.
    ship(world, 1).vx = 150
    expect(ace.think(world, player(world, 0), 1).turn).toBe(1)
    const turns = Array.from({ length: 20 }, (_, seed) => rookie.think(world, player(world, 0), seed).turn ?? 0)
    expect(Math.min(...turns)).toBeLessThan(0)
  })

  test('[JR37] an ace turns away from a bullet, and raises the shield when it is too late', () => {
    const world = arena([
      { x: 0, heading: Math.PI / 2 },
      { x: 0, y: 220 },
    ])
    // It comes from above, a little to the left: the way out is to the right.
    const bullet = bulletTo(world, 1, -10, -48, 0, 500)
    expect(ace.think(world, player(world, 0), 1)).toMatchObject({ thrust: 1, turn: 0, slot: 0 })
    put(world, 0, { x: 0, heading: 0 })
    expect(ace.think(world, player(world, 0), 1)).toMatchObject({ thrust: 1, turn: 1, slot: 0 })
    bullet.y = -45
    expect(ace.think(world, player(world, 0), 1)).toMatchObject({ slot: 1, secondary: 'shield' })
    ship(world, 0).slotReadyAt = 100
    expect(ace.think(world, player(world, 0), 1)).toMatchObject({ slot: 0 })
  })

  test('[JR37] bots do not shoot at a shield or at their own team', () => {
    const shielded = arena([{ x: 0 }, { x: 0, y: -200 }])
    expect(ace.think(shielded, player(shielded, 0), 1).shoot).toBe(true)
    ship(shielded, 1).invulnerableUntil = 100
    expect(ace.think(shielded, player(shielded, 0), 1).shoot).toBeUndefined()
    const friends = arena([{ x: 0 }, { x: 0, y: -200 }], { teams: [2, 2] })
    expect(ace.think(friends, player(friends, 0), 1).shoot).toBeUndefined()
  })
})
