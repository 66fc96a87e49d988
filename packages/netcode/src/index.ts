// biome-ignore-all assist/source/organizeImports: in the order one meets things
/**
 * Netcode without a network: what both ends of a match agree on.
 *
 * No sockets, no timers, no Colyseus. Time is handed in, messages come out of an `outbox` and go in through `receive`. The host
 * is in `@hurtbox/netcode/host`, clients are in `@hurtbox/netcode/client`. `@hurtbox/colyseus` puts a Colyseus room between the two
 * ends, the studio's network lab a simulated path.
 *
 * @module @hurtbox/netcode
 */

export {
  helloOf,
  MAX_CLIENT_MESSAGE,
  NETCODE,
  PATH_DOUBT_MS,
  PROTOCOL_VERSION,
  refusalOf,
  refusalOfRoom,
  SEAT_SECONDS,
  SPECTATOR,
} from './protocol/protocol.ts'
export type { Hello, Path, Mode } from './protocol/protocol.ts'
export { MESSAGES, readMessage, writeMessage } from './protocol/messages.ts'
export type { Message } from './protocol/messages.ts'
export type { TerminalOptions } from './protocol/scheme.ts'
