import { describe, expect, test } from 'vitest'
import { boxGame, bytesOf, expectRefusal, worldWith } from '../../test/support.ts'
import { rowOf } from '../host/tools/index.ts'
import { createWorld, declareGame, despawn, findRow, insert, restore, snapshot, spawn, step, wide } from '../index.ts'

const idsOf = (table: { id: Uint32Array; count: number }) => [...table.id.subarray(0, table.count)]

describe('tables', () => {
  test('[TB1] rows stand in creation order and ids are never used again', () => {
    const world = createWorld(boxGame())
    const { things } = world.tables
    const spawned = [0, 1, 2, 3].map((x) => spawn(world, 'thing', { x }))
    despawn(spawned[1])
    step(world)
    spawn(world, 'thing', { x: 9 })
    expect(idsOf(things)).toEqual([1, 3, 4, 5])
    expect([...things.x.subarray(0, 4)]).toEqual([0, 2, 3, 9])
  })

  test('[TB2] a row that leaves stays readable until the tick ends', () => {
    const seen: number[] = []
    const world = createWorld(
      boxGame({
        leave: () => despawn(first),
        look: ({ tables: { things } }) => seen.push(things.count, things.x[rowOf(things, 1)], first.x, first.leaving),
      }),
    )
    const first = spawn(world, 'thing', { x: 5 })
    spawn(world, 'thing', { x: 6 })
    step(world)
    expect(seen).toEqual([2, 5, 5, 1])
    expect(idsOf(world.tables.things)).toEqual([2])
  })

  test('[TB3] a full table refuses: id 0, counted, nothing else changes', () => {
    const world = createWorld(boxGame())
    const { things } = world.tables
    for (let i = 0; i < 8; i++) spawn(world, 'thing', { x: i + 1, hp: 10 * i })
    const full = bytesOf(world)
    expect(spawn(world, 'thing', { x: 99 }).id).toBe(0)
    expect(spawn(world, 'thing').id).toBe(0)
    expect([things.count, things.refused]).toEqual([8, 2])
    const changed = bytesOf(world).reduce((count, byte, i) => count + (byte === full[i] ? 0 : 1), 0)
    expect(changed, 'only the counter of refusals moved').toBe(1)
  })

  test('[TB3] a full table inside a tick reports and the tick goes on', () => {
    const game = boxGame({
      flood: (world) => {
        for (let size = 0; size < 20; size++) insert(world, 'notes', { size })
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
    despawn(spawn(world, 'other', { x: 1, y: 2, vx: 3, hp: 4, kind: 5, team: 6, slots: [7, 8, 9] }))
    step(world)
    spawn(world, 'thing')
    for (const { name, array, width } of things.columns) {
      if (name !== 'id') expect([...array.subarray(0, width)], name).toEqual(new Array(width).fill(0))
    }
  })

  test('[TB5] an id that has left is never found again, also after a rollback', () => {
    const world = createWorld(boxGame())
    const { things } = world.tables
    spawn(world, 'thing')
    const before = snapshot(world)
    const gone = spawn(world, 'thing')
    despawn(gone)
    step(world)
    expect(findRow(things, gone.id)).toBe(-1)
    expectRefusal(() => rowOf(things, gone.id), /id 2: it has left/, world)
    restore(world, before)
    expectRefusal(() => rowOf(things, gone.id), /ids 1 to 1 were given out/, world)
    for (const bad of [0, -1, 1.5, Number.NaN, 99, Number.POSITIVE_INFINITY]) expect(findRow(things, bad)).toBe(-1)
  })

  test('[TB6] a wide column moves with its row', () => {
    const world = createWorld(boxGame())
    const { things } = world.tables
    const spawned = [0, 1, 2, 3, 4].map((i) => spawn(world, 'thing', { slots: [i, 10 + i, 20 + i] }))
    despawn(spawned[0])
    despawn(spawned[2])
    step(world)
    expect([...things.slots.subarray(0, 9)]).toEqual([1, 11, 21, 3, 13, 23, 4, 14, 24])
  })

  test('[TB6] long runs of rows move as short ones do', () => {
    const declaration = declareGame({
      id: 'many',
      tickRate: 60,
      layers: { thing: [] },
      capacity: 400,
      things: { slots: wide('u16', 3), mark: 'u8' },
    })
    const world = worldWith(declaration)
    const { things } = world.tables
    const spawned = Array.from({ length: 400 }, (_, i) =>
      spawn(world, 'thing', { x: i + 1, slots: [i + 1, 1001 + i, 2001 + i], mark: (i + 1) % 256 }),
    )
    // Runs of every length from 0 up: 1, 3, 6, 10, …
    const leavers = new Set<number>()
    for (let id = 1, gap = 1; id <= 400; id += ++gap) leavers.add(id)
    for (const id of leavers) despawn(spawned[id - 1])
    step(world)
    const stay = Array.from({ length: 400 }, (_, i) => i + 1).filter((id) => !leavers.has(id))
    expect(idsOf(things)).toEqual(stay)
    expect([...things.x.subarray(0, things.count)]).toEqual(stay)
    expect([...things.mark.subarray(0, things.count)]).toEqual(stay.map((id) => id % 256))
    expect([...things.slots.subarray(0, 3 * things.count)]).toEqual(stay.flatMap((id) => [id, 1000 + id, 2000 + id]))
    // And the handles moved along.
    expect(stay.map((id) => spawned[id - 1].x)).toEqual(stay)
  })

  test('[TB8] numbers enter as they are stored: -0 becomes 0, what does not fit is refused', () => {
    const world = createWorld(boxGame())
    const { things } = world.tables
    spawn(world, 'thing', { x: -0, slots: [-0] })
    expect(Object.is(things.x[0], 0)).toBe(true)
    expectRefusal(
      () => insert(world, 'notes', { size: 256 }),
      /notes\.size must be a whole number from 0 to 255, got 256/,
      world,
    )
    expectRefusal(() => insert(world, 'notes', { about: -1 }), /notes\.about/, world)
    expectRefusal(() => insert(world, 'notes', { size: 1.5 }), /notes\.size/, world)
    expectRefusal(
      () => spawn(world, 'thing', { slots: [1, 2, 3, 4] }),
      /number of values of things\.slots must be .* 0 to 3, got 4/,
      world,
    )
    expectRefusal(() => spawn(world, 'thing', { hpp: 1 } as never), /no column of things "hpp". Known: hp/, world)
    expectRefusal(() => spawn(world, 'thing', { id: 1 } as never), /no column of things "id"/, world)
    expectRefusal(() => spawn(world, 'thing', { layer: 1 } as never), /no column of things "layer"/, world)
    expectRefusal(() => spawn(world, 'thng' as never), /no layer "thng". Known: thing/, world)
    expectRefusal(() => insert(world, 'note' as never), /no table "note". Known: notes/, world)
  })
})
