/** The players of a scene: a bot in every seat, and controls at fixed ticks. */

import type { Scene } from 'hurtbox'
import { type AnyBot, botInputs, type Control } from 'hurtbox/tools'

/** `bots[seat]` joins in tick 0 and thinks in every tick from then on. `controls` are added, by tick. */
export function botPlayers(
  bots: readonly AnyBot[],
  seed: number,
  controls: Readonly<Record<number, Control>> = {},
): NonNullable<Scene['inputs']> {
  return (tick, world) => {
    if (tick === 0) return { controls: bots.map((_, seat) => ({ control: 'join', seat })) }
    const control: Control | undefined = controls[tick]
    const leaver = control?.control === 'leave' ? control.seat : -1
    const players = bots.flatMap((bot, seat) => botInputs(bot, world, seed, (at) => at === seat && at !== leaver))
    return { players, controls: control === undefined ? [] : [control] }
  }
}
