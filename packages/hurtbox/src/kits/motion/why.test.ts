import { expect, test } from 'vitest'
import { recordPushes } from '../../host/tools/index.ts'
import {
  advance,
  collide,
  createSession,
  createWorld,
  declareGame,
  defineBlocks,
  defineGame,
  hashWorld,
  type Phase,
  spawn,
  step,
  why,
} from '../../index.ts'
import { ground, pushBodies, type SeparationSettings, separate } from './index.ts'

const declaration = declareGame({
  id: 'shove',
  tickRate: 30,
  layers: { unit: [], shot: ['unit'] },
  things: { invMass: 'f64', hp: 'f64' },
})

/** A champion of the seed and one of its minions, 30 apart, and what `why` answers about them after a tick. */
function answer(settings: Partial<SeparationSettings> = {}, values: { x?: number; vx?: number; mass?: number } = {}) {
  const hits = collide(declaration, { 'shot hits unit': { between: ['shot', 'unit'], decide: () => {} } })
  const { mass = 100 } = values
  const game = defineGame(declaration, {
    setup(world) {
      spawn(world, 'unit', { radius: 25, invMass: 1 / mass, vx: values.vx ?? 0 })
      spawn(world, 'unit', { x: values.x ?? 30, radius: 20, invMass: 2 / mass, vx: values.vx ?? 0 })
      spawn(world, 'unit', { x: 900, radius: 20, invMass: 1 / 50 })
    },
    phases: { hits, room: separate({ settings: () => settings }) },
  })
  const session = createSession(game)
  advance(session)
  return (a = 1, b = 2) =>
    why(session, 0, a, b).flatMap(({ phase, verdict, text, changes }) => [`${phase}, ${verdict}: ${text}`, ...changes])
}

test('[SP17] why tells a push apart: overlap, shares and direction, and not that layers do not meet', () => {
  const told = [
    'room, pushed: pushed apart: overlap 15, 33 % / 67 %',
    '1 is pushed by (-5, 0)',
    '2 is pushed by (10, 0)',
  ]
  expect(answer()()).toEqual(told)
  expect(answer()(2, 1), 'either way round').toEqual(told)
  expect(answer({ pairwise: true })(), 'a pass that starts again is told once').toEqual(told)
})

test('[SP17] of a pair that is not pushed it tells how far apart they are, or that neither is moved', () => {
  expect(answer()(1, 3)).toEqual(['room, apart: they do not overlap: 855 apart'])
  expect(answer({}, { x: 57.4 })(), 'a unit and a tower').toEqual(['room, apart: they do not overlap: 12.4 apart'])
  expect(answer({}, { x: 45 })()).toEqual(['room, apart: they do not overlap: 0 apart'])
  // Two towers that overlap: neither can be moved.
  expect(answer({}, { mass: Number.POSITIVE_INFINITY })()).toEqual([
    'hits, layers: layers do not meet: 1 is unit, 2 is unit',
  ])
})

test('[SP17] what takes up no room is told by the rules alone, and a rule that has spoken is the answer', () => {
  const declared = { ...declaration, layers: { unit: ['shot'], shot: ['unit'] } }
  const game = defineGame(declareGame(declared), {
    setup(world) {
      for (const x of [0, 100]) spawn(world, 'unit', { x, radius: 10, invMass: 1, hp: 1 })
      spawn(world, 'unit', { x: 200, radius: 10, invMass: 1 })
      spawn(world, 'shot', { x: 300, radius: 5, hp: 1 })
    },
    phases: {
      hits: collide(declareGame(declared), {
        'shot hits unit': { between: ['shot', 'unit'], decide: () => {} },
      }) as never,
      room: separate({
        takesRoom: ({ tables: { things } }, row) => (things as unknown as { hp: Float64Array }).hp[row] > 0,
      }),
    },
  })
  const session = createSession(game)
  advance(session)
  const told = (a: number, b: number) => why(session, 0, a, b).map(({ phase, text }) => `${phase}: ${text}`)
  expect(told(1, 2)).toEqual(['room: they do not overlap: 80 apart'])
  expect(told(1, 3)).toEqual(['hits: layers do not meet: 1 is unit, 3 is unit'])
  expect(told(2, 4)).toEqual(['hits: apart: 185 were missing'])
})

test('[SP17] it tells how much of the overlap strength and cap leave, and the one that yields', () => {
  expect(answer({ separationStrength: 0.5 })()[0]).toBe(
    'room, pushed: pushed apart: overlap 15, of which 7.5 are undone, 33 % / 67 %',
  )
  expect(answer({ maxSeparationDistance: 6 })().slice(0, 2)).toEqual([
    'room, pushed: pushed apart: overlap 15, of which 6 are undone, 33 % / 67 %',
    '1 is pushed by (-2, 0)',
  ])
  expect(answer({ yielding: true }, { vx: 1 })()).toEqual([
    'room, pushed: pushed apart: overlap 15, 0 % / 100 %',
    '1 is pushed by (-15, 0)',
  ])
})

