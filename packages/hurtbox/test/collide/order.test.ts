import { describe, expect, test } from 'vitest'
import { addCircle, collide, type RuleList, restore, rule, snapshot, spawn, step } from '../../src/index.ts'
import { bytesOf } from '../support.ts'
import { addBalls, declaration, equalBoxes, LAYER, start, takes } from './cases.ts'

describe('order', () => {
  /** Writes down who met whom. */
  function witness(touching = false) {
    const seen: string[] = []
    const watch = rule(declaration, {
      name: 'witness',
      attacker: 'ball',
      victim: 'ball',
      touching,
      perBox: true,
      decide(view, { attacker, victim, attackerBox, victimBox }) {
        const { id } = view.tables.things
        seen.push(`${id[attacker]}>${id[victim]} ${attackerBox}.${victimBox}`)
        return 'seen'
      },
    })
    return { seen, watch }
  }

  test('[CO12] contacts are decided by owners, older first, then by boxes', () => {
    const { seen, watch } = witness()
    const world = start(
      collide([watch], {
        pose(_world, row, boxes) {
          const { x, y } = _world.tables.things
          // Two boxes each; the first of thing 1 reaches further than the second.
          addCircle(boxes, row, LAYER.ball, x[row], y[row], 10)
          addCircle(boxes, row, LAYER.ball, x[row] + 1, y[row], 10)
        },
      }),
    )
    for (let i = 0; i < 3; i++) spawn(world.tables.things, { layer: LAYER.ball, x: i })
    step(world)
    expect(seen).toEqual([
      ...['1>2 0.2', '1>2 0.3', '1>2 1.2', '1>2 1.3'],
      ...['1>3 0.4', '1>3 0.5', '1>3 1.4', '1>3 1.5'],
      ...['2>3 2.4', '2>3 2.5', '2>3 3.4', '2>3 3.5'],
    ])
  })

  test('[CO12] an order key comes first, ties stay canonical', () => {
    const { seen, watch } = witness()
    const world = start(
      collide([watch], {
        orderKey: (view, { attacker, victim }) =>
          -(view.tables.things.order[attacker] + view.tables.things.order[victim]),
      }),
    )
    const orders = [1, 1, 5, 1]
    for (let i = 0; i < 4; i++) spawn(world.tables.things, { layer: LAYER.ball, x: i, radius: 9, order: orders[i] })
    step(world)
    expect(seen.map((line) => line.split(' ')[0])).toEqual(['1>3', '2>3', '3>4', '1>2', '1>4', '2>4'])
  })

  test('[CO14] touching counts only for rules that say so', () => {
    for (const touching of [false, true]) {
      const { seen, watch } = witness(touching)
      const world = start(collide([watch]))
      spawn(world.tables.things, { layer: LAYER.ball, x: 0, radius: 3 })
      spawn(world.tables.things, { layer: LAYER.ball, x: 3, y: 4, radius: 2 })
      step(world)
      expect(seen).toHaveLength(touching ? 1 : 0)
    }
  })

  test('[CO11] several boxes of one attack are one hit, unless the rule says otherwise', () => {
    for (const perBox of [false, true]) {
      const strike = rule(declaration, {
        name: 'strike',
        attacker: 'bullet',
        victim: 'enemy',
        perBox,
        decide(view, { victim }, outcome) {
          outcome.add(view.tables.things.hp, victim, -1)
          return 'hit'
        },
      })
      const world = start(collide([strike], { takes, pose: equalBoxes(3) }))
      const { things } = world.tables
      spawn(things, { layer: LAYER.enemy, hp: 100 })
      spawn(things, { layer: LAYER.bullet })
      spawn(things, { layer: LAYER.bullet })
      step(world)
      // Two attackers, three boxes each against three boxes.
      expect(100 - things.hp[0]).toBe(perBox ? 18 : 2)
    }
  })

  test('[CO13] with a priority table changes are written by priority, target, emission', () => {
    const cut = rule(declaration, {
      name: 'cut',
      attacker: 'ball',
      victim: 'ball',
      decide(view, { attacker, victim }, outcome) {
        const { order: target } = view.tables.things
        outcome.priority('late')
        outcome.put(target, attacker, 100 + victim)
        outcome.priority('early')
        outcome.put(target, attacker, 200 + victim)
        return 'hit'
      },
    })
    const world = start(collide([cut], { priorities: ['early', 'late'] }))
    addBalls(world, 3)
    step(world)
    // Late wins over early, and among the late ones the last emitted.
    expect([...world.tables.things.order.subarray(0, 3)]).toEqual([102, 102, 0])
  })

  test('[CO12] an order key reads what stands, not what an earlier or rolled-back tick left behind', () => {
    const bleed = rule(declaration, {
      name: 'bleed',
      attacker: 'bullet',
      victim: 'enemy',
      decide(view, { attacker, victim }, outcome) {
        outcome.add(view.tables.things.hp, victim, -3)
        outcome.despawn(attacker)
        return 'hit'
      },
    })
    const phase = collide([bleed], { takes, orderKey: (view, { victim }) => -view.tables.things.hp[victim] })
    const world = start(phase)
    const { things } = world.tables
    for (const hp of [10, 12, 11]) spawn(things, { layer: LAYER.enemy, radius: 5, hp })
    for (let i = 0; i < 8; i++) spawn(things, { layer: LAYER.bullet, radius: 0.5, x: i < 3 ? 0 : 50 })
    const before = snapshot(world)
    step(world)
    const once = bytesOf(world)
    step(world)
    restore(world, before)
    step(world)
    expect(bytesOf(world)).toEqual(once)
    // The strongest was asked first, and then again, until it was not the strongest any more.
    expect([...things.hp.subarray(0, 3)]).toEqual([10, 3, 11])
  })

  test('[CO11] one hit, also where other contacts stand between the boxes of an attack', () => {
    const bite = (name: string, mutual: boolean) =>
      rule(declaration, {
        name,
        attacker: 'fighter',
        victim: 'fighter',
        mutual,
        decide(view, { victim }, outcome) {
          outcome.add(view.tables.things.hp, victim, -1)
          return 'hit'
        },
      })
    const losses = (rules: RuleList<typeof declaration>, options = {}) => {
      const world = start(collide(rules, { takes, pose: equalBoxes(2), ...options }))
      for (let i = 0; i < 2; i++) spawn(world.tables.things, { layer: LAYER.fighter, hp: 100 })
      step(world)
      return 200 - world.tables.things.hp[0] - world.tables.things.hp[1]
    }
    expect(losses([bite('trade', true)])).toBe(2)
    expect(losses([[bite('one', false), bite('two', false)]])).toBe(2)
    expect(
      losses([bite('keyed', false)], { orderKey: (_view: unknown, c: { attackerBox: number }) => -c.attackerBox }),
    ).toBe(1)
  })
})
