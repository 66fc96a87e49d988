/**
 * The log comes before the word: nothing is said of a tick before the log has it.
 *
 * The match itself does not wait. It steps on, and what it has to say waits here until the store has answered. So a tick that any
 * client has seen can never be lost: a process that takes the match over finds it in the log.
 *
 * A store may be away. After some patience the match either goes on without protection or stands still, as configured, and
 * protection begins anew with a checkpoint as soon as the store answers. A keeper that is fenced is finished: another
 * process owns the match, and every word that was still waiting is dropped.
 *
 * Patience is counted in calls of `tendKeeper`, not in time: a process that was stopped must not wake up, find its patience at
 * an end, and go on with a match that is no longer its own.
 */

import { createLogChain, drainWhole, type LogChain, logCheckpoint, logTick, replayPosition } from 'hurtbox/replay'
import { takeReplay } from './host.ts'
import type { Host } from './state.ts'
import { Fenced, type MatchLog } from './store.ts'

export type KeeperOptions = {
  /** What a match does while the store is away: it goes on without protection (default), or stands still. */
  readonly whenStoreFails?: 'go-on' | 'freeze'
  /** Ticks without an answer after which the store counts as away. Default: those of one second. */
  readonly patienceTicks?: number
  /** Ticks between two checkpoints. Default 256. */
  readonly checkpointEvery?: number
  readonly onReplay?: (bytes: Uint8Array) => void
  readonly onState?: (state: KeeperState, problem: Error | undefined) => void
  /** How much of the replay the store has already, in bytes. Default 0. */
  readonly replayKept?: number
}

/** 'away' means: the store does not answer, or refuses. */
export type KeeperState = 'kept' | 'away' | 'fenced'

export type Keeper = {
  readonly host: Host
  readonly log: MatchLog
  readonly options: KeeperOptions
  state: KeeperState
  readonly inside: Inside
}

type Inside = {
  readonly chain: LogChain
  /** Words that wait until so many entries are answered, oldest first. */
  readonly words: { readonly needs: number; readonly say: () => void }[]
  sent: number
  answered: number
  /** Calls of `tendKeeper`, and at which of them the oldest unanswered entry was sent. */
  turn: number
  readonly sentAt: number[]
  /** Whether ticks are appended: not between a failure and the next checkpoint. */
  isAppending: boolean
  /** The number of the checkpoint with which appending began. */
  beganWith: number
  retryAt: number
  /** Pieces of the replay that the store does not have, and where they begin. */
  readonly pieces: Uint8Array[]
  piecesAt: number
}

const CHECKPOINT_EVERY = 256
/** Turns between two attempts after a failure. */
const RETRY_TURNS = 60

/** Starts to keep a match: its present state is the first checkpoint. */
export function createKeeper(host: Host, log: MatchLog, options: KeeperOptions = {}): Keeper {
  const keeper: Keeper = {
    host,
    log,
    options,
    state: 'kept',
    inside: {
      chain: createLogChain(),
      words: [],
      sent: 0,
      answered: 0,
      turn: 0,
      sentAt: [],
      isAppending: false,
      beganWith: 0,
      retryAt: 0,
      pieces: [],
      piecesAt: options.replayKept ?? 0,
    },
  }
  begin(keeper)
  return keeper
}

/** Whether the match may run its next tick. */
export function mayStep({ state, options }: Keeper): boolean {
  return state === 'kept' || (state === 'away' && options.whenStoreFails !== 'freeze')
}

/** Logs the tick that has just run. */
export function keepTick(keeper: Keeper): void {
  const { host, inside, options, state } = keeper
  if (state === 'fenced') return
  collectReplay(keeper)
  if (!inside.isAppending) return
  const { tick } = host.world
  const entry = logTick(inside.chain, tick - 1, host.inside.recent.at(-1)!)
  keeper.log.append(entry, expectAnswer(keeper))
  if (tick % (options.checkpointEvery ?? CHECKPOINT_EVERY) === 0) checkpoint(keeper)
}

/** Whether the log has everything that it has been given, so that what is to be said can be said now. */
export function maySay({ state, inside, options }: Keeper): boolean {
  if (state === 'kept') return inside.words.length === 0 && inside.answered === inside.sent
  return state === 'away' && options.whenStoreFails !== 'freeze'
}

/** Runs `say` as soon as the log has everything that it has been given. Never, when the keeper is fenced. */
export function sayWhenKept(keeper: Keeper, say: () => void): void {
  if (maySay(keeper)) say()
  else if (keeper.state !== 'fenced') keeper.inside.words.push({ needs: keeper.inside.sent, say })
}

