import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import {
  addCircle,
  axis,
  type Bot,
  button,
  choice,
  collide,
  createWorld,
  declareGame,
  defineGame,
  defineStatics,
  fixed,
  HurtboxError,
  playBots,
  players,
  press,
  rememberHits,
  spawn,
  step,
} from '../index.ts'
import { botInputs } from '../record/session/bots.ts'
import { calling, GameFailure } from './failure.ts'
import { ownPlace, placeOfFailure } from './stack.ts'

// These rules are in docs/spec.md, section "Errors say where".

const declaration = declareGame({
  id: 'clumsy',
  tickRate: 60,
  seats: { min: 0, max: 4 },
  layers: { sword: ['slime', 'rock'], slime: [], rock: [] },
  things: { hp: 'f64' },
  hits: rememberHits(8),
})

/** Lines of this file, by what stands in them. */
const lines = readFileSync(import.meta.filename, 'utf8').split('\n')
const lineOf = (words: string) => lines.findIndex((line) => line.trim().startsWith(words)) + 1

let culprit = ''
afterEach(() => {
  culprit = ''
})

/** Throws where the culprit calls it: the line below is the place. */
function maybe(name: string): void {
  if (name === culprit) throw new TypeError(`no ${name}`)
}

const statics = defineStatics(declaration, [{ layer: 'rock', minX: -5, minY: 5, maxX: 5, maxY: 15 }])
const hits = collide(
  declaration,
  {
    'sword hits slime': {
      between: ['sword', 'slime'],
      gates: [
        {
          name: 'shy',
          refuses() {
            maybe('gate "shy" of rule "sword hits slime"')
            return false
          },
        },
      ],
      attack(sword) {
        maybe('attack of rule "sword hits slime"')
        return sword.id
      },
      once() {
        maybe('once of rule "sword hits slime"')
        return 1
      },
      decide: () => maybe('rule "sword hits slime"'),
    },
    'sword hits rock': { between: ['sword', 'rock'], decide: () => maybe('rule "sword hits rock"') },
  },
  {
    statics,
    orderBy() {
      maybe('orderBy')
      return 0
    },
    pose: {
      slime(slime, boxes) {
        if (slime.hp > 0) maybe('pose of slime')
        addCircle(boxes, slime)
      },
    },
  },
)

const clumsy = defineGame(declaration, {
  setup(world) {
    maybe('setup')
    spawn(world, 'sword', { radius: 10 })
    spawn(world, 'slime', { x: 8, radius: 10, hp: 5 })
  },
  onJoin(world, player) {
    player.thing = spawn(world, 'slime', { x: 500 })
    maybe('onJoin')
  },
  onLeave: () => maybe('onLeave'),
  isOver() {
    maybe('isOver')
    return false
  },
  phases() {
    maybe('phases')
    return {
      move: () => maybe('phase move'),
      made: {
        create() {
          maybe('create of phase made')
          return { run() {}, endTick: () => maybe('endTick of phase made') }
        },
      },
      hits,
    }
  },
})
const hunter: Bot<typeof declaration> = {
  name: 'hunter',
  about: '',
  think({ tick }) {
    if (tick === 2) maybe('bot "hunter" of seat 1')
    return {}
  },
}

/** A match of three ticks in which seat 1 joins in tick 0 and leaves in tick 2. */
function play(name: string): GameFailure {
  culprit = name
  return thrownBy(() => {
    const world = createWorld(clumsy)
    step(world, { controls: [{ control: 'join', seat: 1 }] })
    step(world)
    botInputs(hunter, world as never, 1)
    step(world, { controls: [{ control: 'leave', seat: 1 }] })
  })
}

function thrownBy(action: () => unknown): GameFailure {
  try {
    action()
  } catch (error) {
    return error as GameFailure
  }
  throw new Error('nothing was thrown')
}

const SWORD = { layer: 'sword', id: 1 }
const SLIME = { layer: 'slime', id: 2 }
const CONTACT = { phase: 'hits', tick: 0, things: [SWORD, SLIME] }
const BODY = [{ layer: 'slime', id: 3 }]

