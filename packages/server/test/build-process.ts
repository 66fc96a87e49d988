/** `serve` with one of two builds of a game in a process of its own. Settings come as JSON. */

import { defineModule } from 'hurtbox/module'
import { serve } from '../src/serve.ts'
import { newDots, oldDots } from './builds.ts'
import { TOKEN } from './support.ts'

const { isNew, ...options } = JSON.parse(process.argv[2])
// The channel closes when the parent ends, however it ends.
process.on('disconnect', () => process.exit(0))
const { url } = await serve({
  games: [isNew ? defineModule({ game: newDots }) : defineModule({ game: oldDots })],
  port: 0,
  udp: 'off',
  replays: false,
  token: TOKEN,
  loadTest: true,
  say: () => {},
  ...options,
})
process.send?.(url)
