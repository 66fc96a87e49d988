import { describe, expect, test } from 'vitest'
import {
  createWorld,
  declareGame,
  despawn,
  findRow,
  restore,
  rowOf,
  snapshot,
  spawn,
  step,
  wide,
} from '../src/index.ts'
import { boxGame, bytesOf, expectRefusal, worldWith } from './support.ts'

const idsOf = (table: { id: Uint32Array; count: number }) => [...table.id.subarray(0, table.count)]

describe('tables', () => {
  test('[TB1] rows stand in creation order and ids are never used again', () => {
    const world = createWorld(boxGame())
    const { things } = world.tables
    for (let i = 0; i < 4; i++) spawn(things, { x: i })
    despawn(things, 2)
    step(world)
    spawn(things, { x: 9 })
    expect(idsOf(things)).toEqual([1, 3, 4, 5])
    expect([...things.x.subarray(0, 4)]).toEqual([0, 2, 3, 9])
  })

  test('[TB2] a row that leaves stays readable until the tick ends', () => {
    const seen: number[] = []
    const game = boxGame({
      leave: (world) => despawn(world.tables.things, 1),
      look: ({ tables: { things } }) => seen.push(things.count, things.x[rowOf(things, 1)]),
    })
    const world = createWorld(game)
    spawn(world.tables.things, { x: 5 })
    spawn(world.tables.things, { x: 6 })
    step(world)
    expect(seen).toEqual([2, 5])
    expect(idsOf(world.tables.things)).toEqual([2])
  })

  test('[TB3] a full table refuses: id 0, counted, nothing else changes', () => {
    const world = createWorld(boxGame())
    const { things } = world.tables
    for (let i = 0; i < 8; i++) spawn(things, { x: i + 1, hp: 10 * i })
    const full = bytesOf(world)
    expect(spawn(things, { x: 99 })).toBe(0)
    expect(spawn(things)).toBe(0)
    expect([things.count, things.refused]).toEqual([8, 2])
    const changed = bytesOf(world).reduce((count, byte, i) => count + (byte === full[i] ? 0 : 1), 0)
    expect(changed, 'only the counter of refusals moved').toBe(1)
  })

  test('[TB3] a full table inside a tick reports and the tick goes on', () => {
    const game = boxGame({
      flood: ({ tables }) => {
        for (let i = 0; i < 20; i++) spawn(tables.notes, { size: i })
      },
    })
    const world = createWorld(game)
    step(world)
    step(world)
    expect([world.tables.notes.count, world.tables.notes.refused, world.tick]).toEqual([4, 36, 2])
  })

  test('[TB4] a new row inherits nothing from the row that stood there', () => {
    const world = createWorld(boxGame())
    const { things } = world.tables
    spawn(things, { x: 1, y: 2, vx: 3, hp: 4, kind: 5, layer: 6, slots: [7, 8, 9] })
    despawn(things, 1)
    step(world)
    spawn(things)
    for (const { name, array, width } of things.columns) {
      if (name !== 'id') expect([...array.subarray(0, width)], name).toEqual(new Array(width).fill(0))
    }
  })

  test('[TB5] an id that has left is never found again, also after a rollback', () => {
    const world = createWorld(boxGame())
    const { things } = world.tables
    spawn(things)
    const before = snapshot(world)
    const gone = spawn(things)
    despawn(things, gone)
    step(world)
    expect(findRow(things, gone)).toBe(-1)
    expectRefusal(() => despawn(things, gone), /id 2: it has left/, world)
    restore(world, before)
    expectRefusal(() => rowOf(things, gone), /ids 1 to 1 were given out/, world)
    for (const bad of [0, -1, 1.5, Number.NaN, 99, Number.POSITIVE_INFINITY]) expect(findRow(things, bad)).toBe(-1)
  })

  test('[TB6] a wide column moves with its row', () => {
    const world = createWorld(boxGame())
    const { things } = world.tables
    for (let i = 0; i < 5; i++) spawn(things, { slots: [i, 10 + i, 20 + i] })
    despawn(things, 1)
    despawn(things, 3)
    step(world)
    expect([...things.slots.subarray(0, 9)]).toEqual([1, 11, 21, 3, 13, 23, 4, 14, 24])
  })

  test('[TB6] long runs of rows move as short ones do', () => {
    const declaration = declareGame({
      id: 'many',
      rulesVersion: 1,
      tickRate: 60,
      seats: { min: 0, max: 1 },
      tables: { things: { capacity: 400, columns: { slots: wide('u16', 3), mark: 'u8' } } },
    })
    const world = worldWith(declaration)
    const { things } = world.tables
    for (let i = 1; i <= 400; i++) spawn(things, { x: i, slots: [i, 1000 + i, 2000 + i], mark: i % 256 })
    // Runs of every length from 0 up: 1, 3, 6, 10, …
    const leavers = new Set<number>()
    for (let id = 1, gap = 1; id <= 400; id += ++gap) leavers.add(id)
    for (const id of leavers) despawn(things, id)
    step(world)
    const stay = Array.from({ length: 400 }, (_, i) => i + 1).filter((id) => !leavers.has(id))
    expect(idsOf(things)).toEqual(stay)
    expect([...things.x.subarray(0, things.count)]).toEqual(stay)
    expect([...things.mark.subarray(0, things.count)]).toEqual(stay.map((id) => id % 256))
    expect([...things.slots.subarray(0, 3 * things.count)]).toEqual(stay.flatMap((id) => [id, 1000 + id, 2000 + id]))
  })

  test('[TB8] numbers enter as they are stored: -0 becomes 0, what does not fit is refused', () => {
    const world = createWorld(boxGame())
    const { things, notes } = world.tables
    spawn(things, { x: -0, slots: [-0] })
    expect(Object.is(things.x[0], 0)).toBe(true)
    expectRefusal(() => spawn(notes, { size: 256 }), /notes\.size is a u8 column.*got 256/, world)
    expectRefusal(() => spawn(notes, { about: -1 }), /notes\.about/, world)
    expectRefusal(() => spawn(notes, { size: 1.5 }), /notes\.size/, world)
    expectRefusal(() => spawn(things, { slots: [1, 2, 3, 4] }), /things\.slots holds 3 values a row, got 4/, world)
    expectRefusal(() => spawn(things, { hpp: 1 } as never), /no column of things "hpp". Known: hp/, world)
    expectRefusal(() => spawn(things, { id: 1 } as never), /no column of things "id"/, world)
  })
})
