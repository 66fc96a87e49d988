/**
 * Finding the room again: a client's connection to its room, and what it does when that is lost.
 *
 * A connection is lost when it closes with certain codes, or when the server is silent in the middle of a match. Then the client asks for
 * the room again, through any address it knows, until the room says welcome. When to ask is in `@hurtbox/netcode/client`.
 */

import { type Client, CloseCode, type Room } from '@colyseus/sdk'
import { NETCODE } from '@hurtbox/netcode'
import { askLater, isHopeless, patienceMs, type Return, startReturn } from '@hurtbox/netcode/client'
import { readFailure } from './failure.ts'
import type { GameConnection } from './types.ts'

/** Asks for the room again, the nth time, with the token of an earlier connection. */
export type FindRoom = (asked: number, before: Room) => Promise<Room>

/** The room that a client is attached to, and its return while it has lost that room. */
export type Attachment = {
  /** The newest connection. */
  room: Room
  status: GameConnection['status']
  ending: GameConnection['ending']
  /** While the client looks for its match, until the room says welcome. */
  returning: Return | undefined
  /** The connection on which the last welcome came. */
  welcomedBy: Room
  /** When the newest connection was made, when the last message came, when the client last looked for silence. All ms. */
  foundAt: number
  heardAt: number
  watchedAt: number
  /** When the connection was lost, ms. */
  aloneSince: number
  /** Undefined leaves a lost connection to the SDK. */
  readonly find: FindRoom | undefined
  /** Called with every connection to the room, before its first message. */
  readonly onRoom: (room: Room) => void
  /** What to tell the room on a new connection, so that it need not send the whole state. */
  readonly offer: () => Uint8Array | undefined
  readonly onEnd: (error: Error) => void
}

/** A server that sends nothing for so long in the middle of a match is taken for dead. */
const SERVER_SILENT_MS = 3_000
/** Between two frames of a page that runs. */
const STALL_MS = 1_000
/** How often the client checks whether the room has said welcome on a new connection. */
const LOOK_MS = 50

/** Close codes after which the match may be found again: the connection broke, or the match has moved. */
const RETURNING: readonly number[] = [
  CloseCode.GOING_AWAY,
  CloseCode.NO_STATUS_RECEIVED,
  CloseCode.ABNORMAL_CLOSURE,
  CloseCode.MAY_TRY_RECONNECT,
]

/** Answers of the matchmaker: there is no such room; the seat is no longer reserved, or the room does not know the token. */
const ROOM_GONE = 522
export const SEAT_EXPIRED = 524
/** Only servers of another build are left. */
const OTHER_BUILD = 426

export function createAttachment(
  room: Room,
  options: Pick<Attachment, 'find' | 'onRoom' | 'offer' | 'onEnd'>,
): Attachment {
  return {
    ...options,
    room,
    status: 'joining',
    ending: undefined,
    returning: undefined,
    welcomedBy: room,
    foundAt: 0,
    heardAt: 0,
    watchedAt: 0,
    aloneSince: 0,
  }
}

/** Uses this connection to the room from now on. */
export function attach(attachment: Attachment, room: Room): void {
  attachment.room = room
  attachment.heardAt = performance.now()
  // The SDK would ask the address at which the room was. Rooms move.
  room.reconnection.enabled = attachment.find === undefined
  // A connection that breaks in its first seconds may come back as well.
  room.reconnection.minUptime = 0
  // Messages for ticks long gone are not sent after a reconnect.
  room.reconnection.maxEnqueuedMessages = 0
  attachment.onRoom(room)
  room.onStateChange(() => {
    if (room === attachment.room) noteFailure(attachment)
  })
  room.onDrop((code) => {
    if (room === attachment.room) goAlone(attachment, code)
  })
  room.onLeave((code, reason) => {
    if (room === attachment.room) lose(attachment, code, reason ?? '')
  })
}

/** The room has said welcome on the newest connection. */
export function settle(attachment: Attachment): void {
  attachment.returning = undefined
  attachment.welcomedBy = attachment.room
  attachment.status = 'playing'
}

/** Nothing leads back from these. */
export function isFinal(status: GameConnection['status']): boolean {
  return status === 'failed' || status === 'ended'
}

/** The match of the room has failed: there is nothing to come back to, whatever becomes of the connection. */
function noteFailure(attachment: Attachment): void {
  const { room } = attachment
  const failure = readFailure(room)
  if (failure === undefined || isFinal(attachment.status)) return
  end(attachment, CloseCode.WITH_ERROR, failure.message)
  attachment.status = 'failed'
  room.reconnection.enabled = false
}

