/** The replays that pages of the documentation play: matches of its scenes, recorded anew with every build of the site. */

import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Scene } from 'hurtbox'
import { saveReplay } from 'hurtbox/replay'
import { playScene, startScene } from 'hurtbox/tools'

const docs = fileURLToPath(new URL('../../docs/', import.meta.url))

/** Writes `<name of the scene>.hbr` for every scene of docs/scenes. */
export async function writeReplays(folder: string = join(docs, 'public/replays')): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const file of readdirSync(join(docs, 'scenes'))) {
    const { scene } = (await import(pathToFileURL(join(docs, 'scenes', file)).href)) as { scene: Scene }
    const session = startScene(scene)
    playScene(scene, session, scene.ticks)
    writeFileSync(join(folder, file.replace(/\.ts$/, '.hbr')), saveReplay(session))
  }
}
