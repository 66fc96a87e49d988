/**
 * Code of a game that threw: which function, in which tick, about which things, in which line.
 *
 * "Cannot read properties of undefined" is no help in a game of twenty phases. Whoever calls a function of a game catches what
 * it throws, says which function it was, and throws that on. The error of the game is the `cause`.
 */

import { type ErrorCode, HurtboxError } from './errors.ts'
import { ownPlace, type SourcePlace } from './stack.ts'

/** Where code of a game failed. Plain data: it goes into logs, findings and messages as it is. */
export type FailurePlace = FunctionPlace & Partial<SourcePlace>

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

/** What a function of a game threw. The code is that of the cause, where it has one. */
export class GameFailure extends HurtboxError {
  override readonly name: string = 'GameFailure'
  readonly #known: FunctionPlace
  readonly #caught: Error
  readonly #defined: Error | undefined
  #place: FailurePlace | undefined

  constructor(cause: unknown, known: FunctionPlace, defined?: Error, caught: Error = new Error()) {
    const { code, details } = cause instanceof HurtboxError ? cause : { code: 'failed' as ErrorCode, details: {} }
    super(code, tell(known, messageOf(cause)), details)
    this.cause = cause
    this.#known = known
    this.#caught = caught
    this.#defined = defined
  }

  /** Read from the stack when it is asked for: in a mirror that has diverged rules throw often, and nobody asks. */
  get place(): FailurePlace {
    return (this.#place ??= { ...this.#known, ...this.#findLine() })
  }

  /** The same with what a caller knows besides. */
  within(known: FunctionPlace): GameFailure {
    return new GameFailure(this.cause, { ...known, ...this.#known }, this.#defined, this.#caught)
  }

  #findLine(): SourcePlace | undefined {
    return ownPlace(this.cause, this.#caught) ?? (this.#defined && ownPlace(this.#defined))
  }
}

/**
 * What was thrown, with the function that threw it; the innermost function counts, those around it add what they know.
 * `defined` is an error made where the function was defined: its line stands for what the engine throws about the function.
 */
export function failureOf(thrown: unknown, known: FunctionPlace, defined?: Error): GameFailure {
  return thrown instanceof GameFailure ? thrown.within(known) : new GameFailure(thrown, known, defined)
}

/** Where it was thrown, if that is known. */
export function placeOfFailure(error: unknown): FailurePlace | undefined {
  return error instanceof GameFailure ? error.place : undefined
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

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}
