/**
 * The server: rooms of the game and the built page on one port. Settings are variables, or lines of `.env`: `PORT=2567`
 *
 * It listens on this machine only; `HOST=0.0.0.0` listens on the network. `PROXIES=1` says that a proxy of yours stands in front, `DATA_DIR` is
 * the folder of replays and running matches, `HURTBOX_TOKEN` the password of /monitor and /metrics. `ORIGINS`, `PUBLIC_ADDRESS`,
 * `UDP_PORT` and `REDIS_URL` are in the README.
 */

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { serve } from '@hurtbox/server'
import game from '../game/index.ts'

// Made by `npm run build`; until then the server shows a list of its rooms.
const page = fileURLToPath(new URL('../dist', import.meta.url))
const port = Number(process.env.PORT || 2567)

await serve({ games: [game], port, ...(existsSync(page) && { page }) }).catch((error) => {
  console.error(error.message)
  process.exit(1)
})
