import { playScene, startScene } from 'hurtbox'
import { describe, expect, test } from 'vitest'
import { LAYER, type NightWorld } from '../rules/declaration.ts'
import { shortScenes } from '../scenes/index.ts'

/** Plays a scene; says in which tick (the first is 1) who was hurt by how much, who was killed, and what is left. */
function playScenario(name: string) {
  const scene = shortScenes.find((each) => each.name === name)!
  const session = startScene(scene)
  const world = session.world as unknown as NightWorld
  const hits: { tick: number; damage: number }[] = []
  const kills: number[] = []
  for (let tick = 1; tick <= scene.ticks; tick++) {
    playScene(scene, session, 1)
    const { hit, kill } = world.events
    for (let n = 0; n < hit.count; n++) hits.push({ tick, damage: hit.damage[n] })
    for (let n = 0; n < kill.count; n++) kills.push(tick)
  }
  const { things } = world.tables
  const rows = Array.from({ length: things.count }, (_, row) => row)
  const enemies = rows.filter((row) => things.layer[row] === LAYER.enemy)
  return { hits, kills, world, left: enemies.map((row) => ({ hp: things.hp[row], x: things.x[row] })) }
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
    const { hits, world, left } = playScenario('scenario-2')
    expect(hits).toEqual([{ tick: 1, damage: 15 }])
    const { hp, x, hittableFrom } = world.tables.things
    const survivor = hp.indexOf(85)
    // Thrown by 100 px, it stands on the second enemy.
    expect([hittableFrom[survivor], x[survivor], left[1].x]).toEqual([60, 500, 505])
  })

  test('[NF5] scenario 2, original set-up: the same, and the same enemy is blocked in the next tick', () => {
    const { hits, world } = playScenario('scenario-2-original')
    const { hp, x } = world.tables.things
    expect(hits).toEqual([{ tick: 1, damage: 15 }])
    expect(x[hp.indexOf(85)]).toBeCloseTo(400 + 100 / 60, 9)
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
