import { describe, expect, test } from 'vitest'
import { bytesOf, expectRefusal } from '../../../test/support.ts'
import { addCircle, collide, despawn, type Rule, restore, snapshot, spawn, step } from '../../index.ts'
import { declaration, equalBoxes, start } from './fixtures/cases.ts'

type BallRule = Rule<typeof declaration, 'ball', 'ball'>

describe('order', () => {
  /** Records the pairs that met. */
  function witness(touching = false) {
    const seen: string[] = []
    const watch: BallRule = {
      between: ['ball', 'ball'],
      touching,
      perBox: true,
      decide(first, second, { firstBox, secondBox }) {
        seen.push(`${first.id}>${second.id} ${firstBox}.${secondBox}`)
        return 'seen'
      },
    }
    return { seen, watch }
  }

  test('[CO12] contacts are decided by owners, older first, then by boxes', () => {
    const { seen, watch } = witness()
    const world = start(
      collide(
        declaration,
        { watch },
        {
          pose(ball, boxes) {
            // Two boxes each; the second reaches further than the first.
            addCircle(boxes, { x: ball.x, y: ball.y, radius: 10 })
            addCircle(boxes, { x: ball.x + 1, y: ball.y, radius: 10 })
          },
        },
      ),
    )
    for (let x = 0; x < 3; x++) spawn(world, 'ball', { x })
    step(world)
    const boxes = ['0.0', '0.1', '1.0', '1.1']
    expect(seen).toEqual(['1>2', '1>3', '2>3'].flatMap((pair) => boxes.map((each) => `${pair} ${each}`)))
  })

  test('[CO12] a key comes first, ties stay canonical', () => {
    const { seen, watch } = witness()
    const world = start(collide(declaration, { watch }, { orderBy: (first, second) => -(first.order + second.order) }))
    const orders = [1, 1, 5, 1]
    for (let x = 0; x < 4; x++) spawn(world, 'ball', { x, radius: 9, order: orders[x] })
    step(world)
    expect(seen.map((line) => line.split(' ')[0])).toEqual(['1>3', '2>3', '3>4', '1>2', '1>4', '2>4'])
  })

  test('[CO12] a key that is no number, and one that writes, are errors', () => {
    const { watch } = witness()
    const ordered = (orderBy: (first: { hp: number }) => number) => {
      const world = start(collide(declaration, { watch }, { orderBy: orderBy as never }))
      for (let x = 0; x < 2; x++) spawn(world, 'ball', { x, radius: 9 })
      return world
    }
    expectRefusal(() => step(ordered(() => Number.NaN)), /orderBy must be a finite number/)
    const writing = ordered((first) => {
      first.hp += 1
      return 0
    })
    const before = writing.memory.bytes.slice()
    expectRefusal(() => step(writing), /orderBy must not write/)
    expect(writing.memory.bytes).toEqual(before)
  })

  test('[CO34] rules that share an order go by their contacts, the others by their place in the list', () => {
    const seen: string[] = []
    const note = (name: string): BallRule => ({
      between: ['ball', 'ball'],
      decide: (first, second) => void seen.push(`${name} ${first.id}>${second.id}`),
    })
    const rules = { a: note('a'), b: note('b'), c: note('c'), d: { ...note('d'), when: false } }
    const play = (sharedOrder?: true | readonly (readonly (keyof typeof rules)[])[]) => {
      seen.length = 0
      const world = start(collide(declaration, rules, sharedOrder === undefined ? {} : { sharedOrder }))
      for (let x = 0; x < 3; x++) spawn(world, 'ball', { x, radius: 9 })
      step(world)
      return seen.join(', ')
    }
    expect(play()).toBe('a 1>2, a 1>3, a 2>3, b 1>2, b 1>3, b 2>3, c 1>2, c 1>3, c 2>3')
    expect(play([['a', 'c']])).toBe('a 1>2, c 1>2, a 1>3, c 1>3, a 2>3, c 2>3, b 1>2, b 1>3, b 2>3')
    expect(play([['c', 'b', 'd']])).toBe('a 1>2, a 1>3, a 2>3, b 1>2, c 1>2, b 1>3, c 1>3, b 2>3, c 2>3')
    expect(play(true)).toBe('a 1>2, b 1>2, c 1>2, a 1>3, b 1>3, c 1>3, a 2>3, b 2>3, c 2>3')
    expectRefusal(() => play([['a', 'z' as never]]), /no rule to share an order "z". Known: a, b, c, d/)
  })

  test('[CO34] a rule that is not in force is never asked, and its layers are not looked for', () => {
    const { seen, watch } = witness()
    for (const when of [true, false]) {
      const world = start(collide(declaration, { watch: { ...watch, when } }))
      for (let x = 0; x < 2; x++) spawn(world, 'ball', { x, radius: 9 })
      seen.length = 0
      step(world)
      expect(seen).toHaveLength(when ? 1 : 0)
    }
  })

  test('[CO14] touching counts only for rules that say so', () => {
    for (const touching of [false, true]) {
      const { seen, watch } = witness(touching)
      const world = start(collide(declaration, { watch }))
      spawn(world, 'ball', { x: 0, radius: 3 })
      spawn(world, 'ball', { x: 3, y: 4, radius: 2 })
      step(world)
      expect(seen).toHaveLength(touching ? 1 : 0)
    }
  })

  test('[CO11] several boxes of one attack are one hit, unless the rule says otherwise', () => {
    for (const perBox of [false, true]) {
      const world = start(
        collide(
          declaration,
          {
            strike: {
              between: ['bullet', 'enemy'],
              perBox,
              decide(_bullet, enemy) {
                enemy.hp -= 1
              },
            },
          },
          { pose: equalBoxes(3) },
        ),
      )
      const enemy = spawn(world, 'enemy', { hp: 100 })
      spawn(world, 'bullet')
      spawn(world, 'bullet')
      step(world)
      // Two attackers, three boxes each against three boxes.
      expect(100 - enemy.hp).toBe(perBox ? 18 : 2)
    }
  })

  test('[CO12] a key reads what stands when the phase begins, not what an earlier or rolled-back tick left behind', () => {
    const world = start(
      collide(
        declaration,
        {
          bleed: {
            between: ['bullet', 'enemy'],
            decide(bullet, enemy) {
              enemy.hp -= 3
              despawn(bullet)
            },
          },
        },
        { orderBy: (_bullet, enemy) => -enemy.hp },
      ),
    )
    const enemies = [10, 12, 11].map((hp) => spawn(world, 'enemy', { radius: 5, hp }))
    for (let i = 0; i < 8; i++) spawn(world, 'bullet', { radius: 0.5, x: i < 3 ? 0 : 50 })
    const before = snapshot(world)
    step(world)
    const once = bytesOf(world)
    step(world)
    restore(world, before)
    step(world)
    expect(bytesOf(world)).toEqual(once)
    // The strongest was asked first, by all three bullets.
    expect(enemies.map(({ hp }) => hp)).toEqual([10, 3, 11])
  })

  test('[CO11] one hit, also where other contacts stand between the boxes of an attack', () => {
    const bite = (mutual: boolean): Rule<typeof declaration, 'fighter', 'fighter'> => ({
      between: ['fighter', 'fighter'],
      mutual,
      decide(_attacker, victim) {
        victim.hp -= 1
      },
    })
    const losses = (phase: Parameters<typeof start>[0]) => {
      const world = start(phase)
      const fighters = [0, 1].map(() => spawn(world, 'fighter', { hp: 100 }))
      step(world)
      return 200 - fighters[0].hp - fighters[1].hp
    }
    const pose = equalBoxes(2)
    expect(losses(collide(declaration, { trade: bite(true) }, { pose }))).toBe(2)
    expect(losses(collide(declaration, { one: bite(false), two: bite(false) }, { pose, sharedOrder: true }))).toBe(2)
    const orderBy = (_first: unknown, _second: unknown, hit: { firstBox: number }) => -hit.firstBox
    expect(losses(collide(declaration, { keyed: bite(false) }, { pose, orderBy }))).toBe(1)
  })
})
