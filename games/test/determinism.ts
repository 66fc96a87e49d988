/**
 * Determinism tests for every scene of every game: its committed hash, rollbacks, fresh worlds, poisoned globals, any grid.
 *
 * A game's own test file passes its scenes and hashes, and settings where its world is larger or slower than most.
 */

import { runScene, type Scene, type Session, syncTest } from 'hurtbox'
import { playScene, requireInSync, startScene } from 'hurtbox/tools'
import { describe, expect, test } from 'vitest'
import { withPoisonedGlobals } from '../../scripts/engines/poison.ts'

type Extent = {
  /** How many ticks are rolled back on every tick. Sixty-four is the work of sixty-four matches. */
  readonly depths?: (scene: Scene) => readonly number[]
  /** Sides of cells in the game's unit of length: finer than its things, like them, larger than its world. */
  readonly cellSizes?: readonly number[]
}

/**
 * Change a hash only together with a deliberate change of behaviour, and say so in the commit. Bots are part of a scene:
 * a bot that plays differently changes its hash as well.
 */
export function proveDeterminism(
  scenes: readonly Scene[],
  golden: Readonly<Record<string, string>>,
  { depths = () => [1, 8, 64], cellSizes = [7, 60, 1000] }: Extent = {},
): void {
  // Rolling back 64 ticks on every tick is 64 times the work; a busy machine gets the time it needs.
  describe.each(scenes)('scene $name', { timeout: 300_000 }, (scene) => {
    let played: Session | undefined

    /** The scene played to its end, once for all tests. */
    function playedToEnd(): Session {
      if (played !== undefined) return played
      played = startScene(scene)
      playScene(scene, played, scene.ticks)
      return played
    }

    test('[DT1] ends in the committed hash', () => {
      expect(runScene(scene).hash).toBe(golden[scene.name])
    })

    test.each(depths(scene))(
      '[DT2] rolled back %d ticks on every tick, it equals itself never rolled back',
      (depth) => {
        requireInSync(syncTest(playedToEnd(), depth))
      },
    )

    test('[DT3] restored into a fresh world on every tick, it equals itself', () => {
      requireInSync(syncTest(playedToEnd(), 1, { fresh: true }))
    })

    test('[DT7] cell size and grid on or off change nothing', () => {
      for (const options of [{ grid: false }, ...cellSizes.map((cellSize) => ({ cellSize }))]) {
        const { hash } = runScene({ ...scene, options: { ...scene.options, ...options } })
        expect(hash, JSON.stringify(options)).toBe(golden[scene.name])
      }
    })

    test('[DT4] runs with all approximate and ambient functions replaced by throwing ones', () => {
      const { hash } = withPoisonedGlobals(() => runScene(scene))
      expect(hash).toBe(golden[scene.name])
    })
  })
}
