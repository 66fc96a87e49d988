/**
 * Finding the room again: a client's connection to its room, and what it does when that is lost.
 *
 * A connection is lost when it closes with certain codes, or when the server is silent in the middle of a match. Then the client asks for
 * the room again, through any address it knows, until the room says welcome. It begins to ask when it only doubts: a question changes nothing,
 * and if the server is heard before it is answered, nothing has happened. When to ask is in `@hurtbox/netcode/client`.
 */

import { type Client, CloseCode, type Room } from '@colyseus/sdk'
import { NETCODE, SEAT_SECONDS } from '@hurtbox/netcode'
import { ANSWER_MS, askLater, isHopeless, patienceMs, type Return, startReturn } from '@hurtbox/netcode/client'
import { ROOM_MESSAGES, sendToRoom } from '../room-messages.ts'
import { readFailure } from './failure.ts'
import { isOffline } from './page.ts'
import { NOT_SIGNED_IN, type Question, type Reservation } from './seats.ts'
import type { GameConnection } from './types.ts'

/** How a client comes to its room again. */
export type WayBack = {
  /** Asks for the seat, the nth time, with the token of an earlier connection. */
  ask(asked: number, before: Room, how: Asking): Promise<Reservation>
  /** Calls back once when the server can be reached, until the signal. */
  watchLine(before: Room, signal: AbortSignal, onReached: () => void): void
  take(reservation: Reservation): Promise<Room>
  /** The room has said welcome; or there is nothing to come back to. For a page that is loaded anew. */
  keep(room: Room): void
  forget(): void
}

type Asking = Required<Pick<Question, 'isApart' | 'signal'>>

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
  /** When the connection was lost, or the page was left, ms. */
  aloneSince: number
  /** Nobody looks at the page. */
  isAway: boolean
  /** How often the client has left a silent connection lately; and when the room last said welcome, ms. */
  doubts: number
  settledAt: number
  /** Ends the wait for the next question. */
  wake: () => void
  /** How long the room keeps the seat of a player who is away. */
  seatSeconds: number
  /** Undefined leaves a lost connection to the SDK. */
  readonly find: WayBack | undefined
  /** Called with every connection to the room, before its first message. */
  readonly onRoom: (room: Room) => void
  /** What to tell the room on a new connection, so that it need not send the whole state. */
  readonly offer: () => Uint8Array | undefined
  readonly onEnd: (error: Error) => void
}

/** A server that sends nothing for so long in the middle of a match is asked whether it is there; then it is taken for dead. */
const DOUBT_MS = 600
const DOUBT_TICKS = 4
const SERVER_SILENT_MS = 3_000
/** A connection that has held for so long is no longer doubted for those before it. */
const TRUST_MS = 10_000
/** Questions that may be on their way. A browser has six connections to a server. */
const MOST_QUESTIONS = 4
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
/** There is no way back, and why in words. */
const GONE = 410

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
    isAway: false,
    doubts: 0,
    settledAt: 0,
    wake: () => {},
    seatSeconds: SEAT_SECONDS,
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
  const { room, isAway } = attachment
  attachment.returning = undefined
  attachment.welcomedBy = room
  attachment.status = isAway ? 'away' : 'playing'
  attachment.settledAt = performance.now()
  if (isAway) sendToRoom(room, ROOM_MESSAGES.away, true)
  attachment.find?.keep(room)
}

/** Tells the room that nobody looks at the page, or that somebody does again: then it says welcome. */
export function setAway(attachment: Attachment, isAway: boolean): void {
  const { status, room } = attachment
  if (attachment.isAway === isAway) return
  attachment.isAway = isAway
  if (!isAway) attachment.wake()
  if (status !== 'playing' && status !== 'away') return
  if (status === 'playing') attachment.aloneSince = performance.now()
  attachment.status = 'away'
  attachment.returning = undefined
  attachment.heardAt = performance.now()
  const offer = isAway ? undefined : attachment.offer()
  if (offer !== undefined) room.sendBytes(NETCODE, offer)
  sendToRoom(room, ROOM_MESSAGES.away, isAway)
}