test.each<[what: string, known: object]>([
  ['setup', {}],
  ['phases', {}],
  ['create of phase made', { phase: 'made' }],
  ['onJoin', { tick: 0, seat: 1, things: BODY }],
  ['onLeave', { tick: 2, seat: 1, things: BODY }],
  ['isOver', { tick: 0 }],
  ['phase move', { tick: 0, phase: 'move' }],
  ['endTick of phase made', { tick: 0 }],
  ['rule "sword hits slime"', CONTACT],
  ['rule "sword hits rock"', { ...CONTACT, things: [SWORD, { layer: 'rock', wall: 0 }] }],
  ['gate "shy" of rule "sword hits slime"', CONTACT],
  ['attack of rule "sword hits slime"', CONTACT],
  ['once of rule "sword hits slime"', CONTACT],
  ['orderBy', CONTACT],
  ['pose of slime', { ...CONTACT, things: [SLIME] }],
  ['bot "hunter" of seat 1', { tick: 2, seat: 1, things: BODY }],
])('[EW1] what %s throws names it, with tick, things, file and line', (what, known) => {
  const failure = play(what)
  expect(failure).toBeInstanceOf(GameFailure)
  expect(placeOfFailure(failure)).toEqual({
    ...known,
    what,
    file: import.meta.filename,
    line: lineOf('if (name === culprit)'),
    column: expect.any(Number),
  })
})

test('[EW2] the sentence has the function, the tick, the things, and the message of the error whole; the error is the cause', () => {
  const failure = play('rule "sword hits slime"')
  expect(failure.message).toBe(
    'rule "sword hits slime" of phase hits failed in tick 0 with sword 1 and slime 2: no rule "sword hits slime"',
  )
  expect(failure.cause).toBeInstanceOf(TypeError)
  expect(failure.code).toBe('failed')
  expect(play('setup').message).toBe('setup failed: no setup')
  expect(play('rule "sword hits rock"').message).toContain('with sword 1 and rock (wall 0): no rule')
  expect(play('phase move').message).toBe('phase move failed in tick 0: no phase move')
})

test('[EW2] what is no error is told as well, and a code of the engine stays', () => {
  const thrown = (value: unknown) =>
    thrownBy(() =>
      calling({ what: 'onJoin', tick: 4 }, () => {
        throw value
      }),
    )
  expect(thrown('a word')).toMatchObject({
    message: 'onJoin failed in tick 4: a word',
    cause: 'a word',
    code: 'failed',
  })
  const known = new HurtboxError('unknown-name', 'There is no layer.', { name: 'x' })
  expect(thrown(known)).toMatchObject({ code: 'unknown-name', details: { name: 'x' }, cause: known })
  expect(thrown(undefined)).toMatchObject({ message: 'onJoin failed in tick 4: undefined' })
})

test('[EW3] what the engine says of a rule has the line of its collide, never that of the code that called the step', () => {
  // As many frames as it takes to see this function, which calls the step.
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 50
  onTestFinished(() => void (Error.stackTraceLimit = stackTraceLimit))
  const broken = defineGame(declaration, {
    phases: { hits: collide(declaration, { bad: { between: ['sword', 'slime'], decide: () => 5 as never } }) },
  })
  const world = createWorld(broken)
  spawn(world, 'sword', { radius: 10 })
  spawn(world, 'slime', { radius: 10 })
  const failure = thrownBy(() => step(world))
  expect(failure).toMatchObject({ message: expect.stringContaining('returned 5') })
  expect(placeOfFailure(failure)).toMatchObject({
    what: 'rule "bad"',
    file: import.meta.filename,
    line: lineOf('phases: { hits: collide('),
  })
})

test.each([
  ['at decide (file:///my/game%20one/rules.ts:14:7)', '/my/game one/rules.ts'],
  ['at Object.decide (http://localhost:5173/src/rules.ts?t=171:14:7)', '/src/rules.ts'],
  ['at file:///C:/game/rules.ts:14:7', 'C:/game/rules.ts'],
  ['at decide (C:\\game\\rules.ts:14:7)', 'C:\\game\\rules.ts'],
  ['at decide (/my/game (1)/rules.ts:14:7)', '/my/game (1)/rules.ts'],
])('[EW4] %s is a line of the game, whatever lies above it', (frame, file) => {
  const above = [
    'at spawn (file:///my/game/node_modules/hurtbox/dist/world/handles/things.js:9:9)',
    'at Array.forEach (<anonymous>)',
    'at x (node:internal/timers:3:4)',
  ]
  const stack = ['TypeError: at the end (of it:1:2)', ...above.map((line) => `    ${line}`), `    ${frame}`].join('\n')
  expect(ownPlace(Object.assign(new Error(), { stack }), new Error())).toEqual({ file, line: 14, column: 7 })
})

test('[EW4] so it is in the stacks of Firefox and Safari, and in a bundle the first frame is what is known', () => {
  const firefox = [
    'spawn@http://localhost/node_modules/.vite/deps/hurtbox.js?v=1:9:9',
    'decide@http://localhost/src/rules.ts:14:7',
    '@http://localhost/src/main.ts:1:1',
  ].join('\n')
  const place = ownPlace(Object.assign(new Error(), { stack: firefox }), new Error())
  expect(place).toEqual({ file: '/src/rules.ts', line: 14, column: 7 })
  const bundled = (...columns: number[]) => {
    const stack = ['Error', ...columns.map((column) => `    at x (https://a.b/assets/index-1f.js:1:${column})`)].join(
      '\n',
    )
    return Object.assign(new Error(), { stack })
  }
  const known = ownPlace(bundled(700, 90, 20), bundled(800, 20))
  expect(known).toEqual({ file: '/assets/index-1f.js', line: 1, column: 700 })
})

