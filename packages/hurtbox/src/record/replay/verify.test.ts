import { describe, expect, test } from 'vitest'
import { type Control, placeOfFailure } from '../../host/tools/index.ts'
import { createSession, HurtboxError, hashWorld, type Session } from '../../index.ts'
import { type ArenaWorld, type Change, createArena } from './fixtures/arena.ts'
import { playArena } from './fixtures/matches.ts'
import { loadReplay, type Replay, saveReplay, sessionFromReplay, verifyReplay } from './index.ts'

const game = createArena()

describe('verifying', () => {
  test('[RE38] a true replay verifies, and ends in the state that was played', () => {
    for (const seed of [1, 2, 3]) {
      const session = playArena(game, seed, 250)
      const calls: number[][] = []
      const report = verifyReplay(game, loadReplay(game, saveReplay(session)), (...args) => calls.push(args))
      expect(report).toEqual({ ok: true, ticks: 250, hash: hashWorld(session.world) })
      expect(calls).toEqual([0, 32, 64, 96, 128, 160, 192, 224, 250].map((tick) => [tick, 250]))
    }
  })

  test('[RE39] rules that use a module variable: the tick, the phase, the row and the column are named', () => {
    let calls = 0
    const leaky = createArena({
      extra: (world) => {
        calls++
        if (world.tick === 75) world.tables.things.hp[1] += calls / 1024
      },
    })
    const session = playArena(leaky, 1, 200)
    const { ok, ticks, mismatch } = verifyReplay(leaky, loadReplay(leaky, saveReplay(session)))
    expect({ ok, ticks }).toEqual({ ok: false, ticks: 64 })
    expect(mismatch).toMatchObject({ cause: 'not-deterministic', fromTick: 75, toTick: 75, tables: ['things'] })
    expect(mismatch?.differences).toMatchObject([{ table: 'things', row: 1, column: 'hp' }])
    expect(mismatch?.place).toEqual({ tick: 75, phase: 'extra' })
    expect(mismatch?.message).toMatch(
      /^tick 75 came out differently when run again from the same state, first in phase extra: things row 1 \(id \d+\) hp is .* here and .* there\. The rules depend on something outside the world/,
    )
  })

  test('[RE40] rules that remember how often they ran, but not in every tick alike: the ticks and the row are named', () => {
    // Both runs side by side agree with each other, and differ from the one before.
    let runs = 0
    const counting = createArena({
      extra: (world) => {
        if (world.tick === 40) world.globals.hits += Math.floor(runs++ / 4)
      },
    })
    const session = playArena(counting, 1, 64)
    const replay = loadReplay(counting, saveReplay(session))
    runs = 7
    const { mismatch } = verifyReplay(counting, replay)
    expect(mismatch).toMatchObject({ cause: 'not-deterministic', fromTick: 32, toTick: 63 })
    expect(mismatch?.differences.some(({ column }) => column === 'globals.hits')).toBe(true)
  })

  const changed = playWith({ extra: bumpAt(100) })

  test('[RE41] other rules: the window since the last good hash and the tables that differ are named', () => {
    const replay = loadReplay(game, saveReplay(playArena(game, 8, 200)))
    const report = verifyReplay(changed, replay)
    expect(report).toMatchObject({ ok: false, ticks: 96, hash: replay.checksums[3].hash })
    expect(report.mismatch).toMatchObject({
      cause: 'diverged',
      fromTick: 96,
      toTick: 127,
      tables: ['marks'],
      differences: [],
      message: 'one of the ticks 96 to 127 came out differently from the recording: marks differ.',
    })
  })

  test('[RE42] with a hash in every tick, the tick is named exactly', () => {
    const replay = loadReplay(game, saveReplay(playArena(game, 8, 200), { hashEvery: 1 }))
    expect(verifyReplay(changed, replay).mismatch).toMatchObject({
      cause: 'diverged',
      fromTick: 100,
      toTick: 100,
      message: 'tick 100 came out differently from the recording: marks differ.',
    })
  })

  test('[RE43] where a keyframe stands, row and column are named with both values, and the phase that wrote there last', () => {
    const coarse = loadReplay(game, saveReplay(playArena(game, 8, 200), { keyframeEvery: 128 }))
    expect(verifyReplay(changed, coarse).mismatch).toMatchObject({
      fromTick: 96,
      toTick: 127,
      differences: [{ table: 'marks', row: 2, column: 'size' }],
    })
    const fine = loadReplay(game, saveReplay(playArena(game, 8, 200), { keyframeEvery: 1 }))
    const { mismatch } = verifyReplay(changed, fine)
    expect(mismatch).toMatchObject({ fromTick: 100, toTick: 100, tables: ['marks'] })
    expect(mismatch?.place).toEqual({ tick: 100, phase: 'extra' })
    expect(mismatch?.message).toMatch(
      /^tick 100 came out differently from the recording: marks row 2 \(id \d+\) size is (\d+) here and (\d+) there\. It was last written in tick 100, by phase extra\.$/,
    )
  })

  test('[RE44] a match that begins differently is distinguished from one that diverges later', () => {
    const other = playWith({
      extraSetup: (world) => {
        world.globals.hits = 3
      },
    })
    const replay = loadReplay(game, saveReplay(playArena(game, 6, 40)))
    const report = verifyReplay(other, replay)
    expect(report).toMatchObject({ ok: false, ticks: 0 })
    expect(report.mismatch).toMatchObject({
      cause: 'setup',
      tables: ['arrays'],
      message: 'the match began differently: globals.hits is 3 here and 0 there.',
    })
  })

  test('[RE45] a match with a number that is not finite can be saved; verifying names tick and column', () => {
    const notFinite = createArena({
      extra: (world) => {
        if (world.tick === 50) world.tables.things.vx[0] = 0 / 0
      },
    })
    const replay = loadReplay(notFinite, saveReplay(playArena(notFinite, 1, 70), { keyframeEvery: 64 }))
    expect(replay).toMatchObject({ ticks: 70, complete: true, problems: [] })
    const report = verifyReplay(notFinite, replay)
    expect(report).toMatchObject({ ok: false, ticks: 32 })
    expect(report.mismatch).toMatchObject({ cause: 'not-finite', fromTick: 50, toTick: 50 })
    expect(report.mismatch?.message).toContain('things.vx of row 0 (id 1) is NaN at tick 51')
    // Rules without the fault differ from the recording, and are not blamed for it.
    expect(verifyReplay(game, replay).mismatch).toMatchObject({ cause: 'diverged', fromTick: 32, toTick: 63 })
  })

  test('[RE46] a tick that cannot be run is named with the reason', () => {
    const replay = loadReplay(game, saveReplay(playArena(game, 1, 70)))
    const fragile = playWith({
      extra: (world) => {
        if (world.tick === 33) throw new Error('out of coins')
      },
    })
    const verified = verifyReplay(fragile, replay)
    expect(verified).toMatchObject({
      ok: false,
      ticks: 32,
      mismatch: {
        cause: 'failed',
        fromTick: 33,
        toTick: 33,
        message: 'phase extra failed in tick 33: out of coins',
      },
    })
    expect(placeOfFailure(verified.mismatch!.failure!)).toMatchObject({
      ...{ what: 'phase extra', phase: 'extra', tick: 33, file: import.meta.filename },
    })
  })

  const impossible: [what: string, control: Control][] = [
    ['seat 0 is taken', { control: 'join', seat: 0 }],
    ['seat 4 is empty', { control: 'leave', seat: 4 }],
  ]
  test.each(impossible)('[RE47] a forged file in which %s is refused at that tick', (what, control) => {
    const session = createSession(game, {}) as Session
    const replay = forgeControls(session, [[{ control: 'join', seat: 0 }], [], [control]])
    expect(verifyReplay(game, replay).mismatch).toMatchObject({ cause: 'failed', fromTick: 2, toTick: 2 })
    expect(verifyReplay(game, replay).mismatch?.message).toContain(what)
  })

  test('[RE48] a game of another shape is refused with what differs', () => {
    const replay = loadReplay(game, saveReplay(playArena(game, 1, 3)))
    const other = createArena({ change: { globals: { hits: 'u32', windX: 'f64', more: 'u8' } } as never })
    expect(() => verifyReplay(other, replay)).toThrow(HurtboxError)
    expect(() => verifyReplay(other, replay)).toThrow('the replay does not fit the game: layout differs.')
    expect(() => sessionFromReplay(other, replay)).toThrow('the replay does not fit the game: layout differs.')
  })

  test('[RE49] verifying leaves the replay as it was: twice gives the same', () => {
    const replay = loadReplay(game, saveReplay(playArena(game, 8, 200), { keyframeEvery: 64 }))
    const first = verifyReplay(changed, replay)
    expect(verifyReplay(changed, replay)).toEqual(first)
    expect(verifyReplay(game, replay).ok).toBe(true)
  })
})

/** Rules that differ from those of the arena in one place. */
function playWith(change: Change): ReturnType<typeof createArena> {
  return createArena(change)
}

function bumpAt(tick: number): (world: ArenaWorld) => void {
  return (world) => {
    if (world.tick === tick) world.tables.marks.size[2]++
  }
}

/** A replay whose log says what no session would let happen. */
function forgeControls(session: Session, controls: readonly (readonly Control[])[]): Replay {
  const { log } = session
  controls.forEach((each, tick) => {
    for (const control of each) log.controls.push({ tick, control })
  })
  log.length = controls.length
  const replay = loadReplay(game, saveReplay(createSession(game, {}) as Session))
  const end = { ...replay.checksums[0], tick: controls.length }
  return { ...replay, log, ticks: controls.length, checksums: [...replay.checksums, end] }
}
