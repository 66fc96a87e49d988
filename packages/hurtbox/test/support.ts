/** What several test files need: snapshots as text, catching an error, small games. */

import { expect } from 'vitest'
import type { AnyWorld, Declaration } from '../src/host/tools/index.ts'
import { createWorld, declareGame, defineGame, HurtboxError, type Phase, snapshot, wide } from '../src/index.ts'

/** The state of a world as bytes that `toEqual` compares. */
export function bytesOf(world: AnyWorld): Uint8Array {
  const taken = snapshot(world)
  return taken.bytes.slice(0, taken.byteLength)
}

/** A world of a game that has one phase, or none. */
export function worldWith<D extends Declaration>(declaration: D, phase?: Phase<NoInfer<D>>) {
  return createWorld(defineGame(declaration, { phases: phase === undefined ? {} : { phase } }))
}

/** Expects `act` to throw a HurtboxError whose message names `mention`, and `world` to be the same afterwards. */
export function expectRefusal(act: () => unknown, mention: string | RegExp, world?: AnyWorld): HurtboxError {
  const before = world && bytesOf(world)
  let thrown: unknown
  try {
    act()
  } catch (error) {
    thrown = error
  }
  expect(thrown, `expected an error that mentions ${mention}`).toBeInstanceOf(HurtboxError)
  expect((thrown as HurtboxError).message).toMatch(mention)
  if (world !== undefined) expect(bytesOf(world)).toEqual(before)
  return thrown as HurtboxError
}

export const boxDeclaration = declareGame({
  id: 'box-of-things',
  rulesVersion: 1,
  tickRate: 10,
  seats: { min: 0, max: 4 },
  layers: { thing: [], other: [] },
  capacity: 8,
  things: { hp: 'f64', slots: wide('u16', 3) },
  tables: { notes: { capacity: 4, columns: { about: 'id', size: 'u8' } } },
  arrays: { fog: { type: 'u8', length: 5 } },
  globals: { wave: 'u32', wind: 'f64' },
  streams: ['dice', 'weather'],
})

/** A game of eight things that does nothing by itself, or what `phases` do. */
export function boxGame(phases: Readonly<Record<string, Phase<typeof boxDeclaration>>> = {}) {
  return defineGame(boxDeclaration, { phases })
}
