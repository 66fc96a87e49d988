import { describe, expect, test } from 'vitest'
import { collide, emit, restore, rule, snapshot, snapshotFromBytes, spawn, step } from '../../src/index.ts'
import { bytesOf } from '../support.ts'
import { addBalls, declaration, LAYER, shoot, start, takes } from './cases.ts'

describe('transactions', () => {
  test('[CO8] where things are is frozen: a push in one contact does not spare the next', () => {
    const shove = rule(declaration, {
      name: 'shove',
      attacker: 'ball',
      victim: 'ball',
      decide(view, { victim }, outcome) {
        expect(view.tables.things.x[victim]).toBe(victim)
        outcome.push(victim, 1000, 0)
        return 'hit'
      },
    })
    const world = start(collide([shove]))
    const { things } = world.tables
    addBalls(world, 3)
    step(world)
    // Ball 2 was pushed by both others, although the first push alone would have carried it away.
    expect([...things.x.subarray(0, 3)]).toEqual([0, 1001, 2002])
  })

  test('[CO9] a refused outcome leaves nothing behind', () => {
    const half = rule(declaration, {
      name: 'half-hearted',
      attacker: 'ball',
      victim: 'ball',
      decide(view, { attacker, victim }, outcome) {
        const { things } = view.tables
        outcome.add(things.hp, victim, -50)
        outcome.push(victim, 9, 9)
        outcome.despawn(attacker)
        outcome.spawn(view.tables.shards, { of: things.id[victim] })
        outcome.remember()
        for (let i = 0; i < 3; i++) emit(view.events.hurt, { victim: 1, attacker: 2, hpAfter: 3 })
        return 'changed my mind'
      },
    })
    const world = start(collide([half], { takes }))
    addBalls(world, 3)
    const before = bytesOf(world)
    step(world)
    const after = bytesOf(world)
    // Only tick and clock have moved.
    expect(after.slice(8)).toEqual(before.slice(8))
    expect([world.events.hurt.count, world.events.hurt.refused]).toEqual([0, 0])
  })

  test('[TK4] a rule that throws leaves the world as it was before the phase', () => {
    let contacts = 0
    const explode = rule(declaration, {
      name: 'explode',
      attacker: 'ball',
      victim: 'ball',
      decide(view, { victim }, outcome) {
        if (++contacts === 3) throw new Error('bug in a rule')
        outcome.add(view.tables.things.hp, victim, -50)
        emit(view.events.hurt, { victim: 1, attacker: 2, hpAfter: 3 })
        return 'hit'
      },
    })
    const world = start(collide([explode], { takes }))
    addBalls(world, 3)
    // The block itself: a snapshot of a broken world is refused.
    const before = world.memory.bytes.slice()
    expect(() => step(world)).toThrow('bug in a rule')
    expect(world.memory.bytes).toEqual(before)
    expect(() => snapshot(world)).toThrow(/between two steps/)
    expect(world.events.hurt.count).toBe(0)
    expect(() => step(world)).toThrow(/Restore a snapshot/)
  })

  test('[CO10] a bullet used up by one victim hits no other', () => {
    const world = start(collide([shoot('enemy', 10)], { takes }))
    const { things } = world.tables
    for (let i = 0; i < 3; i++) spawn(things, { layer: LAYER.enemy, x: i, radius: 5, hp: 100 })
    spawn(things, { layer: LAYER.bullet, x: 1, radius: 5 })
    step(world)
    expect([...things.hp.subarray(0, 3)]).toEqual([90, 100, 100])
  })

  test('[CO18] spawns come after the changes, in order of emission; a full table refuses and counts', () => {
    const shatter = rule(declaration, {
      name: 'shatter',
      attacker: 'ball',
      victim: 'ball',
      decide(view, { attacker, victim }, outcome) {
        const { things } = view.tables
        outcome.spawn(view.tables.shards, { of: things.id[attacker] * 10 + things.id[victim] })
        return 'hit'
      },
    })
    const world = start(collide([shatter]))
    addBalls(world, 4)
    step(world)
    const { shards } = world.tables
    expect([...shards.of.subarray(0, shards.count)]).toEqual([12, 13, 14, 23])
    expect(shards.refused).toBe(2)
  })

  test("[TK4] a row that cannot be is refused while the rule speaks, and the values are the rule's own copy", () => {
    const scratch = { of: 0 }
    const drop = (bad: boolean) =>
      rule(declaration, {
        name: 'drop',
        attacker: 'bullet',
        victim: 'enemy',
        decide(view, { victim }, outcome) {
          outcome.add(view.tables.things.hp, victim, -1)
          scratch.of = bad ? -1 : view.tables.things.id[victim]
          outcome.spawn(view.tables.shards, scratch)
          return 'hit'
        },
      })
    for (const bad of [true, false]) {
      const world = start(collide([drop(bad)], { takes }))
      for (let i = 0; i < 3; i++) spawn(world.tables.things, { layer: LAYER.enemy, radius: 5, hp: 9 })
      spawn(world.tables.things, { layer: LAYER.bullet, radius: 5 })
      const before = bytesOf(world)
      if (bad) {
        expect(() => step(world)).toThrow(/shards\.of/)
        restore(world, snapshotFromBytes(world.memory.layout, before))
        expect(bytesOf(world)).toEqual(before)
      } else {
        step(world)
        expect([...world.tables.shards.of.subarray(0, 3)]).toEqual([1, 2, 3])
      }
    }
  })

  test('[CO24] whole numbers stop at their ends, and a change outside a column is refused', () => {
    const count = (amount: number, index?: number) => {
      const tally = rule(declaration, {
        name: 'tally',
        attacker: 'bullet',
        victim: 'enemy',
        decide(view, { victim }, outcome) {
          outcome.add(view.tables.things.order, index ?? victim, amount)
          return 'hit'
        },
      })
      const world = start(collide([tally]))
      spawn(world.tables.things, { layer: LAYER.enemy, radius: 5, order: 10 })
      spawn(world.tables.things, { layer: LAYER.bullet, radius: 5 })
      step(world)
      return world.tables.things.order[0]
    }
    expect([count(-30), count(5), count(1e12)]).toEqual([0, 15, 0xffffffff])
    expect(() => count(1, 64)).toThrow(/things\.order cannot be changed/)
    expect(() => count(Number.NaN)).toThrow(/things\.order cannot be changed/)
  })
})
