import { describe, expect, test } from 'vitest'
import { scenes } from '../../scenes/index.ts'
import { boxGame, bytesOf, expectRefusal } from '../../test/support.ts'
import {
  createEmptyWorld,
  describeDifference,
  diffWorlds,
  hashTables,
  playScene,
  snapshotFromBytes,
  snapshotTick,
  startScene,
  worldBytes,
} from '../host/tools/index.ts'
import {
  addRow,
  axis,
  createWorld,
  declareGame,
  defineGame,
  hashWorld,
  insert,
  point,
  rememberHits,
  restore,
  snapshot,
  spawn,
  step,
} from '../index.ts'

const [skirmish] = scenes

describe('snapshots', () => {
  test('[SN1] a restored world equals the world at the snapshot, and so does all it does afterwards', () => {
    const session = startScene(skirmish)
    playScene(skirmish, session, 90)
    const taken = snapshot(session.world)
    expect(snapshotTick(taken)).toBe(90)
    const futures = [1, 2].map(() => {
      restore(session.world, taken)
      expect(bytesOf(session.world)).toEqual(taken.bytes.slice(0, taken.byteLength))
      const bytes = []
      for (let i = 0; i < 60; i++) {
        step(session.world, skirmish.inputs?.(session.world.tick, session.world))
        bytes.push(bytesOf(session.world))
      }
      return bytes
    })
    expect(futures[1]).toEqual(futures[0])
  })

  test('[SN2] a snapshot fits a fresh world and one in memory of the caller', () => {
    const session = startScene(skirmish)
    playScene(skirmish, session, 50)
    const taken = snapshot(session.world)
    const shared = new SharedArrayBuffer(worldBytes(skirmish.game) + 64)
    for (const given of [{}, { seed: 123 }, { block: new Uint8Array(shared, 64) }]) {
      const world = createEmptyWorld(skirmish.game, given)
      restore(world, taken)
      expect(bytesOf(world)).toEqual(bytesOf(session.world))
      expect(hashWorld(world)).toBe(hashWorld(session.world))
    }
  })

  test('[SN3] a reused snapshot has the bytes of a new one, padding included', () => {
    const world = createWorld(boxGame())
    const reused = snapshot(world)
    reused.bytes.fill(0xff)
    for (let i = 0; i < 5; i++) {
      spawn(world, 'thing', { x: i, slots: [i] })
      insert(world, 'notes', { size: i })
      expect(snapshot(world, reused)).toBe(reused)
      expect(reused.bytes.slice(0, reused.byteLength)).toEqual(bytesOf(world))
      reused.bytes.fill(0xff)
    }
  })

  test('[SN4] a snapshot of another game, a cut or a doctored one is refused and nothing changes', () => {
    const world = createWorld(boxGame())
    spawn(world, 'thing', { x: 4 })
    const other = snapshot(createWorld(boxGame()))
    expectRefusal(() => restore(world, other), /another game/, world)
    expectRefusal(() => snapshot(world, other), /another game/, world)
    expectRefusal(() => restore(world, undefined as never), /another game/, world)
    const taken = snapshot(world)
    const { layout } = world.memory
    expectRefusal(() => snapshotFromBytes(layout, taken.bytes.slice(0, 20)), /damaged/, world)
    expectRefusal(() => snapshotFromBytes(layout, taken.bytes.slice(0, -8)), /damaged/, world)
    const doctored = taken.bytes.slice()
    new Uint32Array(doctored.buffer)[layout.countersAt] = 9
    expectRefusal(() => snapshotFromBytes(layout, doctored), /damaged/, world)
    // One more row than the table holds, and exactly as many bytes as that would take.
    for (let i = world.tables.things.count; i < 8; i++) spawn(world, 'thing')
    const full = snapshot(world)
    const perRow = layout.regions
      .filter(({ table }) => table === 0)
      .map(({ bytesPerRow }) => [bytesPerRow * 8, bytesPerRow * 9])
    const growth = perRow.reduce((sum, [eight, nine]) => sum + Math.ceil(nine / 8) * 8 - Math.ceil(eight / 8) * 8, 0)
    const overfull = new Uint8Array(full.byteLength + growth)
    overfull.set(full.bytes)
    new Uint32Array(overfull.buffer)[layout.countersAt] = 9
    expectRefusal(() => snapshotFromBytes(layout, overfull), /damaged/, world)
    restore(world, snapshotFromBytes(layout, taken.bytes))
    // A Node Buffer may start anywhere in its memory.
    const buffer = Buffer.concat([Buffer.from([1, 2, 3]), taken.bytes.subarray(0, taken.byteLength)]).subarray(3)
    restore(world, snapshotFromBytes(layout, buffer))
  })

  test('[SN4] a snapshot of a match with other options is refused', () => {
    const busy = startScene(scenes[2])
    const calm = startScene(skirmish)
    expectRefusal(() => restore(calm.world, snapshot(busy.world)), /other options: .*600/, calm.world)
  })

  test('[SN5] a world in the middle of other memory writes nothing outside its part', () => {
    const game = boxGame()
    const size = worldBytes(game)
    const all = new Uint8Array(size + 128)
    all.fill(0xab)
    const world = createWorld(game, { block: all.subarray(64) })
    for (let i = 0; i < 20; i++) spawn(world, 'thing', { x: i, y: i, hp: 5, slots: [9, 9, 9] })
    for (let i = 0; i < 5; i++) step(world)
    expect(all.slice(0, 64).every((byte) => byte === 0xab)).toBe(true)
    expect(all.slice(64 + size).every((byte) => byte === 0xab)).toBe(true)
    expectRefusal(() => createWorld(game, { block: all.subarray(4) }), /multiple of 8/)
    expectRefusal(() => createWorld(game, { block: all.subarray(192) }), new RegExp(`at least ${size} bytes`))
  })

  test('[SN6] restoring clears the events and repairs a broken world', () => {
    const game = boxGame({
      fail: ({ tick }) => {
        if (tick === 1) throw new Error('half way')
      },
    })
    const world = createWorld(game)
    const start = snapshot(world)
    step(world)
    expect(() => step(world)).toThrow('half way')
    expectRefusal(() => step(world), /Restore a snapshot/)
    restore(world, start)
    step(world)
    expect(world.tick).toBe(1)

    const session = startScene(skirmish)
    while (session.world.events.hurt.count === 0) playScene(skirmish, session, 1)
    restore(session.world, snapshot(session.world))
    expect(session.world.events.hurt.count).toBe(0)
  })

  test('[SN7] random streams, counters, tuning, pause, clock and inputs are restored too', () => {
    const session = startScene(skirmish)
    playScene(skirmish, session, 30)
    const { world } = session
    const taken = snapshot(world)
    const look = () => [
      world.tick,
      world.clock,
      world.paused,
      world.entropy,
      world.tuning.bite,
      [...world.random.spawns],
      [...world.tables.players.walk.subarray(0, 4)],
      world.tables.things.refused,
    ]
    const before = look()
    step(world, {
      controls: [
        { control: 'tune', name: 'bite', value: 50 },
        { control: 'pause', paused: true },
        { control: 'entropy', bits: 77 },
      ],
      players: [{ seat: 0, walk: -1 }],
    } as never)
    expect(look()).not.toEqual(before)
    restore(world, taken)
    expect(look()).toEqual(before)
  })
})

