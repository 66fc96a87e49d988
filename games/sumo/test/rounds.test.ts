/** The ring, rounds, score and the best of five. */

import { createWorld, findRow, playScene, type Scene, startScene, step } from 'hurtbox'
import { describe, expect, test } from 'vitest'
import { bots } from '../bots/index.ts'
import { abilities, STAGE, type SumoWorld } from '../rules/declaration.ts'
import { sumo } from '../rules/index.ts'
import { distanceToEdge, RING_HALF } from '../rules/ring.ts'
import { scenes, shortScenes } from '../scenes/index.ts'
import { fight, tick } from './support.ts'

const COUNTDOWN = 64
const BREATHER = 96

/** A match of some players, after its first tick. */
function match(players: number, setup: { options?: object; tuning?: object } = {}): SumoWorld {
  const world = createWorld(sumo, setup)
  step(world, { controls: Array.from({ length: players }, (_, seat) => ({ control: 'join', seat }) as const) })
  return world
}

function wait(world: SumoWorld, ticks: number): void {
  for (let t = 0; t < ticks; t++) step(world)
}

/** The fighter of a seat is dropped beside the ring. */
function drop(world: SumoWorld, seat: number): void {
  const { things, players } = world.tables
  const row = findRow(things, players.thing[seat])
  things.x[row] = RING_HALF + 3
  things.z[row] = 0.01
  things.vz[row] = -5
}

/** Plays a round that `winner` wins. */
function winRound(world: SumoWorld, winner: number): void {
  wait(world, COUNTDOWN)
  expect(world.globals.stage).toBe(STAGE.fight)
  const { players } = world.tables
  for (let seat = 0; seat < players.count; seat++) if (seat !== winner) drop(world, seat)
  step(world)
}

describe('ring', () => {
  test('[SU20] who falls below the top of the ring is out; on the edge one still stands', () => {
    const stage = fight([[RING_HALF + 0.6, 0]])
    const { things, players } = stage.world.tables
    for (let t = 0; t < 200; t++) tick(stage)
    expect([things.out[0], players.falls[0], things.grounded[0]]).toEqual([0, 0, 1])
    things.x[0] = RING_HALF + 0.8
    for (let t = 0; t < 200; t++) tick(stage)
    expect(players.falls[0]).toBe(1)
    expect(distanceToEdge(things.x[0], things.y[0])).toBeGreaterThan(0)
  })

  test('[SU21] a fall is the work of who hit last, with what, for 4 seconds', () => {
    for (const [late, isCredited] of [
      [250, true],
      [262, false],
    ] as const) {
      const stage = fight([
        [0, 0],
        [2.4, 0],
      ])
      tick(stage, { 0: { punch: 1 } })
      let isHit = false
      while (!isHit) isHit = tick(stage).length > 0
      for (let t = 0; t < late; t++) tick(stage)
      drop(stage.world, 1)
      tick(stage)
      const { ringOut } = stage.world.events
      const by = isCredited ? [stage.ids[0], abilities.number.punch + 1] : [0, 0]
      expect([ringOut.victim[0], ringOut.by[0], ringOut.ability[0]], `${late} ticks`).toEqual([stage.ids[1], ...by])
      expect(stage.world.tables.players.thrown[0]).toBe(isCredited ? 1 : 0)
    }
  })
})

test("[SU21] a blow that a barrier held is nobody's work", () => {
  const stage = fight([
    [0, 0],
    [2.4, 0],
  ])
  stage.world.tables.things.shield.fill(50)
  tick(stage, { 0: { punch: 1 } })
  while (tick(stage).length === 0);
  drop(stage.world, 1)
  tick(stage)
  expect([stage.world.events.ringOut.count, stage.world.events.ringOut.by[0]]).toEqual([1, 0])
})

