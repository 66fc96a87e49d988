import { describe, expect, test } from 'vitest'
import { collisionsOf } from '../../host/tools/index.ts'
import { addCircle, collide, spawn, step } from '../../index.ts'
import { bite, type Case, declaration, shoot, start } from './fixtures/cases.ts'

/** What the phase found in its last tick. */
function found(world: Case) {
  return collisionsOf(world as never).get('phase')!
}

function pairsOf(world: Case): number[][] {
  const { contacts } = found(world)
  return Array.from({ length: contacts.count }, (_, i) => [contacts.a[i], contacts.b[i]])
}

describe('stages', () => {
  test('[CO17] posing, detecting and ordering never write to the world', () => {
    const bytes: Uint8Array[] = []
    const world = start(
      collide(
        declaration,
        {
          watch: {
            between: ['bullet', 'player'],
            decide(_bullet, _player, hit) {
              bytes.push(hit.world.memory.bytes.slice())
              return 'seen'
            },
          },
        },
        { pose: (thing, boxes) => addCircle(boxes, thing) },
      ),
    )
    spawn(world, 'player', { radius: 24, hp: 40 })
    for (let x = 0; x < 3; x++) spawn(world, 'bullet', { x, radius: 5 })
    const before = world.memory.bytes.slice()
    step(world)
    const { boxes, contacts, cases } = found(world)
    expect([boxes.count, contacts.count, cases.count]).toEqual([4, 3, 3])
    // When the first rule is asked, and after each that was refused, the block is as it was before the phase.
    expect(bytes).toEqual([before, before, before])
  })

  test('[CO22] a phase looks only for pairs of layers that one of its rules is about', () => {
    const shotAtEnemy = shoot('enemy', 1)
    const shotAtPlayer = shoot('player', 1)
    const pairsFor = (phase: Parameters<typeof start>[0]) => {
      const world = start(phase)
      spawn(world, 'player', { radius: 24, hp: 40 })
      spawn(world, 'enemy', { x: 1, radius: 24, hp: 40 })
      spawn(world, 'bullet', { radius: 5 })
      step(world)
      return pairsOf(world)
    }
    expect(pairsFor(collide(declaration, { bite }))).toEqual([[0, 1]])
    expect(pairsFor(collide(declaration, { shotAtEnemy, bite }))).toEqual([
      [0, 1],
      [1, 2],
    ])
    expect(pairsFor(collide(declaration, { shotAtEnemy, shotAtPlayer }, { sharedOrder: true }))).toEqual([
      [0, 2],
      [1, 2],
    ])
  })
})
