/**
 * The flow of a match: rounds, points, time limits and sudden death; coming back after death; waves.
 *
 * @module hurtbox/match
 */

export { matchFlow, STAGE } from './columns.ts'
export { comesBack, type Returning, returnIn, safestPlace } from './returns.ts'
export { type Amount, playRounds, type RoundOptions, type Rounds, type WithRounds } from './rounds.ts'
export { isPlaying, leader, type MatchWorld, type Scorer, score, ticksLeft } from './score.ts'
export { nextWave, type WaveWorld, waveAt } from './waves.ts'
