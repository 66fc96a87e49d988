import { type EventRecord, rowOf, step } from 'hurtbox'
import { describe, expect, test } from 'vitest'
import { LANE, nexusOf, SIDE, towerId } from '../rules/content/map.ts'
import { KIND } from '../rules/content/units.ts'
import type { SiegeWorld } from '../rules/declaration.ts'
import { isProtected } from '../rules/structures.ts'
import { addMinion, addStanding, arena, championRow, disarm, field, ofKind, run } from './support.ts'

const TOWER = towerId(SIDE.red, LANE.mid, 2)

function tower(world: SiegeWorld): number {
  return rowOf(world.tables.things, TOWER)
}

describe('whom a tower shoots', () => {
  test('[SG21] who is in range: 350 between the rims', () => {
    const world = arena([{ side: SIDE.blue, name: 'warrior', x: 350, y: -350 + 50 + 25 + 351 }])
    run(world, 30)
    expect(world.tables.things.target[tower(world)]).toBe(0)
    world.tables.things.y[championRow(world, 0)] -= 2
    run(world, 2)
    expect(world.tables.things.target[tower(world)]).toBe(world.tables.players.thing[0])
  })

  test('[SG21] minions before champions, and nobody else while its target is in range', () => {
    const world = arena([{ side: SIDE.blue, name: 'warrior', x: 350, y: -200 }])
    const { things } = world.tables
    // The champion is nearer, the minion comes first.
    const far = addStanding(world, SIDE.blue, 350, 0)
    things.target[tower(world)] = 0
    run(world, 1)
    expect(things.target[tower(world)]).toBe(far)
    addStanding(world, SIDE.blue, 250, -200)
    run(world, 10)
    expect(things.target[tower(world)]).toBe(far)
  })

  test('[SG22] it turns to a champion who hurts a champion before its eyes', () => {
    const world = arena([
      { side: SIDE.blue, name: 'warrior', x: 300, y: -150 },
      { side: SIDE.red, name: 'gorath', x: 360, y: -150 },
    ])
    const { things, players } = world.tables
    const minion = addStanding(world, SIDE.blue, 400, -200)
    things.target[tower(world)] = 0
    run(world, 5, { players: [{ seat: 0, order: 'move', go: { x: 300, y: -150 } }] })
    expect(things.target[tower(world)]).toBe(minion)
    run(world, 30, { players: [{ seat: 0, order: 'attack', target: players.thing[1] }] })
    expect(things.target[tower(world)]).toBe(players.thing[0])
  })

  test('[SG23] shots at the same target grow by 45 up to five times, and start anew with the next target', () => {
    const world = field()
    const { things } = world.tables
    const first = addStanding(world, SIDE.blue, 350, -200)
    things.hp[rowOf(things, first)] = things.maxHp[rowOf(things, first)] = 1e6
    const events = run(world, 250)
    const hurts = ofKind(events, 'damage').map(({ asked }) => asked)
    expect(hurts.slice(0, 8)).toEqual([170, 215, 260, 305, 350, 395, 395, 395])
    const second = addStanding(world, SIDE.blue, 350, -180)
    things.hp[rowOf(things, first)] = 1
    const later = ofKind(run(world, 120), 'damage')
    expect(
      later
        .filter(({ victim }) => victim === second)
        .map(({ asked }) => asked)
        .slice(0, 2),
    ).toEqual([170, 215])
  })

  test('[SG24] its shots follow their target, hit nobody else on the way, and end with their target', () => {
    const world = field()
    const { things } = world.tables
    addStanding(world, SIDE.blue, 350, -60)
    const victim = things.id[things.count - 1]
    addStanding(world, SIDE.red, 350, -200)
    things.hp[rowOf(things, victim)] = 1e6
    let events = run(world, 2)
    expect(ofKind(events, 'shot').length).toBe(1)
    // It runs away at three times the speed of sound, and is hit all the same.
    for (let tick = 0; tick < 10; tick++) {
      things.x[rowOf(things, victim)] += 20
      step(world)
    }
    events = run(world, 10)
    expect(things.hp[rowOf(things, victim)]).toBeLessThan(1e6)
    expect(ofKind(events, 'damage').every((each) => each.victim === victim)).toBe(true)
    things.x[rowOf(things, victim)] = 350
    const flying = () => [...things.kind.subarray(0, things.count)].filter((kind) => kind === KIND.shot).length
    while (flying() === 0) run(world, 1)
    things.leaving[rowOf(things, victim)] = 1
    run(world, 2)
    expect(flying()).toBe(0)
  })
})

