import { describe, expect, test } from 'vitest'
import { scenes } from '../../../scenes/index.ts'
import { boxGame, bytesOf, expectRefusal } from '../../../test/support.ts'
import {
  advanceEncoded,
  changesByPhase,
  cloneSession,
  createEncodedInputs,
  encodeInputs,
  forgetBefore,
  playScene,
  requireInSync,
  startScene,
} from '../../host/tools/index.ts'
import {
  advance,
  axis,
  collide,
  createSession,
  createWorld,
  declareGame,
  defineGame,
  despawn,
  each,
  hashWorld,
  playBots,
  players,
  type Scene,
  type Session,
  seek,
  spawn,
  step,
  syncTest,
  why,
} from '../../index.ts'
import { createReplayWriter, drainReplay, finishReplay, loadReplay, saveReplay, verifyReplay } from '../replay/index.ts'

const comings = scenes.find((scene) => scene.name === 'skirmish-comings') as Scene

describe('sessions', () => {
  test('[SE10] bots of a scene play the seats they were given and leave the others alone; each gets its player', () => {
    const world = createWorld(boxGame(), { seed: 1 })
    const asked: number[] = []
    const think = (_world: unknown, player: { seat: number }) => {
      asked.push(player.seat)
      return {}
    }
    const play = playBots({ name: 'still', about: 'does nothing', think }, 2, 1)
    step(world, play(0, world))
    step(world, { controls: [{ control: 'join', seat: 3 }] })
    asked.length = 0
    expect(Array.from(world.tables.players.seat.subarray(0, 3))).toEqual([0, 1, 3])
    expect(play(2, world)).toEqual({ players: [{ seat: 0 }, { seat: 1 }] })
    expect(asked).toEqual([0, 1])
  })

  test('[SE1] seeking to any tick, forward or back, gives the same bytes as playing there', () => {
    const session = startScene(comings)
    const straight = [bytesOf(session.world)]
    for (let tick = 0; tick < 260; tick++) {
      playScene(comings, session, 1)
      straight.push(bytesOf(session.world))
    }
    const ticks = [260, 0, 259, 1, 128, 127, 255, 256, 257, 100, 101, 102, 150, 171, 200, 201]
    for (const tick of ticks) {
      seek(session, tick)
      expect(session.world.tick).toBe(tick)
      expect(bytesOf(session.world), `tick ${tick}`).toEqual(straight[tick])
    }
    for (let tick = 260; tick >= 0; tick -= 7) {
      seek(session, tick)
      expect(bytesOf(session.world), `tick ${tick}`).toEqual(straight[tick])
    }
    for (const tick of [-1, 261, 1.5, Number.NaN])
      expectRefusal(() => seek(session, tick), /tick must be/, session.world)
  })

  test('[SE7] keyframes stay bounded in number, and seeking stays exact', () => {
    const session = drifting(() => 0.25, 2000, 1)
    expect(session.keyframes.length).toBeLessThanOrEqual(257)
    expect(session.keyframes[0].tick).toBe(0)
    for (const tick of [0, 1, 7, 999, 1000, 1999, 2000]) {
      seek(session, tick)
      expect([session.world.tick, session.world.tables.things.x[0]]).toEqual([tick, tick / 4])
    }
  })

  test('[SE11] what is forgotten is refused, what is left is exact, and a match goes on from it', () => {
    const { whole, states } = remembered()
    const session = cloneSession(whole)
    seek(session, 120)
    forgetBefore(session, 70)
    expect([session.log.from, session.keyframes[0].tick]).toEqual([64, 64])
    for (const tick of [0, 10, 63]) {
      expectRefusal(() => seek(session, tick), /tick must be a whole number from 64 to 120/, session.world)
      expectRefusal(() => why(session, tick, 1, 2), /from 64 to 119/)
    }
    for (const tick of [64, 118, 70, 120]) {
      seek(session, tick)
      expect(bytesOf(session.world), `tick ${tick}`).toEqual(states[tick])
    }
    expect(why(session, 100, 1, 2)).toEqual(why(whole, 100, 1, 2))
    expect(syncTest(session, 8)).toMatchObject({ ticks: 56, mismatch: undefined })
    expectRefusal(() => saveReplay(session), /forgotten what came before tick 64/)
    playScene(comings, session, 30)
    playScene(comings, whole, 30)
    expect(bytesOf(session.world)).toEqual(bytesOf(whole.world))
    forgetBefore(session, 0)
    expect(session.log.from).toBe(64)
  })

  test('[SE11] a world that stands in the past keeps the ground under it', () => {
    const { whole: session, states } = remembered()
    seek(session, 40)
    forgetBefore(session, 120)
    expect([session.log.from, session.keyframes[0].tick]).toEqual([32, 32])
    advance(session)
    expect([session.log.from, session.log.length]).toEqual([32, 41])
    seek(session, 35)
    expect(bytesOf(session.world)).toEqual(states[35])
  })

  test('[SE11] a replay that is being written goes on after forgetting, and after a cut behind what is written', () => {
    const { whole: session } = remembered()
    const writer = createReplayWriter(session)
    const parts = [drainReplay(writer)]
    forgetBefore(session, 96)
    seek(session, 110)
    advance(session)
    for (let tick = 0; tick < 50; tick++) advance(session)
    parts.push(drainReplay(writer), finishReplay(writer))
    const replay = loadReplay(comings.game, Uint8Array.from(parts.flatMap((part) => [...part])))
    expect(replay).toMatchObject({ ticks: 161, complete: true, problems: [] })
    expect(verifyReplay(comings.game, replay).ok).toBe(true)
  })

  test('[SE12] a clone has the same past, and neither disturbs the other', () => {
    const { whole, states } = remembered()
    const clone = cloneSession(whole)
    expect(clone.world.tick).toBe(0)
    seek(clone, 50)
    expect(bytesOf(clone.world)).toEqual(states[50])
    advance(clone)
    expect([clone.log.length, whole.log.length]).toEqual([51, 120])
    seek(whole, 90)
    expect(bytesOf(whole.world)).toEqual(states[90])
    playScene(comings, whole, 10)
    expect(clone.log.length).toBe(51)
  })

  test('[SE7] going back through a stretch without keyframes makes them on the way', () => {
    const session = drifting(() => 1, 1000, 100)
    session.keyframes.splice(1, 8)
    seek(session, 850)
    expect(session.keyframes.map(({ tick }) => tick)).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000])
    for (const tick of [849, 250, 1000, 5]) {
      seek(session, tick)
      expect([session.world.tick, session.world.tables.things.x[0]]).toEqual([tick, tick])
    }
  })

  test('[SE3] the log keeps its own copy of a control', () => {
    const session = startScene(comings)
    const control = { control: 'tune' as const, name: 'knockback', value: 30 }
    advance(session, { controls: [control] })
    control.value = 99
    const here = bytesOf(session.world)
    seek(session, 0)
    seek(session, 1)
    expect(bytesOf(session.world)).toEqual(here)
  })

  test('[SE9] what a session could not replay is refused or found', () => {
    const stepped = startScene(comings)
    step(stepped.world, comings.inputs?.(0, stepped.world))
    expectRefusal(() => advance(stepped), /stepped outside its session/, stepped.world)

    const touched = startScene(comings)
    playScene(comings, touched, 30)
    touched.world.tables.things.x[0] += 1
    expectRefusal(() => requireInSync(syncTest(touched, 2)), /changed outside a step.*things row 0/)

    const [one, other] = [startScene(comings), startScene(comings)]
    playScene(comings, one, 5)
    playScene(comings, other, 5)
    const inputs = createEncodedInputs(one.world)
    encodeInputs(one.world, { players: [{ seat: 0, walk: 1 } as never, { seat: 1 }] }, inputs)
    for (const session of [one, other, one, other]) advanceEncoded(session, inputs)
    expect(inputs.count, "the inputs are still the caller's").toBe(2)
    expect(bytesOf(other.world)).toEqual(bytesOf(one.world))
  })

  test('[SE2] a step that throws forgets nothing', () => {
    let isSick = false
    const session = drifting(() => {
      if (isSick) throw new Error('bug')
      return 1
    })
    seek(session, 8)
    isSick = true
    expect(() => advance(session)).toThrow('bug')
    isSick = false
    expect(session.log.length).toBe(20)
    seek(session, 20)
    expect(session.world.tables.things.x[0]).toBe(20)
  })

  test('[SE8] after a phase threw, seeking brings the session back to sound ground', () => {
    let isSick = false
    const session = drifting(() => {
      if (isSick) throw new Error('bug')
      return 1
    })
    isSick = true
    expect(() => advance(session)).toThrow('bug')
    isSick = false
    seek(session, 20)
    advance(session)
    expect([session.world.tick, session.world.tables.things.x[0]]).toEqual([21, 21])
  })

  test('[SE2] advancing from the past forgets what came later', () => {
    const session = startScene(comings)
    playScene(comings, session, 300)
    seek(session, 120)
    advance(session, { players: [{ seat: 0, walk: 1 } as never] })
    expect(session.log.length).toBe(121)
    const later: Uint8Array[] = []
    for (let i = 0; i < 200; i++) {
      advance(session)
      later.push(bytesOf(session.world))
    }
    // Nothing of the forgotten future (a pause at 150, a tuned number at 200) comes back when it is played again.
    for (const tick of [321, 250, 205, 160]) {
      seek(session, 10)
      seek(session, tick)
      expect(bytesOf(session.world), `tick ${tick}`).toEqual(later[tick - 122])
    }
  })

  test('[SE3] the log keeps only inputs that change something, and replays to the same bits', () => {
    const declaration = declareGame({
      id: 'stick',
      tickRate: 60,
      seats: { min: 1, max: 1 },
      layers: { stick: [] },
      input: { turn: axis() },
    })
    const game = defineGame(declaration, {
      setup: (world) => void spawn(world, 'stick'),
      phases: {
        move(world) {
          for (const stick of each(world)) for (const { turn } of players(world)) stick.x += turn
        },
      },
    })
    const session = createSession(game)
    advance(session, { controls: [{ control: 'join', seat: 0 }] })
    for (let i = 0; i < 100; i++) advance(session, { players: [{ seat: 0, turn: i < 50 ? 1 : -0.5 }] })
    expect(session.log.count).toBe(2)
    // After leaving and joining the seat starts idle again, so the same stick is a change.
    advance(session, { controls: [{ control: 'leave', seat: 0 }] })
    advance(session, { controls: [{ control: 'join', seat: 0 }], players: [{ seat: 0, turn: -0.5 }] })
    expect(session.log.count).toBe(3)
    const here = bytesOf(session.world)
    seek(session, 0)
    seek(session, 103)
    expect(bytesOf(session.world)).toEqual(here)
  })

  test('[SE4] why names the rule and the verdict for a hit, the reason for a miss, and disturbs nothing', () => {
    const session = shootingRange()
    const before = bytesOf(session.world)
    const texts = (tick: number, a: number, b: number) =>
      why(session, tick, a, b).map(({ verdict, text }) => [verdict, text])
    expect(texts(4, 4, 1)).toEqual([['accepted', 'shot: 4 and 1: accepted']])
    expect(why(session, 4, 1, 4)[0].changes).toEqual(['hp of things id 1: 100 → 90', 'leaving of things id 4: 0 → 1'])
    expect(why(session, 4, 1, 4)[0]).toMatchObject({ phase: 'hits', rule: 'shot', first: 4, second: 1 })
    expect(texts(0, 4, 1)).toEqual([['apart', 'apart: 6.5 were missing']])
    expect(texts(0, 1, 2)[0][0]).toBe('layers')
    expect(texts(0, 4, 2)[0]).toEqual(['team', 'shot: 4 and 2: refused, both are on team 1'])
    expect(texts(0, 4, 3)[0]).toEqual(['too-big', 'shot: 4 and 3: refused by the rule: "too-big"'])
    expect(texts(5, 4, 1)).toEqual([['gone', '4 is not in the world at tick 5']])
    expect(texts(0, 4, 99)[0][0]).toBe('gone')
    expect(bytesOf(session.world)).toEqual(before)
    expectRefusal(() => why(session, 99, 1, 2), /tick must be/, session.world)
    expectRefusal(() => why(session, 0, 0, 2), /a must be/, session.world)
  })

  test('[SE4] a word is explained by what said it: a rule may answer "dead" for a thing in good health', () => {
    const declaration = declareGame({ id: 'words', tickRate: 60, layers: { one: ['one'] }, things: { hp: 'f64' } })
    const game = defineGame(declaration, {
      setup(world) {
        for (const hp of [5, 5, 0]) spawn(world, 'one', { radius: 1, hp })
      },
      phases: {
        hits: collide(declaration, { pretend: { between: ['one', 'one'], gates: ['dead'], decide: () => 'dead' } }),
      },
    })
    const session = createSession(game)
    advance(session)
    const text = (second: number) => why(session as Session, 0, 1, second)[0].text
    expect(text(2)).toBe('pretend: 1 and 2: refused by the rule: "dead"')
    expect(text(3)).toBe('pretend: 1 and 3: refused, 3 had no health left')
  })

  test('[SE4] of two collide phases each explains its own, by its name', () => {
    const declaration = declareGame({ id: 'twice', tickRate: 60, layers: { one: ['two'], two: [], wall: ['two'] } })
    const hits = (first: 'one' | 'wall') =>
      collide(declaration, { rule: { between: [first, 'two'], decide: () => {} } })
    const game = defineGame(declaration, {
      setup(world) {
        spawn(world, 'one', { radius: 1 })
        spawn(world, 'two', { radius: 1, x: 9 })
      },
      phases: { walls: hits('wall'), ones: hits('one') },
    })
    const session = createSession(game)
    advance(session)
    expect(why(session as Session, 0, 1, 2).map(({ phase, verdict }) => [phase, verdict])).toEqual([
      ['walls', 'no-rule'],
      ['ones', 'apart'],
    ])
  })

  test('[SE5] the sync test passes a sound game', () => {
    const session = startScene(comings)
    playScene(comings, session, 120)
    const report = syncTest(session, 8)
    requireInSync(report)
    expect(report).toMatchObject({ ticks: 120, rollbacks: 120, mismatch: undefined })
    expect(report.resimulatedTicks).toBe(120 * 8 - (7 * 8) / 2)
  })

  test('[SE5] the sync test names tick, table and column in a game that keeps state elsewhere', () => {
    let calls = 0
    const session = drifting(() => (++calls > 50 ? 1 : 0))
    const report = syncTest(session, 4)
    expect(report.mismatch?.differences[0]).toMatchObject({ table: 'things', row: 0, id: 1, column: 'x' })
    expectRefusal(
      () => requireInSync(report),
      /came out differently after a rollback of \d ticks: .*things row 0 \(id 1\) x/,
    )
  })

  /** Three phases; the one in the middle adds what `extra` gives. */
  function threePhases(extra: () => number, isPerWorld = false): Session {
    const declaration = declareGame({ id: 'three', tickRate: 60, layers: { ball: [] }, things: { spin: 'f64' } })
    const game = defineGame(declaration, {
      setup: (world) => void spawn(world, 'ball', { vx: 1 }),
      phases: {
        move: (world) => {
          for (const ball of each(world, 'ball')) ball.x += ball.vx
        },
        leak: isPerWorld
          ? {
              create: (world) => {
                let calls = 0
                return { run: () => void (++calls > 0 && (each(world, 'ball').next().value!.spin += calls)) }
              },
            }
          : (world) => {
              for (const ball of each(world, 'ball')) ball.spin += extra()
            },
        carry: (world) => {
          for (const ball of each(world, 'ball')) ball.x += ball.spin
        },
      },
    })
    const session = createSession(game)
    for (let tick = 0; tick < 90; tick++) advance(session)
    return session as Session
  }

  test('[SE14] what became of a thing in each phase of a tick, from its first to its last', () => {
    const pond = declareGame({ id: 'pond', tickRate: 30, layers: { fly: [] }, things: { age: 'u32' } })
    const game = defineGame(pond, {
      phases: {
        hatch: (world) => void (world.tick === 2 && spawn(world, 'fly', { x: 5 })),
        grow(world) {
          for (const fly of each(world, 'fly')) fly.age += 2
        },
        rest() {},
        drop(world) {
          for (const fly of each(world, 'fly')) if (fly.age > 4) despawn(fly)
        },
      },
    })
    const session = createSession(game)
    for (let tick = 0; tick < 6; tick++) advance(session)
    const before = hashWorld(session.world)
    const of = (tick: number) =>
      changesByPhase(session as never, tick, 1).map(({ phase, changes }) => [
        phase,
        ...changes.filter((change) => (change.before ?? 0) !== (change.after ?? 0)),
      ])
    expect(of(1)).toEqual([])
    expect(of(2)).toEqual([
      ['hatch', { column: 'id', after: 1 }, { column: 'x', after: 5 }],
      ['grow', { column: 'age', before: 0, after: 2 }],
    ])
    expect(of(3)).toEqual([['grow', { column: 'age', before: 2, after: 4 }]])
    expect(of(4)).toEqual([
      ['grow', { column: 'age', before: 4, after: 6 }],
      ['drop', { column: 'leaving', before: 0, after: 1 }],
      [
        'end of tick',
        expect.objectContaining({ column: 'id', before: 1 }),
        expect.anything(),
        expect.anything(),
        expect.anything(),
      ],
    ])
    expect(of(5)).toEqual([])
    expect(hashWorld(session.world)).toBe(before)
    expect(() => changesByPhase(session as never, 6, 1)).toThrow('tick')
  })

  test('[SE13] the sync test names the phase that differed first, and what it wrote before what followed from it', () => {
    let calls = 0
    const report = syncTest(
      threePhases(() => calls++),
      2,
    )
    expect(report.mismatch).toMatchObject({ tick: 0, phase: 'leak' })
    expect(report.mismatch?.differences.map(({ column }) => column)).toEqual(['spin', 'x'])
    expectRefusal(() => requireInSync(report), /ticks, first in phase leak: things row 0 \(id 1\) spin/)
  })

  test('[SE13] also where the phase keeps its state for each world', () => {
    expect(
      syncTest(
        threePhases(() => 0, true),
        2,
      ).mismatch,
    ).toMatchObject({ tick: 0, phase: 'leak' })
  })

  test('[SE13] with `phases` also where the difference does not show again', () => {
    let calls = 0
    const session = threePhases(() => (++calls % 130 === 0 ? 1 : 0))
    expect(syncTest(session, 2, { phases: true }).mismatch).toMatchObject({ phase: 'leak' })
  })

  test('[SE13] watching the phases changes nothing in a sound game', () => {
    const session = threePhases(() => 1)
    expect(syncTest(session, 4, { phases: true })).toEqual(syncTest(session, 4))
  })

  test('[SE6] a sync test of a world that never changes is an error', () => {
    expectRefusal(
      () =>
        requireInSync(
          syncTest(
            drifting(() => 0),
            4,
          ),
        ),
      /never changed/,
    )
    expectRefusal(
      () =>
        syncTest(
          drifting(() => 0),
          0,
        ),
      /depth/,
    )
  })

  test('[DT5] two worlds in one process do not disturb each other', () => {
    const alone = startScene(comings)
    playScene(comings, alone, 100)
    const [one, other] = [startScene(comings), startScene(comings, 99)]
    for (let tick = 0; tick < 100; tick++) {
      playScene(comings, one, 1)
      playScene(comings, other, 1)
    }
    expect(hashWorld(one.world)).toBe(hashWorld(alone.world))
    expect(hashWorld(other.world)).not.toBe(hashWorld(alone.world))
  })
})

