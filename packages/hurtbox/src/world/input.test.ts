import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expectRefusal } from '../../test/support.ts'
import { type AnyWorld, createEncodedInputs, encodeInputs, foldCodes } from '../host/tools/index.ts'
import {
  axis,
  button,
  choice,
  createWorld,
  declareGame,
  defineGame,
  fixed,
  list,
  playerAt,
  point,
  press,
  spawn,
  step,
  target,
} from '../index.ts'
import { inputKinds } from './input-kinds.ts'

const declaration = declareGame({
  id: 'inputs',
  rulesVersion: 1,
  tickRate: 60,
  seats: { min: 1, max: 3 },
  layers: { thing: [] },
  capacity: 4,
  players: { score: 'u32' },
  input: {
    turn: axis(),
    hold: button(),
    fire: press(),
    aim: point({ min: -100, max: 100, step: 0.25 }),
    stance: choice(['stand', 'crouch', 'jump']),
    target: target(),
    power: fixed({ min: 0, max: 10, step: 0.1 }),
    orders: list(3, {
      kind: choice(['none', 'move', 'hit']),
      at: point({ min: 0, max: 50, step: 1 }),
      who: target(),
      times: press(),
    }),
  },
})
const game = defineGame(declaration, { phases: {} })

function seated() {
  const world = createWorld(game)
  step(world, { controls: [{ control: 'join', seat: 1, team: 2 }] })
  return world
}

type Input = NonNullable<NonNullable<Parameters<typeof step<typeof declaration>>[1]>['players']>[number]

function codesOf(input: Omit<Input, 'seat'>): Uint32Array {
  const world = seated()
  const encoded = createEncodedInputs(world)
  encodeInputs(world, { players: [{ seat: 1, ...input } as never] }, encoded)
  return encoded.codes.slice(0, game.input.fields.length)
}

