/** A disk that takes 150 ms for each write, under a server with matches in a folder. */

import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LateCause } from '@hurtbox/colyseus'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { hasCompiler, slowDisk } from '../../../packages/server/test/slow-disk.ts'
import { metricOf, TOKEN } from '../../../packages/server/test/support.ts'
import { whenAllPlay } from '../../chaos/cluster.ts'
import { expectWhole, sleep, start } from './clusters.ts'

const ROOMS = 4
/** Ticks of the game in a second. */
const RATE = 20
const SLOW_SECONDS = 4
/** Causes of late ticks but for the machine. */
const OURS: readonly LateCause[] = ['gc', 'room', 'log', 'user', 'other']

describe.runIf(hasCompiler())('a disk that takes 150 ms a write', () => {
  test('[ML44] stops no room; what is said is kept: after kill -9 nothing is lost', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hurtbox-disk-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const disk = slowDisk(folder, 150)
    const running = await start({ rooms: ROOMS, env: { ...disk.env, HURTBOX_TOKEN: TOKEN } })
    const [only] = running.processes
    const at = { url: only.url, port: Number(new URL(only.url).port) }
    const ticks = () => metricOf(at, 'hurtbox_tick_seconds_count')
    // A busy machine takes ticks, too. A thread that waits for a disk would look the same, so that is asked for by itself.
    const skipped = async () => {
      const counts = OURS.map((cause) => metricOf(at, 'hurtbox_skipped_ticks_total', `cause="${cause}"`))
      return (await Promise.all(counts)).reduce((sum, count) => sum + count)
    }
    await whenAllPlay(running, performance.now())
    const before = { ticks: await ticks(), skipped: await skipped(), lines: running.lines.length }

    disk.set(true)
    await vi.waitUntil(async () => (await ticks()) - before.ticks > ROOMS * RATE * SLOW_SECONDS, {
      timeout: 60_000,
      interval: 100,
    })
    const [ran, left] = [(await ticks()) - before.ticks, (await skipped()) - before.skipped]
    console.log(`${((100 * ran) / (ran + left)).toFixed(1)} % of the ticks that the machine gave time for`)
    expect(ran / (ran + left), 'of all ticks').toBeGreaterThan(0.95)
    expect(disk.hasStopped(), 'a write in the thread of the rooms').toBe(false)
    const lost = running.lines.slice(before.lines).filter(({ msg }) => msg.startsWith('match is not kept'))
    expect(lost, 'messages wait, matches stay kept').toEqual([])
    // The disk was slow: otherwise this would show nothing.
    expect(await metricOf(at, 'hurtbox_late_ticks_total', 'cause="log"')).toBeGreaterThan(0)

    await whenAllPlay(running, performance.now())
    only.child.kill('SIGKILL')
    await once(only.child, 'exit')
    disk.set(false)
    await sleep(250)
    await running.restart(only)
    await whenAllPlay(running, performance.now())
    await expectWhole(running)
  })
})
