/**
 * Code of a game that threw: which function, in which tick, about which things. `placeOfFailure` of stack.ts finds the line.
 *
 * "Cannot read properties of undefined" is no help in a game of twenty phases. Whoever calls a function of a game catches what
 * it throws, says which function it was, and throws that on. The error of the game is the `cause`.
 */

import { type ErrorCode, HurtboxError } from './errors.ts'

/** The function that failed and what it was about, as far as that is known. */
export type FunctionPlace = {
  /** The function: `rule "sword hits slime"`, `phase move`, `bot "hunter" of seat 2`, `onJoin`, `setup`. */
  readonly what: string
  /** The phase in which it was called. */
  readonly phase?: string | undefined
  readonly tick?: number
  readonly seat?: number
  readonly things?: readonly ThingPlace[]
}

/** A thing by its id, a wall of the map by its number. */
export type ThingPlace = { readonly layer: string; readonly id?: number; readonly wall?: number }

/** What is known where a failure is caught. */
type Origin = {
  readonly known: FunctionPlace
  /** Made where it was caught: what called the function that threw. */
  readonly caught: Error
  /** Made where the function was defined: its line stands for what the engine throws about the function. */
  readonly defined: Error | undefined
}

/** What a function of a game threw. The code is that of the cause, where it has one. */
export class GameFailure extends HurtboxError {
  override readonly name: string = 'GameFailure'
  /** Private, so that consoles and logs do not print it below the sentence that says it. */
  readonly #origin: Origin

  constructor(cause: unknown, known: FunctionPlace, defined?: Error, caught: Error = new Error()) {
    const { code, details } = cause instanceof HurtboxError ? cause : { code: 'failed' as ErrorCode, details: {} }
    super(code, tell(known, cause instanceof Error ? cause.message : String(cause)), details)
    this.cause = cause
    this.#origin = { known, defined, caught }
  }

  get origin(): Origin {
    return this.#origin
  }
}

/** What was thrown, with the function that threw it; the innermost function counts, those around it add what they know. */
export function failureOf(thrown: unknown, around: FunctionPlace, definedAt?: Error): GameFailure {
  if (!(thrown instanceof GameFailure)) return new GameFailure(thrown, around, definedAt)
  const { known, defined, caught } = thrown.origin
  return new GameFailure(thrown.cause, { ...around, ...known }, defined, caught)
}

/** Calls a function of a game. What it throws says where. */
export function calling<T>(known: FunctionPlace, call: () => T): T {
  try {
    return call()
  } catch (error) {
    throw failureOf(error, known)
  }
}

/** `rule "sword hits slime" of phase hits failed in tick 12 with sword 3 and slime 7: …` */
function tell({ what, phase, tick, things = [] }: FunctionPlace, message: string): string {
  const inPhase = phase === undefined || what.endsWith(`phase ${phase}`) ? '' : ` of phase ${phase}`
  const when = tick === undefined ? '' : ` in tick ${tick}`
  const named = things.map(({ layer, id, wall }) => (wall === undefined ? `${layer} ${id}` : `${layer} (wall ${wall})`))
  return `${what}${inPhase} failed${when}${named.length === 0 ? '' : ` with ${named.join(' and ')}`}: ${message}`
}
