import { describe, expect, test } from 'vitest'
import { collide, type Rule, rule, spawn, step } from '../../src/index.ts'
import { declaration, equalBoxes, LAYER, start, takes } from './cases.ts'

/** A bullet that costs an enemy 1 hp; the hit is remembered until the given time, or for good. */
function saw(more: Partial<Rule<typeof declaration>> = {}, until?: (clock: number) => number) {
  return rule(declaration, {
    name: 'saw',
    attacker: 'bullet',
    victim: 'enemy',
    gates: ['already-hit'],
    decide(view, { victim }, outcome) {
      outcome.add(view.tables.things.hp, victim, -1)
      outcome.remember(until?.(view.clock))
      return 'hit'
    },
    ...more,
  })
}

describe('the hit ledger', () => {
  test('[CO16] the ledger: once, or again when its time has come; entries go with attack and victim', () => {
    const hitsIn10Ticks = (interval: number) => {
      const until = interval === 0 ? undefined : (clock: number) => clock + interval
      const world = start(collide([saw({}, until)], { takes }))
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
    const twice = saw({ perBox: true }, (clock) => clock)
    const world = start(collide([twice], { takes, pose: equalBoxes(2) }))
    spawn(world.tables.things, { layer: LAYER.enemy, hp: 100 })
    spawn(world.tables.things, { layer: LAYER.bullet })
    step(world)
    expect(world.tables.things.hp[0]).toBe(96)
  })

  test('[CO16] the attack can be something else than the attacking thing', () => {
    const swing = saw({ attack: (view, { attacker }) => view.tables.things.order[attacker] })
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
    const world = start(collide([saw(), saw({ name: 'swing', attack: () => 2 })], { takes }))
    spawn(world.tables.things, { layer: LAYER.enemy, radius: 5, hp: 100 })
    spawn(world.tables.things, { layer: LAYER.bullet, radius: 5 })
    step(world)
    step(world)
    expect(world.tables.things.hp[0]).toBe(98)
    let swing = 10
    const many = start(collide([saw({ attack: () => swing })], { takes }))
    spawn(many.tables.things, { layer: LAYER.enemy, radius: 5, hp: 100 })
    spawn(many.tables.things, { layer: LAYER.bullet, radius: 5 })
    for (; swing < 40; swing++) step(many)
    // The table holds 16; what cannot be remembered does not hit.
    expect([many.tables.things.hp[0], many.tables.hits.refused]).toEqual([84, 0])
    expect(() => step(start(collide([saw({ attack: () => -1 })], { takes })))).not.toThrow()
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
