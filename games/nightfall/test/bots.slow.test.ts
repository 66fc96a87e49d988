import { createWorld, players, snapshot, step } from 'hurtbox'
import { botInputs } from 'hurtbox/tools'
import { describe, expect, test } from 'vitest'
import { survivor as bot } from '../bots/survivor.ts'
import { UPGRADES } from '../rules/content/upgrades.ts'
import { KIND, type NightWorld, OFFERS } from '../rules/declaration.ts'
import { addHazard } from '../rules/hazards.ts'
import { nightfall } from '../rules/index.ts'
import { bullet, emptyField, enemy, join, pickup, play, player } from './support.ts'

/** A night with so many bots, until it ends or time is up. */
function playNight(
  seed: number,
  seats: number,
  ticks: number,
  each: (world: NightWorld) => void = () => {},
): NightWorld {
  const world = createWorld(nightfall, { seed })
  step(world, { controls: Array.from({ length: seats }, (_, seat) => ({ control: 'join', seat })) })
  while (world.tick < ticks && world.globals.ending === 0) {
    step(world, { players: botInputs(bot, world, seed) as never })
    each(world)
  }
  return world
}

/** Minutes survived. */
const minutes = (world: NightWorld) => world.globals.survived / 3600

describe('the survivor', () => {
  test('[NF47] thinking changes nothing, and twice gives the same', () => {
    playNight(9, 2, 400, (world) => {
      if (world.tick % 20 !== 0) return
      const before = snapshot(world)
      expect(bot.think(world, player(world, 1), 9)).toEqual(bot.think(world, player(world, 1), 9))
      expect(snapshot(world)).toEqual(before)
    })
  })

  test('[NF47] it runs from enemies and towards gems', () => {
    const world = emptyField()
    join(world)
    enemy(world, 450, 300, { touch: 10, speed: 60 })
    expect(bot.think(world, player(world), 1).moveX).toBeLessThan(0)
    const rich = emptyField()
    join(rich)
    pickup(rich, KIND.gem, 400, 400)
    expect(bot.think(rich, player(rich), 1).moveY).toBeGreaterThan(0.9)
  })

  test('[NF47] it dodges bullets from all sides', () => {
    const world = emptyField()
    const survivor = join(world)
    for (const [x, y] of [
      [250, 300],
      [400, 150],
      [520, 420],
    ]) {
      bullet(world, x, y, { vx: (400 - x) * 1.2, vy: (300 - y) * 1.2 })
    }
    play(world, 120, () => ({ players: botInputs(bot, world, 1) as never }))
    expect(survivor.hp).toBe(100)
    // Standing still would have cost something.
    const still = emptyField()
    const idle = join(still)
    bullet(still, 250, 300, { vx: 180 })
    play(still, 120)
    expect(idle.hp).toBeLessThan(100)
  })

  test('[NF47] it keeps out of ground that will burn', () => {
    const world = emptyField()
    join(world)
    addHazard(world, { x: 440, y: 300, slot: 1 }, 0)
    pickup(world, KIND.gem, 440, 300)
    expect(bot.think(world, player(world), 1).moveX).toBeLessThanOrEqual(0)
  })

  test('[NF47] it drafts by its list; what is not on the list comes last', () => {
    const world = emptyField()
    join(world)
    const place = (name: string) => UPGRADES.findIndex((each) => each.name === name) + 1
    const offer = (...names: string[]) => {
      names.forEach((name, i) => {
        player(world).offer.set(i, place(name))
      })
      return bot.think(world, player(world), 1)
    }
    expect(OFFERS).toBe(3)
    expect(offer('knife', 'explosions', 'wand')).toEqual({ second: 1 })
    expect(offer('blast', 'velocity', 'knife')).toEqual({ third: 1 })
  })

  test('[NF47] the fallen do nothing, and empty seats have no input', () => {
    const world = emptyField()
    join(world).hp = 0
    expect(botInputs(bot, world, 1)).toEqual([{ seat: 0 }])
  })

  test('[NF47] one survives the first minute of a night, four gain levels together', () => {
    expect(minutes(playNight(1, 1, 4000))).toBeGreaterThan(1)
    const four = [...players(playNight(3, 4, 1800))]
    expect([four.length, four.every(({ level }) => level > 1)]).toEqual([4, true])
  })

  test.runIf(process.env.HURTBOX_LONG)(
    '[NF47] of ten nights most last ten minutes, some are won and some are lost',
    () => {
      const nights = Array.from({ length: 10 }, (_, i) => minutes(playNight(i + 1, 1, 100_000)))
      const lengths = nights.map((each) => each.toFixed(1)).join(', ')
      expect(nights.filter((each) => each >= 10).length, lengths).toBeGreaterThan(5)
      const won = nights.filter((each) => each === 20).length
      expect(won, lengths).toBeGreaterThan(0)
      expect(won, lengths).toBeLessThan(10)
    },
  )
})
