/** The ring, rounds, score and the best of five. */

import { createWorld, each, playerAt, players, type Scene, step } from 'hurtbox'
import { playScene, startScene } from 'hurtbox/tools'
import { describe, expect, test } from 'vitest'
import { botPlayers } from '../../bot-players.ts'
import { bots } from '../bots/index.ts'
import { distanceToEdge } from '../bots/wrestler.ts'
import { RING_HALF } from '../rules/content.ts'
import { abilities, STAGE, type SumoWorld } from '../rules/declaration.ts'
import { sumo } from '../rules/index.ts'
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
  Object.assign(playerAt(world, seat)!.thing!, { x: RING_HALF + 3, z: 0.01, vz: -5 })
}

/** Plays a round that `winner` wins. */
function winRound(world: SumoWorld, winner: number): void {
  wait(world, COUNTDOWN)
  expect(world.globals.stage).toBe(STAGE.play)
  for (const { seat } of players(world)) if (seat !== winner) drop(world, seat)
  step(world)
}

describe('ring', () => {
  test('[SU20] a fighter below the top of the ring is out; on the edge it still stands', () => {
    const stage = fight([[RING_HALF + 0.6, 0]])
    const [player] = players(stage.world)
    const fighter = player.thing!
    for (let t = 0; t < 200; t++) tick(stage)
    expect([fighter.out, player.falls, fighter.grounded]).toEqual([0, 0, 1])
    fighter.x = RING_HALF + 0.8
    for (let t = 0; t < 200; t++) tick(stage)
    expect(player.falls).toBe(1)
    expect(distanceToEdge(fighter.x, fighter.y)).toBeGreaterThan(0)
  })

  test('[SU21] the last attacker gets the credit for a fall, with its ability, for 4 seconds', () => {
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
      expect(playerAt(stage.world, 0)!.thrown).toBe(isCredited ? 1 : 0)
    }
  })
})

test('[SU21] a blow that a barrier held gives no credit', () => {
  const stage = fight([
    [0, 0],
    [2.4, 0],
  ])
  for (const fighter of each(stage.world, 'character')) fighter.shield = 50
  tick(stage, { 0: { punch: 1 } })
  while (tick(stage).length === 0);
  drop(stage.world, 1)
  tick(stage)
  expect([stage.world.events.ringOut.count, stage.world.events.ringOut.by[0]]).toEqual([1, 0])
})

