/** The server as a library: what `hurtbox serve` and `hurtbox load` are made of. */

export { runLoad } from './load/load.ts'
export { serve } from './serve.ts'
export { createServer, type HurtboxServer, type RoomSort, type ServerOptions } from './server.ts'
