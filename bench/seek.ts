/**
 * How long the studio takes to be anywhere in a long match: `npm run measure -- seek`.
 *
 * Plays a match of bots as the studio's worker does, up to 36,000 ticks or its end, and then jumps to random ticks. Printed are
 * the first pass, and of the jumps the median, the 95th percentile and the longest.
 *
 *   --games a,b   which games (all)
 *   --ticks n     how long the match is (36000)
 *   --jumps n     how many jumps (200)
 */

import { parseArgs } from 'node:util'
import { loadModules } from 'hurtbox/module/node'
import { setupFor } from '../packages/studio/src/model/setup.ts'
import { goTo, playTo, startMatch } from '../packages/studio/src/sim/match.ts'

const { values } = parseArgs({
  options: {
    games: { type: 'string' },
    ticks: { type: 'string', default: '36000' },
    jumps: { type: 'string', default: '200' },
  },
})
const wanted = values.games?.split(',')
const { modules } = await loadModules()
for (const module of modules) {
  if (module.room === undefined || (wanted !== undefined && !wanted.includes(module.id))) continue
  const match = startMatch(module, setupFor(module, 5, -1))
  const begin = performance.now()
  playTo(match, Number(values.ticks))
  const passSeconds = (performance.now() - begin) / 1000
  const { length } = match.session.log
  const times: number[] = []
  // The same jumps in every run.
  let place = 12_345
  for (let i = 0; i < Number(values.jumps); i++) {
    place = (place * 16_807) % 2_147_483_647
    const from = performance.now()
    goTo(match, 1 + (place % length))
    times.push(performance.now() - from)
  }
  times.sort((a, b) => a - b)
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(part * times.length))].toFixed(0)
  console.log(
    `${module.id}: ${length} ticks, first pass ${passSeconds.toFixed(1)} s, a jump ${at(0.5)} ms (95 %: ${at(0.95)}, longest ${at(1)})`,
  )
}
