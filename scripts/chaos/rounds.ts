/**
 * What is done to the processes, again and again. Each returns when every client is back in its seat, with the longest time
 * that each client went without a new confirmed tick, ms.
 */

import { purposeOf, unitAt } from 'hurtbox/math'
import { type Cluster, type Player, type ServerProcess, whenAllPlay } from './cluster.ts'

type Say = (line: string) => void

const WHO = purposeOf('chaos victim')
const WHEN = purposeOf('chaos moment')
const STOP_MS = 10_000
const IN_FLIGHT_MS = 250

/** kill -9 of a random process, at a random moment; it is started again when the others have its matches. */
export async function kills(cluster: Cluster, times: number, seed: number, say: Say): Promise<number[]> {
  const outages: number[] = []
  for (let n = 0; n < times; n++) {
    await sleep(300 + 900 * unitAt(seed, n, 0, 0, WHEN))
    const victim = ownerOf(cluster, unitAt(seed, n, 0, 0, WHO))
    resetGaps(cluster)
    const at = performance.now()
    victim.child.kill('SIGKILL')
    // What was on its way when it died still arrives.
    await sleep(IN_FLIGHT_MS)
    await whenAllPlay(cluster, at + IN_FLIGHT_MS)
    // Those that were on the other process have noticed nothing.
    outages.push(...gapsOver(cluster, 250))
    await cluster.restart(victim)
    await sleep(800)
    if ((n + 1) % 10 === 0) say(`${n + 1} kills`)
  }
  return outages
}

/** SIGSTOP for ten seconds: the process is thought dead, its matches are taken, its clients find them, and it wakes up. */
export async function stops(
  cluster: Cluster,
  times: number,
  seed: number,
  { ms = STOP_MS, beforeWaking = () => {} }: { readonly ms?: number; readonly beforeWaking?: () => void } = {},
): Promise<number[]> {
  const outages: number[] = []
  for (let n = 0; n < times; n++) {
    await sleep(300 + 900 * unitAt(seed, n, 1, 0, WHEN))
    const victim = ownerOf(cluster, unitAt(seed, n, 1, 0, WHO))
    resetGaps(cluster)
    victim.child.kill('SIGSTOP')
    const stopped = performance.now()
    await sleep(ms)
    await whenAllPlay(cluster, stopped + IN_FLIGHT_MS)
    beforeWaking()
    const woken = performance.now()
    victim.child.kill('SIGCONT')
    await whenAllPlay(cluster, woken + IN_FLIGHT_MS)
    outages.push(...gapsOver(cluster, 250))
    await sleep(1_000)
  }
  return outages
}

/** SIGTERM of each process in turn. */
export async function restarts(cluster: Cluster, times: number): Promise<number[]> {
  const gaps: number[] = []
  for (let n = 0; n < times; n++) {
    await sleep(500)
    const leaving = cluster.processes[n % cluster.processes.length]
    resetGaps(cluster)
    leaving.child.kill('SIGTERM')
    await cluster.restart(leaving)
    await whenAllPlay(cluster, performance.now())
    gaps.push(...gapsOver(cluster, 0))
    await sleep(500)
  }
  return gaps
}

/** The process that runs the match of a player; `chance`, from 0 to 1, says which. */
export function ownerOf({ players, processes }: Cluster, chance: number): ServerProcess {
  const { connection } = players[Math.floor(chance * players.length)]
  const { url } = (connection.room.connection.transport as unknown as { ws: { url: string } }).ws
  return processes.find((each) => new URL(each.url).port === new URL(url).port)!
}

function resetGaps({ players }: Cluster): void {
  for (const player of players) player.longestGapMs = 0
}

function gapsOver({ players }: Cluster, ms: number): number[] {
  return players.map((player: Player) => player.longestGapMs).filter((gap) => gap > ms)
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
