/** Choices are words to rules, bots and pages, and small numbers in the state, on the wire and in files. */

import { describe, expect, test } from 'vitest'
import { expectRefusal } from '../../test/support.ts'
import {
  advance,
  button,
  choice,
  collide,
  createSession,
  createWorld,
  declareGame,
  defineGame,
  each,
  fixed,
  list,
  playerAt,
  playerOf,
  players,
  point,
  type Session,
  spawn,
  step,
} from '../index.ts'
import { loadReplay, saveReplay, verifyReplay } from '../record/replay/index.ts'
import {
  createByteReader,
  createByteWriter,
  createHeldInputs,
  readTick,
  takeBytes,
  writeTick,
} from '../record/wire/index.ts'
import { createEncodedInputs } from './step.ts'

const declaration = declareGame({
  id: 'words',
  tickRate: 60,
  layers: { body: ['body'] },
  input: {
    stance: choice(['low', 'middle', 'high']),
    orders: list(2, { does: choice(['stay', 'run', 'hide']) }),
  },
  join: {
    size: choice(['small', 'large']),
    level: fixed({ min: 1, max: 60, step: 1 }),
    veteran: button(),
    at: point({ min: -100, max: 100, step: 0.5 }),
  },
  events: { ducked: { by: 'id' } },
})

const joined: unknown[] = []
const game = defineGame(declaration, {
  onJoin(world, player, data) {
    joined.push(data)
    player.thing = spawn(world, 'body', { radius: data?.size === 'large' ? 9 : 5, x: data?.at.x ?? 0 })
  },
  phases: {
    duck(world) {
      for (const player of players(world)) if (player.stance === 'low' && player.thing) player.thing.vy = 1
    },
  },
})

function seated(rules = game) {
  const world = createWorld(rules)
  step(world, { controls: [{ control: 'join', seat: 0 }] })
  return world
}

describe('choices', () => {
  test('[CW1] a player has them as the words that were declared; the column has the place in the list', () => {
    const world = seated()
    const player = playerAt(world, 0)!
    expect([player.stance, player.thing?.vy]).toEqual(['low', 1])
    step(world, { players: [{ seat: 0, stance: 'high' }] })
    expect([player.stance, world.tables.players.stance[0]]).toEqual(['high', 2])
    player.stance = 'middle'
    expect([player.stance, world.tables.players.stance[0]]).toEqual(['middle', 1])
    expect(JSON.parse(JSON.stringify(player))).toMatchObject({ stance: 'middle', ordersDoes: ['stay', 'stay'] })
  })

  test('[CW1] a word that was not declared is refused, with the nearest ones', () => {
    const player = playerAt(seated(), 0)!
    expectRefusal(
      () => void (player.stance = 'hgh' as never),
      'There is no choice of stance "hgh". Known: high, low, middle.',
    )
    expectRefusal(() => void (player.stance = 1 as never), /choice of stance "1"/)
    expect(player.stance).toBe('low')
  })

  test('[CW1] rules read and write them as words, and what a rule wrote that throws is undone', () => {
    const seen: string[] = []
    const hits = collide(declaration, {
      touch: {
        between: ['body', 'body'],
        decide(body, _other, { world }) {
          const player = playerOf(world, body)!
          const { stance } = player
          seen.push(stance)
          player.stance = 'middle'
          if (stance === 'high') player.stance = 'hi' as never
        },
      },
    })
    const world = seated(defineGame(declaration, { ...game.behaviour, phases: { hits } }))
    spawn(world, 'body', { radius: 5 })
    step(world)
    expect([...seen, playerAt(world, 0)!.stance]).toEqual(['low', 'middle'])
    expectRefusal(() => step(world, { players: [{ seat: 0, stance: 'high' }] }), /choice of stance "hi"\. Known: high/)
    expect(playerAt(world, 0)!.stance).toBe('high')
  })

  test('[CW2] in lists they are words as well', () => {
    const world = seated()
    const { ordersDoes } = playerAt(world, 0)!
    step(world, { players: [{ seat: 0, orders: [{ does: 'hide' }, { does: 'run' }] }] })
    expect([ordersDoes.get(0), ordersDoes.get(1), ordersDoes.width]).toEqual(['hide', 'run', 2])
    ordersDoes.set(1, 'stay')
    expect([...world.tables.players.ordersDoes.subarray(0, 2)]).toEqual([2, 0])
    expectRefusal(() => ordersDoes.set(0, 'hid' as never), /choice of ordersDoes "hid"\. Known: hide/)
    expect(() => ordersDoes.get(2)).toThrow(/holds 2 values/)
  })
})

