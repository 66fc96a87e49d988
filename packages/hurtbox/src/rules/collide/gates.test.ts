import { describe, expect, test } from 'vitest'
import { bytesOf, expectRefusal, worldWith } from '../../../test/support.ts'
import {
  advance,
  collide,
  createSession,
  declareGame,
  defineGame,
  defineStatics,
  type Gate,
  type Session,
  spawn,
  step,
  why,
} from '../../index.ts'
import { bite, declaration, shoot, start } from './fixtures/cases.ts'

describe('gates', () => {
  test('[CO15] owner and team refuse by relation; team 0 is no team', () => {
    const hits = (bullet: { owner?: number; team?: number }, enemy: { owner?: number; team?: number }) => {
      const world = start(collide(declaration, { shot: shoot('enemy', 10) }))
      const target = spawn(world, 'enemy', { radius: 5, hp: 10, ...enemy })
      spawn(world, 'bullet', { radius: 5, ...bullet })
      step(world)
      return target.hp < 10
    }
    expect(hits({}, {})).toBe(true)
    expect(hits({ owner: 1 }, {})).toBe(false)
    expect(hits({ owner: 7 }, { owner: 7 })).toBe(false)
    expect(hits({}, { owner: 2 })).toBe(false)
    expect(hits({ team: 2 }, { team: 2 })).toBe(false)
    expect(hits({ team: 1 }, { team: 2 })).toBe(true)
  })

  test('[CO15] gates read what earlier contacts of the tick have left', () => {
    const world = start(collide(declaration, { bite }))
    const player = spawn(world, 'player', { radius: 12, hp: 100 })
    for (let i = 0; i < 5; i++) spawn(world, 'enemy', { x: -5 - i, y: i, radius: 8, hp: 10 })
    step(world)
    expect([player.hp, world.events.hurt.count]).toEqual([95, 1])
  })

  test('[CO15] at a wall only the gate about the first counts: the dead do not hit it, and it is on no team', () => {
    const arena = declareGame({
      id: 'arena',
      tickRate: 60,
      layers: { ball: ['wall'], wall: [] },
      things: { hp: 'f64', invulnerableUntil: 'timer' },
    })
    const statics = defineStatics(arena, [{ layer: 'wall', minX: 0, minY: -9, maxX: 9, maxY: 9 }])
    const bounces = (gates: readonly ('owner' | 'team' | 'dead' | 'attacker-dead' | 'invulnerable')[], hp: number) => {
      let count = 0
      const bounce = { between: ['ball', 'wall'], gates, decide: () => void count++ } as const
      const world = worldWith(arena, collide(arena, { bounce }, { statics }))
      spawn(world, 'ball', { x: 3, radius: 5, hp, owner: 0 })
      step(world)
      return count
    }
    expect([1, 0].map((hp) => bounces(['attacker-dead'], hp))).toEqual([1, 0])
    expect(bounces(['owner', 'team', 'dead', 'invulnerable'], 0)).toBe(1)
  })

  const ghostly: Gate<typeof declaration> = {
    name: 'ghost',
    refuses: (_first, second, { world }) => second.kind === 7 && world.clock < 2,
  }

  test("[CO33] a game's own gate is asked after the engine's, with both things, and named by why", () => {
    const asked: number[] = []
    const counting: Gate<typeof declaration> = {
      name: 'counting',
      refuses(first, second) {
        asked.push(first.id, second.id)
        return false
      },
    }
    const game = defineGame(declaration, {
      setup(world) {
        spawn(world, 'enemy', { radius: 5, hp: 10, kind: 7 })
        spawn(world, 'enemy', { radius: 5, hp: 0 })
        spawn(world, 'bullet', { radius: 5 })
      },
      phases: {
        hits: collide(declaration, { shot: { ...shoot('enemy', 3), gates: ['dead', counting, ghostly] } }),
      },
    })
    const session = createSession(game)
    for (let i = 0; i < 3; i++) advance(session)
    expect([...session.world.tables.things.hp.subarray(0, 2)]).toEqual([7, 0])
    // The dead enemy never came before it.
    expect(asked).toEqual([3, 1, 3, 1, 3, 1])
    expect(why(session as Session, 0, 3, 1)[0]).toMatchObject({
      verdict: 'ghost',
      text: 'shot: 3 and 1: refused by the gate "ghost"',
      changes: [],
    })
    expect(why(session as Session, 1, 3, 2)[0].text).toBe('shot: 3 and 2: refused, 2 had no health left')
    expect(why(session as Session, 2, 3, 1)[0].verdict).toBe('accepted')
  })

  test('[CO33] what a gate writes is an error, and nothing of it stays', () => {
    const greedy: Gate<typeof declaration> = {
      name: 'greedy',
      refuses(_first, second) {
        second.hp -= 1
        return false
      },
    }
    const world = start(collide(declaration, { shot: { ...shoot('enemy', 3), gates: [greedy] } }))
    spawn(world, 'enemy', { radius: 5, hp: 10 })
    spawn(world, 'bullet', { radius: 5 })
    const before = world.memory.bytes.slice()
    expectRefusal(() => step(world), /gate "greedy" of rule "shot" must not write/)
    expect(world.memory.bytes).toEqual(before)
  })

  test('[CO33] a gate without a name or a function is refused when the world is made', () => {
    const make = (gate: unknown) => () =>
      start(collide(declaration, { shot: { ...shoot('enemy', 3), gates: [gate as never] } }))
    expectRefusal(make({ name: 'empty' }), /a gate of rule "shot" must be a name or \{ name, refuses/)
    expectRefusal(make({ refuses: () => false }), /a gate of rule "shot" must be/)
    expectRefusal(make(null), /a gate of rule "shot" must be/)
    expect(bytesOf(start(collide(declaration, {}))).length).toBeGreaterThan(0)
  })
})
