/**
 * A server for Hurtbox games: rooms, limits, metrics, monitor, replays and a page on one port.
 *
 * @module @hurtbox/server
 */

export type { Account, Auth, AuthRequest } from '@hurtbox/colyseus'
export type { Finding, Verdict } from './doctor/finding.ts'
export { examineInside, type InsideOptions } from './doctor/inside.ts'
export { examineOutside, type OutsideOptions } from './doctor/outside.ts'
export { type Environment, readEnvironment } from './environment.ts'
export { LIMITS, type Limits } from './limits.ts'
export { type LoadOptions, type LoadReport, runLoad } from './load/load.ts'
export { isSignedResult, type MatchResult, type ResultPlayer, type ResultsOptions, signResult } from './results.ts'
export type { Fetch, RequestInfo } from './routes.ts'
export { type RunningServer, type ServeOptions, serve } from './serve.ts'
export { createServer, type HurtboxServer, type RoomSort, type ServerOptions } from './server.ts'
