/**
 * The probe: a fixed scene of any game, whose end state differs between two sets of rules.
 *
 * Its players press random inputs, drawn from the input declaration by a generator without state, so the same scene
 * exists for every game and in every build. Levels are held for a while, as people do, or no player would ever get anywhere.
 * A player leaves and returns, the match pauses, and entropy arrives. Options and tuning are the defaults; what
 * they change is a matter of `rulesVersion`.
 */

import { randomAt } from '../../geometry/math/random.ts'
import { hashWorld } from '../../state/hash.ts'
import type { Control } from '../../world/controls.ts'
import type { AnyGame } from '../../world/game.ts'
import { seatRow } from '../../world/handles/things.ts'
import { createEncodedInputs, type EncodedInputs, stepEncoded } from '../../world/step.ts'
import { type AnyWorld, createWorld } from '../../world/world.ts'

export const SEED = 0x5eed
const TICKS = 300
const MAX_PLAYERS = 4
/** Ticks that a level is held. */
const HOLD_TICKS = 16

/** The hash of the state after the probe; where the game fails, the tick in which it does so. */
export function runProbe(game: AnyGame): string {
  let tick = -1
  try {
    const world: AnyWorld = createWorld(game, { seed: SEED })
    const inputs = createEncodedInputs(world)
    for (tick = 0; tick < TICKS; tick++) {
      fillInputs(world, tick, inputs)
      stepEncoded(world, inputs)
    }
    return hashWorld(world)
  } catch {
    // Every build of the same rules fails alike, so a game with a bug still has a fingerprint. What the error says is not
    // part of it: its words differ between engines.
    return tick < 0 ? 'fails in setup' : `fails in tick ${tick}`
  }
}

export function fillInputs(world: AnyWorld, tick: number, inputs: EncodedInputs): void {
  const players = Math.min(world.game.declaration.seats.max, MAX_PLAYERS)
  inputs.controls = controlsAt(world, tick, players)
  inputs.count = 0
  const { fields } = world.game.input
  for (let seat = 0; seat < players; seat++) {
    // Some ticks bring no input, so that holding is part of the probe. An input for an empty seat has no effect.
    if (randomAt(SEED, tick, seat, 0, 0) % 8 === 0) continue
    for (let field = 0; field < fields.length; field++) {
      inputs.codes[inputs.count * fields.length + field] = codeAt(fields[field], tick, seat, field)
    }
    inputs.seats[inputs.count++] = seat
  }
}

function controlsAt(world: AnyWorld, tick: number, players: number): readonly Control[] {
  const last = players - 1
  switch (tick) {
    case 0:
      return Array.from({ length: players }, (_, seat) => ({ control: 'join', seat }))
    case 60:
      return [{ control: 'entropy', bits: 0x1234567 }]
    // Rules may have freed or filled the seat themselves.
    case 120:
      return seatRow(world, last) >= 0 ? [{ control: 'leave', seat: last }] : NONE
    case 140:
      return seatRow(world, last) < 0 ? [{ control: 'join', seat: last }] : NONE
    case 200:
    case 210:
      return [{ control: 'pause', paused: tick === 200 }]
    default:
      return NONE
  }
}

const NONE: readonly Control[] = []

type Field = AnyGame['input']['fields'][number]

function codeAt(field: Field, tick: number, seat: number, index: number): number {
  const bits = randomAt(SEED, field.isLevel ? Math.floor(tick / HOLD_TICKS) : tick, seat, index, 1)
  // Presses and lists: none in most ticks, then one or two.
  if (!field.isLevel) return bits % 6 === 0 ? Math.min(1 + ((bits >>> 8) % 2), field.largestCode) : 0
  // Ids of things: small ones, since nearly all others name nothing.
  const codes = field.largestCode === 0xffffffff ? 64 : field.largestCode + 1
  return bits % codes
}