/** The network may be another one: the connection may be dead, and what was in vain may not be any more. */
export function noteNetwork(attachment: Attachment): void {
  attachment.doubts = 0
  attachment.wake()
}

/** A message of the room has come. */
export function noteHeard(attachment: Attachment, now: number): void {
  attachment.heardAt = now
  if (attachment.returning?.isDoubt) attachment.returning = undefined
  if (now - attachment.settledAt > TRUST_MS) attachment.doubts = 0
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
  attachment.find?.forget()
  attachment.onEnd(new Error(`the room was left before the match began (${code} ${reason})`))
}

/**
 * A stopped process keeps its connections open and sends nothing, and so does one whose address is no more ours. Between two matches silence
 * means nothing. Call it once per frame.
 */
export function watchSilence(attachment: Attachment, tickRate: number): void {
  const { room, find, status, doubts } = attachment
  const now = performance.now()
  // A page that was itself stopped has not yet read what arrived meanwhile.
  if (now - attachment.watchedAt > STALL_MS) attachment.heardAt = now
  attachment.watchedAt = now
  const isRunning = room.state?.phase === 'playing' || room.state?.phase === 'paused'
  const waits = attachment.isAway ? false : status === 'away' || (status === 'playing' && isRunning)
  if (find === undefined || !waits) return
  const silentMs = now - attachment.heardAt
  const doubtMs = Math.max(DOUBT_MS, (DOUBT_TICKS * 1000) / tickRate) * 2 ** doubts
  if (silentMs >= SERVER_SILENT_MS) {
    goAlone(attachment, CloseCode.ABNORMAL_CLOSURE)
    if (attachment.returning === undefined) findAgain(attachment, find)
    else attachment.returning.isDoubt = false
    room.removeAllListeners()
    room.connection.close()
  } else if (silentMs >= doubtMs && attachment.returning === undefined) findAgain(attachment, find, true)
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
  // The SDK closes a connection with the same code when the browser says that it is offline.
  attachment.status = code === CloseCode.MAY_TRY_RECONNECT && !isOffline() ? 'moved' : 'reconnecting'
}

function lose(attachment: Attachment, code: number, reason: string): void {
  const { find, returning, status } = attachment
  if (returning !== undefined) returning.isDoubt = false
  const isReturning = returning !== undefined
  // If two requests were answered, the room closes the connection of the first with an error.
  const mayReturn = RETURNING.includes(code) || (isReturning && code === CloseCode.WITH_ERROR)
  if (!mayReturn || find === undefined || isFinal(status)) end(attachment, code, reason)
  else if (!isReturning) findAgain(attachment, find)
}

/**
 * Asks for the room, wherever it is now, until it says welcome. A connection alone does not end the return: a server that was
 * stopped may answer late, the next connection ends the one before, and only the welcome shows which one stays.
 */
async function findAgain(attachment: Attachment, find: WayBack, isDoubt = false): Promise<void> {
  const returning = startReturn(performance.now(), attachment.seatSeconds)
  const search: Search = { returning, find, questions: [], isApart: true, line: undefined, isTaking: false, reason: '' }
  returning.isDoubt = isDoubt
  attachment.returning = returning
  const isOver = () => attachment.returning !== returning
  while (!isOver()) {
    await sleep(returning.nextAt - performance.now(), attachment)
    if (isOver()) break
    const { room, foundAt } = attachment
    const isWaiting =
      !returning.isDoubt && room.connection.isOpen && performance.now() - foundAt < patienceMs(returning)
    if (isWaiting || search.isTaking) {
      returning.nextAt = performance.now() + LOOK_MS
      continue
    }
    const isAnswered = await Promise.race([ask(attachment, search), sleep(ANSWER_MS, attachment).then(() => false)])
    askLater(returning, performance.now(), Math.random())
    // Into a dead network; or the network has changed.
    if (!isAnswered) {
      returning.nextAt = performance.now()
      watchLine(attachment, search)
    }
    if (!isOver() && isHopeless(returning, performance.now())) {
      end(attachment, CloseCode.FAILED_TO_RECONNECT, search.reason || reasonOf(returning))
    }
  }
  for (const question of search.questions) question.abort()
  search.line?.abort()
}

