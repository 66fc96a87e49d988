/** A server with the rooms for tests in a process of its own, so that its memory and its ticks are its own. */

import { LIMITS } from '../src/limits.ts'
import { createServer } from '../src/server.ts'
import { EchoRoom, FirehoseRoom, HeavyRoom, TickingRoom } from './rooms.ts'

const { host = '127.0.0.1', ...options } = JSON.parse(process.argv[2])
const server = createServer({
  ...options,
  limits: { ...LIMITS, ...options.limits },
  rooms: [
    { name: 'echo', room: EchoRoom },
    { name: 'firehose', room: FirehoseRoom },
    { name: 'ticking', room: TickingRoom },
    { name: 'heavy', room: HeavyRoom },
  ],
})
TickingRoom.onTick = server.metrics.tickSeconds.observerOf('ticking')
process.on('disconnect', () => process.exit(0))
process.on('SIGTERM', () => server.close().then(() => process.exit(0)))
console.log(await server.listen(0, host))
