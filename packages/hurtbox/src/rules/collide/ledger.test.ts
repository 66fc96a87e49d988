import { describe, expect, test } from 'vitest'
import { expectRefusal, worldWith } from '../../../test/support.ts'
import { collide, declareGame, despawn, type Rule, spawn, step } from '../../index.ts'
import { ledgers } from './decide.ts'
import { declaration, equalBoxes, start } from './fixtures/cases.ts'

type Saw = Rule<typeof declaration, 'bullet', 'enemy'>

/** A bullet that costs an enemy 1 hp, once. */
function saw(more: Partial<Saw> = {}): Saw {
  return {
    between: ['bullet', 'enemy'],
    once: true,
    decide(_bullet, enemy) {
      enemy.hp -= 1
    },
    ...more,
  }
}

describe('the hit ledger', () => {
  test('[CO16] the ledger: once, or again when its time has come; entries go with attack and victim', () => {
    const hitsIn10Ticks = (once: NonNullable<Saw['once']>) => {
      const world = start(collide(declaration, { saw: saw({ once }) }))
      const { hits } = world.tables
      const enemies = [0, 1].map(() => spawn(world, 'enemy', { radius: 5, hp: 100 }))
      const bullet = spawn(world, 'bullet', { radius: 5 })
      for (let tick = 0; tick < 10; tick++) step(world)
      // At the end of a tick there is one entry per victim, unless the interval is over by then.
      expect(hits.count).toBe(once === 1 ? 0 : 2)
      despawn(bullet)
      step(world)
      expect(hits.count).toBe(0)
      return enemies.map(({ hp }) => 100 - hp)
    }
    expect(hitsIn10Ticks(true)).toEqual([1, 1])
    expect(hitsIn10Ticks(4)).toEqual([3, 3])
    expect(hitsIn10Ticks(1)).toEqual([10, 10])
    // The second victim is a longer rest.
    expect(hitsIn10Ticks((_bullet, enemy) => (enemy.id === 1 ? 4 : 8))).toEqual([3, 2])
    expect(hitsIn10Ticks(() => Number.POSITIVE_INFINITY)).toEqual([1, 1])
  })

  test('[CO16] an interval of 0 is not remembered and forbids nothing', () => {
    for (const once of [0, () => 0]) {
      const world = start(collide(declaration, { twice: saw({ perBox: true, once }) }, { pose: equalBoxes(2) }))
      const enemy = spawn(world, 'enemy', { hp: 100 })
      spawn(world, 'bullet')
      step(world)
      expect([enemy.hp, world.tables.hits.count]).toEqual([96, 0])
    }
  })

  test('[CO16] the attack can be something else than the attacking thing', () => {
    const world = start(collide(declaration, { swing: saw({ attack: (blade) => blade.order }) }))
    const enemy = spawn(world, 'enemy', { radius: 5, hp: 100 })
    // Two blades of one swing, and one of another.
    for (const order of [40, 40, 41]) spawn(world, 'bullet', { radius: 5, order })
    step(world)
    step(world)
    expect(enemy.hp).toBe(98)
  })

  test('[CO16] numbers of swings and ids of things do not mix, and a full ledger refuses the hit', () => {
    const world = start(collide(declaration, { saw: saw(), swing: saw({ attack: () => 2 }) }))
    const enemy = spawn(world, 'enemy', { radius: 5, hp: 100 })
    spawn(world, 'bullet', { radius: 5 })
    step(world)
    step(world)
    expect(enemy.hp).toBe(98)
    let swing = 10
    const many = start(collide(declaration, { saw: saw({ attack: () => swing }) }))
    const victim = spawn(many, 'enemy', { radius: 5, hp: 100 })
    spawn(many, 'bullet', { radius: 5 })
    for (; swing < 40; swing++) step(many)
    // The table holds 16; what cannot be remembered does not hit.
    expect([victim.hp, many.tables.hits.refused]).toEqual([84, 0])
  })

  test('[CO16] an attack that is no id, and an interval that is no number of ticks, are refused by name', () => {
    const played = (more: Partial<Saw>) => () => {
      const world = start(collide(declaration, { saw: saw(more) }))
      spawn(world, 'enemy', { radius: 5, hp: 100 })
      spawn(world, 'bullet', { radius: 5 })
      step(world)
    }
    for (const bad of [-1, 0.5, Number.NaN]) {
      expectRefusal(played({ attack: () => bad }), /the attack of rule "saw" must be/)
      expectRefusal(played({ once: () => bad }), /once of rule "saw" must be ticks/)
      expectRefusal(played({ once: bad }), /once of rule "saw" must be ticks/)
    }
    expectRefusal(
      played({
        attack: (blade) => {
          blade.order++
          return 7
        },
      }),
      /attack of rule "saw" must not write/,
    )
    expect(played({ attack: () => 0xffffffff })).not.toThrow()
  })

  test('[CO16] an attack that its hit uses up is not remembered', () => {
    const world = start(
      collide(declaration, {
        saw: saw({
          decide(bullet, enemy) {
            enemy.hp -= 1
            despawn(bullet)
          },
        }),
      }),
    )
    const enemy = spawn(world, 'enemy', { radius: 5, hp: 100 })
    for (let i = 0; i < 20; i++) spawn(world, 'bullet', { radius: 5 })
    let most = 0
    step(world)
    most = Math.max(most, world.tables.hits.count)
    // The ledger has room for 16, and 20 have hit.
    expect([enemy.hp, most]).toEqual([80, 0])
  })

  test('[CO29] what is remembered counts until its time and has one entry', () => {
    const world = start(collide(declaration, { cut: saw({ once: 5 }) }))
    const { hits } = world.tables
    spawn(world, 'bullet', { radius: 1 })
    spawn(world, 'enemy', { radius: 1 })
    const untils: number[][] = []
    for (let tick = 0; tick < 6; tick++) {
      step(world)
      untils.push([...hits.until.subarray(0, hits.count)])
    }
    expect(untils).toEqual([[5], [5], [5], [5], [], [10]])
  })

  test('[CO16] a rule that hits once in a game without room to remember is refused when the world is made', () => {
    const bare = declareGame({ id: 'bare', tickRate: 60, layers: { bullet: ['enemy'], enemy: [] } })
    const once = collide(bare, { saw: { between: ['bullet', 'enemy'], once: true, decide: () => {} } })
    expectRefusal(() => worldWith(bare, once), /rule "saw" hits once: declare hits: rememberHits\(256\)/)
  })

  test('[CO16] what remembers comes with rememberHits: in a page that never called it such a rule is refused, others are not', () => {
    const { make } = ledgers
    ledgers.make = undefined
    try {
      expectRefusal(() => start(collide(declaration, { saw: saw() })), /declare hits: rememberHits\(256\)/)
      const world = start(
        collide(declaration, { saw: { between: ['bullet', 'enemy'], decide: (_, enemy) => void enemy.hp-- } }),
      )
      spawn(world, 'bullet', { radius: 5 })
      const enemy = spawn(world, 'enemy', { radius: 5, hp: 9 })
      step(world)
      step(world)
      expect(enemy.hp).toBe(7)
    } finally {
      ledgers.make = make
    }
  })
})
