import { runScene, type Scene } from 'hurtbox'
import { playScene, startScene } from 'hurtbox/tools'
import { expect, test } from 'vitest'
import { proveDeterminism } from '../../test/determinism.ts'
import { logLines } from '../log.ts'
import type { VinylWorld } from '../rules/declaration.ts'
import { scenes, shortScenes } from '../scenes/index.ts'

proveDeterminism(
  shortScenes,
  {
    match: 'ff5fd2a733214034',
    original: '2aadebfa3917c211',
    legacy: 'e5abbb3c0b9a5bbd',
    crowd: 'f52d94eaf38a6a45',
  },
  { cellSizes: [5, 300] },
)

/** The same matches to their ends. */
const WHOLE: Readonly<Record<string, string>> = {
  match: 'a2d7c972a81715ab',
  original: 'cfb6d8692fd377bd',
  legacy: '60325a63755e1917',
  crowd: '407ef76e9be9a1ce',
}

test.each(scenes)('[DT1] scene $name, played to its end, ends in the committed hash', (scene) => {
  expect(runScene(scene).hash).toBe(WHOLE[scene.name])
})

test.each(shortScenes)(
  '[VF35] scene $name: the same seed twice is the same log, another seed is another one',
  (scene) => {
    expect(logOf({ ...scene, seed: 5 })).toBe(logOf({ ...scene, seed: 5 }))
    expect(logOf({ ...scene, seed: 5 })).not.toBe(logOf({ ...scene, seed: 6 }))
  },
)

function logOf(scene: Scene): string {
  const session = startScene(scene)
  const lines: string[] = []
  for (let tick = 0; tick < scene.ticks; tick++) {
    playScene(scene, session, 1)
    lines.push(...logLines(session.world as unknown as VinylWorld))
  }
  return lines.join('\n')
}
