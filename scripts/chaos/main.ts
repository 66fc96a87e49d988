/**
 * `npm run chaos -- --kills 100`: matches on two real processes and one Redis, while processes are killed, stopped or
 * restarted at random moments.
 *
 *   --kills n     kill -9, and start it again
 *   --stops n     SIGSTOP for ten seconds, then SIGCONT: a process that was thought dead wakes up
 *   --restarts n  SIGTERM, in turn, and start it again: a rolling deploy
 *   --rooms n, --clients n, --seed n
 *
 * Prints how long it took until the clients had a new confirmed tick, and whether anything they were told was lost.
 */

import { parseArgs } from 'node:util'
import { startRedis } from '../../packages/server/test/redis-process.ts'
import { startCluster } from './cluster.ts'
import { kills, restarts, stops } from './rounds.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '0' },
    stops: { type: 'string', default: '0' },
    restarts: { type: 'string', default: '0' },
    rooms: { type: 'string', default: '4' },
    clients: { type: 'string', default: '4' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
  },
})
const number = (name: keyof typeof values) => Number(values[name])
const redis = await startRedis()
process.on('exit', () => redis.child.kill())
const cluster = await startCluster({
  processes: 2,
  redisUrl: redis.url,
  rooms: number('rooms'),
  clients: number('clients'),
})
console.log(`${values.rooms} rooms with ${values.clients} clients each on 2 processes, seed ${values.seed}`)
const say = (line: string) => console.log(line)
let failure: unknown
try {
  if (number('kills') > 0) await kills(cluster, number('kills'), number('seed'), say)
  if (number('stops') > 0) await stops(cluster, number('stops'), number('seed'), say)
  if (number('restarts') > 0) await restarts(cluster, number('restarts'), say)
} catch (error) {
  failure = error
}
const { problems, hashes, replays } = await cluster.end()
const mirrors = cluster.players.filter(({ connection }) => connection.mirror !== undefined)
const jumps = mirrors.reduce((sum, player) => sum + player.jumps, 0)
console.log(`${hashes} confirmed states compared with ${replays} replays, ${problems.length} problems`)
console.log(`mirrors that could not go on where they were: ${jumps} times`)
for (const problem of problems.slice(0, 20)) console.log(`  ${problem}`)
if (failure !== undefined) console.log(failure)
process.exit(problems.length > 0 || failure !== undefined ? 1 : 0)
