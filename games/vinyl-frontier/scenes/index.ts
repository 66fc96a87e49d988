/** Reproducible starts: matches of teams, in the rules of the document and of the original. */

import type { Scene } from 'hurtbox'
import { idle } from '../bots/team.ts'
import { miner, raider } from '../bots/teams.ts'
import { teamMatch } from './team-match.ts'

export const scenes: readonly Scene[] = [
  teamMatch({
    name: 'match',
    about: 'two teams that mine and fight, a full match by the document',
    seed: 42,
    teams: [raider, raider],
  }),
  teamMatch({
    name: 'original',
    about: 'two teams of miners in the rules of the measured server',
    seed: 42,
    teams: [miner, miner],
    options: { preset: 'original', maxTurns: 100 },
  }),
  teamMatch({
    name: 'legacy',
    about: 'two teams of miners with everything as it used to be',
    seed: 42,
    teams: [miner, miner],
    options: { legacyMode: true, maxTurns: 100 },
  }),
  teamMatch({
    name: 'crowd',
    about: 'four teams, spin, glancing blows and swept contacts',
    seed: 7,
    teams: [raider, miner, raider, idle],
    options: { spin: true, glancing: true, swept: true, vinyl: 20, uranium: 10, maxTurns: 100 },
  }),
]

/** The same for engines that are slow: the first twenty turns. */
export const shortScenes: readonly Scene[] = scenes.map((scene) => ({ ...scene, ticks: 100 }))
