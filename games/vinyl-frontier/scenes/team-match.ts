/** A match of teams, as a scene that everything which plays scenes can play. */

import type { AnyWorld, Control, Scene, TickInputs } from 'hurtbox'
import { botOf, type Team } from '../bots/team.ts'
import { STEPS, type VinylOptions, type VinylWorld } from '../rules/declaration.ts'
import { vinylFrontier } from '../rules/index.ts'

export type MatchSetup = {
  readonly name: string
  readonly about: string
  readonly seed: number
  readonly teams: readonly Team[]
  readonly options?: Partial<VinylOptions>
}

/** The teams sit down in tick 0 and give orders once a turn from the second turn on. */
export function teamMatch({ name, about, seed, teams, options = {} }: MatchSetup): Scene {
  const bots = teams.map(botOf)
  const inputs = (tick: number, world: AnyWorld): TickInputs => {
    if (tick === 0) return { controls: bots.map((_, seat): Control => ({ control: 'join', seat, team: seat })) }
    return { players: bots.map((bot, seat) => ({ ...bot.think(world as unknown as VinylWorld, seat, seed), seat })) }
  }
  const { maxTurns = 300 } = options
  return {
    name,
    about,
    game: vinylFrontier,
    seed,
    options: { ...options, teams: Math.max(1, teams.length) },
    ticks: maxTurns * STEPS,
    inputs,
  }
}
