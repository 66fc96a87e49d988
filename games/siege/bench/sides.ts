/**
 * Whether one side of the map is better. Bots play every seed twice, the second time with the sides of the seats exchanged, so that a
 * better seat is not taken for a better side.
 *
 *   node games/siege/bench/sides.ts 6 40     bots, seeds
 */

import { createWorld, playBots, step } from 'hurtbox'
import { bots } from '../bots/index.ts'
import { SIDE } from '../rules/content/map.ts'
import { siege } from '../rules/index.ts'

const [seats = 6, seeds = 40] = process.argv.slice(2).map(Number)
const MOST_TICKS = 40 * 60 * siege.declaration.tickRate

type Match = { readonly isExchanged: boolean; readonly winner: number; readonly kills: number }

function play(seed: number, isExchanged: boolean): Match {
  const world = createWorld(siege, { seed })
  const inputs = playBots(bots[0], seats, seed, (seat) => (seat % 2 === Number(isExchanged) ? SIDE.blue : SIDE.red))
  while (world.tick < MOST_TICKS && world.globals.winner === 0) step(world, inputs(world.tick, world))
  const { championsKilled } = world.arrays
  return { isExchanged, winner: world.globals.winner, kills: championsKilled[SIDE.blue] + championsKilled[SIDE.red] }
}

const pairs = Array.from({ length: seeds }, (_, n) => [play(n + 1, false), play(n + 1, true)])
const matches = pairs.flat()
const count = (holds: (match: Match) => boolean) => matches.filter(holds).length
const blue = count(({ winner }) => winner === SIDE.blue)
const [first, second] = [SIDE.blue, SIDE.red].map((side) =>
  count(({ winner, isExchanged }) => winner === (isExchanged ? SIDE.blue + SIDE.red - side : side)),
)
const both = (side: number) => pairs.filter((pair) => pair.every(({ winner }) => winner === side)).length
const kills = matches.map((match) => match.kills).sort((a, b) => a - b)[matches.length >> 1]

console.log(`${seats} bots, ${matches.length} matches of ${seeds} seeds; median kills ${kills}`)
console.log(
  `  by side  blue ${blue}, red ${count(({ winner }) => winner === SIDE.red)}; ${within95(blue, matches.length)}`,
)
console.log(`  by seat  the first of each pair ${first}, the second ${second}`)
console.log(`  by seed  both matches blue's ${both(SIDE.blue)}, both red's ${both(SIDE.red)}`)

/** Wilson's interval. */
function within95(won: number, of: number): string {
  const [share, z] = [won / of, 1.96]
  const middle = share + (z * z) / (2 * of)
  const spread = z * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of))
  const per = (part: number) => Math.round((100 * part) / (1 + (z * z) / of))
  return `blue's share is ${per(middle - spread)} to ${per(middle + spread)} % at 95 % confidence`
}
