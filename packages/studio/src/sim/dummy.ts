/**
 * A training partner: the player on another seat does one thing only, so that one can practise against it.
 *
 * Made of inputs like any player, for any game: it stands, holds or presses a button, or does again what the person at the
 * controls has just recorded. What it does is in the replay as inputs.
 */

import type { AnyGame, InputSpec } from 'hurtbox/tools'
import type { HandInput } from './protocol.ts'

/** `bot` is no dummy: the bot plays. */
export type DummyDoes = 'bot' | 'stand' | 'press' | 'repeat'

export type Dummy = {
  does: DummyDoes
  /** The field of the input that it holds or presses. */
  field: string
  /** What was recorded, tick by tick. */
  recorded: HandInput[]
  isRecording: boolean
  /** The tick since which it does what it does. */
  since: number
}

/** How often a press comes, s. */
const PRESS_SECONDS = 0.5

export function createDummy(): Dummy {
  return { does: 'bot', field: '', recorded: [], isRecording: false, since: 0 }
}

/** Its input for a tick. */
export function dummyInput({ does, field, recorded, since }: Dummy, game: AnyGame, tick: number): HandInput {
  const specs: Readonly<Record<string, InputSpec>> = game.declaration.input ?? {}
  const still = stillInput(specs)
  if (does === 'repeat' && recorded.length > 0) return { ...still, ...recorded[(tick - since) % recorded.length] }
  if (does !== 'press' || specs[field] === undefined) return still
  if (specs[field].kind !== 'press') return { ...still, [field]: true }
  const every = Math.max(1, Math.round(PRESS_SECONDS * game.declaration.tickRate))
  return (tick - since) % every === 0 ? { ...still, [field]: 1 } : still
}

/** Nothing held: levels keep until they are set, so they are set. */
function stillInput(specs: Readonly<Record<string, InputSpec>>): Record<string, unknown> {
  const input: Record<string, unknown> = {}
  for (const [name, { kind }] of Object.entries(specs)) {
    if (kind === 'axis') input[name] = 0
    else if (kind === 'button') input[name] = false
  }
  return input
}
