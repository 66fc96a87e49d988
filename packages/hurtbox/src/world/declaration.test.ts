import { describe, expect, test } from 'vitest'
import { expectRefusal } from '../../test/support.ts'
import { toTicks } from '../geometry/math/index.ts'
import { layersMeet, printLayers } from '../host/tools/index.ts'
import {
  createWorld,
  declareGame,
  defineGame,
  flag,
  oneOf,
  rememberHits,
  restore,
  seconds,
  snapshot,
  step,
  tune,
  whole,
} from '../index.ts'
import { defineLayers } from './layers.ts'
import { settings } from './settings.ts'

describe('layers', () => {
  test('[LA1] meeting is mutual, by the declaration of either side; a layer meets itself only if it says so', () => {
    const layers = defineLayers({ ship: ['bullet'], bullet: [], ball: ['ball'] })
    const meets = (a: number, b: number) => layersMeet(layers, a, b)
    expect([meets(0, 1), meets(1, 0), meets(2, 2)]).toEqual([true, true, true])
    expect([meets(0, 0), meets(1, 1), meets(0, 2), meets(2, 1)]).toEqual([false, false, false, false])
  })

  test('[LA2] an unknown name lists the known ones, nearest first', () => {
    expectRefusal(
      () => defineLayers({ ship: ['bulet'], bullet: [] }),
      'There is no layer "bulet". Known: bullet, ship.',
    )
    expectRefusal(() => defineLayers({ ship: 'bullet' as never }), /layer "ship" must be a list/)
    expectRefusal(() => defineLayers({ 'a b': [] }), /layer "a b" must be/)
  })

  test('[LA3] there can be 32 layers and no more, and the last one works', () => {
    const specs = (n: number) =>
      Object.fromEntries(Array.from({ length: n }, (_, i) => [`l${i}`, i === 31 ? ['l31', 'l0'] : []]))
    const layers = defineLayers(specs(32))
    expect([layersMeet(layers, 31, 31), layersMeet(layers, 0, 31), layersMeet(layers, 1, 31)]).toEqual([
      true,
      true,
      false,
    ])
    expectRefusal(() => defineLayers(specs(33)), /number of layers must be .* 0 to 32, got 33/)
  })

  test('[LA4] printLayers shows which layers meet', () => {
    expect(printLayers(defineLayers({ ship: ['bullet'], bullet: ['wall'], wall: [] }))).toBe(
      [
        '        ship  bullet  wall',
        'ship       ·       ×     ·',
        'bullet     ×       ·     ×',
        'wall       ·       ×     ·',
      ].join('\n'),
    )
  })
})

const declaration = declareGame({
  id: 'tuned',
  tickRate: 62.5,
  tuning: { speed: tune(5, { unit: 'px/s', min: 0, max: 10 }), cooldown: seconds(0.1), life: seconds(3) },
  options: { mode: oneOf(['document', 'original']), torus: flag(false), rounds: whole(3, { min: 1, max: 9 }) },
})
const game = defineGame(declaration, { phases: {} })

