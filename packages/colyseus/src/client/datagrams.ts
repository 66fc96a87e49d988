/**
 * A client's end of the datagrams: opens a data channel when the room invites it, and says whether the path works.
 *
 * The path works while something comes. When nothing has come for a moment, inputs take the socket as well, because the next ones may be
 * lost; if it stays so, everything goes by the socket. Probes go on: when one comes back, so does the path. When none does for half a minute, the
 * channel is given up and another one is tried, later each time: networks change, and what was closed may be open.
 */

import type { Room } from '@colyseus/sdk'
import { PATH_DOUBT_MS } from '@hurtbox/netcode'
import {
  createLossMeter,
  DATAGRAM,
  type LossMeter,
  lossOf,
  MAX_BODY_BYTES,
  noteNumber,
  readDatagram,
  readLoss,
  writeDatagram,
} from '../datagrams/format.ts'
import type { Invitation } from '../datagrams/lanes.ts'
import { ANSWER, INVITATION } from '../datagrams/names.ts'
import { ROOM_MESSAGES, sendToRoom } from '../room-messages.ts'

/**
 * What of `RTCPeerConnection` is used: the browser's, or that of `node-datachannel/polyfill`. Written down here, because programs
 * without a browser's types use this module too.
 */
export type PeerConnectionClass = new (config: { iceServers: IceServer[] }) => PeerConnection

type IceServer = { urls: string; username?: string; credential?: string }

type PeerConnection = {
  readonly localDescription: { readonly sdp: string } | null
  readonly iceGatheringState: string
  onicegatheringstatechange: unknown
  createDataChannel(label: string, options: { ordered: boolean; maxRetransmits: number }): DataChannel
  createOffer(): Promise<unknown>
  setLocalDescription(description: never): Promise<void>
  setRemoteDescription(description: { type: 'answer'; sdp: string }): Promise<void>
  close(): void
}

type DataChannel = {
  readonly readyState: string
  binaryType: string
  onmessage: unknown
  send(bytes: never): void
  close(): void
}

export type DatagramPath = {
  /** 'closed' before the channel is open and after it was given up; 'silent' while nothing comes back. */
  state: 'closed' | 'open' | 'silent'
  /** Round trip of the last probe, ms. */
  rttMs: number | undefined
  /** The part of the datagrams of the host that were lost, 0 to 1. */
  readonly loss: number
  /** The part of our own datagrams that were lost, as the host tells it with every probe. */
  ownLoss: number
  /** The room has invited this client. */
  isOffered: boolean
  /** The channel may be used; a page can switch it off and on. */
  isWanted: boolean
  /** Call it once per frame. Whether messages are to be sent by `send`. */
  update(now: number): boolean
  /** Whether that is enough. False when it is too long, there is no path, or nothing has come on it for a moment: then the socket must have it. */
  send(bytes: Uint8Array, match: number): boolean
  close(): void
}

/** Between two probes: while the room is heard, which says as much, and when it has not been heard for a moment. */
const PROBE_MS = 1_000
const PROBE_QUIET_MS = 200
const QUIET_MS = 100
/** After so long without a datagram everything goes by the socket alone. */
const PATH_SILENT_MS = 500
/** A channel on which nothing came for so long is given up. */
const GIVE_UP_MS = 30_000
/** Then another one is tried: at once where something came on the last one, else after a pause that doubles, up to the longest. */
const RETRY_MS = 30_000
const MAX_RETRY_MS = 300_000
/** Without a frame for so long the page was hidden, or the path was not wanted: nothing was probed, so silence says nothing. */
const UNWATCHED_MS = 1_000
const GATHER_MS = 1_000

/** A path, and what only this file needs of it. */
type Inside = {
  readonly path: DatagramPath
  readonly room: Room
  readonly Connection: PeerConnectionClass | undefined
  readonly take: (bytes: Uint8Array, match: number) => void
  readonly loss: LossMeter
  /** When each probe was sent, ms, by its number. */
  readonly sentAt: Map<number, number>
  connection: PeerConnection | undefined
  channel: DataChannel | undefined
  /** The last one of the room. */
  invitation: Invitation | undefined
  key: Uint8Array
  probedAt: number
  heardAt: number
  /** When the channel was asked for. */
  triedAt: number
  /** How long the next one waits if nothing comes on this one. */
  retryMs: number
  /** When it was last looked after, and since when it is at every frame. */
  watchedAt: number
  watchedSince: number
  /** Of the last datagram. */
  number: number
}

/** Listens for invitations of the room. */
export function joinDatagrams(
  room: Room,
  Connection: PeerConnectionClass | undefined,
  take: (bytes: Uint8Array, match: number) => void,
): DatagramPath {
  const path: DatagramPath = {
    state: 'closed',
    rttMs: undefined,
    get loss() {
      return lossOf(inside.loss)
    },
    ownLoss: 0,
    isOffered: false,
    isWanted: true,
    update: (now) => update(inside, now),
    send: (bytes, match) => send(inside, bytes, match),
    close: () => close(inside),
  }
  const inside: Inside = {
    path,
    room,
    Connection,
    take,
    loss: createLossMeter(),
    sentAt: new Map(),
    connection: undefined,
    channel: undefined,
    invitation: undefined,
    key: new Uint8Array(0),
    probedAt: 0,
    heardAt: Number.NEGATIVE_INFINITY,
    triedAt: 0,
    retryMs: RETRY_MS,
    watchedAt: 0,
    watchedSince: 0,
    number: 0,
  }
  room.onMessage(INVITATION, (invitation: Invitation) => {
    path.isOffered = Connection !== undefined
    inside.invitation = invitation
    inside.retryMs = RETRY_MS
    tryChannel(inside)
  })
  room.onMessage(ANSWER, (sdp: string) => {
    inside.connection?.setRemoteDescription({ type: 'answer', sdp }).catch(() => close(inside))
  })
  return path
}

