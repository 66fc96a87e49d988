/**
 * Side view: running, jumping and falling over a static map, one-way floors, slopes, and platforms that move and carry.
 *
 * @module hurtbox/platformer
 */

export { type JumpArc, type JumpArcOptions, jumpArc, jumpSpeed } from './arc.ts'
export { platformer } from './columns.ts'
export { movePlatformer, type PlatformerOptions, type PlatformerWorld } from './platformer.ts'
export { dropThrough, type JumpButton, type JumpOptions, jump, type RunOptions, run } from './walk.ts'