describe('input', () => {
  test('[IN1] encoding a decoded value changes nothing', () => {
    const wild = fc.double({ noNaN: true, noDefaultInfinity: true, min: -300, max: 300 })
    fc.assert(
      fc.property(wild, fc.boolean(), fc.nat(255), wild, wild, wild, (turn, hold, fire, x, y, power) => {
        const world = seated()
        const { players } = world.tables
        const apply = (input: Omit<Input, 'seat'>) => step(world, { players: [{ seat: 1, ...input }] })
        const read = () => [
          players.turn[0],
          players.hold[0],
          players.fire[0],
          players.aimX[0],
          players.aimY[0],
          players.power[0],
        ]
        apply({ turn, hold, fire, aim: { x, y }, power })
        const once = read()
        apply({ turn: once[0], hold: once[1] === 1, fire: once[2], aim: { x: once[3], y: once[4] }, power: once[5] })
        expect(read()).toEqual(once)
        expect(Math.abs(once[0])).toBeLessThanOrEqual(1)
        expect(once.every((value) => !Object.is(value, -0))).toBe(true)
      }),
    )
  })

  test('[IN2] levels hold until replaced; a given input replaces all fields', () => {
    const world = seated()
    const { players } = world.tables
    step(world, { players: [{ seat: 1, turn: 1, hold: true, stance: 'jump', power: 2.5 }] })
    for (let tick = 0; tick < 3; tick++) {
      expect([players.turn[0], players.hold[0], players.stance[0], players.power[0]]).toEqual([1, 1, 2, 2.5])
      step(world)
    }
    step(world, { players: [{ seat: 1, turn: -0.5 }] })
    expect([players.turn[0], players.hold[0], players.stance[0]]).toEqual([-63 / 127, 0, 0])
  })

  test('[IN3] a press counts in the tick it came in, and folding two inputs adds their presses', () => {
    const world = seated()
    const { players } = world.tables
    step(world, { players: [{ seat: 1, fire: 2 }] })
    expect(players.fire[0]).toBe(2)
    step(world)
    expect(players.fire[0]).toBe(0)

    const folded = codesOf({ fire: 2, turn: 1, hold: true })
    foldCodes(game.input, folded, codesOf({ fire: 3, turn: -1 }))
    expect(folded).toEqual(codesOf({ fire: 5, turn: -1 }))
    foldCodes(game.input, folded, codesOf({ fire: 255 }))
    expect(folded).toEqual(codesOf({ fire: 255 }))
  })

  test('[IN3] folding keeps the newest list that is not empty, whole', () => {
    const first = {
      orders: [
        { kind: 'move', at: { x: 3, y: 4 } },
        { kind: 'hit', who: 7 },
      ],
    } as const
    const folded = codesOf(first)
    foldCodes(game.input, folded, codesOf({}))
    expect(folded).toEqual(codesOf(first))
    foldCodes(game.input, folded, codesOf({ orders: [{ kind: 'hit', times: 2 }] }))
    expect(folded).toEqual(codesOf({ orders: [{ kind: 'hit', times: 2 }] }))
    foldCodes(game.input, folded, codesOf({ orders: [{ kind: 'hit', times: 1 }] }))
    expect(folded, 'presses in a list belong to their order').toEqual(codesOf({ orders: [{ kind: 'hit', times: 1 }] }))
  })

  test('[IN1] a step that does not divide the range never leads out of it', () => {
    const odd = fixed({ min: 0, max: 1, step: 0.4 })
    const fine = fixed({ min: 0, max: 1, step: 0.1 })
    const world = createWorld(
      defineGame(declareGame({ ...declaration, id: 'odd', input: { odd, fine } }), { phases: {} }),
    )
    step(world, { controls: [{ control: 'join', seat: 0 }], players: [{ seat: 0, odd: 1, fine: 1 }] })
    expect([world.tables.players.odd[0], world.tables.players.fine[0]]).toEqual([0.8, 1])
  })

  test('[IN4] a point, a choice, a thing, a fixed number and a list arrive in their columns', () => {
    const world = seated()
    const { players } = world.tables
    step(world, {
      players: [
        {
          seat: 1,
          aim: { x: 12.3, y: -250 },
          stance: 'crouch',
          target: 4_000_000_000,
          power: 3.14,
          orders: [
            { kind: 'move', at: { x: 3.4, y: 60 } },
            { kind: 'hit', who: 9 },
          ],
        },
      ],
    })
    expect([players.aimX[0], players.aimY[0]]).toEqual([12.25, -100])
    expect([players.stance[0], players.target[0]]).toEqual([1, 4_000_000_000])
    expect(players.power[0]).toBeCloseTo(3.1, 12)
    expect(players.ordersCount[0]).toBe(2)
    expect([...players.ordersKind.subarray(0, 3)]).toEqual([1, 2, 0])
    expect([...players.ordersAtX.subarray(0, 3)]).toEqual([3, 0, 0])
    expect([...players.ordersAtY.subarray(0, 3)]).toEqual([50, 0, 0])
    expect([...players.ordersWho.subarray(0, 3)]).toEqual([0, 9, 0])
    step(world)
    expect(players.ordersCount[0]).toBe(0)
  })

  test('[IN7] a player has its input as properties, lists included', () => {
    const world = seated()
    const seen = spawn(world, 'thing')
    const player = playerAt(world, 1)!
    step(world, {
      players: [
        {
          seat: 1,
          turn: -1,
          fire: 2,
          aim: { x: 12.25, y: 3 },
          stance: 'crouch',
          target: seen.id,
          orders: [{ kind: 'hit', who: seen.id, at: { x: 3, y: 4 } }],
        },
      ],
    })
    expect([player.seat, player.team, player.score]).toEqual([1, 2, 0])
    expect([player.turn, player.fire, player.aimX, player.aimY, player.stance]).toEqual([-1, 2, 12.25, 3, 'crouch'])
    expect([player.target, player.ordersCount, player.ordersWho.get(0), player.ordersAtY.get(0)]).toEqual([1, 1, 1, 4])
    expect(() => player.ordersWho.get(3)).toThrow(/holds 3 values/)
    expect([playerAt(world, 0), playerAt(world, 2)]).toEqual([undefined, undefined])
  })

  test('[IN5] a value that does not fit is refused by name before anything changes', () => {
    const world = seated()
    const give = (input: object) => () => step(world, { players: [{ seat: 1, ...input }] } as never)
    expectRefusal(give({ turn: Number.NaN }), /input turn must be a finite number/, world)
    const handmade = list(2, { x: { kind: 'axis' } as never })
    expectRefusal(
      () => defineGame(declareGame({ ...declaration, input: { orders: handmade } }), { phases: {} }),
      /input orders\.x must be made with axis\(\)/,
    )
    expectRefusal(give({ turn: '1' }), /input turn must be a number, got the text "1"/, world)
    expectRefusal(give({ turn: null }), /input turn must be a number, got null/, world)
    expectRefusal(give({ hold: 1 }), /input hold must be true or false/, world)
    expectRefusal(give({ fire: 256 }), /input fire must be a whole number from 0 to 255/, world)
    expectRefusal(give({ fire: 0.5 }), /input fire/, world)
    expectRefusal(give({ aim: 3 }), /input aim must be a point/, world)
    expectRefusal(give({ aim: { x: Number.POSITIVE_INFINITY, y: 0 } }), /input aim must be a finite/, world)
    expectRefusal(give({ stance: 'jmp' }), /no choice of input stance "jmp". Known: jump/, world)
    expectRefusal(give({ target: -1 }), /input target/, world)
    expectRefusal(give({ power: null, turn: Number.NEGATIVE_INFINITY }), /input turn/, world)
    expectRefusal(give({ orders: [{}, {}, {}, {}] }), /at most 3 records/, world)
    expectRefusal(give({ orders: [{ knd: 'move' }] }), /no field of input orders "knd"/, world)
    expectRefusal(give({ trun: 1 }), /no input field "trun". Known: turn/, world)
    expectRefusal(give({ seat: 3 }), /seat must be a whole number from 0 to 2/, world)
    expectRefusal(give({ seat: 0 }), /seat 0, which is empty/, world)
    expectRefusal(() => step(world, { players: [{ seat: 1 }, { seat: 1 }] }), /two inputs in one tick/, world)
    expectRefusal(() => fixed({ min: 1, max: 1, step: 1 }), /min < max/)
    expectRefusal(() => list(65, {}), /max must be/)
  })

  test('[IN5] so it is in a page that carries no kind of field, and joining and steps need none', () => {
    const { used } = inputKinds
    inputKinds.used = undefined
    try {
      const plain = (input?: object) =>
        defineGame(declareGame({ id: 'plain', tickRate: 60, ...input } as never), { phases: {} })
      expect(() => plain({ input: { x: { kind: 'axis' } } })).toThrow(/input x must be made with axis\(\)/)
      const world = createWorld(plain())
      step(world, { controls: [{ control: 'join', seat: 1 }], players: [{ seat: 1 }] } as never)
      const give = (inputs: object) => () => step(world, inputs as never)
      expectRefusal(
        give({ players: [{ seat: 1, x: 1 }] }),
        /input of seat 1 .*no field of an input "x". Known: seat/,
        world as never,
      )
      const join = { control: 'join', seat: 2, data: {} }
      expectRefusal(give({ controls: [join] }), 'plain takes nothing along: it declares no join.', world as never)
      expect((world as AnyWorld).tables.players.count).toBe(1)
    } finally {
      inputKinds.used = used
    }
  })
})
