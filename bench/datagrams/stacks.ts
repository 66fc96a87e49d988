/** CPU for each message that comes and is sent back: our own stack, the native one, and a WebSocket. One after the other, turn by turn, in processes that stay. */

import { askChild, messageOf, startChild } from '../../scripts/child.ts'
import { median } from '../statistics.ts'
import type { EchoReading } from './echo-server.ts'

const CARRIERS = ['own', 'native', 'socket'] as const
const CHANNELS = 32

export async function measureStacks(turns: number, seconds: number): Promise<void> {
  const all = await Promise.all(
    CARRIERS.map(async (carrier) => ({ carrier, ...(await startEcho(carrier)), runs: [] as number[] })),
  )
  try {
    for (let turn = 0; turn < turns; turn++) {
      for (const { server, clients, runs } of all) {
        await askChild(clients, 'start')
        await sleep(500)
        const before = (await askChild(server, 'read')) as EchoReading
        await sleep(1_000 * seconds)
        const after = (await askChild(server, 'read')) as EchoReading
        await askChild(clients, 'stop')
        // One that came, one that went.
        runs.push((1_000 * (after.cpuMs - before.cpuMs)) / (2 * (after.messages - before.messages)))
      }
    }
  } finally {
    for (const { server, clients } of all) {
      clients.kill()
      server.kill()
    }
  }
  console.log(
    `${CHANNELS} channels, 60 messages of 100 bytes a second each way; µs of CPU of the server's process for each message\n`,
  )
  console.log('| carrier | µs, median | of the turns | compared with the socket |\n|---|---:|---|---:|')
  const sockets = all[2].runs
  for (const { carrier, runs } of all) {
    const ratio = median(runs.map((run, i) => run / sockets[i]))
    console.log(
      `| ${carrier} | ${median(runs).toFixed(1)} | ${runs.map((run) => run.toFixed(1)).join(' ')} | ${ratio.toFixed(2)} |`,
    )
  }
}

async function startEcho(carrier: string) {
  const server = startChild(new URL('echo-server.ts', import.meta.url), [carrier])
  const { url } = (await messageOf(server)) as { url: string }
  const clients = startChild(new URL('echo-clients.ts', import.meta.url), [url, carrier, String(CHANNELS)])
  await messageOf(clients)
  return { server, clients }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
