import { createWorld, restore, snapshot } from 'hurtbox'
import { describe, expect, test } from 'vitest'
import { laner } from '../bots/laner.ts'
import { SIDE, STRUCTURES } from '../rules/content/map.ts'
import { KIND } from '../rules/content/units.ts'
import { FOG_SIDE, type SiegeWorld } from '../rules/declaration.ts'
import { siege } from '../rules/index.ts'
import { addStanding, arena, builtOf, championOf, field, ofKind, playerIn, run } from './support.ts'

const sees = siege.behaviour.visible!

/** No structure stands. */
function raze(world: SiegeWorld): void {
  STRUCTURES.forEach((_, place) => {
    builtOf(world, place).hp = 0
  })
}

describe('what a side sees', () => {
  test('[SG28] itself, all structures, and what is near its units; a spectator sees all', () => {
    const world = field()
    const hidden = addStanding(world, SIDE.red, 1000, 0)
    const near = addStanding(world, SIDE.red, 50, 0)
    const own = addStanding(world, SIDE.blue, 0, 0)
    hidden.range = near.range = own.range = 0
    run(world, 1)
    expect(sees(world, SIDE.blue, hidden)).toBe(false)
    expect(sees(world, SIDE.red, hidden)).toBe(true)
    expect(sees(world, 0, hidden)).toBe(true)
    expect(sees(world, SIDE.blue, near)).toBe(true)
    for (let place = 0; place < 14; place++) expect(sees(world, SIDE.blue, builtOf(world, place))).toBe(true)
  })

  test('[SG28] a minion sees 5 cells of 100 far, a champion 8', () => {
    const seenBy = (world: ReturnType<typeof field>) => {
      const count = FOG_SIDE * FOG_SIDE
      const row = Array.from({ length: FOG_SIDE }, (_, col) => world.arrays.fog[18 * FOG_SIDE + col])
      return { count, from: row.indexOf(1), to: row.lastIndexOf(1) }
    }
    const minion = field()
    raze(minion)
    addStanding(minion, SIDE.blue, 50, 50)
    run(minion, 1)
    expect(seenBy(minion)).toMatchObject({ from: 13, to: 23 })
    const champion = arena([{ side: SIDE.blue, name: 'vex', x: 50, y: 50 }])
    raze(champion)
    run(champion, 1)
    expect(seenBy(champion)).toMatchObject({ from: 10, to: 26 })
  })

  test('[SG28] sight reaches into the corners of the map', () => {
    const world = field()
    addStanding(world, SIDE.blue, -1550, -1550)
    addStanding(world, SIDE.red, 1550, 1550)
    run(world, 1)
    const { fog } = world.arrays
    expect([fog[0], fog[2 * FOG_SIDE * FOG_SIDE - 1]]).toEqual([1, 1])
  })

  test('[SG28] the dead see nothing', () => {
    const world = arena([{ side: SIDE.blue, name: 'vex', x: 500, y: 300 }])
    const spy = addStanding(world, SIDE.red, 700, 300)
    run(world, 1)
    expect(sees(world, SIDE.blue, spy)).toBe(true)
    championOf(world, 0).hp = 0
    run(world, 1)
    expect(sees(world, SIDE.blue, spy)).toBe(false)
  })

  test('[SG29] fog is state: it is restored with everything else', () => {
    const world = arena([{ side: SIDE.blue, name: 'vex', x: 0, y: 0 }])
    run(world, 1)
    const before = [...world.arrays.fog]
    const saved = snapshot(world)
    championOf(world, 0).x = 1000
    run(world, 1)
    expect([...world.arrays.fog]).not.toEqual(before)
    const fresh = createWorld(siege, { seed: 1 })
    restore(fresh, saved)
    expect([...fresh.arrays.fog]).toEqual(before)
  })
})

describe('what a side does not see', () => {
  test('[SG30] cannot be attacked; a champion that vanishes is no target any more', () => {
    const world = arena([
      { side: SIDE.blue, name: 'warrior', x: 0, y: 0 },
      { side: SIDE.red, name: 'warrior', x: 1000, y: 300 },
    ])
    const [own, enemy] = [championOf(world, 0), championOf(world, 1)]
    const order = { seat: 0, order: 'attack' as const, target: enemy.id }
    run(world, 60, { players: [order] })
    // It does not even know where to go.
    expect([own.x, own.y]).toEqual([0, 0])
    enemy.x = 300
    enemy.y = 0
    run(world, 10, { players: [order, { seat: 1, order: 'move', go: { x: 300, y: 0 } }] })
    expect(own.x).toBeGreaterThan(50)
  })

  test('[SG30] a shot on its way still follows into the fog', () => {
    const world = arena([
      { side: SIDE.blue, name: 'elara', x: 0, y: 0 },
      { side: SIDE.red, name: 'gorath', x: 300, y: 0 },
    ])
    raze(world)
    const gorath = championOf(world, 1)
    const inputs = { players: [{ seat: 0, order: 'attack' as const, target: gorath.id }] }
    let ticks = 0
    while (ofKind(run(world, 1, inputs), 'shot').length === 0 && ticks < 60) ticks++
    Object.assign(gorath, { x: 1000, y: 500 })
    run(world, 1)
    expect(sees(world, SIDE.blue, gorath), 'in the fog').toBe(false)
    const events = run(world, 60)
    expect(ofKind(events, 'damage').map(({ victim }) => victim)).toEqual([gorath.id])
    expect(sees(world, SIDE.blue, gorath), 'still in the fog').toBe(false)
  })

  test('[SG30] a skillshot hits what it meets in the fog', () => {
    const world = arena([
      { side: SIDE.blue, name: 'elara', x: 95, y: 0 },
      { side: SIDE.red, name: 'gorath', x: 955, y: 0 },
    ])
    raze(world)
    const gorath = championOf(world, 1)
    run(world, 1)
    expect(sees(world, SIDE.blue, gorath)).toBe(false)
    const events = run(world, 40, { players: [{ seat: 0, first: 1, aim: { x: 955, y: 0 } }] })
    expect(ofKind(events, 'damage').map(({ victim }) => victim)).toEqual([gorath.id])
    expect(sees(world, SIDE.blue, gorath), 'never seen').toBe(false)
  })

  test('[SG31] bots do not know of it: moving a hidden enemy changes no thought', () => {
    const world = arena([
      { side: SIDE.blue, name: 'warrior', x: 0, y: 0 },
      { side: SIDE.red, name: 'vex', x: 1300, y: 300 },
    ])
    run(world, 2)
    const [player, enemy] = [playerIn(world, 0), championOf(world, 1)]
    expect(sees(world, SIDE.blue, enemy)).toBe(false)
    const thought = laner.think(world, player, 1)
    Object.assign(enemy, { x: 1400, y: 500, hp: 1 })
    expect(sees(world, SIDE.blue, enemy)).toBe(false)
    expect(laner.think(world, player, 1)).toEqual(thought)
    // Seen, it would matter.
    Object.assign(enemy, { x: 60, y: 60 })
    expect(laner.think(world, player, 1)).not.toEqual(thought)
    expect(enemy.kind).toBe(KIND.champion)
  })
})