test('[EW3] a collide that cannot be made is told with its line', () => {
  const unknown = collide(declaration, { bad: { between: ['slime', 'slime'], decide() {} } })
  const failing = () => createWorld(defineGame(declaration, { phases: { hits: unknown } }))
  expect(failing).toThrow('collide of phase hits failed: rule "bad" is about layers slime and slime, which never meet')
  expect(placeOfFailure(thrownBy(failing))).toMatchObject({
    file: import.meta.filename,
    line: lineOf('const unknown = '),
  })
})

test('[EW5] an input that does not fit is told with its seat and tick, and the line that gave it', () => {
  const steered = defineGame(declareGame({ id: 'steered', tickRate: 60, input: { moveX: axis() } }), { phases: {} })
  const world = createWorld(steered)
  step(world, { controls: [{ control: 'join', seat: 1 }] })
  const failure = thrownBy(() => step(world, { players: [{ seat: 1, moveX: Number.NaN }] }))
  expect(failure.message).toMatch(/^input of seat 1 failed in tick 1: .*moveX/)
  expect(placeOfFailure(failure)).toMatchObject({
    what: 'input of seat 1',
    seat: 1,
    tick: 1,
    file: import.meta.filename,
    line: lineOf('const failure = thrownBy(() => step(world, { players:'),
  })
})

describe('[EW12] what a bot returns is told with the bot and a line of its think', () => {
  const armed = declareGame({
    id: 'armed',
    tickRate: 60,
    input: {
      stance: choice(['low', 'high']),
      shots: press(),
      block: button(),
      goal: fixed({ min: 0, max: 9, step: 1 }),
    },
  })
  const game = defineGame(armed, { phases: {} })
  const botThat = (think: (...args: never[]) => unknown): Bot => ({ name: 'clumsy', about: '', think: think as never })
  const say = (bot: Bot) => {
    const play = playBots(bot, 2, 1)
    const world = createWorld(game)
    step(world, play(0, world))
    return thrownBy(() => play(1, world))
  }

  test.each<[given: unknown, says: string]>([
    [{ stance: 'hgh' }, 'There is no choice of input stance "hgh". Known: high, low.'],
    [{ shots: 300 }, 'shots'],
    [{ shots: 1.5 }, 'shots'],
    [{ block: 1 }, 'block must be true or false, got 1.'],
    [{ goal: Number.NaN }, 'goal'],
    [{ stnce: 'high' }, 'There is no field of what think returns "stnce". Known: stance,'],
    [undefined, 'what think returns must be { stance, shots, block, goal }, got undefined'],
  ])('%j', (given, says) => {
    const failure = say(
      botThat(({ tick }: { tick: number }) => (tick < 1 ? {} : given)), // here
    )
    expect(failure.message).toMatch(/^bot "clumsy" of seat 0 failed in tick 1: /)
    expect(failure.message).toContain(says)
    expect(placeOfFailure(failure)).toMatchObject({
      what: 'bot "clumsy" of seat 0',
      tick: 1,
      seat: 0,
      file: import.meta.filename,
      line: lineOf('botThat(({ tick }: { tick: number })'),
    })
  })

  test('so it is where the seed or the player is read, and where a function of the engine reads', () => {
    const lineOfThink = (think: (...args: never[]) => unknown) => placeOfFailure(say(botThat(think))).line
    expect(lineOfThink((_world: never, player: { seat: number }) => ({ shots: 300 + player.seat }))).toBe(
      lineOf('expect(lineOfThink((_world: never, player'),
    )
    expect(lineOfThink((_world: never, _player: never, seed: number) => ({ shots: 300 + seed }))).toBe(
      lineOf('expect(lineOfThink((_world: never, _player: never, seed'),
    )
    expect(lineOfThink((world: never) => ({ shots: 300 + [...players(world)].length }))).toBe(
      lineOf('expect(lineOfThink((world: never)'),
    )
  })

  test('a bot that reads nothing has its name and no line, rather than that of who asked it', () => {
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 50
    onTestFinished(() => void (Error.stackTraceLimit = stackTraceLimit))
    const failure = say(botThat(() => ({ stance: 'hgh' })))
    expect(placeOfFailure(failure)).toMatchObject({ what: 'bot "clumsy" of seat 0' })
    expect(placeOfFailure(failure).file).toBeUndefined()
  })
})
