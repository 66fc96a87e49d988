/** What `builds.test.ts` builds in several ways: one match of the arena, described by its fingerprint and its replay. */

import { hashBytes } from '../../src/host/tools/index.ts'
import { fingerprint, loadReplay, saveReplay, verifyReplay } from '../../src/record/replay/index.ts'
import { createArena } from './arena.ts'
import { playArena } from './matches.ts'

export function describeBuild(): string {
  const game = createArena()
  const replay = saveReplay(playArena(game, 3, 100))
  const { ok, hash } = verifyReplay(game, loadReplay(game, replay))
  return JSON.stringify({ fingerprint: fingerprint(game), replay: hashBytes(replay), ok, hash })
}
