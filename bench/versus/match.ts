/**
 * A match, recorded once and replayed on both sides.
 *
 * Bots think longer than many a tick takes. A replay of their encoded inputs leaves the engine and the rules, and as both
 * sides get the same inputs, both must end in the same state.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { deserialize, serialize } from 'node:v8'
import type { Engine, Game, GameModule, Inputs, World } from './engine.ts'

export type Match = {
  readonly setup: { readonly seed: number; readonly options: object; readonly tuning: object }
  readonly ticks: number
  /** Codes per player input. */
  readonly fields: number
  readonly controls: ReadonlyMap<number, readonly object[]>
  /** Player inputs of each tick, then the seats and codes of all of them in tick order. */
  readonly counts: Uint8Array
  readonly seats: Uint8Array
  readonly codes: Uint32Array
  /** The state after the last tick. */
  readonly hash: string
}

export type Replay = {
  readonly world: World
  readonly inputs: Inputs
  /** Player inputs consumed so far. */
  used: number
}

/** The matches of the README, cut where a replay takes longer than about half a second. */
export const MATCHES: Readonly<
  Record<string, { readonly bots: number; readonly seed: number; readonly ticks: number }>
> = {
  'jet-raiders': { bots: 8, seed: 42, ticks: 20_000 },
  nightfall: { bots: 1, seed: 42, ticks: 12_000 },
  siege: { bots: 2, seed: 7, ticks: 10_000 },
  sumo: { bots: 4, seed: 3, ticks: 20_000 },
  // Its scene brings its own bots.
  'vinyl-frontier': { bots: 0, seed: 42, ticks: 1_500 },
}

/** Plays the game's first scene with bots, as `hurtbox run` does, until the match is over or long enough. */
export function recordMatch(engine: Engine, name: string, { game, scenes, bots }: GameModule): Match {
  const { bots: seated, seed, ticks } = MATCHES[name]
  const { options = {}, tuning = {}, inputs: sceneInputs } = scenes[0]
  const setup = { seed, options, tuning }
  const world = engine.createWorld(game, setup)
  const inputs = engine.createEncodedInputs(world)
  const fields = fieldsOf(inputs)
  const controls = new Map<number, readonly object[]>()
  const [counts, seats, codes] = [[] as number[], [] as number[], [] as number[]]

  while (world.tick < ticks && game.behaviour.result?.(world)?.over !== true) {
    const { tick } = world
    const given = sceneInputs?.(tick, world) ?? {}
    const joins = Array.from({ length: tick === 0 ? seated : 0 }, (_, seat) => ({ control: 'join', seat }))
    // Several sorts of bots take the seats in turn.
    const thoughts = tick === 0 ? [] : bots.flatMap((bot, i) => engine.botInputs(bot, world, seed, isSeatOf(i)))
    engine.encodeInputs(
      world,
      { controls: [...(given.controls ?? []), ...joins], players: [...(given.players ?? []), ...thoughts] },
      inputs,
    )
    if (inputs.controls.length > 0) controls.set(tick, inputs.controls)
    counts.push(inputs.count)
    seats.push(...inputs.seats.subarray(0, inputs.count))
    codes.push(...inputs.codes.subarray(0, inputs.count * fields))
    engine.stepEncoded(world, inputs)
  }
  return {
    setup,
    ticks: world.tick,
    fields,
    controls,
    counts: Uint8Array.from(counts),
    seats: Uint8Array.from(seats),
    codes: Uint32Array.from(codes),
    hash: engine.hashWorld(world),
  }

  function isSeatOf(bot: number): (seat: number) => boolean {
    return (seat) => seat < seated && seat % bots.length === bot
  }
}

export function saveMatch(file: string, match: Match): void {
  writeFileSync(file, serialize(match))
}

export function loadMatch(file: string): Match {
  return deserialize(readFileSync(file)) as Match
}

export function startReplay(engine: Engine, game: Game, match: Match): Replay {
  const world = engine.createWorld(game, match.setup)
  const inputs = engine.createEncodedInputs(world)
  if (fieldsOf(inputs) !== match.fields) {
    throw new Error(`an input of ${game.declaration.id} has other fields than the recorded one; it cannot be replayed.`)
  }
  return { world, inputs, used: 0 }
}

const NO_CONTROLS: readonly object[] = []

/** Replays `ticks` ticks. Allocates nothing itself, so that what is allocated is the engine's. */
export function playOn({ stepEncoded }: Engine, match: Match, replay: Replay, ticks: number): void {
  const { counts, seats, codes, controls, fields } = match
  const { world, inputs } = replay
  for (let i = 0; i < ticks; i++) {
    const { tick } = world
    const { used } = replay
    inputs.controls = controls.get(tick) ?? NO_CONTROLS
    inputs.count = counts[tick]
    for (let n = 0; n < inputs.count; n++) inputs.seats[n] = seats[used + n]
    for (let n = 0; n < inputs.count * fields; n++) inputs.codes[n] = codes[used * fields + n]
    stepEncoded(world, inputs)
    replay.used += inputs.count
  }
}

function fieldsOf(inputs: Inputs): number {
  return inputs.codes.length / inputs.seats.length
}
