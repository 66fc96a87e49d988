/** A dispute from end to end: a match is played by two, its link is opened, and both screens are there. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gameRoom, replayFolder } from '@hurtbox/colyseus'
import { bots } from '@hurtbox/games/jet-raiders/bots'
import { jetRaiders as game } from '@hurtbox/games/jet-raiders/rules'
import { afterAll, expect, test } from 'vitest'
import { LOAD_TEST_LIMITS } from '../../server/src/limits.ts'
import { createServer } from '../../server/src/server.ts'
import { buildStudio, startBrowser } from './browser.ts'
import { disputeFromEndToEnd } from './dispute.ts'

const folder = mkdtempSync(join(tmpdir(), 'hurtbox-dispute-'))
afterAll(() => rmSync(folder, { recursive: true }))

const DISPUTED =
  '[DI20] the link of a dispute shows both screens as they were, the reason and the other future; the text says the same'

// Until a hit comes that its victim had not predicted.
test(DISPUTED, { timeout: 600_000 }, async () => {
  const token = 'password-of-this-test'
  const server = createServer({
    rooms: [{ name: 'disputed', room: gameRoom({ game, bots, fill: 2, track: true, replays: replayFolder(folder) }) }],
    replayFolder: folder,
    token,
    pageFolder: await buildStudio(),
    limits: LOAD_TEST_LIMITS,
  })
  const url = await server.listen(0, '127.0.0.1')
  const browser = await startBrowser()
  expect(browser).toBeDefined()
  try {
    await disputeFromEndToEnd({ url, token, folder, browser: browser! })
  } finally {
    await browser?.close()
    await server.close()
  }
})
