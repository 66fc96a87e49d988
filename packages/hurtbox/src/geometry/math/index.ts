/**
 * The maths of a deterministic game: functions with the same bits on every engine, and random numbers that can be rolled back.
 *
 * Use these instead of `Math.sin` and its like and instead of `Math.random` in everything a step computes.
 *
 * @module hurtbox/math
 */

export { exp, log, pow } from './exponential.ts'
export {
  chance,
  int,
  nextU32,
  pick,
  purposeOf,
  randomAt,
  range,
  seedStream,
  shuffle,
  unit,
  unitAt,
  unitVector,
  unitVectorAt,
} from './random.ts'
export { clamp, length, lerp, PI, TAU, wrapAngle } from './scalar.ts'
export { toTicks } from './ticks.ts'
export { atan, atan2, cos, direction, sin } from './trig.ts'
