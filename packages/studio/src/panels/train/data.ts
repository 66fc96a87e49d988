/** Who the training partner is, and what it can be told to do. */

import type { InputBinding, View } from '@hurtbox/view'
import type { MatchSetup } from '../../sim/protocol.ts'

/** The first seat that is not the player's own; undefined in a scene that has players of its own. */
export function partnerOf({ seats }: MatchSetup, own: number): number | undefined {
  return seats.find((each) => each.seat !== own)?.seat
}

/** The inputs that are pressed or held, with what they are called. */
export function buttonsOf({ controls }: View): [string, InputBinding][] {
  return Object.entries(controls.fields as Record<string, InputBinding>).filter(
    ([, { kind }]) => kind === 'button' || kind === 'press',
  )
}
