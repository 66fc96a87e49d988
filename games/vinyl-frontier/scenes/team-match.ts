/** A match of teams, as a scene that everything which plays scenes can play. */

import type { Scene } from 'hurtbox'
import { type AnyWorld, botInputs, type Control, type TickInputs } from 'hurtbox/tools'
import { botOf, type Team } from '../bots/team.ts'
import { STEPS, type VinylOptions } from '../rules/declaration.ts'
import { vinylFrontier } from '../rules/index.ts'

export type MatchSetup = {
  readonly name: string
  readonly about: string
  readonly seed: number
  readonly teams: readonly Team[]
  readonly options?: Partial<VinylOptions>
}

/** The teams join in tick 0 and give orders once a turn from the second turn on. */
export function teamMatch({ name, about, seed, teams, options = {} }: MatchSetup): Scene {
  const bots = teams.map(botOf)
  const inputs = (tick: number, world: AnyWorld): TickInputs => {
    if (tick === 0) return { controls: bots.map((_, seat): Control => ({ control: 'join', seat, team: seat })) }
    return { players: bots.flatMap((bot, at) => botInputs(bot, world, seed, (seat) => seat === at)) }
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
