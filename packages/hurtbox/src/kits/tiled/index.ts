/**
 * Levels drawn in Tiled.
 *
 * @module hurtbox/tiled
 */

export type { TiledFile, TiledSet } from './format.ts'
export { type Level, type LevelObject, type LevelPiece, readTiled } from './tiled.ts'
