import { describe, expect, test } from 'vitest'
import { commit, createCollision, decide, detect, order, pose, type RuleList, spawn } from '../../src/index.ts'
import { bytesOf } from '../support.ts'
import { bite, type declaration, LAYER, shoot, start, takes } from './cases.ts'

describe('stages', () => {
  test('[CO17] only commit writes to the world', () => {
    const world = start(() => {})
    const { things } = world.tables
    spawn(things, { layer: LAYER.player, radius: 24, hp: 40 })
    for (let i = 0; i < 3; i++) spawn(things, { layer: LAYER.bullet, x: i, radius: 5 })
    const collision = createCollision(world, [shoot('player', 30)], { takes })
    const before = bytesOf(world)

    pose(collision)
    expect(collision.boxes.count).toBe(4)
    detect(collision)
    expect(collision.contacts.count).toBe(3)
    order(collision)
    expect(collision.cases.count).toBe(3)
    decide(collision)
    expect(bytesOf(world)).toEqual(before)
    commit(collision)
    expect(things.hp[0]).toBe(0)
    expect([...things.leaving.subarray(0, 4)]).toEqual([0, 1, 1, 0])
  })

  test('[DT7] no option of the broad phase leaves a contact out, not even one that its type does not have', () => {
    const world = start(() => {})
    spawn(world.tables.things, { layer: LAYER.player, radius: 24, hp: 400 })
    for (let i = 0; i < 5; i++) spawn(world.tables.things, { layer: LAYER.bullet, x: i, radius: 5 })
    const collision = createCollision(world, [shoot('player', 30)], { takes, maxPairs: 2 } as never)
    pose(collision)
    detect(collision)
    expect(collision.contacts.count).toBe(5)
  })

  test('[CO22] a phase looks only for pairs of layers that one of its rules is about', () => {
    const world = start(() => {})
    const { things } = world.tables
    spawn(things, { layer: LAYER.player, radius: 24, hp: 40 })
    spawn(things, { layer: LAYER.enemy, radius: 24, hp: 40 })
    spawn(things, { layer: LAYER.bullet, radius: 5 })
    const pairsFor = (...rules: RuleList<typeof declaration>) => {
      const collision = createCollision(world, rules)
      pose(collision)
      detect(collision)
      const { contacts } = collision
      return Array.from({ length: contacts.count }, (_, i) => [contacts.a[i], contacts.b[i]])
    }
    expect(pairsFor(bite)).toEqual([[0, 1]])
    expect(pairsFor(shoot('enemy', 1), bite)).toEqual([
      [0, 1],
      [1, 2],
    ])
    expect(pairsFor([shoot('enemy', 1), shoot('player', 1)])).toEqual([
      [0, 2],
      [1, 2],
    ])
  })
})