/** Whether something waits to be said. */
export function hasUnsaid({ inside }: Keeper): boolean {
  return inside.words.length > 0
}

/** How many entries the log was given, and how many of them the oldest thing to be said waits for; undefined when nothing waits. */
export function waitOf({ inside }: Keeper): { readonly given: number; readonly needs: number | undefined } {
  return { given: inside.sent, needs: inside.words[0]?.needs }
}

/** Called once per turn of the owner's loop, whether a tick ran or not. */
export function tendKeeper(keeper: Keeper): void {
  const { inside, state, options, host } = keeper
  if (state === 'fenced') return
  const turn = ++inside.turn
  const patience = options.patienceTicks ?? host.game.declaration.tickRate
  if (inside.isAppending && inside.sentAt.length > 0 && turn - inside.sentAt[0] > patience) {
    lose(keeper, new Error(`the store has not answered for ${patience} ticks`))
  }
  if (!inside.isAppending && turn >= inside.retryAt && inside.answered === inside.sent) begin(keeper)
}

/** Writes a last checkpoint, from which another process can go on at once; `done` when the store has it. */
export function handOver(keeper: Keeper, done: (error: Error | undefined) => void): void {
  if (keeper.state === 'fenced') {
    done(new Fenced())
    return
  }
  checkpoint(keeper, done)
}

/** A new chain from the present state on. */
function begin(keeper: Keeper): void {
  const { inside } = keeper
  inside.isAppending = true
  inside.beganWith = inside.sent + 1
  checkpoint(keeper)
}

function checkpoint(keeper: Keeper, done?: (error: Error | undefined) => void): void {
  const { host, inside, log } = keeper
  const { writer, held } = host.inside
  if (writer !== undefined && writer.state !== 'finished') {
    const rest = drainWhole(writer)
    if (rest.length > 0) host.replay.push(rest)
  }
  collectReplay(keeper)
  const position = writer && replayPosition(writer)
  const bytes = joined(inside.pieces)
  const piece = { at: inside.piecesAt, bytes }
  const answer = expectAnswer(keeper)
  log.checkpoint(logCheckpoint(inside.chain, host.world, held, position), piece, (error) => {
    if (error === undefined) forgetPieces(inside, piece.at + bytes.length)
    answer(error)
    done?.(error)
  })
}

function expectAnswer(keeper: Keeper): (error: Error | undefined) => void {
  const { inside } = keeper
  const number = ++inside.sent
  inside.sentAt.push(inside.turn)
  return (error) => {
    inside.answered = number
    inside.sentAt.shift()
    if (error instanceof Fenced) fence(keeper)
    else if (error !== undefined) lose(keeper, error)
    else if (keeper.state === 'kept') speak(keeper, number)
    else if (keeper.state === 'away' && inside.isAppending && number >= inside.beganWith) recover(keeper, number)
  }
}

function lose(keeper: Keeper, problem: Error): void {
  const { inside, options } = keeper
  if (keeper.state === 'fenced') return
  inside.isAppending = false
  inside.retryAt = inside.turn + RETRY_TURNS
  const wasKept = keeper.state === 'kept'
  keeper.state = 'away'
  if (wasKept) options.onState?.('away', problem)
  if (options.whenStoreFails !== 'freeze') speak(keeper, Number.POSITIVE_INFINITY)
}

function recover(keeper: Keeper, number: number): void {
  keeper.state = 'kept'
  keeper.options.onState?.('kept', undefined)
  speak(keeper, number)
}

function fence(keeper: Keeper): void {
  if (keeper.state === 'fenced') return
  keeper.state = 'fenced'
  keeper.inside.words.length = 0
  keeper.options.onState?.('fenced', new Fenced())
}

/** Says what waited for the first `answered` entries. */
function speak({ inside: { words } }: Keeper, answered: number): void {
  while (words.length > 0 && words[0].needs <= answered) words.shift()!.say()
}

function collectReplay({ host, inside, options }: Keeper): void {
  for (const bytes of takeReplay(host)) {
    inside.pieces.push(bytes)
    options.onReplay?.(bytes)
  }
}

/** The store has the replay up to `length`. */
function forgetPieces(inside: Inside, length: number): void {
  while (inside.pieces.length > 0 && inside.piecesAt + inside.pieces[0].length <= length) {
    inside.piecesAt += inside.pieces.shift()!.length
  }
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}
