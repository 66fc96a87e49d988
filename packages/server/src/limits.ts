/**
 * What one client, one address and all of them together may ask of a server.
 *
 * Colyseus 0.18 limits only the size of a message. Measured with its defaults: 280,000 messages a second taken from one
 * client, 3,959 rooms made in five seconds, a body of 20 MB read, 50 MB queued for a client that does not read. Each
 * figure here is a small multiple of what honest play needs.
 */

import type { Rate } from '@hurtbox/datagrams'

export type Limits = {
  /** Request line and headers. Browsers send below 2 kB. */
  readonly headerBytes: number
  /** Body of a matchmaking request: a name and some options. */
  readonly bodyBytes: number
  /** One WebSocket message. An input is some ten bytes. */
  readonly messageBytes: number
  /** Frames that one message may be split into. Browsers and `ws` send a message of this size in one. */
  readonly messageFragments: number
  /** Time for the headers of a request, then for all of it. */
  readonly headersMs: number
  readonly requestMs: number
  /** Open connections, HTTP and WebSocket together. */
  readonly connections: number
  readonly connectionsPerAddress: number
  /** HTTP requests of one address. A page is some ten; several players may share an address. */
  readonly requestsPerAddress: Rate
  /** An address that exceeded it is not served for so long, or it would cost a connection and a full read buffer each time. */
  readonly requestPauseMs: number
  /** Replays that are sent at the same time, in all and to one address. Each costs an open file and 64 kB. */
  readonly downloads: number
  readonly downloadsPerAddress: number
  /** Requests that `fetch` of the user answers at the same time, in all and of one address; how long it may take. */
  readonly routes: number
  readonly routesPerAddress: number
  readonly routeMs: number
  /** The largest body that it is given, and that it may answer with. */
  readonly routeBodyBytes: number
  readonly routeBytes: number
  /** An HTTP connection on which nothing moves for so long is closed, also in the middle of an answer. */
  readonly stallMs: number
  /** Messages, pings and pongs of one socket. Play needs at most 62.5 a second; the burst is what TCP delivers at once after a stall. */
  readonly messages: Rate
  /** Bytes waiting for one client. A room cuts at 512 kB, and can say why; this is for what rooms do not see. */
  readonly queuedBytes: number
  /** A ping goes out this often and must be answered within `silentPings` times this. A client that does not read cannot answer. */
  readonly pingMs: number
  readonly silentPings: number
  /** A process that is busy for this share of its time, or whose timers fire so late, opens no more rooms. */
  readonly load: number
  readonly loopDelayMs: number
  /** Rooms of one process, for the sake of its memory. What it can carry is measured, see above. */
  readonly rooms: number
  /** Rooms that one address may open. */
  readonly roomsPerAddress: Rate
  /** Seats that one address may ask for. */
  readonly seatsPerAddress: Rate
  /** Questions for seats that players had before. All players behind one address ask at once when a server is started again. */
  readonly returnsPerAddress: Rate
  /** Seats that one address has reserved and not taken. A client takes its seat at once. */
  readonly reservationsPerAddress: number
}

export const LIMITS: Limits = {
  headerBytes: 8 * 1024,
  bodyBytes: 4 * 1024,
  messageBytes: 4 * 1024,
  messageFragments: 16,
  headersMs: 5_000,
  requestMs: 10_000,
  connections: 4_096,
  connectionsPerAddress: 96,
  requestsPerAddress: { burst: 1_000, perSecond: 100 },
  requestPauseMs: 1_000,
  downloads: 64,
  downloadsPerAddress: 6,
  routes: 64,
  routesPerAddress: 8,
  routeMs: 5_000,
  routeBodyBytes: 64 * 1024,
  routeBytes: 1024 * 1024,
  stallMs: 15_000,
  messages: { burst: 400, perSecond: 150 },
  queuedBytes: 768 * 1024,
  pingMs: 1_400,
  silentPings: 2,
  load: 0.8,
  loopDelayMs: 30,
  rooms: 250,
  roomsPerAddress: { burst: 12, perSecond: 0.2 },
  seatsPerAddress: { burst: 60, perSecond: 4 },
  returnsPerAddress: { burst: 300, perSecond: 30 },
  reservationsPerAddress: 8,
}

/** For a load test, where all clients come from one address. Only for servers that listen on a loopback address. */
export const LOAD_TEST_LIMITS: Limits = {
  ...LIMITS,
  connectionsPerAddress: LIMITS.connections,
  requestsPerAddress: { burst: 10_000, perSecond: 1_000 },
  load: 10,
  loopDelayMs: 60_000,
  rooms: 1_000,
  roomsPerAddress: { burst: 10_000, perSecond: 1_000 },
  seatsPerAddress: { burst: 10_000, perSecond: 1_000 },
  returnsPerAddress: { burst: 10_000, perSecond: 1_000 },
  reservationsPerAddress: 10_000,
}
