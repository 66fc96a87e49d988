import { describe, expect, test } from 'vitest'
import { withPoisonedGlobals } from '../../../scripts/engines/poison.ts'
import { scenes } from '../scenes/index.ts'
import { playScene, requireInSync, startScene } from '../src/host/tools/index.ts'
import { runScene, type Session, syncTest } from '../src/index.ts'

/**
 * Change these only together with a deliberate change of behaviour, and say so in the commit.
 * A hash that moves on its own is a desync in every game that uses the engine.
 */
const GOLDEN: Readonly<Record<string, string>> = {
  skirmish: '801b0c837ae90eaf',
  'skirmish-comings': 'cd93531895a7b1a5',
  'skirmish-busy': '4dc865ada0f676de',
}

const played = new Map<string, Session>()

/** A scene played to its end, once for all tests. */
function playedToEnd(name: string): Session {
  const known = played.get(name)
  if (known !== undefined) return known
  const scene = scenes.find((each) => each.name === name)!
  const session = startScene(scene)
  playScene(scene, session, scene.ticks)
  played.set(name, session)
  return session
}

describe.each(scenes)('scene $name', (scene) => {
  test('[DT1] ends in the committed hash', () => {
    expect(runScene(scene).hash).toBe(GOLDEN[scene.name])
  })

  // Every depth, but the deep ones on a shorter run: a rollback of 64 ticks on every tick is 64 matches.
  const depths = process.env.HURTBOX_LONG ? Array.from({ length: 64 }, (_, i) => i + 1) : [1, 2, 3, 7, 16, 64]
  test.each(depths)('[DT2] rolled back %d ticks on every tick, it equals itself never rolled back', (depth) => {
    const session = playedToEnd(scene.name)
    requireInSync(syncTest(session, depth))
  })

  test('[DT3] restored into a fresh world on every tick, it equals itself', () => {
    requireInSync(syncTest(playedToEnd(scene.name), 1, { fresh: true }))
  })

  test('[DT7] cell size and grid on or off change nothing', () => {
    for (const options of [{ grid: false }, { cellSize: 1 }, { cellSize: 7 }, { cellSize: 1000 }]) {
      const { hash } = runScene({ ...scene, options: { ...scene.options, ...options } })
      expect(hash, JSON.stringify(options)).toBe(GOLDEN[scene.name])
    }
  })

  test('[DT4] runs with all approximate and ambient functions replaced by throwing ones', () => {
    const { hash } = withPoisonedGlobals(() => runScene(scene))
    expect(hash).toBe(GOLDEN[scene.name])
  })
})

test('[DT2] rollbacks of changing depth over many seeds: none differs', () => {
  const wanted = process.env.HURTBOX_LONG ? 100_000 : 1_000
  const [scene] = scenes
  let rollbacks = 0
  for (let seed = 1; rollbacks < wanted; seed++) {
    const session = startScene(scene, seed)
    playScene(scene, session, 250)
    const depth = 1 + ((seed * 37) % 64)
    const report = syncTest(session, depth)
    expect(report.mismatch, `seed ${seed}, depth ${depth}`).toBeUndefined()
    rollbacks += report.rollbacks
  }
  expect(rollbacks).toBeGreaterThanOrEqual(wanted)
})
