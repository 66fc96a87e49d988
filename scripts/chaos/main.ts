/**
 * `npm run measure -- chaos --kills 100`: matches on two real processes and one Redis, while processes are killed, stopped or
 * restarted at random moments.
 *
 *   --kills n     kill -9, and start it again
 *   --stops n     SIGSTOP for ten seconds, then SIGCONT: a process that was thought dead wakes up
 *   --restarts n  SIGTERM, in turn, and start it again: a rolling deploy
 *   --rooms n, --clients n, --seed n
 *   --report f    adds the run to this file, and prints what all runs in it found together
 *
 * Prints how long it took until the clients had a new confirmed tick, and whether anything they were told was lost.
 */

import { parseArgs } from 'node:util'
import { startRedis } from '../../packages/server/test/redis-process.ts'
import { startCluster } from './cluster.ts'
import { addRun, describeRuns } from './report.ts'
import { kills, restarts, stops } from './rounds.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '0' },
    stops: { type: 'string', default: '0' },
    restarts: { type: 'string', default: '0' },
    rooms: { type: 'string', default: '4' },
    clients: { type: 'string', default: '4' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    report: { type: 'string' },
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
const gaps: Record<'killMs' | 'stopMs' | 'restartMs', number[]> = { killMs: [], stopMs: [], restartMs: [] }
let failure: unknown
try {
  if (number('kills') > 0)
    gaps.killMs = await kills(cluster, number('kills'), number('seed'), (line) => console.log(line))
  if (number('stops') > 0) gaps.stopMs = await stops(cluster, number('stops'), number('seed'))
  if (number('restarts') > 0) gaps.restartMs = await restarts(cluster, number('restarts'))
} catch (error) {
  failure = error
}
const { problems, hashes } = await cluster.end()
if (failure !== undefined) problems.push(String(failure))
const mirrors = cluster.players.filter(({ connection }) => connection.mirror !== undefined)
const run = {
  seed: number('seed'),
  kills: number('kills'),
  stops: number('stops'),
  restarts: number('restarts'),
  ...gaps,
  states: hashes,
  problems,
  jumps: mirrors.reduce((sum, player) => sum + player.jumps, 0),
}
for (const line of describeRuns([run])) console.log(line)
if (values.report !== undefined) {
  const runs = addRun(values.report, run)
  console.log(`all ${runs.length} runs of ${values.report}:`)
  for (const line of describeRuns(runs)) console.log(line)
}
process.exit(problems.length > 0 ? 1 : 0)
