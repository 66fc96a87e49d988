import { describe, expect, test } from 'vitest'
import { randomOf } from '../../../test/random.ts'
import {
  advance,
  collide,
  createSession,
  createWorld,
  declareGame,
  defineGame,
  despawn,
  each,
  moveTo,
  spawn,
  step,
  syncTest,
  type Thing,
  thing,
  type World,
  why,
} from '../../index.ts'
import { move } from '../motion/index.ts'
import { attach, attachment, detach, followHolders } from './index.ts'

const declaration = declareGame({
  id: 'carry',
  tickRate: 60,
  layers: { body: ['flag'], flag: [] },
  capacity: 64,
  things: { ...attachment.columns, facingX: 'f64', facingY: 'f64', wish: 'u8' },
})
type Carry = typeof declaration
const game = defineGame(declaration, {
  phases: { move: move(['body', 'flag'], { perTick: true }), followHolders },
})

/** Where a thing has to be, asked from its holder on: the definition, without an order of rows. */
function placeOf(world: World<Carry>, { id }: { readonly id: number }): [number, number] {
  const one = thing(world, id)!
  const holder = one.attachedTo === 0 ? undefined : thing(world, one.attachedTo)
  if (holder === undefined) return [one.x, one.y]
  const [x, y] = placeOf(world, holder)
  const [facingX, facingY] = holder.facingX === 0 && holder.facingY === 0 ? [1, 0] : [holder.facingX, holder.facingY]
  return [
    x + (facingX * one.atAhead - facingY * one.atAside + one.atX),
    y + (facingY * one.atAhead + facingX * one.atAside + one.atY),
  ]
}

