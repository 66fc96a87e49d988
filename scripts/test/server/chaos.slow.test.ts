/**
 * Real processes, real clients: killed, stopped, restarted. A small version of `npm run measure -- chaos`.
 *
 * No times are asserted: how long it takes depends on the machine. What must hold is that every player is back in its seat, and
 * that everything a player was ever told is in the final replay.
 */

import { describe, expect, test } from 'vitest'
import { hasRedis } from '../../../packages/server/test/redis-process.ts'
import { type LogLine, whenAllPlay } from '../../chaos/cluster.ts'
import { kills } from '../../chaos/rounds.ts'
import { expectWhole, SEED, start, startTwo, whenLogged } from './clusters.ts'

describe.skipIf(!hasRedis())('two processes on one Redis', () => {
  test('[ML15] [FB1] kill -9, twice: every player is back in its seat, and no confirmed tick is lost', async () => {
    const running = await startTwo()
    const ms = await kills(running, 2, SEED, console.log)
    expect(ms.length, 'players were hit').toBeGreaterThan(0)
    await expectWhole(running)
  })
})

test('[ML19] [FB1] the only process is killed and started again on the same folder: same rooms, same seats, nothing lost', async () => {
  const running = await start({})
  const [only] = running.processes
  await whenAllPlay(running, performance.now())
  only.child.kill('SIGKILL')
  await running.restart(only)
  await whenAllPlay(running, performance.now())
  await expectWhole(running)
})

test('[ML19] [FB3] SIGTERM with a folder: the process that is started next goes on', async () => {
  const running = await start({})
  const [only] = running.processes
  await whenAllPlay(running, performance.now())
  only.child.kill('SIGTERM')
  await running.restart(only)
  await whenAllPlay(running, performance.now())
  await expectWhole(running)
})

test('[ML43] two processes on one folder: the second keeps nothing while the first lives, then goes on with its matches', async () => {
  const running = await start({ processes: 2, rooms: 1 })
  const [first] = running.processes
  const isRefusal = ({ msg }: LogLine) => msg.includes(`while process ${first.child.pid} of `)
  expect(running.lines.filter(isRefusal), 'said once').toHaveLength(1)
  await whenAllPlay(running, performance.now())
  first.child.kill('SIGTERM')
  await whenLogged(running, 'match taken over')
  await whenAllPlay(running, performance.now())
  await expectWhole(running)
})

const mayContain = process.platform === 'linux' && process.getuid?.() === 0

test.runIf(mayContain)(
  '[ML10] [ML43] two containers on one volume, each process 1: one match is never run twice, and kill -9 loses nothing',
  async () => {
    const running = await start({ processes: 2, rooms: 1, isContained: true })
    const [first] = running.processes
    const isRefusal = ({ msg }: LogLine) => msg.includes('while process 1 of ')
    expect(running.lines.filter(isRefusal), 'said once').toHaveLength(1)
    await whenAllPlay(running, performance.now())
    expect(running.lines.filter(({ msg }) => msg === 'match taken over')).toEqual([])
    first.child.kill('SIGKILL')
    await whenLogged(running, 'match taken over')
    await whenAllPlay(running, performance.now())
    await expectWhole(running)
  },
)