describe('rounds', () => {
  test('[SU22] a round begins with two players, with a countdown in which no fighter can act', () => {
    const world = match(1)
    wait(world, 10)
    expect([world.globals.stage, world.globals.round]).toEqual([STAGE.waiting, 0])
    step(world, { controls: [{ control: 'join', seat: 1 }] })
    step(world)
    expect([world.globals.stage, world.globals.round]).toEqual([STAGE.countdown, 1])
    const { casts } = world.tables
    const [fighter] = each(world, 'character')
    const { x } = fighter
    for (let t = 0; t < COUNTDOWN - 2; t++) step(world, { players: [{ seat: 0, moveX: 1, punch: 1 }] })
    expect([fighter.x, casts.count, world.globals.stage]).toEqual([x, 0, STAGE.countdown])
    for (let t = 0; t < 3; t++) step(world, { players: [{ seat: 0, punch: 1 }] })
    expect([casts.count, world.globals.stage]).toEqual([1, STAGE.play])
  })

  test('[SU23] the last one in the ring wins the round; all stand up again for the next', () => {
    const world = match(3)
    winRound(world, 1)
    expect(Array.from(players(world), ({ wins }) => wins)).toEqual([0, 1, 0])
    expect(world.events.roundOver.winner[0]).toBe(playerAt(world, 1)!.thing!.id)
    const fighters = [...each(world, 'character')]
    fighters[0].hp = 3
    wait(world, BREATHER + 1)
    expect([world.globals.round, world.globals.stage]).toEqual([2, STAGE.countdown])
    expect([...fighters.map(({ out }) => out), fighters[0].hp]).toEqual([0, 0, 0, 100])
    for (const { x, y } of fighters) expect(distanceToEdge(x, y)).toBeGreaterThan(2)
  })

  test('[SU23] a fall after the round does not count', () => {
    const world = match(2)
    winRound(world, 1)
    drop(world, 1)
    wait(world, 10)
    expect([...Array.from(players(world), ({ falls }) => falls), world.events.ringOut.count]).toEqual([1, 0, 0])
  })

  test('[SU23] if the last two fall in one tick, the round is a draw', () => {
    const world = match(2)
    wait(world, COUNTDOWN)
    drop(world, 0)
    drop(world, 1)
    step(world)
    expect([world.events.roundOver.winner[0], ...Array.from(players(world), ({ wins }) => wins)]).toEqual([0, 0, 0])
  })

  test('[SU23] when time is over the freshest wins; of several the nearest to the middle; else it is a draw', () => {
    for (const [hp, x, winner] of [
      [99, 5, 0],
      [100, 6, 0],
      [100, 4, 1],
      [100, 5, -1],
    ]) {
      const world = match(2, { tuning: { roundTime: 2 } })
      wait(world, COUNTDOWN)
      const [left, right] = each(world, 'character')
      Object.assign(left, { x: -5, y: 0 })
      Object.assign(right, { x, y: 0, hp })
      wait(world, 128)
      const expected = winner < 0 ? 0 : playerAt(world, winner)!.thing!.id
      const { roundOver } = world.events
      expect([roundOver.count, roundOver.winner[0]], `hp ${hp}, at ${x}`).toEqual([1, expected])
    }
  })

  test('[SU24] best of five: three rounds win the match, and then nothing changes any more', () => {
    const world = match(2)
    for (const winner of [0, 1, 0]) {
      winRound(world, winner)
      wait(world, BREATHER)
      expect(sumo.behaviour.result!(world).over).toBe(false)
    }
    winRound(world, 0)
    wait(world, BREATHER)
    expect(world.events.matchOver.winner[0]).toBe(playerAt(world, 0)!.thing!.id)
    expect(sumo.behaviour.result!(world)).toMatchObject({ over: true, winner: 'seat 0' })
    const places = () => Array.from(each(world, 'character'), ({ x, y, z }) => [x, y, z])
    const before = places()
    for (let t = 0; t < 20; t++) step(world, { players: [{ seat: 0, moveX: 1, jump: 1 }] })
    expect(places()).toEqual(before)
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

  test('[SU25] a fighter that is out neither walks, turns nor acts until the next round', () => {
    const world = match(3)
    wait(world, COUNTDOWN + 5)
    drop(world, 0)
    step(world)
    const fallen = playerAt(world, 0)!.thing!
    expect(fallen.out).toBe(1)
    const before = [fallen.vx, fallen.vy, fallen.facingX, fallen.facingY]
    for (let t = 0; t < 20; t++) step(world, { players: [{ seat: 0, moveX: -1, moveY: 1, punch: 1 }] })
    expect([fallen.vx, fallen.vy, fallen.facingX, fallen.facingY]).toEqual(before)
    expect(world.arrays.used[0]).toBe(0)
  })

  test('[SU25] a player that joins in the middle of a round waits for the next one; one that leaves is not waited for', () => {
    const world = match(2)
    wait(world, COUNTDOWN + 5)
    step(world, { controls: [{ control: 'join', seat: 5 }] })
    expect(playerAt(world, 5)!.thing!.out).toBe(1)
    step(world, { controls: [{ control: 'leave', seat: 0 }] })
    expect([world.events.roundOver.count, playerAt(world, 1)!.wins, playerAt(world, 0)]).toEqual([1, 1, undefined])
    wait(world, BREATHER + 1)
    expect(Array.from(players(world), ({ thing }) => thing!.out)).toEqual([0, 0])
    expect(world.globals.stage).toBe(STAGE.countdown)
  })

  test('[SU26] two to eight players: a match of bots comes to an end, and its figures agree', () => {
    for (const count of process.env.HURTBOX_LONG ? [2, 3, 4, 5, 6, 7, 8] : [2, 8]) {
      const wrestlers = Array.from({ length: count }, (_, seat) => bots[seat % 2])
      const scene: Scene = { ...scenes[0], seed: count, options: { rounds: 1 }, inputs: botPlayers(wrestlers, count) }
      const session = startScene(scene)
      const world = session.world as unknown as SumoWorld
      let emitted = 0
      for (let t = 0; t < 64 * 600 && !sumo.behaviour.result!(world).over; t++) {
        playScene(scene, session, 1)
        emitted += world.events.ringOut.count
      }
      expect(sumo.behaviour.result!(world).over, `${count} players`).toBe(true)
      const fallen = Array.from(players(world), ({ falls }) => falls).reduce((sum, falls) => sum + falls, 0)
      expect(fallen, `${count} players`).toBe(emitted)
      expect(emitted).toBeGreaterThan(0)
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

describe('to the last number', () => {
  test('[SU23] of three when time is over: two that share the lead draw, and one behind them changes nothing', () => {
    for (const [hps, winner] of [
      [[100, 100, 50], -1],
      [[50, 100, 100], -1],
      [[100, 50, 100], -1],
      [[90, 90, 100], 2],
      [[90, 90, 90.5], 2],
      [[100, 90, 90], 0],
    ] as const) {
      const world = match(3, { tuning: { roundTime: 2 } })
      wait(world, COUNTDOWN)
      for (const [n, one] of [...each(world, 'character')].entries()) {
        Object.assign(one, { x: [5, -5, 0][n], y: [0, 0, 5][n], hp: hps[n] })
      }
      wait(world, 128)
      const expected = winner < 0 ? 0 : playerAt(world, winner)!.thing!.id
      expect(world.events.roundOver.winner[0], hps.join()).toBe(expected)
    }
  })

  test('[SU23] a new round is a new start: no projectiles, no stun, no held fighter, and a jump that views do not smooth', () => {
    const world = match(2)
    wait(world, COUNTDOWN)
    step(world, { players: [{ seat: 0, fireball: 1 }] })
    wait(world, 8)
    expect([...each(world, 'projectile')].length).toBe(1)
    winRoundNow(world, 1)
    const [fighter] = each(world, 'character')
    Object.assign(fighter, { stunnedUntil: 1e6, launchedUntil: 1e6, vx: 3, hitCountsUntil: 1e6 })
    const { teleports } = fighter
    wait(world, BREATHER + 1)
    expect(world.globals.round).toBe(2)
    expect([...each(world, 'projectile')].length).toBe(0)
    expect([fighter.stunnedUntil, fighter.launchedUntil, fighter.vx, fighter.hitCountsUntil]).toEqual([0, 0, 0, 0])
    expect(fighter.teleports).toBeGreaterThan(teleports)
    expect([...each(world, 'character')].length).toBe(2)
  })

  test('[SU20] the distance to the edge is that to the nearest of four sides', () => {
    expect([distanceToEdge(7, 1), distanceToEdge(-1, 6), distanceToEdge(0, 0), distanceToEdge(9, 0)]).toEqual([
      1, 2, 8, -1,
    ])
  })

  test('[SU35] a credited fall counts for its ability, an unforced one for none', () => {
    const stage = fight([
      [0, 0],
      [2.4, 0],
    ])
    const figures = () => sumo.behaviour.stats!(stage.world) as Record<string, number>
    drop(stage.world, 1)
    tick(stage)
    const sum = () =>
      Object.entries(figures()).reduce((all, [name, n]) => all + (name.endsWith('ring-outs') ? n : 0), 0)
    expect(sum()).toBe(0)
    Object.assign(playerAt(stage.world, 1)!.thing!, { x: 2.4, y: 0, z: 1.5, vx: 0, vy: 0, vz: 0 })
    tick(stage, { 0: { punch: 1 } })
    while (tick(stage).length === 0);
    // Both stand still in hit stop for two ticks.
    for (let t = 0; t < 3; t++) tick(stage)
    drop(stage.world, 1)
    tick(stage)
    expect([figures()['punch ring-outs'], sum(), figures()['punch used'], figures()['punch hit']]).toEqual([1, 1, 1, 1])
  })
})

/** The others fall now. */
function winRoundNow(world: SumoWorld, winner: number): void {
  for (const { seat } of players(world)) if (seat !== winner) drop(world, seat)
  step(world)
}
