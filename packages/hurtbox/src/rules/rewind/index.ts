/**
 * Rewind: judging a shot by what its shooter saw.
 *
 * @module hurtbox/rewind
 */

export type { Judged } from '../collide/collide.ts'
export { defineRewind, type Rewind, recordPoses, SEEN_AGO, type SeenPose, seenPose } from './rewind.ts'
export { judgeAsSeen, type SeenOptions } from './seen.ts'
