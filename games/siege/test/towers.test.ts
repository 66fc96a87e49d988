import { despawn, type EventRecord, each, step, thing } from 'hurtbox'
import { describe, expect, test } from 'vitest'
import { LANE, nexusOf, SIDE, towerId } from '../rules/content/map.ts'
import { KIND } from '../rules/content/units.ts'
import type { declaration, SiegeThing, SiegeWorld } from '../rules/declaration.ts'
import { isProtected } from '../rules/structures.ts'
import { addMinion, addStanding, arena, builtOf, championOf, disarm, field, ofKind, run } from './support.ts'

/** Red's towers in the middle lane: the one in front, and the one behind it. */
function tower(world: SiegeWorld, tier = 2): SiegeThing {
  return thing(world, towerId(SIDE.red, LANE.mid, tier))!
}

describe('what a tower shoots', () => {
  test('[SG21] what is in range: 350 between the rims', () => {
    const world = arena([{ side: SIDE.blue, name: 'warrior', x: 350, y: -350 + 50 + 25 + 351 }])
    run(world, 30)
    const champion = championOf(world, 0)
    expect(tower(world).target).toBe(0)
    champion.y -= 2
    run(world, 2)
    expect(tower(world).target).toBe(champion.id)
  })

  test('[SG21] minions before champions, and no other target while its own is in range', () => {
    const world = arena([{ side: SIDE.blue, name: 'warrior', x: 350, y: -200 }])
    // The champion is nearer, the minion comes first.
    const far = addStanding(world, SIDE.blue, 350, 0)
    tower(world).target = 0
    run(world, 1)
    expect(tower(world).target).toBe(far.id)
    addStanding(world, SIDE.blue, 250, -200)
    run(world, 10)
    expect(tower(world).target).toBe(far.id)
  })

  test('[SG22] it turns to a champion that hurts a champion before its eyes', () => {
    const world = arena([
      { side: SIDE.blue, name: 'warrior', x: 300, y: -150 },
      { side: SIDE.red, name: 'gorath', x: 360, y: -150 },
    ])
    const minion = addStanding(world, SIDE.blue, 400, -200)
    tower(world).target = 0
    run(world, 5, { players: [{ seat: 0, order: 'move', go: { x: 300, y: -150 } }] })
    expect(tower(world).target).toBe(minion.id)
    run(world, 30, { players: [{ seat: 0, order: 'attack', target: championOf(world, 1).id }] })
    expect(tower(world).target).toBe(championOf(world, 0).id)
  })

  test('[SG23] shots at the same target grow by 45 up to five times, and start anew with the next target', () => {
    const world = field()
    const first = addStanding(world, SIDE.blue, 350, -200)
    first.hp = first.maxHp = 1e6
    const events = run(world, 250)
    const hurts = ofKind(events, 'damage').map(({ asked }) => asked)
    expect(hurts.slice(0, 8)).toEqual([170, 215, 260, 305, 350, 395, 395, 395])
    const second = addStanding(world, SIDE.blue, 350, -180).id
    first.hp = 1
    const later = ofKind(run(world, 120), 'damage')
    expect(
      later
        .filter(({ victim }) => victim === second)
        .map(({ asked }) => asked)
        .slice(0, 2),
    ).toEqual([170, 215])
  })

  test('[SG24] its shots follow their target, hit nothing else on the way, and end with their target', () => {
    const world = field()
    const victim = addStanding(world, SIDE.blue, 350, -60)
    addStanding(world, SIDE.red, 350, -200)
    victim.hp = 1e6
    let events = run(world, 2)
    expect(ofKind(events, 'shot').length).toBe(1)
    // It runs away at three times the speed of sound, and is hit all the same.
    for (let tick = 0; tick < 10; tick++) {
      victim.x += 20
      step(world)
    }
    events = run(world, 10)
    expect(victim.hp).toBeLessThan(1e6)
    expect(ofKind(events, 'damage').every((hurt) => hurt.victim === victim.id)).toBe(true)
    victim.x = 350
    const flying = () => [...each(world, 'shot')].length
    while (flying() === 0) run(world, 1)
    despawn(victim)
    run(world, 2)
    expect(flying()).toBe(0)
  })
})

describe('what can be attacked', () => {
  test('[SG25] a tower is protected by the one in front of it, a nexus until a lane is open', () => {
    const world = field()
    const [outer, inner, nexus] = [tower(world), tower(world, 1), builtOf(world, 13)]
    expect(nexus.kind).toBe(KIND.nexus)
    expect([outer, inner, nexus].map((each) => isProtected(world, each))).toEqual([false, true, true])
    outer.hp = 0
    expect([isProtected(world, inner), isProtected(world, nexus)]).toEqual([false, true])
    inner.hp = 0
    expect(isProtected(world, nexus)).toBe(false)
  })

  test('[SG25] an order against a protected structure does no damage', () => {
    const { x, y } = nexusOf(SIDE.red)
    const world = arena([{ side: SIDE.blue, name: 'warrior', x: x - 130, y }])
    const events = run(world, 90, { players: [{ seat: 0, order: 'attack', target: 14 }] })
    expect(ofKind(events, 'damage').filter(({ victim }) => victim === 14)).toEqual([])
  })

  test('[SG26] minions go for minions rather than for structures and champions, and for one that hurt a champion before all', () => {
    const first = (wanted: boolean, minionAt: number) => {
      const world = disarm(arena([{ side: SIDE.blue, name: 'gorath', x: 0, y: 120 }]))
      const champion = championOf(world, 0)
      const mine = addMinion(world, SIDE.red, 0, 0)
      const other = addStanding(world, SIDE.blue, minionAt, 0)
      if (wanted) champion.wantedUntil = world.clock + 30
      run(world, 5, { players: [{ seat: 0, order: 'move', go: { x: 0, y: 120 } }] })
      return { [champion.id]: 'champion', [other.id]: 'minion' }[mine.target]
    }
    expect(first(false, -250)).toBe('minion')
    expect(first(false, -800)).toBe('champion')
    expect(first(true, -250)).toBe('champion')
  })

  test('[SG27] the match ends when a nexus falls, and its last state stands', () => {
    const world = field()
    tower(world, 1).hp = 0
    tower(world).hp = 0
    builtOf(world, 13).hp = 1
    const { x, y } = nexusOf(SIDE.red)
    addMinion(world, SIDE.blue, x - 120, y + 20)
    // One far away that would walk on.
    addMinion(world, SIDE.blue, -1000, 0)
    const events: EventRecord<typeof declaration>[] = []
    while (world.globals.winner === 0) events.push(...run(world, 1))
    expect(ofKind(events, 'matchOver').map(({ winner }) => winner)).toEqual([SIDE.blue])
    expect(world.game.behaviour.result!(world)).toMatchObject({ over: true, winner: 'blue' })
    const clock = world.globals.endedAt
    const places = () => [...each(world)].map(({ x }) => x)
    const last = places()
    run(world, 30)
    expect(world.globals.endedAt).toBe(clock)
    expect(places()).toEqual(last)
  })
})
