/** A thing whose facing was never set, so that both columns are 0, faces along +x: whatever reads a facing does the same for both. */

import { describe, expect, test } from 'vitest'
import { arc, arcBand, box, capsule, polygon } from '../src/geometry/shapes/index.ts'
import * as volumes from '../src/geometry/volumes/index.ts'
import { createPlace, placeBetween } from '../src/host/picture/index.ts'
import {
  addShape,
  addVolume,
  collide,
  createWorld,
  declareGame,
  defineGame,
  each,
  spawn,
  step,
  sweepBox,
  turnBox,
} from '../src/index.ts'
import { type Arena, arena, cast, enter, box as melee, press, ticks } from '../src/kits/abilities/fixtures/arena.ts'
import type { EffectSpec, FrameName } from '../src/kits/abilities/index.ts'
import { dash } from '../src/kits/motion/walk.ts'
import { createSpatialIndex, rebuild, withinShape } from '../src/kits/query/index.ts'
import { travel } from '../src/rules/contacts/index.ts'
import { createRandom } from './random.ts'

const UNSET = { facingX: 0, facingY: 0 }
const ALONG_X = { facingX: 1, facingY: 0 }

const shapes = {
  box: box(60, 8),
  capsule: capsule([0, 0], [60, 0], 4),
  polygon: polygon([
    [0, -20],
    [70, 0],
    [0, 20],
  ]),
  arc: arc(70, 0.8),
  arcBand: arcBand(40, 70, 0.8),
}
const solids = {
  box: volumes.box(60, 8, 10),
  capsule: volumes.capsule(6, 40, { axis: [1, 0, 0] }),
  sphere: volumes.sphere(20, { offsetX: 40 }),
}

const declaration = declareGame({
  id: 'facings',
  tickRate: 60,
  capacity: 512,
  layers: { post: ['ball'], ball: [] },
  things: { z: 'f64', facingX: 'f64', facingY: 'f64', spin: 'f64', met: 'u32' },
})

type Way = 'standing' | 'swept' | 'turned from (0, 0)'

/** Which balls a post meets, by number. */
function metBy(facing: typeof UNSET, pose: (boxes: never, post: never) => void, moving: Way): number[] {
  const hits = collide(
    declaration,
    {
      'post meets ball': {
        between: ['post', 'ball'],
        decide(_post, ball) {
          ball.met = 1
        },
      },
    },
    {
      pose: {
        post(post, boxes) {
          pose(boxes as never, post as never)
          if (moving === 'swept') sweepBox(boxes, 30, -50)
          if (moving === 'turned from (0, 0)') turnBox(boxes, 0, 0)
        },
      },
    },
  )
  const world = createWorld(defineGame(declaration, { phases: { hits } }))
  spawn(world, 'post', facing)
  const random = createRandom(5)
  for (let i = 0; i < 400; i++) {
    spawn(world, 'ball', { x: 200 * random() - 100, y: 200 * random() - 100, z: 10 * random(), radius: 18 * random() })
  }
  step(world)
  return [...each(world, 'ball')].flatMap(({ met }, i) => (met === 1 ? [i] : []))
}