describe('attaching', () => {
  test('[AT1] after every tick each thing stands where its holder has it, along chains, teleports, deaths and turns', () => {
    let [longest, released] = [0, 0]
    for (let seed = 1; seed <= 60; seed++) {
      const random = randomOf(seed)
      const world = createWorld(game)
      const at = () => Math.round((random() - 0.5) * 400)
      for (let i = 0; i < 24; i++) spawn(world, 'body', { x: at(), y: at(), vx: at() / 50, vy: at() / 50 })
      for (let tick = 0; tick < 60; tick++) {
        const all = [...each(world)]
        const any = () => all[Math.floor(random() * all.length)]
        for (let i = 0; i < 3 && all.length > 2; i++) {
          const [one, other] = [any(), any()]
          attach(one, other, { ahead: at() / 10, aside: at() / 10, x: at() / 10, y: at() / 10 })
          if (random() < 0.3) detach(any(), { ahead: 1 })
          if (random() < 0.3) moveTo(any(), at(), at())
          const turn = random() * 7
          Object.assign(any(), { facingX: Math.round(Math.cos(turn)), facingY: Math.round(Math.sin(turn)) })
        }
        if (random() < 0.1 && all.length > 4) despawn(any())
        if (random() < 0.1) spawn(world, 'flag', { x: at(), y: at() })
        const held = all.filter(({ attachedTo }) => attachedTo !== 0).map(({ id }) => id)
        step(world)
        for (const one of each(world)) {
          expect([one.x, one.y], `seed ${seed}, tick ${tick}, thing ${one.id}`).toEqual(placeOf(world, one))
          if (one.attachedTo === 0 && held.includes(one.id)) released++
          let length = 0
          for (let up: Thing<Carry> | undefined = one; up !== undefined; length++) {
            up = up.attachedTo === 0 ? undefined : thing(world, up.attachedTo)
          }
          longest = Math.max(longest, length)
        }
      }
    }
    expect(longest).toBeGreaterThan(5)
    expect(released).toBeGreaterThan(20)
  })

  test('[AT2] a chain that would close is refused and changes nothing', () => {
    const world = createWorld(game)
    const [a, b, c] = [1, 2, 3].map((x) => spawn(world, 'body', { x }))
    expect(attach(a, a)).toBe(false)
    expect([attach(b, a, { x: 5 }), attach(c, b, { x: 7 })]).toEqual([true, true])
    expect(attach(a, c, { x: 9 })).toBe(false)
    expect([a.attachedTo, a.atX]).toEqual([0, 0])
    step(world)
    expect([a.x, b.x, c.x]).toEqual([1, 6, 13])
    // Of another holder it lets go.
    expect(attach(c, a, { x: 1 })).toBe(true)
    step(world)
    expect(c.x).toBe(2)
    // Written by hand, a ring ends the tick all the same.
    a.attachedTo = b.id
    step(world)
  })

  test('[AT3] a rule attaches and lets go as part of its hit: refused, nothing has happened', () => {
    const rules = (isTaken: boolean) =>
      defineGame(declaration, {
        phases: {
          hits: collide(declaration, {
            'body takes flag': {
              between: ['body', 'flag'],
              decide(body, flag) {
                attach(flag, body, { y: -10 })
                if (!isTaken) return 'not now'
              },
            },
          }),
          followHolders,
        },
      })
    for (const isTaken of [true, false]) {
      const world = createWorld(rules(isTaken))
      const body = spawn(world, 'body', { x: 30, radius: 10 })
      const flag = spawn(world, 'flag', { x: 35, radius: 10 })
      step(world)
      expect([flag.attachedTo, flag.x, flag.y]).toEqual(isTaken ? [body.id, 30, -10] : [0, 35, 0])
    }
  })

  test('[AT4] when the holder leaves, what it held is free in the same tick, where it was, with its speed', () => {
    const world = createWorld(game)
    const holder = spawn(world, 'body', { x: 10, vx: 3, vy: -2 })
    const flag = spawn(world, 'flag')
    attach(flag, holder, { y: -8 })
    step(world)
    expect([flag.x, flag.y, flag.vx, flag.vy]).toEqual([13, -10, 3, -2])
    despawn(holder)
    step(world)
    expect([flag.attachedTo, flag.x, flag.y]).toEqual([0, 16, -12])
  })

  test('[AT5] who is thrown has the speed of the holder and the throw, ahead as it faces, up whatever way it faces', () => {
    const thrown = (facingX: number, facingY: number) => {
      const world = createWorld(game)
      const holder = spawn(world, 'body', { vx: 1, vy: 2, facingX, facingY })
      const flag = spawn(world, 'flag')
      attach(flag, holder)
      expect(detach(flag, { ahead: 10, aside: 5, y: -100 })).toBe(true)
      expect([flag.attachedTo, detach(flag)]).toEqual([0, false])
      return [flag.vx, flag.vy]
    }
    expect(thrown(1, 0)).toEqual([11, -93])
    expect(thrown(0, 0)).toEqual([11, -93])
    expect(thrown(-1, 0)).toEqual([-9, -103])
    expect(thrown(0, 1)).toEqual([-4, -88])
  })

  test('[AT6] in space a held thing has the height of its holder and its own', () => {
    const above = declareGame({
      id: 'above',
      tickRate: 60,
      layers: { body: [] },
      things: { ...attachment.columns, atZ: 'f64', z: 'f64', vz: 'f64' },
    })
    const world = createWorld(defineGame(above, { phases: { followHolders } }))
    const holder = spawn(world, 'body', { z: 5, vz: 2 })
    const orb = spawn(world, 'body')
    attach(orb, holder, { x: 1, z: 3 })
    step(world)
    expect([orb.x, orb.z, orb.vz]).toEqual([1, 8, 2])
    detach(orb, { z: 9 })
    expect(orb.vz).toBe(11)
  })

  test('[AT9] why tells who holds a thing since a hit and at which place, with what speed it was let go, and why it was not', () => {
    const rules = collide(declaration, {
      'body takes flag': {
        between: ['body', 'flag'],
        decide(body, flag) {
          if (body.wish === 1) detach(flag, { ahead: 10, y: -100 })
          else if (flag.attachedTo !== 0) return 'held already'
          else if (!attach(flag, body, { ahead: -4, y: -12 })) return 'would close a ring'
        },
      },
    })
    const told = (wish: number, isRing: boolean) => {
      const session = createSession(
        defineGame(declaration, {
          phases: { hits: rules, followHolders },
          setup(world) {
            const body = spawn(world, 'body', { radius: 10, vx: 3, facingX: -1 })
            const flag = spawn(world, 'flag', { radius: 10, x: 5 })
            spawn(world, 'body', { radius: 10, y: 12, wish })
            if (isRing) attach(body, flag)
          },
        }),
      )
      advance(session)
      const answer = (body: number) => why(session, 0, body, 2).map(({ verdict, changes }) => [verdict, ...changes])
      return [...answer(1), ...answer(3)]
    }
    const taken = ['attachedTo of things id 2: 0 → 1', 'atAhead of things id 2: 0 → -4', 'atY of things id 2: 0 → -12']
    const thrown = ['attachedTo of things id 2: 1 → 0', 'vx of things id 2: 0 → -7', 'vy of things id 2: 0 → -100']
    expect(told(1, false)).toEqual([
      ['accepted', ...taken],
      ['accepted', ...thrown],
    ])
    expect(told(0, true)[0]).toEqual(['would close a ring'])
    expect(told(0, false)[1]).toEqual(['held already'])
  })

  test('[AT7] rolled back on every tick, chains end with the same bits', () => {
    const turning = defineGame(declaration, {
      phases: {
        act(world) {
          for (const body of each(world, 'body')) {
            const [x, y] = [body.facingX || 1, body.facingY]
            body.facingX = 0.6 * x - 0.8 * y
            body.facingY = 0.8 * x + 0.6 * y
            if ((world.clock + body.id) % 9 === 0) detach(body, { ahead: 2 })
            else if ((world.clock + body.id) % 5 === 0) attach(body, thing(world, (body.id % 7) + 1)!, { ahead: 20 })
          }
        },
        move: move(['body'], { perTick: true }),
        followHolders,
      },
      setup(world) {
        for (let i = 0; i < 8; i++) spawn(world, 'body', { x: i * 30, vx: 1 })
      },
    })
    const session = createSession(turning)
    for (let tick = 0; tick < 120; tick++) advance(session)
    for (const depth of [1, 8, 30]) expect(syncTest(session, depth).mismatch).toBeUndefined()
  })
})
