/** What the tests of separation share: a game of units that keep apart, and rocks in their way. */

import { declareGame, defineStatics, type Rectangle, type Statics, type World } from '../../src/index.ts'

export const declaration = declareGame({
  id: 'crowd',
  rulesVersion: 1,
  tickRate: 30,
  seats: { min: 0, max: 1 },
  layers: { unit: [], rock: [] },
  tables: { things: { capacity: 1024, columns: { invMass: 'f64', hp: 'f64' } } },
  streams: ['places'],
})
export type Crowd = World<typeof declaration>

/** Settings that must not change an outcome. */
export const GRIDS = [{}, { useSpatialGrid: false }, { spatialGridCellSize: 7 }, { spatialGridCellSize: 1000 }]

export function rock(place: Omit<Rectangle, 'layer'>): Statics {
  return defineStatics(declaration, [{ layer: 'rock', ...place }])
}
