/**
 * Rewind: judging a shot by what its shooter saw.
 *
 * @module hurtbox/rewind
 */

export { defineRewind, type Rewind, recordPoses, SEEN_AGO, type SeenPose, seenPose } from './rewind.ts'
export { type Judged, judgeAsSeen, type SeenOptions } from './seen.ts'
