/**
 * An oracle: the collision system of seed 002, in the words of the document.
 *
 * `checkCollision`, `calculateSeparation`, the shares by mass, the special cases and the configuration are its own text, the
 * loop visits every pair once, in order, and sees what earlier pushes did. Only `Math.random` is replaced: units on one spot
 * part in the direction that the engine gives this pair in this tick.
 */

import { describe, expect, test } from 'vitest'
import { createRandom } from '../../../test/random.ts'
import { purposeOf, unitVectorAt } from '../../geometry/math/random.ts'
import { createWorld, defineGame, hashWorld, step } from '../../index.ts'
import { addUnits, type Crowd, declaration, GRIDS } from './fixtures/crowd.ts'
import { SEPARATION_PAIRWISE, type SeparationSettings, separate } from './index.ts'

type Entity = { id: number; position: { x: number; y: number }; radius: number; mass: number; isDead: boolean }
type Config = { separationStrength: number; maxSeparationDistance: number }

function checkCollision(a: Entity, b: Entity): boolean {
  const dx = b.position.x - a.position.x
  const dy = b.position.y - a.position.y
  const distSq = dx * dx + dy * dy
  const minDist = a.radius + b.radius
  return distSq < minDist * minDist
}

function calculateSeparation(a: Entity, b: Entity, config: Config, random: (a: Entity, b: Entity) => Vector): Vector {
  const distance = Math.sqrt((b.position.x - a.position.x) ** 2 + (b.position.y - a.position.y) ** 2)
  const overlap = a.radius + b.radius - distance
  if (overlap <= 0) return { x: 0, y: 0 }
  const scale = Math.min(overlap * config.separationStrength, config.maxSeparationDistance)
  const direction =
    distance < 0.001
      ? random(a, b)
      : { x: (b.position.x - a.position.x) / distance, y: (b.position.y - a.position.y) / distance }
  return { x: direction.x * scale, y: direction.y * scale }
}

type Vector = { x: number; y: number }

function add(entity: Entity, by: Vector, factor: number): void {
  entity.position.x += by.x * factor
  entity.position.y += by.y * factor
}

function resolve(a: Entity, b: Entity, separation: Vector): void {
  const [massA, massB] = [a.mass, b.mass]
  if (!Number.isFinite(massA) && !Number.isFinite(massB)) return
  if (!Number.isFinite(massA)) add(b, separation, 1)
  else if (!Number.isFinite(massB)) add(a, separation, -1)
  else {
    const totalMass = massA + massB
    add(a, separation, -(massB / totalMass))
    add(b, separation, massA / totalMass)
  }
}

/** The pass of a tick: all pairs, and at its end no entity further from where it began than the longest push of a tick. */
function resolveCollisions(
  entities: readonly Entity[],
  config: Config,
  random: (a: Entity, b: Entity) => Vector,
): void {
  const before = entities.map(({ position }) => ({ ...position }))
  const collidable = entities.filter(({ isDead }) => !isDead)
  collidable.forEach((a, i) => {
    for (const b of collidable.slice(i + 1)) {
      if (checkCollision(a, b)) resolve(a, b, calculateSeparation(a, b, config, random))
    }
  })
  entities.forEach(({ position }, i) => {
    const way = Math.sqrt((position.x - before[i].x) ** 2 + (position.y - before[i].y) ** 2)
    if (way <= config.maxSeparationDistance) return
    const part = config.maxSeparationDistance / way
    position.x = before[i].x + (position.x - before[i].x) * part
    position.y = before[i].y + (position.y - before[i].y) * part
  })
}

const FIELDS = process.env.HURTBOX_LONG ? 4000 : 150
const TICKS = 4
const PURPOSE = purposeOf('separate')

/** A field of the seed's units, dead ones and towers among them, often several on one spot. */
function field(seed: number): Entity[] {
  const random = createRandom(seed)
  const kinds = [
    { radius: 25, mass: 100 },
    { radius: 20, mass: 50 },
    { radius: 20, mass: 30 },
    { radius: 50, mass: Number.POSITIVE_INFINITY },
  ]
  const side = 100 + random() * 900
  return Array.from({ length: 2 + Math.floor(random() * 60) }, (_, i) => {
    const isOnSpot = random() < 0.1
    const position = { x: isOnSpot ? 50 : random() * side, y: isOnSpot ? 50 : random() * side }
    const kind = kinds[Math.min(Math.floor(random() * 3.3), 3)]
    return { id: i + 1, position, ...kind, isDead: random() < 0.1 }
  })
}

function play(seed: number, settings: Partial<SeparationSettings>): Crowd {
  const phase = separate<Crowd>({
    settings: () => settings,
    takesRoom: ({ tables }, row) => tables.things.hp[row] > 0,
  })
  const world = createWorld(defineGame(declaration, { phases: { separate: phase } }), { seed })
  addUnits(
    world,
    field(seed).map(({ position, radius, mass, isDead }) => ({
      ...position,
      radius,
      invMass: 1 / mass,
      hp: isDead ? 0 : 1,
    })),
  )
  return world
}

describe('the collision system of seed 002', () => {
  test('[SP16] `pairwise` is the loop of the document, on any field and tick after tick', () => {
    for (let seed = 1; seed <= FIELDS; seed++) {
      const random = createRandom(seed * 7919)
      const config = {
        separationStrength: seed % 3 === 0 ? random() : 1,
        maxSeparationDistance: seed % 5 === 0 ? random() * 30 : 50,
      }
      const world = play(seed, { ...SEPARATION_PAIRWISE, ...config })
      const entities = field(seed)
      for (let tick = 0; tick < TICKS; tick++) {
        const spot = { x: 0, y: 0 }
        resolveCollisions(entities, config, (a, b) => {
          unitVectorAt(world.seed, tick, a.id, b.id, PURPOSE, spot)
          return spot
        })
        step(world)
        const { x, y } = world.tables.things
        entities.forEach(({ position }, row) => {
          const off = Math.max(Math.abs(position.x - x[row]), Math.abs(position.y - y[row]))
          expect(off, `seed ${seed}, tick ${tick}, unit ${row + 1}`).toBeLessThan(1e-7)
        })
      }
    }
  })

  test('[SP16] a pair that an earlier push has brought together parts in the same tick; without `pairwise` in the next', () => {
    const at = (settings: Partial<SeparationSettings>) => {
      const world = createWorld(
        defineGame(declaration, { phases: { separate: separate<Crowd>({ settings: () => settings }) } }),
      )
      addUnits(
        world,
        [0, 30, 85].map((x) => ({ x, radius: 25, invMass: 1 / 100, hp: 1 })),
      )
      step(world)
      return Array.from(world.tables.things.x.subarray(0, 3))
    }
    expect(at(SEPARATION_PAIRWISE)).toEqual([-10, 37.5, 87.5])
    expect(at({})).toEqual([-10, 40, 85])
  })

  test('[SP16] `pairwise` gives the same bits with any cell size and without a grid', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const hashes = GRIDS.map((grid) => {
        const world = play(seed, { ...SEPARATION_PAIRWISE, passes: 2, ...grid })
        for (let tick = 0; tick < 6; tick++) step(world)
        return hashWorld(world)
      })
      expect(new Set(hashes).size, `seed ${seed}`).toBe(1)
    }
  })
})
