/** `npm run floods`: every flood against a match, beside the same match without it. Exit code 1 if a match kept less than 95 %. */

import { FLOODS } from './attack.ts'
import { compareFlood, hasIPv6 } from './compare.ts'

const WANTED = 0.95
const PLAN = { rounds: 6, ms: 3000 }

let isHeld = true
console.log(
  '| flood from one address | ticks kept, flooded | ticks kept, beside a flooded sink | ratio |\n|---|---:|---:|---:|',
)
for (const flood of FLOODS) {
  if (flood === 'ipv6' && !hasIPv6) {
    console.log('| ipv6 | SKIPPED: this machine has no ::1 | | |')
    continue
  }
  const { flooded, beside } = await compareFlood(flood, PLAN)
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`
  console.log(`| ${flood} | ${percent(flooded)} | ${percent(beside)} | ${(flooded / beside).toFixed(3)} |`)
  isHeld &&= flooded / beside >= WANTED
}
process.exitCode = isHeld ? 0 : 1
