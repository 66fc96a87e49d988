import { describe, expect, test } from 'vitest'
import { collide, rule, spawn, step } from '../../src/index.ts'
import { declaration, equalBoxes, LAYER, start, takes } from './cases.ts'

describe('the hit ledger', () => {
  test('[CO16] the ledger: once, or again when its time has come; entries go with attack and victim', () => {
    const saw = (interval: number) =>
      rule(declaration, {
        name: 'saw',
        attacker: 'bullet',
        victim: 'enemy',
        gates: ['already-hit'],
        decide(view, { victim }, outcome) {
          outcome.add(view.tables.things.hp, victim, -1)
          if (interval === 0) outcome.remember()
          else outcome.remember(view.clock + interval)
          return 'hit'
        },
      })
    const hitsIn10Ticks = (interval: number) => {
      const world = start(collide([saw(interval)], { takes }))
      const { things, hits } = world.tables
      spawn(things, { layer: LAYER.enemy, radius: 5, hp: 100 })
      spawn(things, { layer: LAYER.enemy, radius: 5, hp: 100 })
      spawn(things, { layer: LAYER.bullet, radius: 5 })
      for (let tick = 0; tick < 10; tick++) step(world)
      // At the end of a tick there is one entry per victim, unless the interval is over by then.
      expect(hits.count).toBe(interval === 1 ? 0 : 2)
      things.leaving[2] = 1
      step(world)
      expect(hits.count).toBe(0)
      return [100 - things.hp[0], 100 - things.hp[1]]
    }
    expect(hitsIn10Ticks(0)).toEqual([1, 1])
    expect(hitsIn10Ticks(4)).toEqual([3, 3])
    expect(hitsIn10Ticks(1)).toEqual([10, 10])
  })

  test('[CO16] an entry whose time is now forbids nothing', () => {
    const saw = rule(declaration, {
      name: 'saw',
      attacker: 'bullet',
      victim: 'enemy',
      gates: ['already-hit'],
      perBox: true,
      decide(view, { victim }, outcome) {
        outcome.add(view.tables.things.hp, victim, -1)
        outcome.remember(view.clock)
        return 'hit'
      },
    })
    const world = start(collide([saw], { takes, pose: equalBoxes(2) }))
    spawn(world.tables.things, { layer: LAYER.enemy, hp: 100 })
    spawn(world.tables.things, { layer: LAYER.bullet })
    step(world)
    expect(world.tables.things.hp[0]).toBe(96)
  })

  test('[CO16] the attack can be something else than the attacking thing', () => {
    const swing = rule(declaration, {
      name: 'swing',
      attacker: 'bullet',
      victim: 'enemy',
      gates: ['already-hit'],
      attack: (view, { attacker }) => view.tables.things.order[attacker],
      decide(view, { victim }, outcome) {
        outcome.add(view.tables.things.hp, victim, -1)
        outcome.remember()
        return 'hit'
      },
    })
    const world = start(collide([swing], { takes }))
    const { things } = world.tables
    spawn(things, { layer: LAYER.enemy, radius: 5, hp: 100 })
    // Two blades of one swing, and one of another.
    for (const order of [40, 40, 41]) spawn(things, { layer: LAYER.bullet, radius: 5, order })
    step(world)
    step(world)
    expect(things.hp[0]).toBe(98)
  })

  test('[CO16] ids of swings and of things do not mix, and a full ledger refuses the hit', () => {
    const by = (name: string, attack: (() => number) | undefined) =>
      rule(declaration, {
        name,
        attacker: 'bullet',
        victim: 'enemy',
        gates: ['already-hit'],
        ...(attack && { attack }),
        decide(view, { victim }, outcome) {
          outcome.add(view.tables.things.hp, victim, -1)
          outcome.remember()
          return 'hit'
        },
      })
    const world = start(collide([by('thing', undefined), by('swing', () => 2)], { takes }))
    spawn(world.tables.things, { layer: LAYER.enemy, radius: 5, hp: 100 })
    spawn(world.tables.things, { layer: LAYER.bullet, radius: 5 })
    step(world)
    step(world)
    expect(world.tables.things.hp[0]).toBe(98)
    let swing = 10
    const many = start(collide([by('swings', () => swing)], { takes }))
    spawn(many.tables.things, { layer: LAYER.enemy, radius: 5, hp: 100 })
    spawn(many.tables.things, { layer: LAYER.bullet, radius: 5 })
    for (; swing < 40; swing++) step(many)
    // The table holds 16; what cannot be remembered does not hit.
    expect([many.tables.things.hp[0], many.tables.hits.refused]).toEqual([84, 0])
    expect(() => step(start(collide([by('wrong', () => -1)], { takes })))).not.toThrow()
  })

  test('[CO29] a hit remembered twice is one entry, and the longer time counts', () => {
    const cut = rule(declaration, {
      name: 'cut',
      attacker: 'bullet',
      victim: 'enemy',
      gates: ['already-hit'],
      decide(view, _contact, outcome) {
        outcome.remember(view.clock + 5)
        outcome.remember(view.clock + 3)
        return 'hit'
      },
    })
    const world = start(collide([cut]))
    const { things, hits } = world.tables
    spawn(things, { layer: LAYER.bullet, radius: 1 })
    spawn(things, { layer: LAYER.enemy, radius: 1 })
    const untils: number[][] = []
    for (let tick = 0; tick < 6; tick++) {
      step(world)
      untils.push([...hits.until.subarray(0, hits.count)])
    }
    expect(untils).toEqual([[5], [5], [5], [5], [], [10]])
  })
})
