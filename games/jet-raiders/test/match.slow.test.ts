import { each, players } from 'hurtbox'
import { describe, expect, test } from 'vitest'
import type { JetWorld } from '../rules/declaration.ts'
import { jetRaiders } from '../rules/index.ts'
import { arena, bulletTo, ofKind, player, run, ticksOf } from './support.ts'

const resultOf = (world: JetWorld) => jetRaiders.behaviour.result!(world)

/** Word 1 of the header is the clock. Playing ten minutes to see the last tick would take seconds. */
function setClock(world: JetWorld, clock: number): void {
  world.memory.header[1] = clock
  expect(world.clock).toBe(clock)
}

describe('the score', () => {
  test('[JR22] a kill counts once, for the shooter, on the lethal hit; the score outlives its ship', () => {
    const world = arena([
      { x: -300, hp: 30 },
      { x: 0, hp: 60 },
    ])
    const counts = () => [
      player(world, 0).score,
      player(world, 0).deaths,
      player(world, 1).score,
      player(world, 1).deaths,
    ]
    bulletTo(world, 0, 0)
    run(world, 1)
    expect(counts()).toEqual([0, 0, 0, 0])
    bulletTo(world, 0, 0)
    bulletTo(world, 0, 0)
    run(world, 1)
    expect(counts()).toEqual([1, 0, 0, 1])
    bulletTo(world, 1, -300)
    run(world, 1)
    expect(counts()).toEqual([1, 1, 1, 1])
    run(world, 70)
    expect(counts()).toEqual([1, 1, 1, 1])
  })

  test('[JR22] all kills of a tick count', () => {
    const world = arena([{ x: -300 }, { x: 0, hp: 30 }, { x: 200, hp: 30 }])
    bulletTo(world, 0, 0)
    bulletTo(world, 0, 200)
    run(world, 1)
    expect(player(world, 0).score).toBe(2)
  })

  test('[JR25] figures of the match: shots, hits, kills, early deaths, and damage by type', () => {
    const world = arena([{ x: -300 }, { x: 0, hp: 20 }, { x: 200 }, { x: 240 }], { options: { ramming: true } })
    bulletTo(world, 0, 0)
    run(world, 1, { players: [{ seat: 0, shoot: true }] })
    bulletTo(world, 0, 200)
    run(world, 1, { players: [{ seat: 0 }] })
    expect(jetRaiders.behaviour.stats!(world)).toEqual({
      shots: 1,
      hits: 2,
      kills: 1,
      'early deaths': 1,
      // 20 that the first victim had left, and 30.
      'damage bullet': 50,
      'damage ramming': 40,
    })
  })
})

describe('the end', () => {
  test('[JR23] a match ends after 600 s, 37,500 ticks; one event, and then nothing changes any more', () => {
    const world = arena([{ x: 0 }, { x: 200 }])
    setClock(world, 37_498)
    expect(run(world, 1)).toEqual([])
    expect(resultOf(world).over).toBe(false)
    player(world, 1).score = 1
    bulletTo(world, 0, 50)
    expect(run(world, 1)).toMatchObject([{ kind: 'matchOver', winner: 2 }])
    expect(resultOf(world)).toEqual({ over: true, winner: 'seat 1', summary: 'kills 1, deaths 0' })
    const placesOf = () => [...each(world)].map(({ x }) => x)
    const places = placesOf()
    expect(run(world, 100, { players: [{ seat: 0, thrust: 1, shoot: true, slot: 1 }] })).toEqual([])
    expect([placesOf(), places.length]).toEqual([places, 3])
  })

  test('[JR23] shorter matches end sooner, those of 0 s never', () => {
    const short = arena([{ x: 0 }], { options: { matchSeconds: 2 } })
    // Tick 0 was the one of joining; 2 s are 125 ticks, 0 to 124.
    expect(ticksOf(run(short, 300), 'matchOver')).toEqual([124])
    const endless = arena([{ x: 0 }], { options: { matchSeconds: 0 } })
    setClock(endless, 5_000_000)
    expect(run(endless, 10)).toEqual([])
    expect(resultOf(endless).over).toBe(false)
  })

  test('[JR23] the clock of the match stands while it is paused', () => {
    const world = arena([{ x: 0 }], { options: { matchSeconds: 2 } })
    run(world, 50, { controls: [{ control: 'pause', paused: true }] })
    const events = run(world, 200, { controls: [{ control: 'pause', paused: false }] })
    expect(ticksOf(events, 'matchOver')).toEqual([174])
  })

  test('[JR24] most kills win, among equals fewest deaths; all equal at the top is a draw', () => {
    const world = arena([{ x: -100 }, { x: 0 }, { x: 100 }])
    const winner = (score: readonly number[], deaths: readonly number[]) => {
      for (const one of players(world)) {
        one.score = score[one.seat]
        one.deaths = deaths[one.seat]
      }
      return resultOf(world).winner
    }
    expect(winner([1, 3, 2], [9, 9, 0])).toBe('seat 1')
    expect(winner([3, 3, 2], [5, 4, 0])).toBe('seat 1')
    expect(winner([3, 3, 2], [4, 5, 0])).toBe('seat 0')
    expect(winner([3, 3, 2], [4, 4, 0])).toBeUndefined()
    expect(winner([3, 3, 4], [4, 4, 9])).toBe('seat 2')
    expect(winner([0, 0, 0], [0, 0, 0])).toBeUndefined()
    expect(resultOf(arena([]))).toEqual({ over: false, summary: 'nobody plays' })
  })

  test('[JR24] a draw has an event without a winner', () => {
    const world = arena([{ x: -100 }, { x: 100 }], { options: { matchSeconds: 1 } })
    expect(ofKind(run(world, 70), 'matchOver')).toMatchObject([{ winner: 0 }])
  })
})
