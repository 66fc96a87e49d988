/** Every door of the engine, knocked at with everything that must stay outside. */

import { describe, expect, test } from 'vitest'
import { createEmptyWorld, diffWorlds, rowOf, snapshotFromBytes } from '../src/host/tools/index.ts'
import {
  advance,
  createSession,
  createWorld,
  despawn,
  emit,
  exists,
  HurtboxError,
  insert,
  moveTo,
  playerOf,
  push,
  restore,
  seek,
  snapshot,
  spawn,
  step,
  syncTest,
  thing,
  tune,
  why,
  wide,
} from '../src/index.ts'
import { boxGame, bytesOf, expectRefusal } from './support.ts'

const NOT_A_NUMBER: readonly unknown[] = [
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  '5',
  null,
  {},
  [],
  true,
  5n,
]
const NOT_A_WHOLE: readonly unknown[] = [...NOT_A_NUMBER, 1.5, -1, 1e308]

describe('[BI1] bad input is refused by name and changes nothing', () => {
  const game = boxGame()

  function lively() {
    const world = createWorld(game, { seed: 1 })
    for (let i = 0; i < 3; i++) spawn(world, 'thing', { x: i })
    step(world)
    return world
  }

  test.each([...NOT_A_WHOLE, 2 ** 53])('[BI1] seed %s', (seed) => {
    expectRefusal(() => createWorld(game, { seed: seed as number }), /seed/)
  })

  test.each([...NOT_A_NUMBER.filter((value) => !Array.isArray(value)), 1e308, -1e13])(
    '[BI1] spawn with x = %s',
    (x) => {
      const world = lively()
      expectRefusal(() => spawn(world, 'thing', { x: x as number }), /things\.x/, world)
    },
  )

  test.each([-1, -1e-300, 1e308])('[BI1] spawn with radius = %s', (radius) => {
    const world = lively()
    expectRefusal(() => spawn(world, 'thing', { radius }), /things\.radius/, world)
  })

  test.each([...NOT_A_WHOLE.filter((value) => typeof value !== 'bigint'), 0, 4, 99])(
    '[BI1] thing and rowOf with id %s',
    (id) => {
      const world = lively()
      expect(thing(world, id as number)).toBeUndefined()
      expectRefusal(() => rowOf(world.tables.things, id as number), /things has no row with id/, world)
    },
  )

  test('[BI1] an id of another table is not found where it does not exist', () => {
    const world = lively()
    const note = insert(world, 'notes')
    expect(note.id).toBe(1)
    despawn(thing(world, 1)!)
    step(world)
    expect(thing(world, note.id)).toBeUndefined()
    expectRefusal(() => rowOf(world.tables.things, note.id), /it has left/, world)
  })

  test.each([undefined, null, 0, 1, 'thing', {}, { id: 1 }, []])('[BI1] %j instead of a thing', (bad) => {
    const world = lively()
    const wrong = bad as never
    for (const act of [() => despawn(wrong), () => push(wrong, 1, 1), () => moveTo(wrong, 1, 1), () => exists(wrong)]) {
      expectRefusal(act, /this takes a thing: what each, thing, spawn or a rule gave you/, world)
    }
    if (typeof bad !== 'number') expectRefusal(() => playerOf(world, wrong), /takes a thing/, world)
  })

  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, {}, 'far', undefined])(
    '[BI1] push and moveTo with %s',
    (bad) => {
      const world = lively()
      const first = thing(world, 1)!
      expectRefusal(() => push(first, bad as number, 0), /cannot be moved/, world)
      expectRefusal(() => push(first, 0, bad as number), /cannot be moved/, world)
      expectRefusal(() => moveTo(first, 0, bad as number), /cannot be moved/, world)
    },
  )

  test.each([undefined, null, 7, 'world', {}])('[BI1] spawn, insert and emit in %s instead of a world', (bad) => {
    expectRefusal(() => spawn(bad as never, 'thing' as never), /this takes a world first: spawn\(world/)
    expectRefusal(() => insert(bad as never, 'notes' as never), /this takes a world first: insert\(world/)
    expectRefusal(() => emit(bad as never, 'beep' as never, {} as never), /this takes a world first: emit\(world/)
  })

  test('[BI1] values that are no object', () => {
    const world = lively()
    for (const bad of [5, 'x', null]) expectRefusal(() => spawn(world, 'thing', bad as never), /values/, world)
  })

  test.each(NOT_A_WHOLE)('[BI1] seek, why and syncTest with %s', (bad) => {
    const session = createSession(game)
    for (let i = 0; i < 5; i++) advance(session)
    const { world } = session
    expectRefusal(() => seek(session as never, bad as number), /tick/, world)
    expectRefusal(() => why(session as never, bad as number, 1, 2), /tick/, world)
    expectRefusal(() => why(session as never, 1, bad as number, 2), /a must be/, world)
    expectRefusal(() => why(session as never, 1, 1, bad as number), /b must be/, world)
    expectRefusal(() => syncTest(session as never, bad as number), /depth/, world)
    expectRefusal(() => createSession(game, {}, bad as number), /keyframeEvery/)
  })

  test.each([undefined, null, {}, [], 'snapshot', 7])('[BI1] restore from %s', (bad) => {
    const world = lively()
    expectRefusal(() => restore(world, bad as never), /snapshot/, world)
    if (bad !== undefined) expectRefusal(() => snapshot(world, bad as never), /snapshot/, world)
  })

  test('[BI1] bytes that are no snapshot', () => {
    const world = lively()
    const { layout } = world.memory
    for (const length of [0, 1, 7, 8, 100, 10_000]) {
      expectRefusal(() => snapshotFromBytes(layout, new Uint8Array(length).fill(0xff)), /damaged/, world)
    }
  })

  test.each([undefined, null, 7, 'players', { players: 5 }, { players: [null] }, { controls: 'join' }])(
    '[BI1] step with inputs %s',
    (bad) => {
      const world = lively()
      const before = bytesOf(world)
      try {
        step(world, bad as never)
        expect(bad, 'only "nothing" is fine').toBeUndefined()
      } catch (error) {
        expect(error).toBeInstanceOf(HurtboxError)
        expect(bytesOf(world)).toEqual(before)
      }
    },
  )

  test('[BI1] memory that does not fit', () => {
    const block = new Uint8Array(1 << 16)
    for (const given of [block.subarray(3), new Uint8Array(8), new Float64Array(1 << 16), {}, null, 'x', 8]) {
      expectRefusal(() => createEmptyWorld(game, { block: given as never }), /block must be a Uint8Array/)
    }
    expect(createEmptyWorld(game, { block: block.subarray(8) }).memory.bytes.byteOffset).toBe(8)
  })

  test('[BI1] declarations', () => {
    for (const bad of NOT_A_WHOLE) expectRefusal(() => wide('f64', bad as number), /width/)
    for (const bad of NOT_A_NUMBER) expectRefusal(() => tune(bad as number), /value/)
    expectRefusal(() => createWorld({} as never), /game/)
    expectRefusal(() => createWorld(undefined as never), /game/)
  })

  test('[BI1] worlds of two games are not compared', () => {
    expectRefusal(() => diffWorlds(createWorld(game), createWorld(boxGame())), /another game/)
  })
})