/** Nothing is answered: when the line is there again, the next question is asked at once, over other connections than those before. */
function watchLine(attachment: Attachment, search: Search): void {
  if (search.line !== undefined) return
  search.line = new AbortController()
  search.find.watchLine(attachment.room, search.line.signal, () => {
    search.isApart = false
    search.returning.nextAt = performance.now()
    attachment.wake()
  })
}

/** What is asked for a room until it is found. */
type Search = {
  readonly returning: Return
  readonly find: WayBack
  /** Not answered yet, oldest first. */
  readonly questions: AbortController[]
  /** Whether to ask without the connections and cookies of the page. */
  isApart: boolean
  /** Ends the watch of a dead line. */
  line: AbortController | undefined
  /** A question was answered, and a connection is being made. */
  isTaking: boolean
  reason: string
}

/** Asks once. The first answer counts, whichever question it is for. Returns that it was answered. */
async function ask(attachment: Attachment, search: Search): Promise<boolean> {
  const { returning, find, questions } = search
  // The token of the last welcome is valid until the next one. If that was sent and got lost, the newest connection has the valid token.
  const before = returning.refused % 2 === 0 ? attachment.welcomedBy : attachment.room
  const question = new AbortController()
  questions.push(question)
  if (questions.length > MOST_QUESTIONS) questions.shift()!.abort()
  try {
    const reservation = await find.ask(returning.asked, before, { isApart: search.isApart, signal: question.signal })
    if (attachment.returning === returning && !search.isTaking) await take(attachment, search, reservation)
  } catch (error) {
    if (attachment.returning === returning && !question.signal.aborted)
      noteRefusal(attachment, search, error as Refusal)
  }
  const at = questions.indexOf(question)
  if (at >= 0) questions.splice(at, 1)
  return true
}

async function take(attachment: Attachment, search: Search, reservation: Reservation): Promise<void> {
  const { returning, find } = search
  if (returning.isDoubt) {
    returning.isDoubt = false
    attachment.doubts++
    goAlone(attachment, CloseCode.ABNORMAL_CLOSURE)
  }
  search.isTaking = true
  // Browsers open one socket after the other.
  search.line?.abort()
  const taking = find.take(reservation).then((room) => takeRoom(attachment, room, find))
  await Promise.race([taking, sleep(patienceMs(returning))]).finally(() => void (search.isTaking = false))
}

type Refusal = { readonly code?: number; readonly message?: string }

function noteRefusal(attachment: Attachment, search: Search, { code, message = '' }: Refusal): void {
  const { returning } = search
  // Where only another build is left, the room may still come back with a process of the old one.
  if (code === ROOM_GONE || code === OTHER_BUILD) returning.missing++
  if (code === SEAT_EXPIRED || code === GONE) returning.refused++
  if (code === OTHER_BUILD) search.reason = message
  if (code !== undefined && NOT_SIGNED_IN.includes(code)) search.isApart = false
  const { room, welcomedBy } = attachment
  const tokens = room === welcomedBy ? 1 : 2
  if (code === GONE && returning.refused >= tokens) end(attachment, CloseCode.FAILED_TO_RECONNECT, message)
}

/** Where no server said why. */
function reasonOf({ refused, missing, seatSeconds }: Return): string {
  if (refused > 0) return 'the seat was given up'
  if (missing > 0) return 'the match was not found again'
  return `the server could not be reached for the ${seatSeconds} s for which your seat was kept`
}

/** The room was found, perhaps a second time. The server has closed the connection before, so the newest one is used. */
function takeRoom(attachment: Attachment, room: Room, find: WayBack): void {
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

/** Waits, with an attachment only until it is woken. */
function sleep(ms: number, attachment?: Attachment): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, Math.max(ms, 0))
    if (attachment === undefined) return
    attachment.wake = () => {
      clearTimeout(timer)
      resolve()
    }
  })
}
