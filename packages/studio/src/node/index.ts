/**
 * The studio for a project's games, in Node: served while one edits, or built for a server.
 *
 * @module @hurtbox/studio/node
 */

export { type BuildOptions, buildStudio } from './build.ts'
export { buildApart, type PreparedOptions, preparedStudio } from './prepared.ts'
export { type StudioOptions, type StudioServer, startStudio } from './serve.ts'