function update(inside: Inside, now: number): boolean {
  const { path } = inside
  if (!path.isWanted) {
    path.state = 'closed'
    return false
  }
  if (now - inside.watchedAt > UNWATCHED_MS) inside.watchedSince = now
  inside.watchedAt = now
  retry(inside, now)
  if (inside.channel?.readyState !== 'open') {
    path.state = 'closed'
    return false
  }
  const { probedAt, heardAt } = inside
  if (now - probedAt >= (now - heardAt < QUIET_MS ? PROBE_MS : PROBE_QUIET_MS)) probe(inside, now)
  path.state = now - heardAt < PATH_SILENT_MS ? 'open' : 'silent'
  return path.state === 'open'
}

/** Gives a channel up on which nothing comes, and tries another one when it is time. */
function retry(inside: Inside, now: number): void {
  const { invitation, connection, triedAt, heardAt, watchedSince, retryMs } = inside
  if (invitation === undefined) return
  const wasHeard = heardAt > triedAt
  const silentMs = now - Math.max(triedAt, heardAt, watchedSince)
  if (silentMs < GIVE_UP_MS) return
  if (connection !== undefined) close(inside)
  if (!wasHeard && silentMs < GIVE_UP_MS + retryMs) return
  inside.retryMs = wasHeard ? RETRY_MS : Math.min(2 * retryMs, MAX_RETRY_MS)
  tryChannel(inside)
}

function send(inside: Inside, bytes: Uint8Array, match: number): boolean {
  const { path, channel } = inside
  if (path.state !== 'open' || channel?.readyState !== 'open' || bytes.length > MAX_BODY_BYTES) return false
  write(inside, DATAGRAM.message, match, bytes)
  return performance.now() - inside.heardAt < PATH_DOUBT_MS
}

function close(inside: Inside): void {
  inside.channel?.close()
  inside.connection?.close()
  inside.channel = undefined
  inside.connection = undefined
  inside.path.state = 'closed'
}

function write(inside: Inside, kind: number, match: number, body: Uint8Array): void {
  inside.number = (inside.number + 1) & 0xffff
  try {
    inside.channel?.send(writeDatagram(kind, inside.number, match, body) as never)
  } catch {
    // It closes in this very moment.
  }
}

function probe(inside: Inside, now: number): void {
  const { sentAt } = inside
  inside.probedAt = now
  write(inside, DATAGRAM.probe, 0, inside.key)
  sentAt.set(inside.number, now)
  if (sentAt.size > 64) sentAt.delete(sentAt.keys().next().value!)
}

function receive(inside: Inside, data: ArrayBuffer): void {
  const datagram = readDatagram(new Uint8Array(data))
  if (datagram === undefined) return
  const now = performance.now()
  inside.heardAt = now
  if (datagram.kind === DATAGRAM.probe) {
    const { path, sentAt } = inside
    const sent = sentAt.get(datagram.number)
    if (sent !== undefined) path.rttMs = now - sent
    sentAt.delete(datagram.number)
    path.ownLoss = readLoss(datagram.body)
    return
  }
  noteNumber(inside.loss, datagram.number)
  inside.take(datagram.body, datagram.match)
}

/** Where that fails, it is as if nothing came. */
function tryChannel(inside: Inside): void {
  close(inside)
  inside.triedAt = performance.now()
  openChannel(inside).catch(() => close(inside))
}

async function openChannel(inside: Inside): Promise<void> {
  const { room, Connection, invitation } = inside
  if (Connection === undefined || invitation === undefined) return
  const { iceServers, key } = invitation
  inside.key = Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
  const made = new Connection({ iceServers: iceServers.map(iceServerOf) })
  inside.connection = made
  const channel = made.createDataChannel('hurtbox', { ordered: false, maxRetransmits: 0 })
  inside.channel = channel
  channel.binaryType = 'arraybuffer'
  channel.onmessage = ({ data }: { data: ArrayBuffer }) => receive(inside, data)
  await made.setLocalDescription((await made.createOffer()) as never)
  await gathered(made)
  if (inside.connection === made) sendToRoom(room, ROOM_MESSAGES.offer, made.localDescription?.sdp ?? '')
}

/** The server needs no address that comes later: it answers any peer that reaches it. */
function gathered(connection: PeerConnection): Promise<void> {
  return new Promise((resolve) => {
    const isDone = () => connection.iceGatheringState === 'complete'
    if (isDone()) return resolve()
    connection.onicegatheringstatechange = () => void (isDone() && resolve())
    setTimeout(resolve, GATHER_MS)
  })
}

/** `turn:user:password@host:port` in the form of browsers. */
function iceServerOf(address: string): IceServer {
  const [, scheme, username, credential, host] = /^(\w+:)(?:([^:@]*):([^@]*)@)?(.*)$/.exec(address) ?? []
  if (username === undefined) return { urls: address }
  return {
    urls: `${scheme}${host}`,
    username: decodeURIComponent(username),
    credential: decodeURIComponent(credential),
  }
}
