import { playScene, requireInSync, runScene, type Scene, type Session, startScene, syncTest } from 'hurtbox'
import { describe, expect, test } from 'vitest'
import { withPoisonedGlobals } from '../../../scripts/engines/poison.ts'
import { logLines } from '../log.ts'
import type { VinylWorld } from '../rules/declaration.ts'
import { scenes } from '../scenes/index.ts'

/** Change these only together with a deliberate change of behaviour, and say so in the commit. */
const GOLDEN: Readonly<Record<string, string>> = {
  miners: 'a2d7c972a81715ab',
  original: 'cfb6d8692fd377bd',
  legacy: '60325a63755e1917',
  crowd: 'c74ca7aed3610578',
}

describe.each(scenes)('scene $name', (scene) => {
  const short: Scene = { ...scene, ticks: 100 }
  let session: Session

  test('[DT1] ends in the committed hash, with all approximate and ambient functions replaced by throwing ones', () => {
    expect(withPoisonedGlobals(() => runScene(scene)).hash).toBe(GOLDEN[scene.name])
  })

  test.each([1, 8, 64])('[DT2] rolled back %d ticks on every tick, it equals itself', (depth) => {
    session ??= play(short)
    requireInSync(syncTest(session, depth))
  })

  test('[DT3] restored into a fresh world on every tick, it equals itself', () => {
    session ??= play(short)
    requireInSync(syncTest(session, 1, { fresh: true }))
  })

  test('[DT7] cell size and grid on or off change nothing', () => {
    const { hash } = runScene(short)
    for (const options of [{ grid: false }, { cellSize: 5 }, { cellSize: 300 }]) {
      expect(runScene({ ...short, options: { ...scene.options, ...options } }).hash, JSON.stringify(options)).toBe(hash)
    }
  })

  test('[VF35] the same seed twice is the same log; another seed is another one', () => {
    const log = (seed: number) => {
      const played = startScene({ ...short, seed })
      let text = ''
      for (let tick = 0; tick < short.ticks; tick++) {
        playScene({ ...short, seed }, played, 1)
        text += `${logLines(played.world as unknown as VinylWorld).join('\n')}\n`
      }
      return text
    }
    expect(log(5)).toBe(log(5))
    expect(log(5)).not.toBe(log(6))
  })
})

function play(scene: Scene): Session {
  const session = startScene(scene)
  playScene(scene, session, scene.ticks)
  return session
}
