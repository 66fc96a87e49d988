/**
 * What one datagram of 1,500 bytes can make the UDP port do at most: `npm run measure -- datagrams --worst`. µs of this machine beside what the tests count
 * (DG160: operations of node:crypto, and objects for memory, at most).
 */

import { WORST, worstPackets } from '../../packages/datagrams/test/worst.ts'
import { createRandom } from '../../packages/hurtbox/test/random.ts'
import { median } from '../statistics.ts'

const ROUNDS = 8
const PACKETS = 25

console.log('| datagram of | µs, median | µs, of ten the worst | crypto | objects |\n|---|---:|---:|---:|---:|')
for (const [name, { crypto, memory }] of Object.entries(WORST)) {
  const times: number[] = []
  for (let round = 1; round <= ROUNDS; round++) {
    const packets = worstPackets(name, createRandom(round), PACKETS)
    for (const { take } of packets) {
      const from = performance.now()
      take()
      // The first rounds are of code that is not compiled yet.
      if (round > ROUNDS / 2) times.push(1_000 * (performance.now() - from))
    }
  }
  console.log(
    `| ${name} | ${median(times).toFixed(0)} | ${times.toSorted((a, b) => a - b)[Math.floor(0.9 * times.length)].toFixed(0)} | ${crypto} | ${memory} |`,
  )
}