describe('rounds', () => {
  test('[SU22] a round begins when two are there, with a countdown in which nobody can act', () => {
    const world = match(1)
    wait(world, 10)
    expect([world.globals.stage, world.globals.round]).toEqual([STAGE.waiting, 0])
    step(world, { controls: [{ control: 'join', seat: 1 }] })
    step(world)
    expect([world.globals.stage, world.globals.round]).toEqual([STAGE.countdown, 1])
    const { things, casts } = world.tables
    const x = things.x[0]
    for (let t = 0; t < COUNTDOWN - 2; t++) step(world, { players: [{ seat: 0, moveX: 1, punch: 1 }] })
    expect([things.x[0], casts.count, world.globals.stage]).toEqual([x, 0, STAGE.countdown])
    for (let t = 0; t < 3; t++) step(world, { players: [{ seat: 0, punch: 1 }] })
    expect([casts.count, world.globals.stage]).toEqual([1, STAGE.fight])
  })

  test('[SU23] the last one in the ring wins the round; all stand up again for the next', () => {
    const world = match(3)
    winRound(world, 1)
    const { things, players } = world.tables
    expect([...players.wins.subarray(0, 3)]).toEqual([0, 1, 0])
    expect(world.events.roundOver.winner[0]).toBe(players.thing[1])
    things.hp[0] = 3
    wait(world, BREATHER + 1)
    expect([world.globals.round, world.globals.stage]).toEqual([2, STAGE.countdown])
    expect([...things.out.subarray(0, 3), things.hp[0]]).toEqual([0, 0, 0, 100])
    for (let row = 0; row < 3; row++) expect(distanceToEdge(things.x[row], things.y[row])).toBeGreaterThan(2)
  })

  test("[SU23] a fall after the round is nobody's loss", () => {
    const world = match(2)
    winRound(world, 1)
    drop(world, 1)
    wait(world, 10)
    expect([...world.tables.players.falls.subarray(0, 2), world.events.ringOut.count]).toEqual([1, 0, 0])
  })

  test('[SU23] if the last two fall in one tick, nobody wins the round', () => {
    const world = match(2)
    wait(world, COUNTDOWN)
    drop(world, 0)
    drop(world, 1)
    step(world)
    expect([world.events.roundOver.winner[0], ...world.tables.players.wins.subarray(0, 2)]).toEqual([0, 0, 0])
  })

  test('[SU23] when time is over the freshest wins; of several the nearest to the middle; if that is a draw, nobody', () => {
    for (const [hp, x, winner] of [
      [99, 5, 0],
      [100, 6, 0],
      [100, 4, 1],
      [100, 5, -1],
    ]) {
      const world = match(2, { tuning: { roundTime: 2 } })
      wait(world, COUNTDOWN)
      const { things } = world.tables
      things.hp[1] = hp
      things.x.set([-5, x])
      things.y.set([0, 0])
      wait(world, 128)
      const expected = winner < 0 ? 0 : world.tables.players.thing[winner]
      const { roundOver } = world.events
      expect([roundOver.count, roundOver.winner[0]], `hp ${hp}, at ${x}`).toEqual([1, expected])
    }
  })

  test('[SU24] best of five: three rounds win the match, and then the picture stands', () => {
    const world = match(2)
    for (const winner of [0, 1, 0]) {
      winRound(world, winner)
      wait(world, BREATHER)
      expect(sumo.behaviour.result!(world).over).toBe(false)
    }
    winRound(world, 0)
    wait(world, BREATHER)
    expect(world.events.matchOver.winner[0]).toBe(world.tables.players.thing[0])
    expect(sumo.behaviour.result!(world)).toMatchObject({ over: true, winner: 'seat 0' })
    const { things } = world.tables
    const before = [...things.x.subarray(0, 2), things.z[0]]
    for (let t = 0; t < 20; t++) step(world, { players: [{ seat: 0, moveX: 1, jump: 1 }] })
    expect([...things.x.subarray(0, 2), things.z[0]]).toEqual(before)
  })

  test('[SU24] if several lead after five rounds, more are fought until one leads alone', () => {
    const world = match(3)
    for (const winner of [0, 1, 2, 0, 1]) {
      winRound(world, winner)
      wait(world, BREATHER)
    }
    expect([world.globals.round, world.globals.stage]).toEqual([6, STAGE.countdown])
    winRound(world, 1)
    wait(world, BREATHER)
    expect(sumo.behaviour.result!(world)).toMatchObject({ over: true, winner: 'seat 1' })
  })

  test('[SU25] who comes in the middle of a round waits for the next one; who leaves is no longer waited for', () => {
    const world = match(2)
    wait(world, COUNTDOWN + 5)
    step(world, { controls: [{ control: 'join', seat: 5 }] })
    const { things, players } = world.tables
    expect(things.out[2]).toBe(1)
    step(world, { controls: [{ control: 'leave', seat: 0 }] })
    // The row of who left is gone: the winner's is the first now.
    expect([world.events.roundOver.count, players.wins[0], players.seat[0]]).toEqual([1, 1, 1])
    wait(world, BREATHER + 1)
    expect([players.count, things.out[0], things.out[1], world.globals.stage]).toEqual([2, 0, 0, STAGE.countdown])
  })

  test('[SU26] two to eight players: a match of bots comes to an end, and its figures agree', () => {
    for (const players of process.env.HURTBOX_LONG ? [2, 3, 4, 5, 6, 7, 8] : [2, 8]) {
      const scene: Scene = { ...scenes[0], seed: players, options: { rounds: 1 } }
      const session = startScene(scene)
      const world = session.world as unknown as SumoWorld
      const inputs = (tick: number) =>
        tick === 0
          ? { controls: Array.from({ length: players }, (_, seat) => ({ control: 'join', seat }) as const) }
          : {
              players: Array.from({ length: players }, (_, seat) => ({
                seat,
                ...bots[seat % 2].think(world, seat, players),
              })),
            }
      let told = 0
      for (let t = 0; t < 64 * 600 && !sumo.behaviour.result!(world).over; t++) {
        playScene({ ...scene, inputs }, session, 1)
        told += world.events.ringOut.count
      }
      expect(sumo.behaviour.result!(world).over, `${players} players`).toBe(true)
      const { falls } = world.tables.players
      const fallen = Array.from(falls.subarray(0, players)).reduce((sum, each) => sum + each, 0)
      expect(fallen, `${players} players`).toBe(told)
      expect(told).toBeGreaterThan(0)
    }
  })

  test('[SU27] four bots use everything they have, and everything that can hit does', () => {
    const scene = shortScenes.find(({ name }) => name === 'brawl')!
    const session = startScene(scene)
    playScene(scene, session, 64 * 60)
    const { used, hitting, whiffed } = session.world.arrays as SumoWorld['arrays']
    const { names } = abilities
    expect(names.filter((_, ability) => used[ability] === 0)).toEqual([])
    expect(names.filter((_, ability) => hitting[ability] === 0)).toEqual(['dash', 'jump', 'barrier'])
    expect(whiffed[abilities.number.punch]).toBeGreaterThan(0)
    for (const name of ['dash', 'jump', 'barrier', 'throw'] as const) expect(whiffed[abilities.number[name]]).toBe(0)
  })
})
