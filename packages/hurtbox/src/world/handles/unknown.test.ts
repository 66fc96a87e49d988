/** Writes under a name that was not declared. */

import { describe, expect, test } from 'vitest'
import { expectRefusal, worldWith } from '../../../test/support.ts'
import { box } from '../../geometry/shapes/index.ts'
import { addShape, collide, declareGame, insert, playerAt, spawn, step } from '../../index.ts'

const layers = { sword: ['slime'], slime: [] } as const
const orders = { capacity: 4, columns: { unit: 'id' } } as const
const declaration = declareGame({
  id: 'unknown-names',
  tickRate: 60,
  layers,
  things: { hp: 'f64', poisonUntil: 'timer' },
  players: { score: 'u32' },
  tables: { orders },
  globals: { waveNumber: 'u32' },
})

describe('a write under a name that was not declared', () => {
  test('[NT1] throws for things, players, rows and globals, with the nearest name and where names are declared', () => {
    const world = worldWith(declaration)
    step(world, { controls: [{ control: 'join', seat: 0 }] })
    const slime = spawn(world, 'slime', { hp: 5 })
    expectRefusal(
      () => Object.assign(slime, { hp: 3, poisonUntl: 3 }),
      'There is no column of things "poisonUntl" to write to. Did you mean "poisonUntil"? A new one is declared in things of the declaration.',
    )
    // As JavaScript without types writes it.
    const untyped = (object: object) => object as Record<string, number>
    expectRefusal(() => void (untyped(playerAt(world, 0)!).scroe = 1), /players "scroe".*"score"/)
    const order = insert(world, 'orders', { unit: slime })
    expectRefusal(() => void (untyped(order).untt = 1), /"unit".*declared in tables\.orders\.columns/)
    expectRefusal(() => void (untyped(world.globals).waveNumbr = 1), /global "waveNumbr".*"waveNumber"/)
    expect(Object.keys(slime)).not.toContain('poisonUntl')
    expect([slime.hp, slime.poisonUntil]).toEqual([3, 0])
  })

  test('[NT1] throws in rules, and what the rule wrote before is undone', () => {
    const hits = collide(declaration, {
      'sword hits slime': {
        between: ['sword', 'slime'],
        decide(_sword, slime) {
          Object.assign(slime, { hp: 1, poisonUntl: 9 })
        },
      },
    })
    const world = worldWith(declaration, hits)
    spawn(world, 'sword', { radius: 10 })
    const slime = spawn(world, 'slime', { radius: 10, hp: 5 })
    expectRefusal(() => step(world), /"poisonUntl" to write to\. Did you mean "poisonUntil"/)
    expect(slime.hp).toBe(5)
  })

  test('[NT2] what is not declared reads as undefined, also where posing asks for it, and is refused all the same', () => {
    let posed: unknown
    const hits = collide(
      declaration,
      {},
      {
        pose: {
          slime(slime, boxes) {
            posed = [(slime as { facingX?: number }).facingX, (slime as { z?: number }).z]
            addShape(boxes, box(4, 4), slime)
          },
        },
      },
    )
    const world = worldWith(declaration, hits)
    const slime = spawn(world, 'slime')
    step(world)
    expect(posed).toEqual([undefined, undefined])
    expectRefusal(() => Object.assign(slime, { facingX: 1 }), /"facingX" to write to/)
  })
})
