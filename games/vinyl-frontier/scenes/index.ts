/** Reproducible starts: matches of teams, in the rules of the document and of the original. */

import type { Scene } from 'hurtbox'
import { scriptTeam } from '../bots/script.ts'
import { idle } from '../bots/team.ts'
import { miner, raider } from '../bots/teams.ts'
import { ORDER } from '../rules/declaration.ts'
import { teamMatch } from './team-match.ts'

/** Fires once, in the second turn. */
const shooter = scriptTeam('shooter', { orders: [{ ship: 1, turn: 1, kind: ORDER.laser, value: 200 }], problems: [] })

export const commandsScene: Scene = teamMatch({
  name: 'commands',
  about: 'two ships and two lasers on one rock: the document’s pipeline of commands, all seven kinds in tick 9',
  seed: 1,
  teams: [shooter, shooter],
  options: { preset: 'commands', start: 'pile', maxTurns: 20 },
})

/** Gives a little thrust in each of three turns. */
const leaver = scriptTeam('leaver', {
  orders: [1, 2, 3].map((turn) => ({ ship: 0, turn, kind: ORDER.thrust, value: 1 })),
  problems: [],
})

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
  commandsScene,
  teamMatch({
    name: 'multi-hit',
    about: 'the same rock in the old engine: it breaks once for each of the four',
    seed: 1,
    teams: [shooter, shooter],
    options: { legacyCollisionHandling: true, start: 'pile', maxTurns: 20 },
  }),
  teamMatch({
    name: 're-docking',
    about: 'the old launch: a ship that leaves with little thrust is docked again twice before it gets away',
    seed: 1,
    teams: [leaver, idle],
    options: { legacyCollisionHandling: true, legacyDocking: true, vinyl: 0, uranium: 0, maxTurns: 20 },
  }),
]

/** The same for engines that are slow: the first twenty turns. */
export const shortScenes: readonly Scene[] = scenes.map((scene) => ({ ...scene, ticks: 100 }))