export function end(attachment: Attachment, code: number, reason: string): void {
  if (attachment.status !== 'failed') attachment.status = 'ended'
  attachment.returning = undefined
  attachment.ending ??= { code, reason }
  attachment.onEnd(new Error(`the room was left before the match began (${code} ${reason})`))
}

/** A stopped process keeps its connections open and sends nothing. Between two matches silence means nothing. Call it once per frame. */
export function watchSilence(attachment: Attachment): void {
  const { room, find } = attachment
  const now = performance.now()
  // A page that was itself stopped has not yet read what arrived meanwhile.
  if (now - attachment.watchedAt > STALL_MS) attachment.heardAt = now
  attachment.watchedAt = now
  if (find === undefined || attachment.status !== 'playing') return
  const isRunning = room.state?.phase === 'playing' || room.state?.phase === 'paused'
  if (!isRunning || now - attachment.heardAt < SERVER_SILENT_MS) return
  goAlone(attachment, CloseCode.ABNORMAL_CLOSURE)
  findAgain(attachment, find)
  room.removeAllListeners()
  room.connection.close()
}

/** Sorts the process at whose address the room was to the end: it may be dead or stopped. */
export function awayFrom({ connection }: Room, clients: readonly Client[]): readonly Client[] {
  const { url } = (connection?.transport as { ws?: { url?: string } } | undefined)?.ws ?? {}
  const host = url === undefined ? '' : new URL(url).host
  const isThere = ({ settings }: Client) => `${settings.hostname}:${settings.port}` === host
  return [...clients].sort((a, b) => Number(isThere(a)) - Number(isThere(b)))
}

function goAlone(attachment: Attachment, code: number): void {
  if (isFinal(attachment.status)) return
  if (attachment.status === 'playing') attachment.aloneSince = performance.now()
  attachment.status = code === CloseCode.MAY_TRY_RECONNECT ? 'moved' : 'reconnecting'
}

function lose(attachment: Attachment, code: number, reason: string): void {
  const { find, returning, status } = attachment
  const isReturning = returning !== undefined
  // If two requests were answered, the room closes the connection of the first with an error.
  const mayReturn = RETURNING.includes(code) || (isReturning && code === CloseCode.WITH_ERROR)
  if (!mayReturn || find === undefined || isFinal(status)) end(attachment, code, reason)
  else if (!isReturning) findAgain(attachment, find)
}

/**
 * Asks for the room, wherever it is now, until it says welcome. A connection alone does not end the return: a server that was
 * stopped answers several requests at once, each new connection ends the one before, and only the welcome shows which one stays.
 */
async function findAgain(attachment: Attachment, find: FindRoom): Promise<void> {
  const returning = startReturn(performance.now())
  attachment.returning = returning
  let reason = ''
  while (attachment.returning === returning) {
    await sleep(returning.nextAt - performance.now())
    if (attachment.returning !== returning) return
    if (attachment.room.connection.isOpen && performance.now() - attachment.foundAt < patienceMs(returning)) {
      returning.nextAt = performance.now() + LOOK_MS
      continue
    }
    // The token of the last welcome is valid until the next one. If that was sent and got lost, the newest connection has the valid token.
    const before = returning.refused % 2 === 0 ? attachment.welcomedBy : attachment.room
    const answer = find(returning.asked, before).then(
      (room) => takeRoom(attachment, room, find),
      ({ code, message }: { readonly code?: number; readonly message?: string }) => {
        // Where only another build is left, the room may still come back with a process of the old one.
        if (code === ROOM_GONE || code === OTHER_BUILD) returning.missing++
        if (code === SEAT_EXPIRED) returning.refused++
        if (code === OTHER_BUILD) reason = message ?? ''
      },
    )
    await Promise.race([answer, sleep(patienceMs(returning))])
    askLater(returning, performance.now(), Math.random())
    if (attachment.returning === returning && isHopeless(returning, performance.now())) {
      reason ||= returning.refused > 0 ? 'the seat was given up' : 'the match was not found again'
      end(attachment, CloseCode.FAILED_TO_RECONNECT, reason)
    }
  }
}

/** The room was found, perhaps a second time. The server has closed the connection before, so the newest one is used. */
function takeRoom(attachment: Attachment, room: Room, find: FindRoom): void {
  const spare = isFinal(attachment.status) ? room : attachment.room
  if (spare !== room) {
    attachment.foundAt = performance.now()
    attach(attachment, room)
    if (attachment.returning === undefined) {
      goAlone(attachment, CloseCode.ABNORMAL_CLOSURE)
      findAgain(attachment, find)
    }
    const offer = attachment.offer()
    if (offer !== undefined) room.sendBytes(NETCODE, offer)
  }
  spare.reconnection.enabled = false
  spare.connection.close()
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(ms, 0)))
}