test('[SP17] of a unit between two others each pair is told its own push; what cannot move is not pushed', () => {
  const game = defineGame(declaration, {
    setup(world) {
      for (const [x, invMass] of [
        [0, 1 / 50],
        [30, 1 / 50],
        [60, 0],
      ]) {
        spawn(world, 'unit', { x, radius: 20, invMass })
      }
    },
    phases: { room: separate({ settings: () => ({ maxSeparationDistance: 4 }) }) },
  })
  const session = createSession(game)
  advance(session)
  const told = (a: number, b: number) =>
    why(session, 0, a, b)
      .filter(({ verdict }) => verdict === 'pushed')
      .map(({ text, changes }) => [text, ...changes])
  const first = [
    'pushed apart: overlap 10, of which 4 are undone, 50 % / 50 %',
    '1 is pushed by (-2, 0)',
    '2 is pushed by (2, 0)',
  ]
  expect(told(1, 2)).toEqual([first])
  expect(told(2, 1)).toEqual([first])
  const second = ['pushed apart: overlap 12, of which 4 are undone, 100 % / 0 %', '2 is pushed by (-4, 0)']
  expect(told(2, 3)).toEqual([second])
  expect(told(3, 2)).toEqual([second])
})

test('[SP17] pushes of bodies in space are told too', () => {
  const bodies = declareGame({
    id: 'bodies',
    tickRate: 30,
    layers: { body: ['ground'], ground: [] },
    things: { invMass: 'f64', z: 'f64', vz: 'f64', halfLength: 'f64', grounded: 'u8' },
  })
  const statics = defineBlocks(bodies, [{ layer: 'ground', ...ground(0) }])
  const game = defineGame(bodies, {
    setup(world) {
      const body = { z: 2, radius: 1, halfLength: 1, grounded: 1 }
      spawn(world, 'body', { ...body, invMass: 0.5 })
      spawn(world, 'body', { ...body, invMass: 1.5, x: 1.6 })
    },
    phases: { push: pushBodies({ statics }) as Phase<typeof bodies> },
  })
  const session = createSession(game)
  advance(session)
  const [entry] = why(session, 0, 1, 2)
  expect(entry).toMatchObject({ verdict: 'pushed', text: 'pushed apart: overlap 0.4, 25 % / 75 %' })
  expect(entry.changes).toEqual(['1 is pushed by (-0.1, 0, 0)', '2 is pushed by (0.3, 0, 0)'])
})

test('[SP18] a game without collide is told by what its phases changed, where they changed both', () => {
  const game = defineGame(declaration, {
    setup(world) {
      for (const x of [0, 5, 9]) spawn(world, 'unit', { x, radius: 4, hp: 10 })
    },
    phases: {
      age: ({ tables: { things } }) => void things.hp[0]--,
      brawl({ tables: { things } }) {
        things.hp[0] -= 3
        things.hp[1] -= 2
        things.vx[1] = 1.5
      },
    },
  })
  const session = createSession(game)
  advance(session)
  expect(why(session, 0, 1, 2)).toEqual([
    expect.objectContaining({
      phase: 'brawl',
      first: 1,
      second: 2,
      verdict: 'changed',
      changes: ['hp of things id 1: 9 → 6', 'vx of things id 2: 0 → 1.5', 'hp of things id 2: 10 → 8'],
    }),
  ])
  expect(why(session, 0, 1, 3)).toEqual([])
})

test('[SP17] a record has the pushes of the last tick with any, and a world with a record steps to the same bits', () => {
  const game = defineGame(declaration, {
    setup(world) {
      for (const x of [0, 30, 60]) spawn(world, 'unit', { x, radius: 25, invMass: 1 / 100 })
    },
    phases: { room: separate({ settings: () => ({ pairwise: true }) }) },
  })
  const [plain, recorded] = [createWorld(game), createWorld(game)]
  const record = recordPushes(recorded)
  expect(recordPushes(recorded)).toBe(record)
  for (let tick = 0; tick < 3; tick++) {
    // First, while the search of the phase is still too narrow and its pass has to start again.
    step(recorded)
    step(plain)
    expect(record.tick).toBe(tick)
    expect(record.pushes.map(({ first, second }) => [first, second])).toContainEqual([1, 2])
    expect(new Set(record.pushes.map(({ first, second }) => `${first} ${second}`)).size).toBe(record.pushes.length)
  }
  expect(hashWorld(recorded)).toBe(hashWorld(plain))
})

test('[SP18] a phase that decides without collide says itself whether two met, whether it changed them or not', () => {
  const game = defineGame(declaration, {
    setup(world) {
      for (const x of [0, 5, 99]) spawn(world, 'unit', { x, radius: 4, hp: 10 })
    },
    phases: {
      brawl: {
        create: () => ({
          run({ tables: { things } }) {
            things.hp[0] -= 3
            things.hp[1] -= 2
          },
          explain: ({ tick }, a, b) => `${a} and ${b} at ${tick}: ${b === 2 ? 'a brawl' : 'too far'}`,
        }),
      },
    },
  })
  const session = createSession(game)
  advance(session)
  expect(why(session, 0, 1, 2)).toEqual([
    expect.objectContaining({
      verdict: 'changed',
      text: '1 and 2 at 0: a brawl',
      changes: ['hp of things id 1: 10 → 7', 'hp of things id 2: 10 → 8'],
    }),
  ])
  expect(why(session, 0, 1, 3)).toEqual([
    expect.objectContaining({ phase: 'brawl', verdict: 'explained', text: '1 and 3 at 0: too far', changes: [] }),
  ])
})
