import {
  type AnyWorld,
  hashTables,
  playScene,
  requireInSync,
  runScene,
  type Session,
  startScene,
  syncTest,
} from 'hurtbox'
import { describe, expect, test } from 'vitest'
import { withPoisonedGlobals } from '../../../scripts/engines/poison.ts'
import { shortScenes } from '../scenes/index.ts'

/**
 * Change these only together with a deliberate change of behaviour, and say so in the commit. Bots are part of a scene:
 * a bot that plays differently moves its hash as well.
 */
const GOLDEN: Readonly<Record<string, string>> = {
  duel: '19ab72357ba29aed',
  lanes: '93e1d4bb06f48a09',
  skirmish: '7a22cdb6cb6c830a',
  siege: '98490131a554028c',
  crush: 'f82985667473af14',
}

/** Hashes of the tables alone: without the arrays, which hold the tuning. */
function tablesOf(world: AnyWorld): Record<string, string> {
  const { arrays: _, ...tables } = hashTables(world)
  return tables
}

describe.each(shortScenes)('scene $name', (scene) => {
  let played: Session | undefined

  /** The scene played to its end, once for all tests. */
  function playedToEnd(): Session {
    if (played !== undefined) return played
    played = startScene(scene)
    playScene(scene, played, scene.ticks)
    return played
  }

  test('[DT1] ends in the committed hash', () => {
    expect(runScene(scene).hash).toBe(GOLDEN[scene.name])
  })

  // Sixty-four matches for one; the long suite does it for every scene.
  const deep = process.env.HURTBOX_LONG || scene.name === 'duel' ? [64] : []
  test.each([1, 8, ...deep])(
    '[DT2] rolled back %d ticks on every tick, it equals itself never rolled back',
    (depth) => {
      requireInSync(syncTest(playedToEnd(), depth))
    },
  )

  test('[DT3] restored into a fresh world on every tick, it equals itself', () => {
    requireInSync(syncTest(playedToEnd(), 1, { fresh: true }))
  })

  test('[DT4] runs with all approximate and ambient functions replaced by throwing ones', () => {
    const { hash } = withPoisonedGlobals(() => runScene(scene))
    expect(hash).toBe(GOLDEN[scene.name])
  })

  test('[DT7] how hits are found changes nothing', () => {
    for (const options of [{ grid: false }, { cellSize: 30 }, { cellSize: 1000 }]) {
      const { hash } = runScene({ ...scene, options: { ...scene.options, ...options } })
      expect(hash, JSON.stringify(options)).toBe(GOLDEN[scene.name])
    }
  })

  test('[DT7] how overlaps are found changes nothing but the number that says so', () => {
    for (const tuning of [{ useSpatialGrid: 0 }, { spatialGridCellSize: 40 }, { spatialGridCellSize: 777 }]) {
      const other = { ...scene, tuning: { ...scene.tuning, ...tuning } }
      const session = startScene(other)
      playScene(other, session, other.ticks)
      expect(tablesOf(session.world), JSON.stringify(tuning)).toEqual(tablesOf(playedToEnd().world))
    }
  })
})
