/** Games that are judged as seen: the same game where nobody looks back, and another verdict where somebody does. */

import { createSession, createWorld, each, playBots, spawn, step } from 'hurtbox'
import type { AnyGame, AnyWorld } from 'hurtbox/tools'
import { expect, test } from 'vitest'
import sumoAsSeen from '../../sumo/as-seen.ts'
import sumo from '../../sumo/index.ts'
import { STANDING } from '../../sumo/rules/fighters.ts'
import jetAsSeen from '../as-seen.ts'
import jetRaiders from '../index.ts'

for (const [plain, judged] of [
  [jetRaiders, jetAsSeen],
  [sumo, sumoAsSeen],
] as const) {
  test(`[JS10] ${judged.title}: where no player sees a past it is the same match, number for number`, () => {
    const worlds = [plain, judged].map(({ game }) => createWorld(game as AnyGame, { seed: 11 })) as AnyWorld[]
    const inputs = playBots(plain.bots![0] as never, 4, 11)
    let hits = 0
    for (let tick = 0; tick < 700; tick++) {
      for (const world of worlds) step(world as never, inputs(tick, world) as never)
      hits += worlds[0].events.damage?.count ?? 0
      expect(stateOf(worlds[1]), `tick ${tick}`).toEqual(stateOf(worlds[0]))
    }
    expect(hits).toBeGreaterThan(5)
  })
}

test('[JS11] in Jet Raiders a bullet hits the ship where its shooter saw it', () => {
  const { game } = jetAsSeen
  const session = createSession(game as AnyGame, { seed: 1, options: { edges: 'wall' } })
  const world = session.world as AnyWorld
  step(world as never, { controls: [0, 1].map((seat) => ({ control: 'join', seat })) } as never)
  const [shooter, victim] = [...each(world as never, 'ship')] as unknown as Record<string, number>[]
  Object.assign(shooter, { x: -200, y: 0, heading: 0, protectedUntil: 0, invulnerableUntil: 0 })
  Object.assign(victim, { x: 0, y: -200, heading: Math.PI, throttle: 1, protectedUntil: 0, invulnerableUntil: 0 })
  for (let tick = 0; tick < 30; tick++) step(world as never, { players: [{ seat: 1, thrust: 1 }] } as never)
  // Where it was ten ticks before the next, which is out of its circle.
  const y = victim.y - 10 * 2.4
  spawn(world as never, 'bullet', {
    x: 0,
    y: y - 28,
    radius: 5,
    owner: shooter.id,
    vx: 0,
    vy: 0,
  } as never)
  const before = victim.hp
  step(
    world as never,
    {
      players: [
        { seat: 0, seenAgo: 10 },
        { seat: 1, thrust: 1 },
      ],
    } as never,
  )
  expect(victim.hp).toBeLessThan(before)
})

test('[JS16] in Sumo the window of a punch meets the fighter where its attacker saw it, and nobody else who is there now', () => {
  /** Two fighters in reach of each other; the victim is somewhere else shortly before the window opens. Returns who was struck. */
  const punch = (seenAgo: number, isAway: boolean): number[] => {
    const world = createWorld(sumoAsSeen.game as AnyGame, { options: { mode: 'practice' } }) as AnyWorld
    const play = (first: object = {}) =>
      step(world as never, { players: [{ seat: 0, seenAgo, ...first }, { seat: 1 }, { seat: 2 }] } as never)
    step(world as never, { controls: [0, 1, 2].map((seat) => ({ control: 'join', seat })) } as never)
    const [attacker, victim, other] = [...each(world as never, 'character')] as unknown as Record<string, number>[]
    const standing = { z: STANDING, vx: 0, vy: 0, vz: 0, facingX: 1, facingY: 0, grounded: 1 }
    Object.assign(attacker, { x: 0, y: 0, ...standing })
    Object.assign(victim, { x: 2.4, y: 0, ...standing })
    Object.assign(other, { x: 0, y: 8, ...standing })
    for (let tick = 0; tick < 16; tick++) play()
    const struck: number[] = []
    play({ punch: 1 })
    for (let tick = 0; tick < 60 && struck.length === 0; tick++) {
      // It goes there and does not jump; meanwhile another takes its place.
      if (tick === 2 && isAway) [victim.x, victim.y, other.x, other.y] = [0, 8, 2.4, 0]
      play()
      const { strike } = world.events
      for (let n = 0; n < strike.count; n++)
        struck.push([attacker, victim, other].findIndex(({ id }) => id === strike.victim[n]))
    }
    return struck
  }
  expect(punch(0, false)).toEqual([1])
  expect(punch(0, true)).toEqual([2])
  expect(punch(15, false)).toEqual([1])
  expect(punch(15, true)).toEqual([1])
})

function stateOf(world: AnyWorld): unknown {
  const { things, players } = world.tables
  const columns = (table: AnyWorld['tables'][string], names: readonly string[]) =>
    names.map((name) => Array.from(table[name].subarray(0, table.count)))
  return [columns(things, ['id', 'layer', 'x', 'y', 'vx', 'vy', 'hp', 'leaving']), columns(players, ['seat', 'thing'])]
}
