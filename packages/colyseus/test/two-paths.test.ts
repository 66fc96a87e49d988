/** What a change of the path costs, in virtual time: by choice, and when a direction of it is cut. */

import type { Bot } from 'hurtbox'
import { purposeOf, unitAt } from 'hurtbox/math'
import { expect, test } from 'vitest'
import { type declaration, tag } from '../../netcode/test/support.ts'
import { playTwoPaths, type Way } from './two-paths.ts'

const TURNS = purposeOf('turns')

/** Turns several times a second, so that every input that is lost moves its runner, and throws nothing, so that none dies. */
const restless: Bot<typeof declaration> = {
  name: 'restless',
  about: 'turns',
  think({ tick }, { seat }, seed) {
    const axis = (which: number) => Math.round(2 * unitAt(seed, Math.floor(tick / 4), seat, which, TURNS) - 1)
    return { moveX: axis(0), moveY: axis(1) }
  },
}

/** A round trip of 200 ms, and every twentieth packet lost. */
const link = { latencyMs: 90, jitterMs: 20, loss: 0.05 }
/** What a stream holds up when it loses a packet, at the speed of a runner: 250 ms at 40 units a second, along both axes. */
const USUAL = 0.25 * 40 * Math.SQRT2

const isAway = (now: number) => now > 3_000 && now % 4_000 < 2_000

test.each<[string, number, (now: number, way: Way) => void]>([
  ['switched off and on', 400, (now, { path }) => void (path.isWanted = !isAway(now))],
  ['cut and open again', 800, (now, way) => void (way.cutUp = way.cutDown = isAway(now))],
  ['cut on the way to the host', 800, (now, way) => void (way.cutUp = isAway(now))],
  ['cut on the way to the client', 1_300, (now, way) => void (way.cutDown = isAway(now))],
])(
  '[DG30] a path that is %s: the match changes over both ways, and no correction is larger than those of a stream',
  async (name, gapMs, interfere) => {
    const game = tag as never
    const played = await playTwoPaths({ game, bot: restless as never, seconds: 40, seed: 1, link, interfere })
    const { mismatches, changes, longestGapMs, largestCorrection } = played
    console.log(
      `${name}: ${Math.round(longestGapMs)} ms without news, corrections up to ${largestCorrection.toFixed(1)}`,
    )
    // Ten times away, nine times or ten there again.
    expect(changes).toBeGreaterThanOrEqual(18)
    expect(mismatches).toBe(0)
    expect(longestGapMs).toBeLessThan(gapMs)
    expect(largestCorrection).toBeLessThan(USUAL)
  },
)
