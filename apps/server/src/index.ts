/** The server as a library: what `hurtbox serve` and `hurtbox load` are made of. */

export { LIMITS, type Limits, LOAD_TEST_LIMITS, type Rate } from './limits.ts'
export { createLog, LOG_LEVELS, type Logger, type LogLevel } from './log.ts'
export { createServer, type HurtboxServer, type RoomSort, type ServerOptions } from './server.ts'
