import { createWorld, restore, rowOf, snapshot } from 'hurtbox'
import { describe, expect, test } from 'vitest'
import { laner } from '../bots/laner.ts'
import { SIDE } from '../rules/content/map.ts'
import { KIND } from '../rules/content/units.ts'
import { FOG_SIDE } from '../rules/declaration.ts'
import { siege } from '../rules/index.ts'
import { addStanding, arena, championRow, field, ofKind, run } from './support.ts'

const sees = siege.behaviour.visible!

describe('what a side sees', () => {
  test('[SG28] itself, all structures, and what is near its units; a spectator sees all', () => {
    const world = field()
    const { things } = world.tables
    const hidden = rowOf(things, addStanding(world, SIDE.red, 1000, 0))
    const near = rowOf(things, addStanding(world, SIDE.red, 50, 0))
    addStanding(world, SIDE.blue, 0, 0)
    things.range.fill(0, 14, things.count)
    run(world, 1)
    expect(sees(world, SIDE.blue, hidden)).toBe(false)
    expect(sees(world, SIDE.red, hidden)).toBe(true)
    expect(sees(world, 0, hidden)).toBe(true)
    expect(sees(world, SIDE.blue, near)).toBe(true)
    for (let structure = 0; structure < 14; structure++) expect(sees(world, SIDE.blue, structure)).toBe(true)
  })

  test('[SG28] a minion sees 5 cells of 100 far, a champion 8', () => {
    const seenBy = (world: ReturnType<typeof field>) => {
      const count = FOG_SIDE * FOG_SIDE
      const row = Array.from({ length: FOG_SIDE }, (_, col) => world.arrays.fog[18 * FOG_SIDE + col])
      return { count, from: row.indexOf(1), to: row.lastIndexOf(1) }
    }
    const minion = field()
    minion.tables.things.hp.fill(0, 0, 14)
    addStanding(minion, SIDE.blue, 50, 50)
    run(minion, 1)
    expect(seenBy(minion)).toMatchObject({ from: 13, to: 23 })
    const champion = arena([{ side: SIDE.blue, name: 'vex', x: 50, y: 50 }])
    champion.tables.things.hp.fill(0, 0, 14)
    run(champion, 1)
    expect(seenBy(champion)).toMatchObject({ from: 10, to: 26 })
  })

  test('[SG28] the dead see nothing', () => {
    const world = arena([{ side: SIDE.blue, name: 'vex', x: 500, y: 300 }])
    const spy = rowOf(world.tables.things, addStanding(world, SIDE.red, 700, 300))
    run(world, 1)
    expect(sees(world, SIDE.blue, spy)).toBe(true)
    world.tables.things.hp[championRow(world, 0)] = 0
    run(world, 1)
    expect(sees(world, SIDE.blue, spy)).toBe(false)
  })

  test('[SG29] fog is state: it is restored with everything else', () => {
    const world = arena([{ side: SIDE.blue, name: 'vex', x: 0, y: 0 }])
    run(world, 1)
    const before = [...world.arrays.fog]
    const saved = snapshot(world)
    world.tables.things.x[championRow(world, 0)] = 1000
    run(world, 1)
    expect([...world.arrays.fog]).not.toEqual(before)
    const fresh = createWorld(siege, { seed: 1 })
    restore(fresh, saved)
    expect([...fresh.arrays.fog]).toEqual(before)
  })
})

describe('what one does not see', () => {
  test('[SG30] cannot be attacked; who vanishes is no target any more', () => {
    const world = arena([
      { side: SIDE.blue, name: 'warrior', x: 0, y: 0 },
      { side: SIDE.red, name: 'warrior', x: 1000, y: 300 },
    ])
    const { things, players } = world.tables
    const order = { seat: 0, order: 'attack' as const, target: players.thing[1] }
    run(world, 60, { players: [order] })
    // It does not even know where to go.
    expect([things.x[championRow(world, 0)], things.y[championRow(world, 0)]]).toEqual([0, 0])
    things.x[championRow(world, 1)] = 300
    things.y[championRow(world, 1)] = 0
    run(world, 10, { players: [order, { seat: 1, order: 'move', go: { x: 300, y: 0 } }] })
    expect(things.x[championRow(world, 0)]).toBeGreaterThan(50)
  })

  test('[SG30] a shot on its way still follows into the fog, and a skillshot hits whom it meets there', () => {
    const world = arena([
      { side: SIDE.blue, name: 'elara', x: 0, y: 0 },
      { side: SIDE.red, name: 'gorath', x: 820, y: 0 },
    ])
    const { things, players } = world.tables
    things.x[championRow(world, 1)] = 790
    // Blinded: blue sees nothing in the tick of the cast.
    const events = run(world, 40, { players: [{ seat: 0, first: 1, aim: { x: 820, y: 0 } }] })
    expect(ofKind(events, 'damage').map(({ victim }) => victim)).toEqual([players.thing[1]])
  })

  test('[SG31] bots do not know of it: moving a hidden enemy changes no thought', () => {
    const world = arena([
      { side: SIDE.blue, name: 'warrior', x: 0, y: 0 },
      { side: SIDE.red, name: 'vex', x: 1300, y: 300 },
    ])
    const { things } = world.tables
    run(world, 2)
    const enemy = championRow(world, 1)
    expect(sees(world, SIDE.blue, enemy)).toBe(false)
    const thought = laner.think(world, 0, 1)
    things.x[enemy] = 1400
    things.y[enemy] = 500
    things.hp[enemy] = 1
    expect(sees(world, SIDE.blue, enemy)).toBe(false)
    expect(laner.think(world, 0, 1)).toEqual(thought)
    // Seen, it would matter.
    things.x[enemy] = 60
    things.y[enemy] = 60
    expect(laner.think(world, 0, 1)).not.toEqual(thought)
    expect(things.kind[enemy]).toBe(KIND.champion)
  })
})