describe('hashes and differences', () => {
  test('[HA1] equal states have equal hashes, whatever happened before', () => {
    const straight = createWorld(boxGame())
    const winding = createEmptyWorld(straight.game)
    for (let i = 0; i < 8; i++) spawn(winding, 'thing', { x: 100 + i, slots: [i, i, i] })
    spawn(straight, 'thing', { x: 1 })
    restore(winding, snapshot(straight))
    expect(hashWorld(winding)).toBe(hashWorld(straight))
    expect(hashWorld(straight)).toMatch(/^[0-9a-f]{16}$/)
  })

  test('[HA2] one changed bit, swapped values and -0 in the place of 0 change the hash', () => {
    const world = createWorld(boxGame())
    const { things } = world.tables
    spawn(world, 'thing', { x: 1, hp: 30 })
    spawn(world, 'thing', { x: 2, hp: 60 })
    const hashes = [hashWorld(world)]
    things.hp[0] = 60
    things.hp[1] = 30
    hashes.push(hashWorld(world))
    things.vx[0] = -0
    hashes.push(hashWorld(world))
    world.memory.header[3] ^= 1
    hashes.push(hashWorld(world))
    world.arrays.fog[4] ^= 0x80
    hashes.push(hashWorld(world))
    world.globals.wind = 1e-300
    hashes.push(hashWorld(world))
    expect(new Set(hashes).size).toBe(hashes.length)
  })

  test('[HA3] a value that is not finite is found at the next hash and named', () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      const world = createWorld(boxGame())
      spawn(world, 'thing')
      spawn(world, 'thing')
      step(world)
      world.tables.things.vy[1] = value
      const error = expectRefusal(
        () => hashWorld(world),
        new RegExp(`things\\.vy of row 1 \\(id 2\\) is ${value} at tick 1`),
      )
      expect(error.details).toMatchObject({ tick: 1, where: 'things.vy', row: 1, id: 2 })
      world.tables.things.vy[1] = 0
      world.globals.wind = value
      expectRefusal(() => hashWorld(world), /globals\.wind/)
    }
  })

  test('[HA4] hashTables changes for exactly the tables that differ', () => {
    const world = createWorld(boxGame())
    insert(world, 'notes', { size: 1 })
    const before = hashTables(world)
    expect(Object.keys(before)).toEqual(['header', 'arrays', 'things', 'players', 'notes'])
    world.tables.notes.size[0] = 2
    world.arrays.fog[0] = 1
    const after = hashTables(world)
    const changed = Object.keys(before).filter((name) => before[name] !== after[name])
    expect(changed).toEqual(['arrays', 'notes'])
  })

  test('[HA5] diffWorlds names tick, table, row, id, column and both values', () => {
    const game = boxGame()
    const [a, b] = [createWorld(game), createWorld(game)]
    for (const world of [a, b]) {
      for (let i = 0; i < 3; i++) spawn(world, 'thing', { x: i })
      step(world)
    }
    expect(diffWorlds(a, b)).toEqual([])
    b.tables.things.x[1] = 7
    b.tables.things.slots[5] = 4
    b.globals.wave = 3
    b.tables.things.vx[2] = -0
    insert(b, 'notes')
    const words = diffWorlds(a, b).map(describeDifference)
    expect(words).toEqual([
      'tick 1: count of notes is 0 here and 1 there',
      'tick 1: next id of notes is 0 here and 1 there',
      'tick 1: things row 1 (id 2) x is 1 here and 7 there',
      'tick 1: things row 2 (id 3) vx is 0 here and -0 there',
      'tick 1: things row 1 (id 2) slots[2] is 0 here and 4 there',
      'tick 1: globals.wave is 0 here and 3 there',
    ])
    expect(diffWorlds(a, b, 2)).toHaveLength(2)
  })

  test('[TB9] a table that adds no columns of its own has those of its sort', () => {
    const declaration = declareGame({
      id: 'plain',
      tickRate: 60,
      layers: { thing: [] },
      capacity: 2,
      hits: rememberHits(4),
    })
    const world = createWorld(defineGame(declaration, { phases: {} }), { seed: 1 })
    spawn(world, 'thing', { x: 3 })
    const { things, hits } = world.tables
    hits.victim[addRow(hits)] = 2
    expect([things.x[0], hits.victim[0], hits.capacity, things.capacity]).toEqual([3, 2, 4, 2])
  })

  test('[BI2] a declaration that cannot be is refused with what is wrong', () => {
    const base = { id: 'x', rulesVersion: 1, tickRate: 60, seats: { min: 0, max: 1 }, capacity: 1 }
    const declare = (change: object) => () => defineGame(declareGame({ ...base, ...change } as never), { phases: {} })
    expectRefusal(declare({ id: 'Big Name' }), /small letters/)
    expectRefusal(declare({ tickRate: 0 }), /tickRate/)
    expectRefusal(declare({ tickRate: Number.NaN }), /tickRate/)
    expectRefusal(declare({ seats: { min: 0, max: 0 } }), /seats\.max/)
    for (const name of ['things', 'players', 'hits', 'arrays', 'header']) {
      expectRefusal(
        declare({ tables: { [name]: { capacity: 1, columns: {} } } }),
        new RegExp(`table "${name}" is the engine's own`),
      )
    }
    expectRefusal(declare({ capacity: 0 }), /capacity must be/)
    expectRefusal(declare({ tables: { orders: { capacity: 0, columns: {} } } }), /capacity of table orders/)
    expectRefusal(declare({ things: { hp: 'f32' } }), /"f32"; use one of f64/)
    expectRefusal(declare({ things: { count: 'u8' } }), /the column "count" of things is the engine's own/)
    expectRefusal(declare({ things: { x: 'f64' } }), /the column "x" of table things is the engine's own/)
    expectRefusal(declare({ players: { seat: 'u8' } }), /the column "seat" of table players is the engine's own/)
    expectRefusal(declare({ things: { constructor: 'f64' } }), /"constructor" must be/)
    expectRefusal(declare({ streams: ['Bad Name'] }), /random stream "Bad Name"/)
    expectRefusal(declare({ streams: ['a', 'a'] }), /named twice/)
    expectRefusal(declare({ arrays: { tuning: { type: 'u8', length: 1 } } }), /the array "tuning"/)
    expectRefusal(declare({ globals: { wave: { type: 'u8', width: 2 } } }), /global wave is a single value/)
    expectRefusal(declare({ input: { leaving: axis() } }), /the column "leaving" of input is the engine's own/)
    expectRefusal(
      declare({ input: { aim: point({ min: 0, max: 1, step: 1 }), aimX: axis() } }),
      /two input fields need the column "aimX"/,
    )
    expectRefusal(declare({ things: 5 }), /columns of things are an object/)
    expectRefusal(() => defineGame(base as never, undefined as never), /behaviour of a game must be \{ phases, /)
    expectRefusal(
      () => createWorld(boxGame(), { sed: 7 } as never),
      /second argument of createWorld "sed". Known: seed/,
    )
    expectRefusal(declare({ layers: { a: ['b'] } }), /no layer "b"/)
    expectRefusal(declare({ arrays: { fog: { type: 'u8', length: 0 } } }), /length of array fog/)
  })
})