const LARGE = { size: 'large', level: 7, veteran: true, at: { x: 3.5, y: -4 } }

describe('join data', () => {
  test('[CW3] onJoin gets what was given, in the same words, rounded, and nothing left out', () => {
    const given = [{ size: 'large', level: 6.7, veteran: true, at: { x: 3.4, y: -4 } }, {}, undefined]
    for (const data of given) {
      joined.length = 0
      const world = createWorld(game)
      step(world, { controls: [{ control: 'join', seat: 0, ...(data && { data }) }] })
      const idle = { size: 'small', level: 1, veteran: false, at: { x: 0, y: 0 } }
      expect(joined).toEqual([data && ('size' in data ? LARGE : idle)])
      expect([...each(world)][0].radius).toBe(data !== undefined && 'size' in data ? 9 : 5)
    }
  })

  test('[CW3] a word or a name that was not declared is refused before anything changes', () => {
    const world = createWorld(game)
    const join = (data: object) => () => step(world, { controls: [{ control: 'join', seat: 0, data: data as never }] })
    expectRefusal(join({ size: 'lage' }), 'There is no choice of input size "lage". Known: large, small.', world)
    expectRefusal(join({ size: 1 }), /choice of input size "1"/, world)
    expectRefusal(join({ sise: 'large' }), /input field "sise"\. Known: size/, world)
    const none = createWorld(defineGame(declareGame({ id: 'none', tickRate: 60 }), { phases: {} }))
    const bare = () => step(none, { controls: [{ control: 'join', seat: 0, data: {} }] })
    expectRefusal(bare, 'none takes nothing along: it declares no join.', none)
  })

  test('[CW5] bytes have numbers: those that they always had, and one that is no choice is refused', () => {
    const encoded = createEncodedInputs(createWorld(game))
    encoded.controls = [{ control: 'join', seat: 3, team: 2, data: LARGE }]
    const writer = createByteWriter()
    writeTick(writer, createHeldInputs(game), encoded)
    const bytes = takeBytes(writer)
    // One control: a join with data, seat, team, then a double for each number.
    expect([...bytes.subarray(0, 5)]).toEqual([1, 1, 5, 3, 2])
    const doubles = new Float64Array(bytes.slice(5).buffer)
    expect([...doubles]).toEqual([1, 7, 1, 3.5, -4])
    const read = (from: Uint8Array) => {
      const reader = createByteReader(from)
      const into = createEncodedInputs(createWorld(game))
      readTick(reader, createHeldInputs(game), into)
      return { controls: into.controls, problem: reader.problem }
    }
    expect(read(bytes)).toEqual({ controls: encoded.controls, problem: undefined })
    for (const wrong of [2, -1, 0.5]) {
      new DataView(bytes.buffer, bytes.byteOffset).setFloat64(5, wrong, true)
      expect(read(bytes).problem).toBe(`join data have no choice ${wrong} of size`)
    }
  })

  test('[CW5] a replay hands the same words to onJoin, and verifies', () => {
    const session: Session = createSession(game)
    advance(session, { controls: [{ control: 'join', seat: 0, data: { size: 'large' } }] } as never)
    for (let tick = 0; tick < 40; tick++) advance(session, { players: [{ seat: 0, stance: 'high' }] } as never)
    joined.length = 0
    expect(verifyReplay(game, loadReplay(game, saveReplay(session)))).toMatchObject({ ok: true })
    expect(joined).toContainEqual({ size: 'large', level: 1, veteran: false, at: { x: 0, y: 0 } })
  })
})