/** 120 ticks with a keyframe every 16, and the state before each. */
function remembered(): { whole: Session; states: Uint8Array[] } {
  const { game, seed } = comings
  const whole = createSession(game, { seed }, 16) as unknown as Session
  const states = [bytesOf(whole.world)]
  for (let tick = 0; tick < 120; tick++) {
    playScene(comings, whole, 1)
    states.push(bytesOf(whole.world))
  }
  return { whole, states }
}

/** A thing that moves by what `amount` gives. */
function drifting(amount: () => number, ticks = 20, keyframeEvery = 256): Session {
  const declaration = declareGame({ id: 'drift', tickRate: 60, layers: { leaf: [] } })
  const game = defineGame(declaration, {
    setup: (world) => void spawn(world, 'leaf'),
    phases: {
      drift(world) {
        for (const leaf of each(world)) leaf.x += amount()
      },
    },
  })
  const session = createSession(game, {}, keyframeEvery)
  for (let i = 0; i < ticks; i++) advance(session)
  return session as unknown as Session
}

/** A bullet (4) flies at three targets: one it reaches in tick 4 (1), one of its team (2), one too big (3). */
function shootingRange(): Session {
  const declaration = declareGame({
    id: 'range',
    tickRate: 60,
    layers: { target: ['bullet'], bullet: [] },
    things: { hp: 'f64' },
  })
  const game = defineGame(declaration, {
    setup(world) {
      spawn(world, 'target', { x: 10, radius: 1, hp: 100 })
      spawn(world, 'target', { team: 1, radius: 5, hp: 100 })
      spawn(world, 'target', { radius: 60, y: 60, hp: 100 })
      spawn(world, 'bullet', { team: 1, x: 0, vx: 2, radius: 0.5 })
    },
    phases: {
      fly(world) {
        for (const thing of each(world)) thing.x += thing.vx
      },
      hits: collide(declaration, {
        shot: {
          between: ['bullet', 'target'],
          gates: ['team'],
          decide(bullet, target) {
            if (target.radius > 50) return 'too-big'
            target.hp -= 10
            despawn(bullet)
          },
        },
      }),
    },
  })
  const session = createSession(game)
  for (let i = 0; i < 6; i++) advance(session)
  return session as unknown as Session
}