describe('a facing of (0, 0)', () => {
  test('[CO38] a box of 60 by 8 does not meet a ball 70 px above it', () => {
    const hits = collide(
      declaration,
      {
        'post meets ball': {
          between: ['post', 'ball'],
          decide(_post, ball) {
            ball.met = 1
          },
        },
      },
      { pose: { post: (post, boxes) => addShape(boxes, shapes.box, post) } },
    )
    const world = createWorld(defineGame(declaration, { phases: { hits } }))
    spawn(world, 'post')
    const above = spawn(world, 'ball', { y: 70, radius: 18 })
    const beside = spawn(world, 'ball', { x: 45, radius: 18 })
    step(world)
    expect([above.met, beside.met]).toEqual([0, 1])
  })

  test.each(['standing', 'swept', 'turned from (0, 0)'] as const)(
    '[CO38] every shape and volume lies along +x: %s',
    (way) => {
      const posers: Record<string, (boxes: never, post: never) => void> = {}
      for (const [name, shape] of Object.entries(shapes)) posers[name] = (boxes, post) => addShape(boxes, shape, post)
      for (const [name, volume] of Object.entries(solids)) {
        posers[`${name} in space`] = (boxes, post) => addVolume(boxes, volume, post)
      }
      for (const [name, pose] of Object.entries(posers)) {
        const wanted = metBy(ALONG_X, pose, way)
        expect(wanted.length, name).toBeGreaterThan(5)
        expect(metBy(UNSET, pose, way), name).toEqual(wanted)
        expect(metBy({ facingX: 0, facingY: 1 }, pose, way), `${name} can be turned`).not.toEqual(wanted)
      }
    },
  )

  test('[CO38] queries look along +x', () => {
    const world = createWorld(defineGame(declaration, { phases: {} }))
    const random = createRandom(7)
    for (let i = 0; i < 200; i++) spawn(world, 'ball', { x: 200 * random() - 100, y: 200 * random() - 100, radius: 5 })
    const index = createSpatialIndex(world)
    rebuild(index)
    for (const [name, shape] of Object.entries(shapes)) {
      const found = (facing: typeof UNSET) => {
        const count = withinShape(index, shape, { x: 0, y: 0, ...facing })
        return [...index.answer.circle.subarray(0, count)]
      }
      expect(found(ALONG_X).length, name).toBeGreaterThan(0)
      expect(found(UNSET), name).toEqual(found(ALONG_X))
    }
  })

  test('[CO38] a thing that spins turns from +x; one that does not keeps the columns it has', () => {
    const turn = (facing: typeof UNSET, spin: number) => {
      const play = collide(declaration, {}, { travel: travel(['post']) })
      const world = createWorld(defineGame(declaration, { phases: { play } }))
      const post = spawn(world, 'post', { ...facing, spin })
      step(world)
      return [post.facingX, post.facingY]
    }
    expect(turn(UNSET, 0.5)).toEqual(turn(ALONG_X, 0.5))
    expect(turn(UNSET, 0.5)).not.toEqual([1, 0])
    expect(turn(UNSET, 0)).toEqual([0, 0])
  })

  test('[CO38] it is drawn along +x, and turns from there', () => {
    const world = (facing: typeof UNSET) => {
      const made = createWorld(defineGame(declaration, { phases: {} }))
      spawn(made, 'post', facing)
      return made
    }
    const drawn = (before: typeof UNSET, after: typeof UNSET) => {
      const place = createPlace()
      placeBetween({ before: world(before) as never, after: world(after) as never, alpha: 0.25 }, 1, place)
      return place
    }
    const up = { facingX: 0, facingY: 1 }
    expect(drawn(UNSET, UNSET)).toMatchObject(ALONG_X)
    expect(drawn(UNSET, up)).toEqual(drawn(ALONG_X, up))
    expect(drawn(up, UNSET)).toEqual(drawn(up, ALONG_X))
    expect(drawn(UNSET, ALONG_X)).toMatchObject(ALONG_X)
  })

  test('[CO38] a dash goes along +x', () => {
    const walker = { vx: 0, vy: 0, ...UNSET }
    dash(walker as never, 7)
    expect([walker.vx, walker.vy]).toEqual([7, 0])
  })
})

describe('abilities of a caster with a facing of (0, 0)', () => {
  const force = (frame: FrameName): EffectSpec => ({ on: 'hit', force: { frame, along: [1, 0.4, 0.2], speed: 9 } })
  const effects: Record<string, readonly EffectSpec[]> = {
    'a box': [melee, { on: 'hit', damage: { amount: 5 } }],
    'an arc': [
      { on: 'active', melee: { arc: { reach: 3, angle: 0.5, halfHeight: 1 } } },
      { on: 'hit', damage: { amount: 5 } },
    ],
    'a force of the caster': [melee, force('caster')],
    'a force of the victim': [melee, force('victim')],
    'a force turned': [melee, force('turned')],
    'a grab': [melee, { on: 'hit', grab: { ticks: 20 } }],
    'a dash': [{ on: 'active', dash: { speed: 3 } }],
    'a teleport': [{ on: 'active', teleport: { by: [2, 1, 0] } }],
    'a shot': [{ on: 'active', projectile: { speed: 9, radius: 0.2, life: 30, ahead: 1.2, turn: 0.3 } }],
    'an area': [
      { on: 'active', area: { radius: 1, life: 3, ahead: 1.5 } },
      { on: 'hit', damage: { amount: 5 } },
    ],
  }

  /**
   * All that can be seen of a fight between an attacker and those around it, but for the columns of facings. After `turnsAfter` ticks the
   * columns of the attacker become (1, 0), which mean the same.
   */
  function fight(effect: readonly EffectSpec[], { facingX, facingY }: typeof UNSET, turnsAfter: number): unknown {
    const stage: Arena = arena({ deed: { ...cast(...effect), active: 3 } })
    const attacker = enter(stage, 0, 0, facingX, facingY)
    for (const [x, y] of [
      [2.2, 0],
      [0, 2.2],
      [-2.2, 0],
    ]) {
      enter(stage, x, y, facingX, facingY)
    }
    press(stage, attacker, 'deed')
    const { things } = stage.world.tables
    const seen: unknown[] = []
    for (let tick = 0; tick < 10; tick++) {
      if (tick === turnsAfter) things.facingX[0] = 1
      seen.push(ticks(stage, 1))
      for (const name of ['x', 'y', 'z', 'vx', 'vy', 'vz', 'hp']) {
        seen.push([...Reflect.get(things, name).subarray(0, things.count)])
      }
    }
    return seen
  }

  describe.each([0, 1, 2, 99])('whose columns are set after %i ticks', (turnsAfter) => {
    test.each(Object.keys(effects))('[CO38] %s goes along +x', (name) => {
      const wanted = fight(effects[name], ALONG_X, turnsAfter)
      expect(wanted).not.toEqual(fight([], ALONG_X, turnsAfter))
      expect(fight(effects[name], UNSET, turnsAfter)).toEqual(wanted)
    })
  })
})
