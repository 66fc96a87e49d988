import { describe, expect, test } from 'vitest'
import { randomAt } from '../../geometry/math/random.ts'
import { type Control, sameSnapshot } from '../../host/tools/index.ts'
import { advance, createSession, hashWorld, type Session, seek, snapshot, why } from '../../index.ts'
import { createArena } from './fixtures/arena.ts'
import { playArena, playOn } from './fixtures/matches.ts'
import { logOf, statesOf } from './fixtures/support.ts'
import {
  createReplayWriter,
  describeReplay,
  drainReplay,
  finishReplay,
  loadReplay,
  type ReplayOptions,
  readReplayHeader,
  saveReplay,
  sessionFromReplay,
  verifyReplay,
} from './index.ts'

const game = createArena()
const join: Control = { control: 'join', seat: 0 }
const leave: Control = { control: 'leave', seat: 0 }
const odd: ReplayOptions = { hashEvery: 7, keyframeEvery: 24 }

describe('saving and loading', () => {
  test('[RE1] a saved match loads with the same setup, the same inputs in every tick, and no problems', () => {
    const session = playArena(game, 1, 300)
    const replay = loadReplay(game, saveReplay(session))
    expect(replay).toMatchObject({ ticks: 300, complete: true, problems: [] })
    expect(replay.setup).toEqual(session.setup)
    expect(logOf(replay.log)).toEqual(logOf(session.log))
    expect(replay.checksums.map((checksum) => checksum.tick)).toEqual([
      0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 300,
    ])
    expect(replay.checksums.at(-1)?.hash).toBe(hashWorld(session.world))
  })

  test('[RE2] an empty match is a replay of 0 ticks', () => {
    const session = createSession(game, { seed: 4 }) as Session
    const replay = loadReplay(game, saveReplay(session))
    expect(replay).toMatchObject({ ticks: 0, complete: true, problems: [] })
    expect(verifyReplay(game, replay)).toEqual({ ok: true, ticks: 0, hash: hashWorld(session.world) })
  })

  test('[RE3] the header is read without the game', () => {
    const header = readReplayHeader(saveReplay(playArena(game, 9, 3)))
    expect(header).toMatchObject({ game: 'arena', rulesVersion: 1, tickRate: 30, engine: '0.1.0', formatVersion: 2 })
    expect(header.setup).toEqual({ seed: 9, options: { coins: 3, bouncy: true, mode: 'duel' }, tuning: { damage: 25 } })
    expect(header.layout.tables).toEqual([
      ['things', 64],
      ['players', 5],
      ['marks', 16],
    ])
    expect(header.layout.regions).toContainEqual([0, 'slots', 'u16', 3, 64])
    expect(header.layout.regions).toContainEqual([-1, 'globals.windX', 'f64', 1, 1])
  })

  test('[RE4] a replay can be described without the game', () => {
    const text = describeReplay(saveReplay(playArena(game, 9, 60)))
    expect(text).toContain('arena, rules 1, engine 0.1.0')
    expect(text).toContain('60 ticks at 30 a second (2 s), complete; 1 keyframes')
    expect(text).toContain('table marks (16 rows): id id, leaving u8, x f64, y f64, size u8')
  })

  test('[RE5] saving takes the whole match, wherever its world stands, and leaves it there', () => {
    const session = playArena(game, 2, 200)
    const bytes = saveReplay(session, odd)
    for (const tick of [0, 96, 97, 150]) {
      seek(session, tick)
      const before = snapshot(session.world)
      expect(saveReplay(session, odd)).toEqual(bytes)
      expect(sameSnapshot(snapshot(session.world), before)).toBe(true)
    }
  })

  test("[RE6] a file read as Node's Buffer, at any place in memory, is the same", () => {
    const bytes = saveReplay(playArena(game, 2, 100), odd)
    for (const shift of [0, 1, 2, 3, 5]) {
      const buffer = Buffer.alloc(bytes.length + shift)
        .fill(bytes, shift)
        .subarray(shift)
      const replay = loadReplay(game, buffer)
      expect(replay.problems).toEqual([])
      expect(replay.keyframes.map(({ tick }) => tick)).toEqual([0, 24, 48, 72, 96])
    }
  })

  test('[RE7] a match whose world broke in a tick is saved up to there', () => {
    let isArmed = false
    const fragile = createArena({
      extra: (world) => {
        if (isArmed && world.tick === 64) throw new Error('oops')
      },
    })
    const session = playArena(fragile, 3, 64)
    const hash = hashWorld(session.world)
    isArmed = true
    expect(() => playOn(session, 3, 1)).toThrow('oops')
    isArmed = false
    const replay = loadReplay(fragile, saveReplay(session))
    expect(replay.ticks).toBe(64)
    expect(replay.checksums.at(-1)?.hash).toBe(hash)
  })

  test('[RE51] an input that says again what the game has wiped is in the file', () => {
    const wiping = createArena({
      extra: (world) => {
        if (world.tick % 8 === 5) world.tables.players.walk.fill(0)
      },
    })
    const session = createSession(wiping, {}) as Session
    advance(session, { controls: [{ control: 'join', seat: 0 }] } as never)
    for (let i = 0; i < 40; i++) advance(session, { players: [{ seat: 0, walk: 1 }] } as never)
    const replay = loadReplay(wiping, saveReplay(session))
    expect([...replay.log.tick.subarray(0, replay.log.count)]).toEqual([1, 6, 14, 22, 30, 38])
    expect(verifyReplay(wiping, replay)).toMatchObject({ ok: true, hash: hashWorld(session.world) })
  })

  test.each([1, 2, 3, 32])(
    '[RE1] a player that joins again starts idle, also in the file (hashes every %d ticks)',
    (hashEvery) => {
      const session = createSession(game, {}) as Session
      const hold = { players: [{ seat: 0, walk: 1, stance: 'high' }] }
      const less = { players: [{ seat: 0, walk: 1 }] }
      const script = [{ controls: [join] }, hold, { controls: [leave] }, { controls: [join] }, {}, less, {}, less]
      for (const inputs of script) advance(session, inputs as never)
      const replay = loadReplay(game, saveReplay(session, { hashEvery }))
      expect([...replay.log.tick.subarray(0, replay.log.count)]).toEqual([1, 5])
      expect(logOf(replay.log)).toEqual(logOf(session.log))
    },
  )

  test('[RE8] intervals out of range are refused', () => {
    const session = playArena(game, 2, 1)
    expect(() => saveReplay(session, { hashEvery: 0 })).toThrow('hashEvery must be a whole number from 1 to 256')
    expect(() => saveReplay(session, { keyframeEvery: -1 })).toThrow('keyframeEvery must be a whole number from 0')
  })
})

