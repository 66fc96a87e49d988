import { each, eventsOf, playerAt } from 'hurtbox'
import { playScene, startScene } from 'hurtbox/tools'
import { describe, expect, test } from 'vitest'
import type { NightWorld } from '../rules/declaration.ts'
import { shortScenes } from '../scenes/index.ts'

/** Plays a scene; returns in which tick (the first is 1) there were hits and kills, and which enemies are left. */
function playScenario(name: string) {
  const scene = shortScenes.find((each) => each.name === name)!
  const session = startScene(scene)
  const world = session.world as unknown as NightWorld
  const hits: { tick: number; damage: number }[] = []
  const kills: number[] = []
  for (let tick = 1; tick <= scene.ticks; tick++) {
    playScene(scene, session, 1)
    for (const { damage } of eventsOf(world, 'hit')) hits.push({ tick, damage })
    for (const _ of eventsOf(world, 'kill')) kills.push(tick)
  }
  return { hits, kills, world, left: [...each(world, 'enemy')], survivor: playerAt(world, 0)?.thing }
}

describe('the scenarios of the seed document', () => {
  test('[NF5] scenario 1: the projectile hits the enemy, 10 damage, killed', () => {
    const { hits, kills, left } = playScenario('scenario-1')
    expect([hits, kills, left]).toEqual([[{ tick: 1, damage: 10 }], [1], []])
  })

  test('[NF5] scenario 1, original set-up: the first hit is on tick 4 at x = 440, and the enemy survives with 10 hp', () => {
    const { hits, kills, left } = playScenario('scenario-1-original')
    expect([hits, kills, left.length, left[0].hp]).toEqual([[{ tick: 4, damage: 10 }], [], 1, 10])
    expect(left[0].x).toBeCloseTo(450 + 50 / 60, 9)
  })

  test('[NF5] scenario 2: 15 damage and i-frames of 1 s; in the next tick they block another enemy', () => {
    const { hits, survivor, left } = playScenario('scenario-2')
    expect(hits).toEqual([{ tick: 1, damage: 15 }])
    // Knocked back by 100 px, it stands on the second enemy.
    expect(survivor).toMatchObject({ hp: 85, invulnerableUntil: 60, x: 500 })
    expect(left[1].x).toBe(505)
  })

  test('[NF5] scenario 2, original set-up: the same, and the same enemy is blocked in the next tick', () => {
    const { hits, survivor } = playScenario('scenario-2-original')
    expect([hits, survivor?.hp]).toEqual([[{ tick: 1, damage: 15 }], 85])
    expect(survivor?.x).toBeCloseTo(400 + 100 / 60, 9)
  })

  test('[NF5] scenario 3: three projectiles, three enemies, three kills, three damage events', () => {
    const { hits, kills, left } = playScenario('scenario-3')
    expect([hits.length, kills.length, left]).toEqual([3, 3, []])
    expect(hits.every(({ damage }) => damage === 10)).toBe(true)
  })

  test('[NF5] scenario 3, original set-up: kills on ticks 1, 8 and 16', () => {
    const { hits, kills } = playScenario('scenario-3-original')
    expect([kills, hits.length]).toEqual([[1, 8, 16], 3])
  })

  test('[NF5] the same every time, to the last bit', () => {
    for (const { name } of shortScenes.filter((scene) => scene.name.startsWith('scenario'))) {
      const [one, two] = [playScenario(name), playScenario(name)]
      expect(one.hits, name).toEqual(two.hits)
      expect(one.world.tables.things.x, name).toEqual(two.world.tables.things.x)
    }
  })
})
