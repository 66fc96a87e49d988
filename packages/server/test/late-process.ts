/** A server that stands still in every way that a late tick is put down to: what its parent sends is done in the thread of the rooms. */

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { declareGame, defineGame } from 'hurtbox'
import { defineModule } from 'hurtbox/module'
import { serve } from '../src/serve.ts'
import { dots } from './dots.ts'

const STALL_MS = 400

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Keeps the thread busy, and tells the parent which part of a processor it had. */
function stall(work: () => void): void {
  const [from, cpuFrom] = [performance.now(), cpuMs()]
  while (performance.now() < from + STALL_MS) work()
  process.send!({ share: (cpuMs() - cpuFrom) / (performance.now() - from) })
}

const spin = () => stall(() => {})

let isHeavy = false
const heavy = defineGame(declareGame({ id: 'heavy', tickRate: 30, layers: {} }), {
  phases: {
    work() {
      if (isHeavy) spin()
      isHeavy = false
    },
  },
})

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

function collectMuch(): void {
  const kept = Array.from({ length: 500_000 }, (_, i) => ({ i }))
  stall(collect)
  kept.length = 0
}

const done: Readonly<Record<string, () => void>> = {
  gc: collectMuch,
  room: () => {
    isHeavy = true
  },
  other: spin,
}
process.on('message', (what: string) => done[what]())
process.on('disconnect', () => process.exit(0))

const { url } = await serve({
  games: [defineModule({ game: dots }), defineModule({ game: heavy })],
  port: 0,
  dataDir: process.argv[2],
  token: process.argv[3],
  async auth(token) {
    if (token === 'slow') spin()
    if (token === 'slow-later') {
      await new Promise((resolve) => setTimeout(resolve, 50))
      spin()
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    return { id: `account-${Math.random()}` }
  },
  fetch({ url }) {
    if (!url.endsWith('/slow')) return undefined
    spin()
    return new Response('done')
  },
  loadTest: true,
  logLevel: 'info',
  say: () => {},
})
process.send!(url)
