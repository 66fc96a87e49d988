import type { Scene } from 'hurtbox'
import { type AnyWorld, hashTables, playScene, startScene } from 'hurtbox/tools'
import { expect, test } from 'vitest'
import { proveDeterminism } from '../../test/determinism.ts'
import { shortScenes } from '../scenes/index.ts'

proveDeterminism(
  shortScenes,
  {
    duel: 'c1f0565a48cdbbc6',
    lanes: '44ffb765e0a40118',
    skirmish: '54698f1efa43b3e8',
    siege: '6c71a3466702f03b',
    crush: 'c679f09939f0a841',
  },
  {
    // Hundreds of units many times over: the long suite does it for every scene.
    depths: ({ name }) => (process.env.HURTBOX_LONG || name === 'duel' ? [1, 8, 64] : [3]),
    cellSizes: [30, 1000],
  },
)

test.each(shortScenes)(
  '[DT7] scene $name: how overlaps are found changes nothing but the number that says so',
  (scene) => {
    const expected = tablesAfter(scene)
    for (const tuning of [{ useSpatialGrid: 0 }, { spatialGridCellSize: 40 }, { spatialGridCellSize: 777 }]) {
      const tables = tablesAfter({ ...scene, tuning: { ...scene.tuning, ...tuning } })
      expect(tables, JSON.stringify(tuning)).toEqual(expected)
    }
  },
)

/** Hashes of the tables alone at the end of a scene: without the arrays, which hold the tuning. */
function tablesAfter(scene: Scene): Record<string, string> {
  const session = startScene(scene)
  playScene(scene, session, scene.ticks)
  const { arrays: _, ...tables } = hashTables(session.world as AnyWorld)
  return tables
}
