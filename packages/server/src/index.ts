/**
 * A server for Hurtbox games: rooms, limits, metrics, monitor, replays and a page on one port.
 *
 * @module @hurtbox/server
 */

export { LIMITS, type Limits } from './limits.ts'
export { type LoadOptions, type LoadReport, runLoad } from './load/load.ts'
export { type RunningServer, type ServeOptions, serve } from './serve.ts'
export { createServer, type HurtboxServer, type RoomSort, type ServerOptions } from './server.ts'
