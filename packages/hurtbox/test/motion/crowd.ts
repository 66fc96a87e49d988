/** What the tests of separation share: a game of units that keep apart, and rocks in their way. */

import { declareGame, defineStatics, spawn, type World } from '../../src/index.ts'
import type { Rectangle, Statics } from '../../src/rules/collide/statics.ts'

export const declaration = declareGame({
  id: 'crowd',
  tickRate: 30,
  layers: { unit: ['rock'], rock: [] },
  things: { invMass: 'f64', hp: 'f64' },
  streams: ['places'],
})
export type Crowd = World<typeof declaration>

type Values = Parameters<typeof spawn<typeof declaration, 'unit'>>[2]

export function addUnits(world: Crowd, units: readonly Values[]): void {
  for (const unit of units) spawn(world, 'unit', unit!)
}

/** Settings that must not change an outcome. */
export const GRIDS = [{}, { useSpatialGrid: false }, { spatialGridCellSize: 7 }, { spatialGridCellSize: 1000 }]

export function rock(place: Omit<Rectangle, 'layer'>): Statics {
  return defineStatics(declaration, [{ layer: 'rock', ...place }])
}
