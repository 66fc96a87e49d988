/** A server of its own for chaos: started, killed, stopped and woken by main.ts. Settings come as JSON. */

import { serve } from '@hurtbox/server'
import { tagModule } from './game.ts'

const { port, matches, replays, drainSeconds, whenStoreFails, rulesVersion } = JSON.parse(process.argv[2])
// The channel closes when the parent ends, however it ends.
process.on('disconnect', () => process.exit(0))
const { url } = await serve({
  games: [tagModule(rulesVersion)],
  port,
  matches,
  replays,
  drainSeconds,
  ...(whenStoreFails && { whenStoreFails }),
  logLevel: process.env.CHAOS_LOG ?? 'info',
  say: () => {},
})
process.send?.(url)
