/** Random programs against a model that is too simple to be wrong: plain arrays of plain objects. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nextU32 } from '../src/geometry/math/random.ts'
import { createEmptyWorld, type Snapshot } from '../src/host/tools/index.ts'
import { createWorld, despawn, restore, snapshot, spawn, step, thing } from '../src/index.ts'
import { boxGame, bytesOf } from './support.ts'

type ModelRow = { id: number; x: number; hp: number; slots: number[]; leaving: boolean }
type Model = { tick: number; nextId: number; refused: number; wave: number; fog: number[]; rows: ModelRow[] }

type Command =
  | { do: 'spawn'; x: number; hp: number; slots: number[] }
  | { do: 'despawn'; pick: number }
  | { do: 'write'; pick: number; hp: number; fog: number; wave: number }
  | { do: 'draw' }
  | { do: 'step' }
  | { do: 'snapshot'; slot: number; reuse: boolean }
  | { do: 'restore'; slot: number; fresh: boolean }

const number = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 })
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('spawn' as const),
      x: number,
      hp: number,
      slots: fc.array(fc.nat(65535), { maxLength: 3 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('despawn' as const), pick: fc.nat(20) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('write' as const),
      pick: fc.nat(20),
      hp: number,
      fog: fc.nat(255),
      wave: fc.nat(1000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('draw' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('step' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('snapshot' as const), slot: fc.nat(2), reuse: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('restore' as const), slot: fc.nat(2), fresh: fc.boolean() }) },
)

const game = boxGame()

describe('random programs', () => {
  test('[TB7] [SN1] [SN2] [SN3] leave exactly what a list of rows would, byte for byte after every restore', () => {
    fc.assert(fc.property(fc.array(command, { maxLength: 120 }), runProgram), {
      numRuns: process.env.HURTBOX_LONG ? 20_000 : 400,
    })
  })
})

function runProgram(commands: readonly Command[]): void {
  let world = createWorld(game, { seed: 5 })
  let model: Model = { tick: 0, nextId: 1, refused: 0, wave: 0, fog: [0, 0, 0, 0, 0], rows: [] }
  const saved: ({ taken: Snapshot; bytes: Uint8Array; model: Model } | undefined)[] = [undefined, undefined, undefined]

  for (const command of commands) {
    const { things } = world.tables
    switch (command.do) {
      case 'spawn': {
        const { x, hp, slots } = command
        const { id } = spawn(world, 'thing', { x, hp, slots })
        if (model.rows.length === things.capacity) {
          expect(id).toBe(0)
          model.refused++
        } else {
          expect(id).toBe(model.nextId)
          model.rows.push({
            id: model.nextId++,
            x: x + 0,
            hp: hp + 0,
            slots: [0, 1, 2].map((i) => slots[i] ?? 0),
            leaving: false,
          })
        }
        break
      }
      case 'despawn': {
        const row = model.rows[command.pick % Math.max(1, model.rows.length)]
        if (row === undefined) break
        despawn(thing(world, row.id)!)
        row.leaving = true
        break
      }
      case 'write': {
        world.arrays.fog[command.pick % 5] = command.fog
        model.fog[command.pick % 5] = command.fog
        world.globals.wave = command.wave
        model.wave = command.wave
        const at = command.pick % Math.max(1, model.rows.length)
        if (model.rows[at] === undefined) break
        things.hp[at] = command.hp
        model.rows[at].hp = command.hp
        break
      }
      case 'draw':
        nextU32(world.random.dice)
        break
      case 'step':
        step(world)
        model.rows = model.rows.filter((row) => !row.leaving)
        model.tick++
        break
      case 'snapshot': {
        const taken = snapshot(world, command.reuse ? saved[command.slot]?.taken : undefined)
        expect(taken.bytes.slice(0, taken.byteLength)).toEqual(bytesOf(world))
        saved[command.slot] = { taken, bytes: bytesOf(world), model: structuredClone(model) }
        break
      }
      case 'restore': {
        const from = saved[command.slot]
        if (from === undefined) break
        if (command.fresh) world = createEmptyWorld(game, { seed: 99 })
        restore(world, from.taken)
        model = structuredClone(from.model)
        expect(bytesOf(world)).toEqual(from.bytes)
      }
    }
    expectSame(world, model)
  }
}

function expectSame(world: ReturnType<typeof createWorld<typeof game.declaration>>, model: Model): void {
  const { things } = world.tables
  const rows = Array.from({ length: things.count }, (_, row) => ({
    id: things.id[row],
    x: things.x[row],
    hp: things.hp[row],
    slots: [...things.slots.subarray(row * 3, row * 3 + 3)],
    leaving: things.leaving[row] === 1,
  }))
  expect({
    tick: world.tick,
    refused: things.refused,
    wave: world.globals.wave,
    fog: [...world.arrays.fog],
    rows,
  }).toEqual({
    tick: model.tick,
    refused: model.refused,
    wave: model.wave,
    fog: model.fog,
    rows: model.rows,
  })
}
