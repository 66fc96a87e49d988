// biome-ignore-all assist/source/organizeImports: in the order one meets things
/**
 * Netcode without a network: a host, mirrors and terminals that exchange bytes.
 *
 * No sockets, no timers, no Colyseus. Time is handed in, messages come out of an `outbox` and go in through `receive`. The
 * room of this package puts Colyseus between the two ends, the studio's network lab a link made of numbers.
 *
 * @module @hurtbox/colyseus/netcode
 */

// The host.
export {
  addPeer,
  bringAlong,
  changeLink,
  createHost,
  finishHost,
  freeSeat,
  pauseHost,
  receive,
  removePeer,
  stepHost,
  suspendPeer,
  takeReplay,
} from './host.ts'
export { notePing } from './host-inputs.ts'
export type { Host, HostOptions, Peer } from './host.ts'
export type { InputCounts } from './seat-buffer.ts'
export type { TerminalOptions } from './terminal/scheme.ts'

// Clients.
export { advanceMirror, createMirror, describeDesync, mirrorAlpha, receiveAtMirror } from './mirror.ts'
export type { DesyncReport, Mirror, MirrorStats } from './mirror.ts'
export { takeGaps, takeNews } from './event-feed.ts'
export type { EventFeed } from './event-feed.ts'
export { drawnPlace, keyOf } from './corrections.ts'
export { keyOnMirror, placeOnMirror, thingsOnMirror } from './past.ts'
export type { Guess } from './guess.ts'
export type { Corrections, Smoothing } from './corrections.ts'
export type { InputDelay, Pace } from './pace.ts'
export { readNetwork } from './reading.ts'
export type { NetworkReading } from './reading.ts'
export { advanceTerminal, createTerminal, newestWorld, receiveAtTerminal, showTerminal } from './terminal/client.ts'
export type { RenderState, Terminal } from './terminal/client.ts'
export { changePath } from './sender.ts'
export type { OwnInput } from './sender.ts'

// What both ends agree on.
export { MESSAGES, readMessage, writeMessage } from './messages.ts'
export type { Message } from './messages.ts'
export { helloOf, MAX_CLIENT_MESSAGE, NETCODE, PROTOCOL_VERSION, refusalOf, SPECTATOR } from './protocol.ts'
export type { Hello, Link, Mode } from './protocol.ts'

// A network made of numbers.
export { createLink, deliver, send } from './link.ts'
export type { LinkConditions, VirtualLink } from './link.ts'
export { simulate } from './simulate.ts'
export type { SimulatedClient, SimulationReport, SimulationSetup } from './simulate.ts'