describe('tuning and options', () => {
  test('[TU1] a duration declared in seconds is read in ticks, rounded up once', () => {
    const { tuning } = createWorld(game)
    expect([tuning.speed, tuning.cooldown, tuning.life]).toEqual([5, 7, 188])
    // 0.07 × 100 is a hair above 7; that hair is not a tick.
    expect([toTicks(0.07, 100), toTicks(1, 62.5), toTicks(0, 60), toTicks(0.001, 60)]).toEqual([7, 63, 0, 1])
  })

  test('[TU2] tuning lives in the state: a change in mid-match is rolled back and replayed', () => {
    const world = createWorld(game, { tuning: { speed: 2 } })
    const before = snapshot(world)
    step(world, { controls: [{ control: 'tune', name: 'cooldown', value: 1 }] })
    expect([world.tuning.speed, world.tuning.cooldown]).toEqual([2, 63])
    restore(world, before)
    expect(world.tuning.cooldown).toBe(7)
  })

  test('[TU3] a value outside its range, and an unknown name, are refused by name', () => {
    const world = createWorld(game)
    const tuneTo = (name: string, value: unknown) => () =>
      step(world, { controls: [{ control: 'tune', name, value: value as number }] })
    expectRefusal(tuneTo('speed', 11), 'tuning speed must lie between 0 and 10 px/s, got 11.', world)
    expectRefusal(tuneTo('speed', Number.NaN), /tuning speed must be a finite number/, world)
    expectRefusal(tuneTo('speed', '3'), /tuning speed must be a number/, world)
    expectRefusal(tuneTo('sped', 1), /no tuning value "sped". Known: speed/, world)
    expectRefusal(tuneTo('constructor', 1), /no tuning value "constructor"/, world)
    expectRefusal(() => createWorld(game, { tuning: { speed: -1 } }), /tuning speed/)
    expectRefusal(() => createWorld(game, { tuning: { sped: 1 } as never }), /no tuning value "sped"/)
    expectRefusal(() => tune(5, { min: 6 }), /default 5 lies outside 6/)
    expectRefusal(() => seconds(Number.POSITIVE_INFINITY), /value must be a finite number/)
  })

  test('[TU4] options are fixed for a match and checked against their declaration', () => {
    expect(createWorld(game).options).toEqual({ mode: 'document', torus: false, rounds: 3 })
    const { options } = createWorld(game, { options: { mode: 'original', rounds: 5 } })
    expect(options).toEqual({ mode: 'original', torus: false, rounds: 5 })
    expect(Object.isFrozen(options)).toBe(true)
    const choose = (options: object) => () => createWorld(game, { options: options as never })
    expectRefusal(choose({ mode: 'modern' }), 'option mode must be one of document, original, got modern.')
    expectRefusal(choose({ torus: 1 }), /option torus must be one of true, false/)
    expectRefusal(choose({ rounds: 10 }), /option rounds must be a whole number from 1 to 9, got 10/)
    expectRefusal(choose({ round: 1 }), /no option "round". Known: rounds/)
  })

  test('[TU4] [TU3] what reads settings comes with the first that is made; a page without any refuses what it is given', () => {
    const { used } = settings
    settings.used = undefined
    try {
      const plain = defineGame(declareGame({ id: 'plain', tickRate: 60 }), { phases: {} })
      const made = createWorld(plain)
      expect([made.options, made.tuning]).toEqual([{}, {}])
      expectRefusal(
        () => createWorld(plain, { options: { map: 1 } as never }),
        /no field of options "map". None is declared/,
      )
      expectRefusal(() => createWorld(plain, { tuning: { speed: 1 } as never }), /no field of tuning values "speed"/)
      const tune = { control: 'tune', name: 'speed', value: 1 } as const
      expectRefusal(() => step(made, { controls: [tune] }), /no tuning value "speed". None is declared/, made)
      const handmade = { id: 'plain', tickRate: 60, tuning: { speed: { value: 1 } } }
      expectRefusal(() => declareGame(handmade as never), /tuning value speed must be made with tune/)
    } finally {
      settings.used = used
    }
  })
})