describe('what can be attacked', () => {
  test('[SG25] a tower is protected by the one in front of it, a nexus until a lane is open', () => {
    const world = field()
    const { things } = world.tables
    const inner = rowOf(things, towerId(SIDE.red, LANE.mid, 1))
    const nexus = 13
    expect(things.kind[nexus]).toBe(KIND.nexus)
    expect([isProtected(world, tower(world)), isProtected(world, inner), isProtected(world, nexus)]).toEqual([
      false,
      true,
      true,
    ])
    things.hp[tower(world)] = 0
    expect([isProtected(world, inner), isProtected(world, nexus)]).toEqual([false, true])
    things.hp[inner] = 0
    expect(isProtected(world, nexus)).toBe(false)
  })

  test('[SG25] an order against a protected structure hurts nobody', () => {
    const { x, y } = nexusOf(SIDE.red)
    const world = arena([{ side: SIDE.blue, name: 'warrior', x: x - 130, y }])
    const events = run(world, 90, { players: [{ seat: 0, order: 'attack', target: 14 }] })
    expect(ofKind(events, 'damage').filter(({ victim }) => victim === 14)).toEqual([])
  })

  test('[SG26] minions go for minions rather than for structures and champions, and for who hurt a champion before all', () => {
    const first = (wanted: boolean, minionAt: number) => {
      const world = disarm(arena([{ side: SIDE.blue, name: 'gorath', x: 0, y: 120 }]))
      const { things, players } = world.tables
      const mine = addMinion(world, SIDE.red, 0, 0)
      const other = addStanding(world, SIDE.blue, minionAt, 0)
      if (wanted) things.wantedUntil[championRow(world, 0)] = world.clock + 30
      run(world, 5, { players: [{ seat: 0, order: 'move', go: { x: 0, y: 120 } }] })
      return { [players.thing[0]]: 'champion', [other]: 'minion' }[things.target[rowOf(things, mine)]]
    }
    expect(first(false, -250)).toBe('minion')
    expect(first(false, -800)).toBe('champion')
    expect(first(true, -250)).toBe('champion')
  })

  test('[SG27] the match ends when a nexus falls, and its last picture stands', () => {
    const world = field()
    const { things } = world.tables
    things.hp[rowOf(things, towerId(SIDE.red, LANE.mid, 1))] = 0
    things.hp[tower(world)] = 0
    things.hp[13] = 1
    const { x, y } = nexusOf(SIDE.red)
    addMinion(world, SIDE.blue, x - 120, y + 20)
    // Somebody far away who would walk on.
    addMinion(world, SIDE.blue, -1000, 0)
    const events: EventRecord[] = []
    while (world.globals.winner === 0) events.push(...run(world, 1))
    expect(ofKind(events, 'matchOver').map(({ winner }) => winner)).toEqual([SIDE.blue])
    expect(world.game.behaviour.result!(world)).toMatchObject({ over: true, winner: 'blue' })
    const clock = world.globals.endedAt
    const picture = [...things.x.subarray(0, things.count)]
    run(world, 30)
    expect(world.globals.endedAt).toBe(clock)
    expect([...things.x.subarray(0, things.count)]).toEqual(picture)
  })
})
