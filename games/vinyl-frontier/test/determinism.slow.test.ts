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
    match: 'e402f15f15d9bc6b',
    original: '9179435ffea53b63',
    legacy: '4e77871207d315f4',
    crowd: '5e2a3cae70116302',
    commands: 'b01563c8b89720ce',
    'multi-hit': 'f920189faffbe496',
    're-docking': '36642748e83d5501',
  },
  { cellSizes: [5, 300] },
)

/** The same matches to their ends. */
const WHOLE: Readonly<Record<string, string>> = {
  match: '6cbb31682b5922f9',
  original: '900480556a4f920c',
  legacy: '3cd9a3a7a5459994',
  crowd: '911f80c571a221a4',
  commands: 'b01563c8b89720ce',
  'multi-hit': 'f920189faffbe496',
  're-docking': '36642748e83d5501',
}

test.each(scenes)('[DT1] scene $name, played to its end, ends in the committed hash', (scene) => {
  expect(runScene(scene).hash).toBe(WHOLE[scene.name])
})

test.each(shortScenes)(
  '[VF35] scene $name: the same seed twice is the same log, another seed is another one',
  (scene) => {
    expect(logOf({ ...scene, seed: 5 })).toBe(logOf({ ...scene, seed: 5 }))
    // Those three start without chance.
    const isDrawn = !['commands', 'multi-hit', 're-docking'].includes(scene.name)
    expect(logOf({ ...scene, seed: 5 }) === logOf({ ...scene, seed: 6 })).toBe(!isDrawn)
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