describe('a declaration from a file or from plain JavaScript', () => {
  const right = {
    id: 'a',
    rulesVersion: 1,
    tickRate: 60,
    seats: { min: 0, max: 1 },
    capacity: 4,
  }

  test.each<[what: string, declaration: unknown, message: RegExp]>([
    ['nothing', undefined, /a declaration must be { id, rulesVersion, .* }, got undefined/],
    ['null', null, /a declaration must be .*, got null/],
    ['no id', { ...right, id: undefined }, /id of a game.*got "undefined"/],
    ['no tickRate', { ...right, tickRate: undefined }, /tickRate must be a number/],
    ['seats as a number', { ...right, seats: 4 }, /seats must be { min, max }, got number/],
    ['no seats', { ...right, seats: null }, /seats must be { min, max }, got null/],
    ['no room for things', { ...right, capacity: 0 }, /capacity must be a whole number from 1/],
    ['room for half a thing', { ...right, capacity: 1.5 }, /capacity must be/],
    ['things as a table', { ...right, tables: { things: { capacity: 4 } } }, /table "things" is the engine's own/],
    ['columns that are none', { ...right, things: 5 }, /columns of things are an object/],
    ['a table that is none', { ...right, tables: { orders: null } }, /table orders must be { capacity, columns }/],
    ['hits as columns', { ...right, hits: {} }, /hits must be a number/],
    ['a misspelt field', { ...right, stream: ['x'] }, /no field of a declaration "stream". Known: streams,/],
    [
      'a misspelt field of a table',
      { ...right, tables: { orders: { capacity: 4, colums: {} } } },
      /no field of table orders "colums". Known: columns,/,
    ],
    ['streams as text', { ...right, streams: 'waves' }, /streams must be a list/],
    ['an array that is none', { ...right, arrays: { fog: null } }, /array fog has the type undefined/],
    ['no room for events', { ...right, eventCapacity: 0 }, /eventCapacity must be a whole number from 1/],
    ['tuning that is none', { ...right, tuning: { speed: null } }, /tuning value speed must be made with tune/],
    ['an option as a bare value', { ...right, options: { hard: true } }, /option hard must be made with flag/],
  ])('[BI2] %s is refused by name', (_, declaration, message) => {
    expectRefusal(() => declareGame(declaration as never), message)
  })

  test('[BI2] what is right passes', () => {
    expect(declareGame(right)).toEqual(right)
  })

  test('[BI3] what a first game leaves out has a default: version 1, up to 8 seats, 1024 things', () => {
    const short = declareGame({ id: 'short', tickRate: 60 })
    expect(short).toEqual({
      id: 'short',
      tickRate: 60,
      rulesVersion: 1,
      seats: { min: 0, max: 8 },
      capacity: 1024,
    })
    const world = createWorld(defineGame(short, { phases: {} }))
    expect([world.tables.things.capacity, world.tables.players.capacity, 'hits' in world.tables]).toEqual([
      1024,
      8,
      false,
    ])
    // Given, they are what is given; a declaration that was not declared first gets the same.
    expect(declareGame({ ...right, rulesVersion: 3 })).toMatchObject({
      rulesVersion: 3,
      capacity: 4,
      seats: { max: 1 },
    })
    const undeclared = defineGame({ id: 'short', tickRate: 60 } as never, { phases: {} })
    expect(undeclared.declaration).toEqual(short)
  })

  test('[BI3] the declared columns come after those of every thing and player', () => {
    const declaration = declareGame({
      id: 'own',
      tickRate: 60,
      things: { hp: 'f64' },
      players: { score: 'u32' },
      hits: rememberHits(4),
    })
    const { tables } = createWorld(defineGame(declaration, { phases: {} }))
    const names = (table: { columns: readonly { name: string }[] }) => table.columns.map(({ name }) => name)
    expect(names(tables.things)).toEqual('id leaving kind layer team owner teleports x y vx vy radius hp'.split(' '))
    expect(names(tables.players)).toEqual('id leaving seat team thing score'.split(' '))
    expect([tables.hits.capacity, names(tables.hits)]).toEqual([4, 'id leaving attack victim until byThing'.split(' ')])
  })

  test('[BI2] a behaviour with an unknown or missing part is refused by name', () => {
    const define = (behaviour: unknown) => () => defineGame(declareGame(right), behaviour as never)
    expectRefusal(
      define({ phases: {}, isOvr: () => true }),
      /no field of the behaviour of a game "isOvr". Known: isOver/,
    )
    expectRefusal(define({}), /takes a declaration and \{ phases: \{ … \} \}/)
    expectRefusal(
      define(() => ({})),
      /the behaviour of a game must be/,
    )
    expectRefusal(() => createWorld(define({ phases: { walk: {} } })() as never), /phase "walk" must be a function, {/)
    expectRefusal(() => createWorld(define({ phases: { walk: 5 } })() as never), /phase "walk" must be a function, {/)
  })
})
