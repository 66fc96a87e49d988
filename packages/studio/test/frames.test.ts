import { readModule } from 'hurtbox/module'
import { expect, test } from 'vitest'
import sumo from '../../../games/sumo/index.ts'
import { setupFor } from '../src/model/setup.ts'
import { exchangesOf } from '../src/panels/frames/data.ts'
import { meterBetween } from '../src/sim/looking.ts'
import { playTo, startMatch } from '../src/sim/match.ts'

test('[LB6] the advantage that the meter measures in real fights of Sumo is the one its frame data promises', () => {
  const module = readModule({ default: sumo }, 'sumo')
  const match = startMatch(module, setupFor(module, 5, -1))
  playTo(match, 1100)
  const promised = Object.fromEntries(module.meaning.frameData!().map(({ move, onHit }) => [move, onHit]))
  const exchanges = exchangesOf(meterBetween(match, 0, 1100))
  // Moves after which nobody went on hitting: combos add to what one blow does.
  for (const [move, least] of [
    ['uppercut', 3],
    ['shockwave', 5],
  ] as const) {
    const measured = exchanges.filter((each) => each.move === move).map(({ advantage }) => advantage)
    expect(measured.length, move).toBeGreaterThanOrEqual(least)
    expect(new Set(measured), move).toEqual(new Set([promised[move]]))
  }
})
