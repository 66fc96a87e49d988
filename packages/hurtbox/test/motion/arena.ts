/** What the tests of bodies share: a game of capsules on a terrain, and the distance of a capsule and a box, computed naively. */

import {
  type Blocks,
  createWorld,
  declareGame,
  defineBlocks,
  defineGame,
  spawn,
  step,
  type Thing,
  thing,
  type World,
} from '../../src/index.ts'
import { moveBodies, pushBodies } from '../../src/kits/motion/index.ts'

export type Box = Readonly<Record<'minX' | 'minY' | 'minZ' | 'maxX' | 'maxY' | 'maxZ', number>>

const LAYERS = { body: ['wall'], ghost: ['wall'], wall: [] } as const

/** A map of boxes that bodies and ghosts meet. */
export function terrainOf(boxes: readonly Box[]): Blocks {
  return defineBlocks(
    { layers: LAYERS },
    boxes.map((box) => ({ layer: 'wall', ...box })),
  )
}

const declare = (tickRate: number) =>
  declareGame({
    id: 'arena',
    tickRate,
    layers: LAYERS,
    capacity: 64,
    things: {
      z: 'f64',
      vz: 'f64',
      halfLength: 'f64',
      invMass: 'f64',
      grounded: 'u8',
      facingX: 'f64',
      facingY: 'f64',
    },
    streams: ['places'],
  })
type Declaration = ReturnType<typeof declare>
export type Arena = World<Declaration>
export interface Body extends Thing<Declaration> {}

export const GRAVITY = 9.81
export const FIGHTER = { radius: 1, halfLength: 0.5, invMass: 1 / 7.33 }

type Options = {
  readonly tickRate?: number
  readonly gravity?: number
  readonly seed?: number
  /** Runs before the move of every tick: what the players do. */
  readonly act?: (world: Arena) => void
  readonly moves?: (body: Body) => boolean
  readonly takesRoom?: (body: Body) => boolean
}

export function arena(statics: Blocks, options: Options = {}): Arena {
  const { tickRate = 64, gravity = GRAVITY, seed = 1, act = () => {} } = options
  const { moves = () => true, takesRoom = () => true } = options
  const game = defineGame(declare(tickRate), {
    phases: {
      act,
      move: moveBodies({ statics, gravity: () => gravity, moves }),
      push: pushBodies({ statics, takesRoom }),
    },
  })
  return createWorld(game, { seed })
}

type Values = Parameters<typeof spawn<Declaration, 'body'>>[2]

/** Adds a fighter and returns its row. */
export function addFighter(world: Arena, values: Values, layer: 'body' | 'ghost' = 'body'): number {
  spawn(world, layer, { ...FIGHTER, facingX: 1, ...values })
  return world.tables.things.count - 1
}

/** The body in a row. */
export function bodyAt(world: Arena, row: number): Body {
  return thing(world, world.tables.things.id[row])!
}

export function run(world: Arena, ticks: number): void {
  for (let i = 0; i < ticks; i++) step(world)
}

/** Gap between the capsule in `row` and a box, negative when they overlap: core to core by brute clamping. */
export function gapTo(
  { map: { rectangles }, minZ, maxZ }: Blocks,
  box: number,
  { tables: { things } }: Arena,
  row: number,
): number {
  const half = things.halfLength[row]
  const dx = outside(things.x[row], rectangles.minX[box], rectangles.maxX[box])
  const dy = outside(things.y[row], rectangles.minY[box], rectangles.maxY[box])
  const below = minZ[box] - (things.z[row] + half)
  const above = things.z[row] - half - maxZ[box]
  return Math.hypot(dx, dy, Math.max(below, above, 0)) - things.radius[row]
}

function outside(at: number, min: number, max: number): number {
  return Math.max(min - at, at - max, 0)
}

/** The smallest gap of any body to any box. */
export function smallestGap(blocks: Blocks, world: Arena): number {
  let smallest = Number.POSITIVE_INFINITY
  for (let row = 0; row < world.tables.things.count; row++) {
    for (let box = 0; box < blocks.pieces.length; box++) smallest = Math.min(smallest, gapTo(blocks, box, world, row))
  }
  return smallest
}
