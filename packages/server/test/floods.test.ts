import { describe, expect, test } from 'vitest'
import { FLOODS } from './floods/attack.ts'
import { compareFlood, hasIPv6 } from './floods/compare.ts'

/** Times are by the clock on the wall: on a busy machine it gets another chance. `npm run floods` asks for 95 %. */
const STARVED = { retry: 2, timeout: 120_000 }
const KEPT = 0.8

describe('[SV62] a match beside a flood of one address keeps the ticks of a match beside which a sink is flooded', () => {
  test.for(FLOODS)('%s', STARVED, async (flood, { skip }) => {
    skip(flood === 'ipv6' && !hasIPv6, 'SKIPPED: this machine has no ::1')
    const { flooded, beside } = await compareFlood(flood, { rounds: 2, ms: 600 })
    console.log(
      `${flood}: ${(100 * flooded).toFixed(1)} % of the ticks, beside a flooded sink ${(100 * beside).toFixed(1)} %`,
    )
    expect(flooded).toBeGreaterThan(KEPT * beside)
  })
})