describe('writing while the match runs', () => {
  test.each([1, 2, 31, 33, 64, 100])(
    '[RE9] drained every %d ticks, the chunks make the file that saving makes',
    (rhythm) => {
      const session = playArena(game, 5, 10)
      const writer = createReplayWriter(session, { keyframeEvery: 48 })
      const pieces: Uint8Array[] = []
      for (let tick = 10; tick < 210; tick++) {
        playOn(session, 5, 1)
        if (tick % rhythm === 0) pieces.push(drainReplay(writer))
      }
      pieces.push(finishReplay(writer))
      const whole = saveReplay(session, { keyframeEvery: 48 })
      expect(Buffer.concat(pieces).equals(whole)).toBe(true)
      expect(() => drainReplay(writer)).toThrow('has its end marker already')
      expect(() => finishReplay(writer)).toThrow('has its end marker already')
    },
  )

  test('[RE10] what was drained is a valid replay of the ticks so far at any time', () => {
    const session = playArena(game, 5, 0)
    const writer = createReplayWriter(session)
    let file = new Uint8Array()
    for (let tick = 0; tick < 100; tick++) {
      file = Uint8Array.from([...file, ...drainReplay(writer)])
      const replay = loadReplay(game, file)
      expect(replay).toMatchObject({ ticks: tick - (tick % 32), complete: false })
      expect(replay.problems).toEqual([
        `there is no end marker: the first ${replay.ticks} ticks are good, what came after is lost.`,
      ])
      playOn(session, 5, 1)
    }
  })

  test('[RE11] going back behind what is written is refused for good; going back less far is not', () => {
    const session = playArena(game, 5, 70)
    const writer = createReplayWriter(session)
    const start = drainReplay(writer)
    seek(session, 64)
    playOn(session, 6, 50)
    const rest = drainReplay(writer)
    seek(session, 110)
    playOn(session, 7, 10)
    const whole = Buffer.concat([start, rest, finishReplay(writer)])
    expect(whole.equals(saveReplay(session))).toBe(true)

    const second = createReplayWriter(session)
    drainReplay(second)
    // Only one press, far before the last block that was written, and the log is as long as before.
    seek(session, 3)
    advance(session, { players: [{ seat: 0, fire: 9 }] } as never)
    playOn(session, 5, 116)
    expect(session.log.length).toBe(120)
    for (let i = 0; i < 2; i++) {
      expect(() => drainReplay(second)).toThrow(
        'the session went back and changed ticks that are in the replay already',
      )
    }
  })

  test('[RE12] going back and doing the same again is no change', () => {
    const session = playArena(game, 5, 100)
    const whole = saveReplay(session)
    const writer = createReplayWriter(session)
    const start = drainReplay(writer)
    seek(session, 10)
    playOn(session, 5, 90)
    expect(Buffer.concat([start, finishReplay(writer)]).equals(whole)).toBe(true)
  })
})

