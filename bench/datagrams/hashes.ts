/**
 * Hashes over real datagrams while connections come and go: `npm run measure -- datagrams --hashes 1000000`.
 *
 * Mirrors of a fast game in rooms of four, the players of each room in a process of their own, each behind a proxy of its own on loopback. Every ten seconds each
 * loses its socket, and every minute its address changes, as behind a NAT that has forgotten; not all at once. Wanted: so many hashes of players on datagrams, no
 * mismatch, and all on datagrams again at the end. On a machine that is busy, players are by their sockets for longer: those hashes are counted, too, and not asked for.
 */

import { startDatagrams } from '@hurtbox/datagrams'
import { defineGame } from 'hurtbox'
import type { AnyGame } from 'hurtbox/tools'
import { startServer } from '../../packages/colyseus/test/server.ts'
import { freeUdpPort } from '../../packages/datagrams/test/channels.ts'
import { declaration, tag, whimsical } from '../../packages/netcode/test/support.ts'
import { askChild, messageOf, startChild } from '../../scripts/child.ts'

export type HashReading = {
  readonly hashes: number
  readonly byDatagrams: number
  readonly mismatches: number
  readonly desyncs: number
  readonly reconnects: number
  readonly moves: number
  /** Players who are on datagrams now. */
  readonly onDatagrams: number
}

export const ROOMS = 4
export const PER_ROOM = 4
const TICK_RATE = 125
const REPORT_MS = 30_000
/** A machine that stands still for a minute loses nobody's seat. */
const SEAT_SECONDS = 3_600

export const fast = defineGame(
  { ...declaration, id: 'fast-tag', tickRate: TICK_RATE },
  tag.behaviour as never,
) as unknown as AnyGame

/** Returns the exit code. */
export async function compareHashes(wanted: number, minutes: number): Promise<number> {
  const port = await freeUdpPort()
  const service = (await startDatagrams({ port }))!
  const room = {
    game: fast,
    bots: [whimsical],
    fill: PER_ROOM,
    hashEvery: 1,
    datagrams: service,
    seatSeconds: SEAT_SECONDS,
  }
  const server = await startServer({ 'fast-tag': room as never })
  const children = Array.from({ length: ROOMS }, (_, i) =>
    startChild(new URL('hash-clients.ts', import.meta.url), [server.url, String(port), String(i)]),
  )
  await Promise.all(children.map(messageOf))
  const startedAt = performance.now()
  const readAll = async (asked: 'read' | 'end') => {
    const all = (await Promise.all(children.map((child) => askChild(child, asked)))) as HashReading[]
    const sum = { ...all[0] } as Record<keyof HashReading, number>
    for (const key of Object.keys(sum) as (keyof HashReading)[])
      sum[key] = all.reduce((total, each) => total + each[key], 0)
    return sum
  }
  const report = (sum: HashReading) =>
    console.log(`${Math.round((performance.now() - startedAt) / 1_000)} s: ${JSON.stringify(sum)}`)
  for (let reportAt = startedAt; performance.now() < startedAt + 60_000 * minutes; ) {
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    const sum = await readAll('read')
    if (sum.byDatagrams >= wanted) break
    if (performance.now() < reportAt) continue
    reportAt += REPORT_MS
    report(sum)
  }
  const sum = await readAll('end')
  report(sum)
  const isBack = sum.onDatagrams === ROOMS * PER_ROOM
  console.log(isBack ? 'all are back on datagrams' : 'not all are back on datagrams')
  const isEnough = sum.byDatagrams >= wanted
  if (!isEnough) console.log(`fewer than ${wanted} in ${minutes} minutes`)
  for (const child of children) child.kill()
  await server.close()
  service.close()
  return isEnough && isBack && sum.mismatches === 0 && sum.desyncs === 0 ? 0 : 1
}
