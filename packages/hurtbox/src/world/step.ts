/**
 * One tick: inputs in, events out.
 *
 *   1 control inputs (join, leave, pause, tuning, entropy), then the inputs of the players
 *   2 the phases, in the order the game lists them
 *   3 rows that are leaving leave; the tick is over
 *
 * Inputs are checked before anything is written, so a bad one changes nothing. There are no callbacks: what happened is
 * in `world.events` afterwards.
 */

import { HurtboxError, requireFields } from '../base/errors.ts'
import { failureOf } from '../base/failure.ts'
import { CLOCK, TICK } from '../state/layout.ts'
import { firstLeaving, removeLeaving } from '../state/table.ts'
import { type Control, controlSpec, requireSeat } from './controls.ts'
import { clearEvents } from './events.ts'
import type { Declaration } from './game.ts'
import { moveHandles } from './handles/pool.ts'
import type { InputSpecs } from './input.ts'
import { encode, inputKinds } from './input-kinds.ts'
import type { PlayerInput } from './input-values.ts'
import type { AnyWorld, World } from './world.ts'

/** Everything that enters the world in one tick. */
export type TickInputs<D extends Declaration = Declaration> = {
  readonly controls?: readonly Control[]
  readonly players?: readonly PlayerInput<D['input'] extends InputSpecs ? D['input'] : Record<never, never>>[]
}

/** The same with player inputs as codes: what files and the wire carry, checked already. */
export type EncodedInputs = {
  controls: readonly Control[]
  count: number
  readonly seats: Uint8Array
  /** Codes of input `i` from `i * fields` on. */
  readonly codes: Uint32Array
}

/**
 * Runs one tick.
 *
 * A player without an input keeps its levels and has no presses. A given input is the whole input: what it leaves out is
 * idle.
 *
 * @example
 * ```ts
 * import { createWorld, declareGame, defineGame, step } from 'hurtbox'
 *
 * const world = createWorld(defineGame(declareGame({ id: 'arena', tickRate: 60 }), { phases: {} }))
 * step(world, { controls: [{ control: 'join', seat: 0 }] })
 * step(world)
 * console.log(world.tick, world.tables.players.count) // 2 1
 * ```
 */
export function step<D extends Declaration>(world: World<D>, inputs: TickInputs<D> = {}): void {
  const encoded = createEncodedInputs(world)
  encodeInputs(world, inputs as TickInputs, encoded)
  stepEncoded(world, encoded)
}

/** Runs one tick from inputs that `encodeInputs` has checked. Allocates nothing. */
export function stepEncoded(world: AnyWorld, inputs: EncodedInputs): void {
  const { memory } = world
  if (memory.status !== 'ready') throw notReady(memory.status, memory.brokenBy)
  memory.status = 'stepping'
  try {
    clearEvents(world)
    applyInputs(world, inputs)
    // Read once. A pause that arrives mid-tick takes effect on the next tick, so every clock value runs exactly once.
    const { paused } = world
    runPhases(world, paused)
    endTick(world, paused)
    memory.status = 'ready'
  } catch (error) {
    memory.status = 'broken'
    memory.brokenBy = error
    throw error
  }
}

/** Room for the inputs of a tick of this world, to be used again and again. */
export function createEncodedInputs(world: AnyWorld): EncodedInputs {
  const seats = world.game.declaration.seats.max
  return {
    controls: [],
    count: 0,
    seats: new Uint8Array(seats),
    codes: new Uint32Array(seats * world.game.input.fields.length),
  }
}

/** Checks inputs against the world and writes them as codes. Throws before anything is changed. */
export function encodeInputs(world: AnyWorld, inputs: TickInputs, into: EncodedInputs): void {
  const { controls, players } = requireInputs(inputs)
  const { input } = world.game
  const taken = seatsAfter(world, controls)
  into.controls = controls
  into.count = 0
  for (let i = 0; i < players.length; i++) {
    const seat = requireSeat(world.game, players[i].seat)
    if (!taken[seat]) throw new HurtboxError('bad-argument', `there is an input for seat ${seat}, which is empty.`)
    for (let j = 0; j < i; j++) {
      if (players[j].seat === seat)
        throw new HurtboxError('bad-argument', `seat ${seat} has two inputs in one tick; fold them.`)
    }
    try {
      encode(input, players[i], into.codes, into.count * input.fields.length)
    } catch (error) {
      // Nothing of the game was called: the place is that of the code which gave the input.
      throw failureOf(error, { what: `input of seat ${seat}`, seat, tick: world.tick }, new Error())
    }
    into.seats[into.count++] = seat
  }
}

function applyInputs(world: AnyWorld, inputs: EncodedInputs): void {
  for (let i = 0; i < inputs.controls.length; i++) controlSpec(inputs.controls[i]).apply(inputs.controls[i], world)
  inputKinds.used?.applyInputs(world, inputs)
}

function runPhases(world: AnyWorld, paused: boolean): void {
  const { phases } = world.memory
  const { behaviour } = world.game
  // The phase that runs; none while the game is asked whether it is over.
  let phase: string | undefined
  try {
    for (let i = 0; i < phases.length; i++) {
      if (paused && !phases[i].whilePaused) continue
      phase = undefined
      if (behaviour.isOver?.(world)) return
      phase = phases[i].name
      phases[i].phase.run(world as never)
    }
  } catch (error) {
    throw failureOf(error, { what: phase === undefined ? 'isOver' : `phase ${phase}`, phase, tick: world.tick })
  }
}

function endTick(world: AnyWorld, wasPaused: boolean): void {
  const { header, tables, phases, block } = world.memory
  header[TICK]++
  if (!wasPaused) header[CLOCK]++
  let i = 0
  try {
    for (; i < phases.length; i++) phases[i].phase.endTick?.(world as never)
  } catch (error) {
    throw failureOf(error, { what: `endTick of phase ${phases[i].name}`, tick: world.tick - 1 })
  }
  for (i = 0; i < tables.length; i++) {
    const first = firstLeaving(tables[i])
    if (first < 0) continue
    moveHandles(block.pools[i], first)
    removeLeaving(tables[i], first)
  }
}

/** Which seats are taken once the controls are applied; throws on one that cannot be. */
function seatsAfter({ game, tables: { players } }: AnyWorld, controls: readonly Control[]): readonly boolean[] {
  const taken: boolean[] = []
  for (let row = 0; row < players.count; row++) taken[players.seat[row]] = true
  const seating = { taken, joined: players.count }
  for (const control of controls) controlSpec(control).check(control, game, seating)
  return taken
}

function requireInputs(inputs: TickInputs): { controls: readonly Control[]; players: readonly PlayerInput[] } {
  requireFields(inputs, 'inputs', ['controls', 'players'])
  const { controls = [], players = [] } = inputs
  if (
    Array.isArray(controls) &&
    Array.isArray(players) &&
    players.every((input) => typeof input === 'object' && input)
  ) {
    return { controls, players }
  }
  throw new HurtboxError('bad-argument', 'controls and players must be lists of records.')
}

function notReady(status: string, brokenBy: unknown): HurtboxError {
  if (status === 'stepping') return new HurtboxError('broken-world', 'step was called from inside a step or a setup.')
  const error = new HurtboxError(
    'broken-world',
    `an earlier step threw half way (${String(brokenBy)}). Restore a snapshot.`,
  )
  error.cause = brokenBy
  return error
}