describe('seeking', () => {
  const session = playArena(game, 8, 150)
  const states = statesOf(session)
  const bytes = saveReplay(session, odd)
  const slim = saveReplay(session, { ...odd, keyframeEvery: 0 })

  const ways: [name: string, ticks: number[]][] = [
    ['forward', states.map((_, tick) => tick)],
    ['backward', states.map((_, tick) => 150 - tick)],
    ['at random', states.map((_, i) => randomAt(1, i, 0, 0, 0) % 151)],
  ]
  for (const [name, ticks] of ways) {
    test.each([
      ['with keyframes', bytes],
      ['without', slim],
    ])(`[RE13] to every tick, ${name}, gives the state of linear play (%s)`, (_, file) => {
      const replayed = sessionFromReplay(game, loadReplay(game, file))
      for (const tick of ticks) {
        seek(replayed, tick)
        expect(sameSnapshot(snapshot(replayed.world), states[tick]), `tick ${tick}`).toBe(true)
      }
    })
  }

  test('[RE14] keyframes save steps and change nothing', () => {
    expect(loadReplay(game, slim)).toMatchObject({ ticks: 150, complete: true, problems: [], keyframes: [] })
    expect(verifyReplay(game, loadReplay(game, slim))).toEqual(verifyReplay(game, loadReplay(game, bytes)))
  })

  test('[RE15] a session from a replay can be asked why, and played on from any tick', () => {
    const replayed = sessionFromReplay(game, loadReplay(game, bytes))
    expect(replayed.keyframes.map(({ tick }) => tick)).toEqual([0, 24, 48, 72, 96, 120, 144])
    seek(replayed, 150)
    playOn(session, 77, 30)
    playOn(replayed, 77, 30)
    expect(sameSnapshot(snapshot(replayed.world), snapshot(session.world))).toBe(true)
    expect(why(replayed, 120, 1, 2)).toEqual(why(session, 120, 1, 2))
    seek(session, 40)
    seek(replayed, 40)
    playOn(session, 78, 5)
    playOn(replayed, 78, 5)
    expect(hashWorld(replayed.world)).toBe(hashWorld(session.world))
    expect(replayed.log.length).toBe(45)
  })
})
